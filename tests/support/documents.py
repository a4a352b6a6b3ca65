"""The documents in the order a reader works through them: README, then the others in the order README links them.

    <!-- saved as: PATH -->          the block below is a file that the reader saves
    <!-- output: COMMAND -->         the block below is exactly what the command prints
    <!-- printed by: COMMAND -->     the same, except for seconds and the sandbox's tier
    ```sh                            commands to be typed, one per line
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"

_SAVED = r"<!-- saved as: (?P<name>\S+) -->\n```\w*\n(?P<text>.*?)^```"
_STEP = re.compile(rf"^(?:{_SAVED}|```sh\n(?P<commands>.*?)^```)", re.S | re.M)
_LINK = re.compile(r"\]\((docs/[\w/-]+\.md)[)#]")


@dataclass(frozen=True)
class Saved:
    """A file the reader saves. name: its path in the folder of the clone."""

    name: str
    text: str


@dataclass(frozen=True)
class Command:
    """A line the reader types. where: the document, for messages."""

    line: str
    where: str


def linked(text: str) -> list[Path]:
    """Return the documents that a text links to, in order, each once."""
    return [ROOT / name for name in dict.fromkeys(_LINK.findall(text))]


def documents() -> list[Path]:
    """Return all documents that a reader works through, in order."""
    return [README, *linked(README.read_text())]


def steps(path: Path) -> list[Saved | Command]:
    """Return what a document tells its reader to do, in order."""
    found: list[Saved | Command] = []
    for step in _STEP.finditer(path.read_text()):
        if step["name"]:
            found.append(Saved(step["name"], step["text"]))
        else:
            found += [Command(line, path.name) for line in step["commands"].splitlines() if line]
    return found


def commands() -> list[Command]:
    """Return every command of every document."""
    return [step for path in documents() for step in steps(path) if isinstance(step, Command)]


def shown(kind: str) -> list[tuple[str, str]]:
    """Return (command, what it prints) for all blocks under comments of this kind, 'output' or 'printed by'."""
    block = re.compile(rf"^<!-- {kind}: (.*?) -->\n```\n(.*?)```", re.S | re.M)
    return [pair for path in documents() for pair in block.findall(path.read_text())]


# Starts one after the other, and prints what each says. A module without words is only imported.
_STARTED = """
import contextlib, importlib, io, json, runpy, sys
for name, *words in json.loads(sys.argv[1]):
    sys.argv, out, status = [name, *words], io.StringIO(), 0
    with contextlib.redirect_stdout(out):
        try:
            if name.endswith(".py"):
                runpy.run_path(name, run_name="__main__")
            elif words:
                runpy.run_module(name, run_name="__main__")
            else:
                importlib.import_module(name)
        except SystemExit as leaving:
            status = leaving.code or 0
    print(json.dumps([status, out.getvalue()]))
"""


def printed_by(started: list[list[str]]) -> list[str]:
    """Start modules and scripts of the project with these words; return what each prints. All must end with status 0.

    They are started in one process, since most of a start is to load numba.
    """
    command = [sys.executable, "-c", _STARTED, json.dumps(started)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    ends = [json.loads(line) for line in done.stdout.splitlines()]
    assert [words for words, (status, _) in zip(started, ends, strict=True) if status] == [], done.stderr
    return [text for _, text in ends]
