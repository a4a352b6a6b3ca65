"""Which file of a submission plays, and which class in it: the course's names first, then what the sources say.

    littlego        the first of PROGRAM_FILES that is meant as a program; else the first that is meant as a class
    other rules     a class with get_input: in my_player.py, else in my_player3.py
    both            only where no file has such a name, the one other file that plays

A file with one of these names decides, also when it is broken: what is wrong with it is told, and nothing else plays in its
place. A source for Python 2 alone gives way to another of these names, as it did at the course. The course's own files never
play for a student, see `gojudge.intake.handouts`. A roster's columns `entry` and `class` decide where names do not. What
else could have played is named too, so that nobody is judged by the wrong file unawares. For what a program and a class are
see `goban.common.player_sources`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from goban.common.excerpts import printable, quoted
from goban.common.player_faults import NOTEBOOK
from goban.common.player_sources import (
    USUAL_CLASS,
    Evidence,
    PlayerSourceError,
    class_in,
    look,
    looks_like_a_program,
    not_a_class,
    shown,
)
from goban.rulesets import LITTLEGO
from gojudge.errors import BadSubmissionError
from gojudge.intake.archives import Files
from gojudge.intake.handouts import is_handout
from gojudge.records import CLASS, PROGRAM

PROGRAM_FILES = ("my_player.py", "my_player3.py", "my_player.cpp", "my_player.java", "my_player11.cpp")
"""Entry files of the file protocol, in the course's order."""

_COMPILED = (".cpp", ".java")
# Where no file has one of the course's names, each one has to be read.
_MOST_SOURCES = 50
DECIDES = "a roster's columns entry and class can say which plays"


def kinds_for(rules: str) -> tuple[str, ...]:
    """Return which kinds of player can play under a preset of `goban.rulesets`."""
    return (CLASS, PROGRAM) if rules == LITTLEGO.name else (CLASS,)


@dataclass(frozen=True)
class Found:
    """Where a player is. folder: within the submission, '' for its top; entry: the file in it; kind: CLASS or PROGRAM.

    class_name: '' for a program. others: what else in that folder could have played, in words.
    """

    folder: str
    entry: str
    kind: str
    class_name: str = ""
    others: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{shown(PurePosixPath(self.entry))} ({f'class {self.class_name}' if self.kind == CLASS else 'a program'})"


@dataclass(frozen=True)
class _Candidate:
    """A file that could play. rank: how much speaks for it, 0 most; compared only between files without the course's names."""

    found: Found
    rank: int
    also: str = ""


def find_player(
    files: Files, class_name: str = "", kinds: Collection[str] = (CLASS, PROGRAM), entry: str = ""
) -> Found:
    """Return what plays. class_name, entry: the class and the file that do, where somebody has said so; else ''.

    Raises BadSubmissionError if there is none or more than one, and for a source that Python cannot read.
    """
    search = _Search(files, class_name, kinds)
    if entry:
        return search.candidate(_entry(files, entry)).found
    paths = [PurePosixPath(path) for path in files]
    named = _uppermost([path for path in paths if path.name in PROGRAM_FILES])
    folders = sorted({str(path.parent) for path in named})
    if len(folders) > 1:
        raise BadSubmissionError(f"expected one player, found some in the folders {_list(folders)}")
    named.sort(key=lambda path: PROGRAM_FILES.index(path.name))
    decider = search.decider(named)
    if decider is not None:
        rest = search.candidates(path for path in named if path != decider)
        # Programs first; the sort keeps the course's order otherwise.
        return _chosen([search.candidate(decider), *sorted(rest, key=lambda one: one.found.kind == CLASS)])
    sources = [path for path in paths if path.suffix == ".py" and (not named or path.parent == named[0].parent)]
    sources = [path for path in _uppermost(sources) if path not in named]
    return _other_player(search, named, sources)


def _other_player(search: _Search, named: list[PurePosixPath], sources: list[PurePosixPath]) -> Found:
    """Return the one player in files without the course's names. named: files with such names, which cannot play."""
    if not named and not sources:
        raise BadSubmissionError(f"expected my_player.py, found {_list(sorted(search.files))}{_hint(search.files)}")
    if len(sources) > _MOST_SOURCES:
        raise BadSubmissionError(f"expected my_player.py, found {len(sources)} other .py files")
    alone = len(sources) == 1 and not named
    own = [path for path in sources if not is_handout(search.files, path, alone)]
    players = search.candidates(own)
    best = [one for one in players if one.rank == min(other.rank for other in players)]
    if len(best) == 1:
        return _chosen([*best, *(one for one in players if one is not best[0])])
    if best:
        raise BadSubmissionError(f"expected one player, found {_list([str(one.found) for one in best])}; {DECIDES}")
    if named:
        search.candidate(named[0])
    if not own:
        names = _list(sorted(map(str, sources)))
        raise BadSubmissionError(f"expected my_player.py, found only the course's own files: {names}{_hint(search.files)}")
    if len(sources) == 1:
        raise search.complaints[sources[0]]
    where = _list(sorted(map(str, own)))
    raise BadSubmissionError(f"expected one file with a class {search.class_name or USUAL_CLASS}, found none in {where}")


