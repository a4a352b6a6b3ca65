"""What is due: a pure function of the time and of what lies in a course's folders.

    found = [StageContents(...), ...]           what there is of each stage now
    due(found, now) -> [Step, ...]      in the order in which they are to be done

Once the steps are done nothing is due, whoever looks. So a run that was stopped is continued by looking again, and no step is
done twice.

How long games will take is a pure function of rows, too: of how long earlier games took. A game lasts as long as the answers of
its two players. For players without a game the class's mean is used; if there is no game at all, what players of this kind
usually take: then the line says that it is a first estimate. How long sandboxes take to start, and pages to be written, is not
in the rows: that is taken from docs/measurements.md, of a machine with nothing else to do.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from gojudge.records import PROGRAM, Entrant, GameRow
from gojudge.refereeing.probation import in_words
from tournament.courses.course_files import Stage

_MOST_NAMES = 6


class StepKind(StrEnum):
    """What is to be done, in the order in which it is done."""

    CHECK = "check"
    PLAY = "play"
    PUBLISH = "publish"
    PAGES = "pages"


@dataclass(frozen=True)
class StageContents:
    """What there is of a stage.

    playable: whether there is somebody to play, and an opponent. unchecked: submissions without trial games. new: those that
    the store does not know; changed: those whose contents have changed since their games. games: still to be played, those of
    `changed` again. recorded: whether the store knows everybody as the roster does, and who was refused. published: whether
    the ledger ends with what the store says. stale: the editions whose pages are not made of that.
    """

    stage: Stage
    playable: bool = False
    unchecked: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    games: int = 0
    recorded: bool = False
    published: bool = False
    stale: tuple[str, ...] = ()


@dataclass(frozen=True)
class Step:
    """Something to be done for a stage. names: the submissions it is about. games: how many are to be played. edition: of the
    pages. changed: those of the names whose old games do not count any more."""

    stage: Stage
    kind: StepKind
    names: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    games: int = 0
    edition: str = ""

    @property
    def words(self) -> str:
        """What it is, in a line without the stage's name."""
        if self.kind is StepKind.CHECK:
            return f"check {_some(self.names)}"
        if self.kind is StepKind.PLAY:
            said = [f"new: {_some(self.names)}"] if self.names else []
            said += [f"handed in anew: {_some(self.changed)}"] if self.changed else []
            games = f"play {self.games} game{'s' * (self.games != 1)}" if self.games else "take in what the roster says"
            return games + (f" ({'; '.join(said)})" if said else "")
        if self.kind is StepKind.PUBLISH:
            return "publish " + ("marks" if self.stage.kind == "grade" else "the ranking")
        return f"write the pages of the {self.edition} edition"


def due(found: Iterable[StageContents], editions: Sequence[str], now: datetime) -> list[Step]:
    """Return what is to be done at an aware time."""
    return [step for one in found if one.stage.has_begun(now) for step in _of_stage(one, editions)]


def _of_stage(found: StageContents, editions: Sequence[str]) -> list[Step]:
    stage = found.stage
    steps = [Step(stage, StepKind.CHECK, found.unchecked)] if found.unchecked else []
    if not found.playable:
        return steps
    plays = bool(found.games or found.changed) or not found.recorded
    if plays:
        steps.append(Step(stage, StepKind.PLAY, found.new, found.changed, found.games))
    publishes = plays or not found.published
    if publishes:
        steps.append(Step(stage, StepKind.PUBLISH))
    stale = editions if publishes else found.stale
    return steps + [Step(stage, StepKind.PAGES, edition=edition) for edition in editions if edition in stale]


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more


_FIRST, _FIRST_OF_PROGRAMS = 0.5, 2.0
"""Seconds that a submission takes for its answers in a game, where nothing is known: a class, and a program, which is started
for each move."""
_REFERENCE = 0.1
_BESIDES = 0.05
"""Seconds that the judge itself takes for each game."""
_START = 0.12
"""Seconds that a sandbox takes to start: one for each pair and submission, as few stay open."""
_EDITION, _EDITION_OF_GAME = 1.2, 0.0002
"""Seconds that the pages of an edition take, and what each game adds."""


@dataclass(frozen=True)
class PlayingTime:
    """seconds: of games one after the other, with starts of sandboxes. pages: seconds in which pages are written. mean, first:
    players without a known game. Games of the former are taken to last as long as the mean of the others, games of the latter
    as long as players usually take.
    """

    seconds: float = 0.0
    mean: frozenset[str] = frozenset()
    first: frozenset[str] = frozenset()
    pages: float = 0.0

    def __add__(self, other: PlayingTime) -> PlayingTime:
        first, pages = self.first | other.first, self.pages + other.pages
        return PlayingTime(self.seconds + other.seconds, self.mean | other.mean, first, pages)

    def words(self, at_once: int) -> str:
        """Describe it in a line. at_once: how many games are played at the same time."""
        said = [f"about {in_words(self.seconds / at_once + self.pages)}, {at_once} game{'s' * (at_once != 1)} at a time"]
        if self.first:
            said.append(f"a first estimate, since nothing has been played yet by {_some(sorted(self.first))}")
        if self.mean:
            said.append(f"no games of {_some(sorted(self.mean))} are known, so the mean of the others is used")
        return ": ".join([said[0], "; ".join(said[1:])]) if said[1:] else f"{said[0]}, as measured so far"


def measure_answers(*sources: Iterable[GameRow]) -> dict[str, float]:
    """Return the seconds that players were charged for their answers in a game, in the mean: by the first source that knows."""
    found: dict[str, float] = {}
    for rows in sources:
        games, seconds = Counter[str](), defaultdict[str, float](float)
        for row in rows:
            for name, charged in ((row.black, row.black_seconds), (row.white, row.white_seconds)):
                games[name] += 1
                seconds[name] += charged
        found = {name: seconds[name] / number for name, number in games.items()} | found
    return found


def estimate(games: Mapping[frozenset[str], int], known: Mapping[str, float], entrants: Iterable[Entrant]) -> PlayingTime:
    """Return how long games take. games: pair of names -> how many; an empty pair for those whose players are not known yet.

    known: see `measure_answers`. entrants: everybody who plays.
    """
    everybody = {one.name: one for one in entrants}
    own = [known[name] for name, one in everybody.items() if name in known and not one.reference]
    mean = sum(own) / len(own) if own else None
    usual = mean if mean is not None else _FIRST

    def length(name: str) -> float:
        one = everybody.get(name)
        if name in known or one is None:
            return known.get(name, usual)
        if one.reference:
            return _REFERENCE
        return mean if mean is not None else _FIRST_OF_PROGRAMS if one.kind == PROGRAM else _FIRST

    seconds = sum(
        number * (_BESIDES + (sum(map(length, pair)) if pair else 2 * usual)) for pair, number in games.items()
    )
    seconds += _START * sum(_starts(pair, everybody) for pair, number in games.items() if number)
    unknown = frozenset(
        name for pair, number in games.items() if number for name in pair
        if name not in known and name in everybody and not everybody[name].reference
    )  # fmt: skip
    return PlayingTime(seconds, unknown if own else frozenset(), frozenset() if own else unknown)


def _starts(pair: frozenset[str], everybody: Mapping[str, Entrant]) -> int:
    """Return how many sandboxes a pair's games need: two for a pair that is not known yet."""
    return sum(name in everybody and not everybody[name].reference for name in pair) if pair else 2


def writing(games: int) -> PlayingTime:
    """Return how long the pages of an edition take, of so many games."""
    return PlayingTime(pages=_EDITION + games * _EDITION_OF_GAME)
