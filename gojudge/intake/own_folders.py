"""Whether a folder in which no file has one of the course's names is one submission, or holds one of each student.

It is one where all its sources belong together: one of them plays, and the others are imported by it, or import it. Where one
source plays and nothing lies beside it that it needs, it does not matter. Everything else is a class: its players have nothing
to do with each other. The course's own files count for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from goban.common.excerpts import printable
from gojudge.errors import BadSubmissionError
from gojudge.intake.archives import Files, contents_of, is_archive, read_files
from gojudge.intake.dependencies import companions
from gojudge.intake.handouts import is_handout
from gojudge.intake.player_files import find_player
from gojudge.sandbox.reading import read_apart

# A class's folder may hold hundreds of files; to read them all takes time.
_MOST_SOURCES = 20
_SOURCES = (".py", ".cpp", ".java")


def why_one(folder: Path) -> str:
    """Return why all in a folder is one submission, as 'agent.py needs helpers.py'; '' if that is not plain.

    Nothing in it is run.
    """
    try:
        return str(read_apart(lambda: {"why": _why_one(folder)})["why"])
    except (BadSubmissionError, OSError):
        return ""


# In the process that reads


def _why_one(folder: Path) -> str:
    children = contents_of(folder)
    sources = [child.name for child in children if child.is_file() and child.suffix in _SOURCES]
    if not 0 < len(sources) <= _MOST_SOURCES or any(child.is_file() and is_archive(child) for child in children):
        return ""
    files = read_files(folder)
    own = [name for name in sources if not is_handout(files, PurePosixPath(name))]
    try:
        found = find_player(files)
        player = found.entry if not found.folder else ""
    except BadSubmissionError:
        # Two that play are two submissions. If none does, what is wrong is told of one if its files belong together.
        player = own[0] if len(own) > 1 and not any(_plays(files, name) for name in own) else ""
    if player not in own:
        return ""
    needs = {name: set(companions(folder / name)) for name in own}
    used = {path for paths in needs.values() for path in paths}
    folders = [child for child in children if child.is_dir() and any(path.suffix in _SOURCES for path in child.iterdir())]
    if any(not any(path.startswith(f"{child.name}/") for path in used) for child in folders):
        return ""
    return _tie(player, needs) if _together(player, needs) == set(own) else ""


def _plays(files: Files, name: str) -> bool:
    try:
        find_player({name: files[name]})
    except BadSubmissionError:
        return False
    return True


def _together(player: str, needs: Mapping[str, set[str]]) -> set[str]:
    """Return the sources that are tied to the player: by what one of them needs, one way or the other."""
    tied, new = {player}, {player}
    while new:
        new = {name for name in needs.keys() - tied if any(name in needs[one] or one in needs[name] for one in new)}
        tied |= new
    return tied


def _tie(player: str, needs: Mapping[str, set[str]]) -> str:
    """Return what ties the player to another file; '' if nothing does."""
    # Sources say it better than data.
    pairs = [(player, path) for path in sorted(needs[player], key=lambda path: (path not in needs, path))]
    pairs += [(name, player) for name in sorted(needs) if player in needs[name]]
    return f"{printable(pairs[0][0], 60)} needs {printable(pairs[0][1], 60)}" if pairs else ""
