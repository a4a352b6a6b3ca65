"""Results files and a course as version 2 of the store made them first, as SQL; with what was handed in, and event files.

Each is gone on with by one of COMMANDS, the course by `course course.toml` with `--now` as in `tests.support.courses`.
"""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

KEPT = Path(__file__).parents[1] / "stores_of_before"
_USUAL = ["--move-seconds=1", "--require-tier=T0", "--seed=1"]
COMMANDS = {
    "shipped": "grade hw --rubric=2019 --games=2 --event=shipped.toml",
    "own": "grade hw --rubric=own.toml",
    "late": "grade hw --rubric=late.toml --roster=late.csv",
    "decided": "grade programs --rubric=little.toml --games=10 --event=decided.toml",
    "little": "grade programs --rubric=little.toml",
    "cup": "round-robin hw --rubric=2019-second --size=3 --games=2 --event=cup.toml",
    "pair": "gauntlet random hw/ann.py --size=3 --games=2 --event=pair.toml",
    "gauntlet": "gauntlet hw/ann.py random greedy --size=3 --games=2",
}
"""Name of the store -> the words of the command that goes on with it, but for what all have."""


def words(name):
    """The words of the command that goes on with a store."""
    if name == "engines":
        return ["round-robin", "--event=engines.toml"]
    return [*COMMANDS[name].split(), f"--name={name}", *_USUAL]


def restore(folder):
    """Put everything into an empty folder, the results files as such."""
    shutil.copytree(KEPT, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(KEPT / "hw", folder / "first", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "first/cy.py").write_text("class MyPlayer(\n")
    for path in [*folder.glob("*.sql"), *folder.glob("kept/*.sql")]:
        with closing(sqlite3.connect(path.with_suffix(".db"))) as db:
            db.executescript(f"BEGIN;\n{path.read_text()}COMMIT;")
        path.unlink()
