"""What becomes of games that have ended: they count, are played again, alone, or stay void."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from gojudge.errors import JudgeError
from gojudge.records import GameResult, GameSpec
from gojudge.refereeing.open_seats import KnownFailure
from gojudge.refereeing.referee import Played, is_doubtful
from gojudge.verdicts import Termination

MAX_REPLAYS = 3
# After so many void games in a row, more will not help.
_HOPELESS = 20
# Forfeits that an overloaded machine may have caused; a start-up failure may be one of them, if there was no time to start.
_BY_THE_CLOCK = (Termination.TIME_OUT, Termination.START_UP_FAILURE)


@dataclass(frozen=True)
class Job:
    """A game to be played. replays: how often it has already been played in vain; notes: why, each time. losses: how often it
    was at a worker that was lost, whatever it was doing there. known: name -> the failure of an entrant that is not started."""

    spec: GameSpec
    replays: int = 0
    notes: tuple[str, ...] = ()
    losses: int = 0
    known: Mapping[str, KnownFailure] = field(default_factory=dict)


@dataclass
class Account:
    """What became of a run. played: games stored; replayed: how many of those took more than one try; void: id -> reason, for
    games that remain to be played; stopped: whether the run was told to stop. unplayed: (name, reason) -> how many games that
    entrant forfeited without being started, see `gojudge.refereeing.probation`."""

    played: int = 0
    replayed: int = 0
    void: dict[str, str] = field(default_factory=dict)
    stopped: bool = False
    unplayed: Counter[tuple[str, str]] = field(default_factory=Counter)


class Settlement:
    """Decides about each game that has ended, in the order in which they end.

    account: where games are noted that stay void. seconds_before: returns how many seconds the player had that forfeited by the
    clock. alone: games to be played again, with nothing else under way.
    """

    def __init__(self, account: Account, seconds_before: Callable[[GameResult], float]) -> None:
        self.alone: deque[Job] = deque()
        self._account = account
        self._seconds_before = seconds_before
        self._counted: list[GameResult] = []
        self._voided: list[GameSpec] = []
        self._voids_in_a_row = 0

    def counted(self) -> list[GameResult]:
        """Return the games that count and were not returned before."""
        counted, self._counted = self._counted, []
        return counted

    def voided(self) -> list[GameSpec]:
        """Return the games that stay void and were not returned before."""
        voided, self._voided = self._voided, []
        return voided

    def take(self, job: Job, played: Played) -> None:
        """Decide about a game that a worker has played. Raises JudgeError after too many void games in a row."""
        result = played.result
        if result.winner is None:
            self.in_vain(job, result.detail)
        elif (ending := result.termination) in _BY_THE_CLOCK and is_doubtful(played.lag, self._seconds_before(result)):
            self._doubt(job, result, f"{ending.value} while this machine was {played.lag:.2f} s late")
        else:
            self._count(job, result)

    def in_vain(self, job: Job, reason: str) -> None:
        """Have a void game played again, or note that it stays void. Raises JudgeError after too many in a row."""
        # A replay that fails again says nothing new.
        self._voids_in_a_row += not job.replays
        if self._voids_in_a_row >= _HOPELESS:
            raise JudgeError(f"the last {_HOPELESS} games were all void; the last one: {reason}")
        if job.replays < MAX_REPLAYS:
            self._again(job, reason)
        else:
            self._account.void[job.spec.id] = reason
            self._voided.append(job.spec)

    def _count(self, job: Job, result: GameResult) -> None:
        self._counted.append(replace(result, replays=job.replays, notes=job.notes) if job.replays or job.notes else result)
        self._voids_in_a_row = 0

    def _doubt(self, job: Job, result: GameResult, reason: str) -> None:
        if job.replays < MAX_REPLAYS:
            self._again(job, f"{reason}: played again, alone")
        else:
            self._count(replace(job, notes=(*job.notes, f"{reason}, as each time before: it counts")), result)

    def _again(self, job: Job, reason: str) -> None:
        self.alone.append(replace(job, replays=job.replays + 1, notes=(*job.notes, reason), losses=0))
