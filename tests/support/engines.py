"""Engines for tests: those of the shelf, our own players, and GNU Go where it is installed."""

import shutil
import sys
from pathlib import Path

from goban.common.files import search_path
from gojudge.records import Engine
from gojudge.shelf.doctor import ENGINES, SHELF
from tests.support.missing import needs

ROOT = Path(__file__).parents[2]
PYTHON = str(Path(sys.executable).resolve())
SHELVED = SHELF / ENGINES

NO_GNUGO = "" if shutil.which("gnugo", path=search_path()) else "there is no gnugo here (apt-get install gnugo)"
with_gnugo = needs(NO_GNUGO)
"""Marks a test that plays against GNU Go."""


def shelved(name, **fields):
    """An engine of the shelf."""
    return Engine((PYTHON, "-S", "-B", "-m", f"{name}.engine"), folder=SHELVED, **fields)


def written(folder, body, **fields):
    """An engine that is the shelf's plain one with some methods replaced; `folder` is made for it."""
    folder.mkdir(exist_ok=True)
    shutil.copy(SHELVED / "gtp_loop.py", folder)
    source = f"import os, sys\nfrom gtp_loop import *\n\n\nclass Mine(Engine):\n{body}\n\n\nMine().run()\n"
    (folder / "engine.py").write_text(source)
    return Engine((PYTHON, "-S", "-B", "engine.py"), folder=folder, **fields)
