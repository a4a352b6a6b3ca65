"""Which file of a submission plays, and which class in it: the course's names first, then what the sources say.

    littlego        the first of PROGRAM_FILES that is a program; else the first that has a class
    other rules     a class with get_input: in my_player.py, else in my_player3.py
    both            if none of these names plays, the one other file that does

A roster's columns `entry` and `class` decide where names do not. What else could have played is named too, so that nobody
is judged by the wrong file unawares. For what a program and a class are see `tournament.intake.evidence`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from common.excerpts import printable, quoted
from goban.rulesets import LITTLEGO
from tournament.errors import BadSubmissionError
from tournament.inside.judge_modules import COURSE_MODULES, HOST_MODULES
from tournament.intake.archives import Files
from tournament.intake.evidence import Evidence, look
from tournament.intake.python_sources import shown
from tournament.records import CLASS, PROGRAM

PROGRAM_FILES = ("my_player.py", "my_player3.py", "my_player.cpp", "my_player.java", "my_player11.cpp")
"""Entry files of the file protocol, in the course's order."""

USUAL_CLASS = "MyPlayer"
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
    if players := search.candidates(named):
        # Programs first; the sort keeps the course's order otherwise.
        return _chosen(sorted(players, key=lambda one: one.found.kind == CLASS))
    sources = [path for path in paths if path.suffix == ".py" and (not named or path.parent == named[0].parent)]
    sources = [path for path in _uppermost(sources) if path not in named]
    return _other_player(search, named, sources)


def _other_player(search: _Search, named: list[PurePosixPath], sources: list[PurePosixPath]) -> Found:
    """Return the one player in files without the course's names. named: files with such names, which cannot play."""
    if not named and not sources:
        archives = any(path.endswith((".zip", ".tar", ".tgz", ".gz")) for path in search.files)
        hint = " (archives within archives are not unpacked)" if archives else ""
        raise BadSubmissionError(f"expected my_player.py, found {_list(sorted(search.files))}{hint}")
    if len(sources) > _MOST_SOURCES:
        raise BadSubmissionError(f"expected my_player.py, found {len(sources)} other .py files")
    # The course's own modules, which many hand in too, play only if nothing else can.
    own = [path for path in sources if path.stem not in COURSE_MODULES | HOST_MODULES]
    players = search.candidates(own) or search.candidates(path for path in sources if path not in own)
    best = [one for one in players if one.rank == min(other.rank for other in players)]
    if len(best) == 1:
        return _chosen([*best, *(one for one in players if one is not best[0])])
    if best:
        raise BadSubmissionError(f"expected one player, found {_list([str(one.found) for one in best])}; {DECIDES}")
    if named or len(sources) == 1:
        raise search.complaints[(*named, *sources)[0]]
    where = _list(sorted(map(str, sources)))
    raise BadSubmissionError(f"expected one file with a class {search.class_name or USUAL_CLASS}, found none in {where}")


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
        if path.suffix in _COMPILED:
            if PROGRAM in self.kinds and not self.class_name:
                return _Candidate(_found(path, PROGRAM), 0)
            raise self._not_a_class(path)
        said = look(self.files, path)
        if PROGRAM in self.kinds and not self.class_name and _is_program(said, path):
            also = "" if said.reads or not said.players else f"class {said.players[0]} in it"
            return _Candidate(_found(path, PROGRAM), 0 if said.reads else 4, also)
        class_name = self._class_in(said, path)
        rank = 3 if class_name not in said.players else 1 if class_name == USUAL_CLASS else 2
        return _Candidate(_found(path, CLASS, class_name), rank)

    def _class_in(self, said: Evidence, path: PurePosixPath) -> str:
        wanted = self.class_name or USUAL_CLASS
        if wanted in said.players or wanted in said.unsure:
            return wanted
        if not self.class_name and len(said.players) == 1:
            return said.players[0]
        if not self.class_name and said.players:
            raise BadSubmissionError(
                f"{shown(path)}: expected one class with get_input, found {_list(said.players)}; {DECIDES}"
            )
        if not self.class_name and said.reads:
            raise self._not_a_class(path)
        if wanted in said.unfit:
            raise BadSubmissionError(said.unfit[wanted])
        others = sorted({*said.players, *said.unfit})
        raise BadSubmissionError(f"{shown(path)}: expected a class {wanted}, found {_list(others) if others else 'no class'}")

    def _not_a_class(self, path: PurePosixPath) -> BadSubmissionError:
        only = "" if PROGRAM in self.kinds else "; those play under the rules 'littlego' only"
        wanted = self.class_name or USUAL_CLASS
        return BadSubmissionError(f"{shown(path)}: expected a class {wanted}, found a program that reads input.txt{only}")


def _is_program(said: Evidence, path: PurePosixPath) -> bool:
    # What is called my_player3.py has never been anything else at the course, so it may leave all to a module.
    return said.main or said.reads or (path.name == "my_player3.py" and not said.players)


def _found(path: PurePosixPath, kind: str, class_name: str = "") -> Found:
    return Found("" if str(path.parent) == "." else str(path.parent), path.name, kind, class_name)


def _entry(files: Files, entry: str) -> PurePosixPath:
    """Return the file that a roster, or a student, has named: by its path, or by its name if no two have that."""
    paths = [PurePosixPath(path) for path in files]
    fitting = [path for path in paths if str(path) == entry] or _uppermost([path for path in paths if path.name == entry])
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
