"""What is due: a pure function of a course, of what lies where, and of the time.

    found = [StageContents(...), ...]           what there is of each stage now
    due(found, now) -> [Step, ...]      in the order in which they are to be done

Once the steps are done nothing is due, whoever looks. So a run that was stopped goes on by looking again, and one that follows
does nothing twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from tournament.courses.course_files import Stage

_MOST_NAMES = 6


class Deed(StrEnum):
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
    deed: Deed
    names: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    games: int = 0
    edition: str = ""

    @property
    def words(self) -> str:
        """What it is, in a line without the stage's name."""
        if self.deed is Deed.CHECK:
            return f"check {_some(self.names)}"
        if self.deed is Deed.PLAY:
            said = [f"new: {_some(self.names)}"] if self.names else []
            said += [f"handed in anew: {_some(self.changed)}"] if self.changed else []
            games = f"play {self.games} game{'s' * (self.games != 1)}" if self.games else "take in what the roster says"
            return games + (f" ({'; '.join(said)})" if said else "")
        if self.deed is Deed.PUBLISH:
            return "publish " + ("marks" if self.stage.kind == "grade" else "the ranking")
        return f"write the pages of the {self.edition} edition"


def due(found: Iterable[StageContents], editions: Sequence[str], now: datetime) -> list[Step]:
    """Return what is to be done at an aware time."""
    return [step for one in found if one.stage.has_begun(now) for step in _of_stage(one, editions)]


def _of_stage(found: StageContents, editions: Sequence[str]) -> list[Step]:
    stage = found.stage
    steps = [Step(stage, Deed.CHECK, found.unchecked)] if found.unchecked else []
    if not found.playable:
        return steps
    plays = bool(found.games or found.changed) or not found.recorded
    if plays:
        steps.append(Step(stage, Deed.PLAY, found.new, found.changed, found.games))
    publishes = plays or not found.published
    if publishes:
        steps.append(Step(stage, Deed.PUBLISH))
    stale = editions if publishes else found.stale
    return steps + [Step(stage, Deed.PAGES, edition=edition) for edition in editions if edition in stale]


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return ", ".join(names[:_MOST_NAMES]) + more
