"""A player named on the command line: a reference player, or the one submission in a file, folder or archive.

A student's file is rarely alone: its own modules and tables lie beside it. So of a program like my_player3.py the files
beside it are taken along that it imports or names in its source, and those that these need.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from goban.excerpts import quoted, quoted_path
from tournament.errors import BadRosterError, BadSubmissionError
from tournament.event_files import REFERENCES
from tournament.intake import take_in
from tournament.records import Entrant
from tournament.rosters import clean_name
from tournament.schedules import reference_entrants
from tournament.sources import CLASS, PROGRAM, PROGRAM_FILES

_MOST_BYTES = 64 << 20
_HOST = Path(__file__).resolve().parent.parent / "go.py"
_IMPORTS = re.compile(r"^\s*(?:from|import)\s+([\w, \t]+)", re.M)


def single_players(names: Sequence[str], copies: Path) -> list[Entrant]:
    """Return who plays, with different names. copies: an empty folder, where submissions are copied to.

    Raises BadRosterError or BadSubmissionError.
    """
    found: list[Entrant] = []
    for number, name in enumerate(names, 1):
        place = copies / str(number)
        entrant = reference_entrants([name])[0] if name in REFERENCES else _submission(Path(name), place)
        taken = {other.name.casefold() for other in found}
        own = entrant.name
        if own.casefold() in taken or (not entrant.reference and own in REFERENCES):
            own = f"{own}-{number}"
        found.append(replace(entrant, name=own))
    return found


def _submission(source: Path, place: Path) -> Entrant:
    if not source.exists():
        raise BadRosterError(f"expected a player ({', '.join(REFERENCES)}), a file or a folder, got {quoted(str(source))}")
    named = source.name if source.name in PROGRAM_FILES and source.is_file() else ""
    handed_in = [_gathered(source, place / "handed-in") if named else source]
    intake = take_in(handed_in, place / "copies", kinds=(CLASS, PROGRAM))
    for refused in intake.refused:
        raise BadSubmissionError(f"{quoted_path(source)}: {refused.reason}")
    if len(intake.entrants) != 1:
        raise BadSubmissionError(f"expected one submission, found {len(intake.entrants)} in {quoted_path(source)}")
    entrant = replace(intake.entrants[0], name=clean_name(source.stem) or "player")
    if named and named != entrant.entry:
        # Beside my_player3.py there may lie a my_player.py, which would be taken for the player of the two.
        entrant = replace(entrant, entry=named, kind=PROGRAM)
    return entrant


def _gathered(source: Path, into: Path) -> Path:
    """Copy a program and what it needs from its own folder into another one; return that."""
    into.mkdir(parents=True)
    left = {path.name: path for path in source.parent.iterdir() if path.is_file() and not path.is_symlink()}
    if (beside := left.get(_HOST.name)) is not None and beside.read_bytes() == _HOST.read_bytes():
        # The judge has it.
        del left[_HOST.name]
    todo = [source.name]
    size = 0
    while todo:
        path = left.pop(todo.pop(), None)
        if path is None:
            continue
        data = path.read_bytes()
        size += len(data)
        if size > _MOST_BYTES:
            raise BadSubmissionError(f"{quoted_path(source)}: expected at most {_MOST_BYTES >> 20} MiB with all it needs")
        (into / path.name).write_bytes(data)
        todo += [name for name in left if _needs(path.name, data, name)]
    return into


def _needs(name: str, data: bytes, other: str) -> bool:
    """Tell whether a source imports or names another file."""
    if not name.endswith((".py", ".cpp", ".java", ".h", ".hpp")):
        return False
    text = data.decode("utf-8", "replace")
    modules = {module.split()[0] for line in _IMPORTS.findall(text) for module in line.split(",") if module.split()}
    beside = name.endswith((".cpp", ".java")) and Path(other).suffix == Path(name).suffix
    return beside or (other.endswith(".py") and other[:-3] in modules) or re.search(
        rf"""["'/<]{re.escape(other)}[">']""", text
    ) is not None  # fmt: skip