def _hint(files: Files) -> str:
    if any(path.endswith((".zip", ".tar", ".tgz", ".gz")) for path in files):
        return " (archives within archives are not unpacked)"
    notebook = next((path for path in sorted(files) if path.endswith(".ipynb")), None)
    return f"; {shown(PurePosixPath(notebook))}: {NOTEBOOK}" if notebook is not None else ""


def _chosen(players: list[_Candidate]) -> Found:
    """Return the first of some candidates, with the others in words."""
    first, *rest = players
    also = [first.also] if first.also else []
    return replace(first.found, others=(*also, *(str(one.found) for one in rest)))


class _Search:
    """Looks at files one by one. complaints: why a file cannot play, of those that `candidates` has looked at."""

    def __init__(self, files: Files, class_name: str, kinds: Collection[str]) -> None:
        self.files = files
        self.class_name = class_name
        self.kinds = kinds
        self.complaints: dict[PurePosixPath, BadSubmissionError] = {}
        self._only = "" if PROGRAM in kinds else "; those play under the rules 'littlego' only"

    def decider(self, named: list[PurePosixPath]) -> PurePosixPath | None:
        """Return which of the files with the course's names decides, whether it can play or not; None if none does."""
        for kind in (PROGRAM, CLASS):
            for path in named if kind in self.kinds else ():
                if self._is_meant_as(path, kind):
                    return path
        sources = [path for path in named if path.suffix == ".py"]
        return sources[0] if sources and not self.class_name else None

    def _is_meant_as(self, path: PurePosixPath, kind: str) -> bool:
        """Tell whether a file is to be a program, or a class that is asked; what cannot be parsed is judged by its words."""
        if kind == PROGRAM and self.class_name:
            return False
        if path.suffix in _COMPILED:
            return kind == PROGRAM
        try:
            said = look(self.files, path)
        except PlayerSourceError as error:
            data = self.files[str(path)]
            program = path.name == "my_player3.py" or looks_like_a_program(data)
            fits = program if kind == PROGRAM else b"get_input" in data or not program
            return fits and not error.for_python_2
        if kind == PROGRAM:
            return _is_program(said, path)
        wanted = self.class_name or USUAL_CLASS
        if wanted in {*said.players, *said.bases, *said.unsure, *said.unfit, *said.objects}:
            return True
        return not self.class_name and bool(said.players or (said.unfit and not said.reads))

    def candidates(self, paths: Iterable[PurePosixPath]) -> list[_Candidate]:
        """Return those of these files that can play, in order."""
        found = []
        for path in paths:
            try:
                found.append(self.candidate(path))
            except BadSubmissionError as error:
                self.complaints[path] = error
        return found

    def candidate(self, path: PurePosixPath) -> _Candidate:
        """Return a file as a player; raises BadSubmissionError if it cannot play."""
        try:
            return self._candidate(path)
        except PlayerSourceError as error:
            raise BadSubmissionError(str(error)) from error

    def _candidate(self, path: PurePosixPath) -> _Candidate:
        if path.suffix in _COMPILED:
            if PROGRAM in self.kinds and not self.class_name:
                return _Candidate(_found(path, PROGRAM), 0)
            raise not_a_class(path, self.class_name, self._only)
        said = look(self.files, path)
        if PROGRAM in self.kinds and not self.class_name and _is_program(said, path):
            also = "" if said.reads or not said.players else f"class {said.players[0]} in it"
            return _Candidate(_found(path, PROGRAM), 0 if said.reads else 4, also)
        class_name = class_in(said, path, self.class_name, DECIDES, self._only)
        rank = 3 if class_name not in {*said.players, *said.bases} else 1 if class_name == USUAL_CLASS else 2
        return _Candidate(_found(path, CLASS, class_name), rank)


def _is_program(said: Evidence, path: PurePosixPath) -> bool:
    # What is called my_player3.py has never been anything else at the course, so it may leave all to a module.
    return said.main or said.reads or (path.name == "my_player3.py" and not said.players)


def _found(path: PurePosixPath, kind: str, class_name: str = "") -> Found:
    return Found("" if str(path.parent) == "." else str(path.parent), path.name, kind, class_name)


def _entry(files: Files, entry: str) -> PurePosixPath:
    """Return the file that a roster, or a student, has named: by its path, or by its name if no two have that."""
    paths = [PurePosixPath(path) for path in files]
    fitting = [path for path in paths if str(path) == entry] or _uppermost([path for path in paths if path.name == entry])
    if len(fitting) == 1 and fitting[0].suffix == ".ipynb":
        raise BadSubmissionError(f"{shown(fitting[0])}: {NOTEBOOK}")
    if len(fitting) != 1:
        what = f"{len(fitting)} of them" if fitting else _list(sorted(files))
        raise BadSubmissionError(f"expected the file {quoted(entry)}, which is said to play, found {what}")
    if fitting[0].suffix not in (".py", *_COMPILED):
        raise BadSubmissionError(f"expected a .py, .cpp or .java file as the one that plays, got {quoted(entry)}")
    return fitting[0]


def _uppermost(paths: list[PurePosixPath]) -> list[PurePosixPath]:
    depth = min((len(path.parts) for path in paths), default=0)
    return [path for path in paths if len(path.parts) == depth]


def _list(names: list[str]) -> str:
    known = ", ".join("its top" if name == "." else printable(name, 60) for name in names[:4])
    return f"{known} and {len(names) - 4} more" if len(names) > 4 else known
