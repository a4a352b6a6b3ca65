"""Makes docs/first-hour.ipynb, the notebook of the first hour, out of docs/first-hour.md.

    python3 -m tests.support.hour_notebook

Text becomes text, a file to be saved a cell that saves it, a command a cell that runs it; what the commands print is left out,
since they print it. What is typed in a terminal alone, and what is for one system only, stays text.
"""

from __future__ import annotations

import json
import re

from tests.support.documents import ROOT

HOUR = ROOT / "docs" / "first-hour.md"
NOTEBOOK = HOUR.with_suffix(".ipynb")

# The test of all commands learns for the whole minute only among the long ones; everywhere else from few games.
LEARNS, MANY, FEW = "python3 -m hour.learner", "\nGAMES = 4000\n", "\nGAMES = 40\n"

# A notebook has its packages, or lacks them, before it is opened; and nobody is there to press Ctrl-C.
IN_A_TERMINAL = ("make install", ". .venv/bin/activate", "--browser")

_BLOCK = re.compile(
    r"^(?:<!-- saved as: (?P<name>\S+) -->\n```\w*\n(?P<file>.*?)^```\n"
    r"|<!-- printed by: [^\n]* -->\n```\n.*?^```\n"
    r"|```sh\n(?P<commands>.*?)^```\n)",
    re.S | re.M,
)
_PLACE = '''# The commands below are run in the folder of the clone.
import os
import sys

if os.path.exists("first-hour.md"):
    os.chdir("..")
os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]'''


def cells(text: str) -> list[tuple[str, str]]:
    """Return the notebook's cells, (kind, text) of each, kind 'markdown' or 'code'."""
    found: list[tuple[str, str]] = []
    at = 0
    for block in _BLOCK.finditer(text):
        found.append(("markdown", text[at : block.start()]))
        at = block.end()
        if block["name"]:
            folder = block["name"].rpartition("/")[0]
            found.append(("code", f"os.makedirs({folder!r}, exist_ok=True)"))
            found.append(("code", f"%%writefile {block['name']}\n{block['file']}"))
        elif block["commands"] and any(part in block["commands"] for part in IN_A_TERMINAL):
            found.append(("markdown", block[0]))
        elif block["commands"]:
            found.append(("code", "".join(f"!{line}\n" for line in block["commands"].splitlines())))
    found.append(("markdown", text[at:]))
    kept = [(kind, cell.strip("\n")) for kind, cell in found]
    first = next(number for number, (kind, _) in enumerate(kept) if kind == "code")
    kept.insert(first, ("code", _PLACE))
    return [(kind, cell) for kind, cell in kept if cell]


def notebook(text: str) -> str:
    """Return the notebook's file, in version 4.5 of the format: without outputs, and always the same of the same text."""
    made: list[dict[str, object]] = []
    for number, (kind, cell) in enumerate(cells(text)):
        more: dict[str, object] = {"execution_count": None, "outputs": []} if kind == "code" else {}
        source = cell.splitlines(keepends=True)
        made.append({"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": source} | more)
    about = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    whole = {"cells": made, "metadata": about, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    NOTEBOOK.write_text(notebook(HOUR.read_text()))
