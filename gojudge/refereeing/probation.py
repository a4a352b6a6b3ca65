"""Decides whose games need not be played, as each would be lost at its start like those before. Only the games' order matters.

A submission that hangs while it is loaded would cost its whole limit in every game. So at first only the first games of an
entrant, in the event's order, are handed out; the others are held until these have ended.

    unknown      its first games are played
    trusted      one of its games has begun and was answered: all are played
    suspected    its first games were all lost in the same way, at the start; the others are held until all else is done
    given up     one of those, the last in order, was played then, alone, and was lost like them: the rest are not played

The start is over with the first answer. What happens before the first question (loading, compiling, making the player) takes
three games; running out of time at the first question takes ten, in both colours, since that depends more on the game.

A game that is not played is recorded as the referee would have it: the opponent's side is begun, and in place of the entrant
a seat stands that fails as the entrant has failed. Its notes say so. Which games these are depends on the results of the first
ones and of the last, never on who played when; so neither the number of workers, nor a stop, nor a cluster changes a record.

Submissions that take longer than they should play last, so that nobody waits for them:

    budgets = Budgets({"bob": 400}, seconds=1200.0)      bob has 400 games
    budgets.count(row)                                   a game has ended
    budgets.is_slow("bob")                               whether its games are put off

A budget is what a submission should be charged for all its answers in an event together. It is no limit: no game is forfeited
by it, and no result depends on it. What an answer may take is decided by `gojudge.seats.Limits` alone.

A submission is slow as soon as it would break its budget if all its games took as long as those so far; a first look takes a
twentieth of the budget. So a submission that uses its whole limit for every answer is known after a game or two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from gojudge.game import BLACK
from gojudge.records import Fault, GameResult, GameRow, GameSpec, Termination
from gojudge.refereeing.open_seats import Job, KnownFailure
from gojudge.refereeing.referee import reason_of

MOST_FAILURES = 3
"""So many equal failures before the first question are enough."""
MOST_UNANSWERED = 10
"""So many time-outs at the first question are enough."""

NOT_PLAYED = "not played: the first games were lost like this, and one that was tried again at the end"
TRIED_AGAIN = "tried again at the end, alone, since the first games were all lost at the start"

_NUMBERS = re.compile(r"0x[0-9a-f]+|\d+")


@dataclass
class _Record:
    """What is known of an entrant that is unknown or suspected. pending: id -> its games that have not ended, in order.

    answered, begun: whether it has given an answer in a game, or was at least ready to.
    """

    failures: list[tuple[GameResult, KnownFailure]] = field(default_factory=list)
    pending: dict[str, Job] = field(default_factory=dict)
    answered: bool = False
    begun: bool = False
    suspected: bool = False

    @property
    def differs(self) -> bool:
        """Whether it has not failed each time, or not in the same way."""
        kinds = {_kind(failure) for _, failure in self.failures}
        began = self.begun and any(not failure.answering for _, failure in self.failures)
        return self.answered or began or len(kinds) > 1

    @property
    def most(self) -> int:
        """How many failures are enough."""
        return MOST_UNANSWERED if any(failure.answering for _, failure in self.failures) else MOST_FAILURES

    def first(self) -> KnownFailure:
        """Return the failure that stands for all of them: that of the game with the lowest id. A game that was tried again is
        left out."""
        return min(self.failures[: self.most], key=lambda failed: failed[0].spec.id)[1]


class Probation:
    """See the top of this file.

    names: of the entrants that may fail. before: games that were played in earlier runs, those of `telling_games`.
    """

    def __init__(self, names: Iterable[str], before: Iterable[GameResult] = ()) -> None:
        self._records = {name: _Record() for name in names}
        self._given_up: dict[str, KnownFailure] = {}
        # id -> games that are held; and the ids of those that wait for games under way.
        self._held: dict[str, Job] = {}
        self._waiting: set[str] = set()
        self._released: list[Job] = []
        self._recall(list(before))

    @property
    def waiting(self) -> int:
        """How many games wait for others that are under way."""
        return len(self._waiting)

    def is_open(self, name: str) -> bool:
        """Tell whether it is still to be seen how an entrant starts."""
        return name in self._records

    def enter(self, jobs: Iterable[Job]) -> None:
        """Take in games, in the event's order."""
        for job in jobs:
            for name in names_of(job.spec):
                if name in self._records:
                    self._records[name].pending[job.spec.id] = job
            self._hold(job)
            self._release([job])

    def release(self) -> list[Job]:
        """Return the games that may be played now, each of them once."""
        released, self._released = self._released, []
        return released

    def learn(self, result: GameResult) -> None:
        """Note how a game that counts has ended."""
        for colour, name in enumerate(names_of(result.spec), BLACK):
            if (record := self._records.get(name)) is not None:
                record.pending.pop(result.spec.id, None)
                before = len(record.failures)
                _note(record, result, colour)
                self._judge(name, record, tried=record.suspected and len(record.failures) > before)

    def forget(self, spec: GameSpec) -> None:
        """Note that a game stays void: it tells nothing about its players, and nobody waits for it."""
        for name in names_of(spec):
            if name in self._records:
                self._trust(name)

    def last_try(self) -> Job | None:
        """Return a game to be played alone once all others are done; None if there is none.

        The game is the last of a suspected entrant in which it can show what it does. Where there is none, its games can be
        released without.
        """
        for name in sorted(name for name, record in self._records.items() if record.suspected and record.pending):
            record = self._records[name]
            for job in reversed(record.pending.values()):
                if self._is_telling(name, record, job):
                    del self._held[job.spec.id]
                    return replace(self._with_failures(job), notes=(TRIED_AGAIN,))
            self._give_up(name)
        return None

    # What is learned

    def _recall(self, before: Sequence[GameResult]) -> None:
        """Learn from the games of earlier runs, in whichever order they were played."""
        # The first games stand before the one that was tried again, and those that were not played.
        for result in sorted(before, key=lambda result: (bool(result.notes), result.spec.id)):
            for colour, name in enumerate(names_of(result.spec), BLACK):
                if name in self._records:
                    _note(self._records[name], result, colour)
        for name, record in list(self._records.items()):
            more = len(record.failures) > record.most
            record.failures = record.failures[: record.most]
            self._judge(name, record, tried=more)

    def _judge(self, name: str, record: _Record, tried: bool) -> None:
        """Decide what an entrant is now. tried: whether it has failed once more than was enough."""
        if record.differs:
            self._trust(name)
        elif tried:
            self._give_up(name)
        elif len(record.failures) == record.most and not record.suspected:
            self._suspect(name, record)
        elif not record.suspected:
            self._look_again(record)

    def _suspect(self, name: str, record: _Record) -> None:
        colours = {failed.forfeited_by for failed, _ in record.failures}
        if record.first().answering and len(colours) < 2:
            self._trust(name)
            return
        record.suspected = True
        self._waiting.difference_update(record.pending)
        # Its opponents need not wait for these games either.
        for job in list(record.pending.values()):
            for other in names_of(job.spec):
                if other != name and other in self._records:
                    self._look_again(self._records[other])

    def _trust(self, name: str) -> None:
        self._release_all(self._records.pop(name))

    def _give_up(self, name: str) -> None:
        record = self._records.pop(name)
        self._given_up[name] = record.first()
        self._release_all(record)

    def _release_all(self, record: _Record) -> None:
        """Take care of the games of an entrant that is not on probation any more."""
        for job in record.pending.values():
            if job.spec.id in self._held:
                self._hold(job)
        self._release(record.pending.values())

    # Who may play

    def _look_again(self, record: _Record) -> None:
        """Release what an entrant may play now."""
        if not record.suspected:
            self._release(list(islice(self._in_order(record), record.most)))

    def _hold(self, job: Job) -> None:
        self._held[job.spec.id] = job
        if not any(self._is_suspected(name) for name in names_of(job.spec)):
            self._waiting.add(job.spec.id)

    def _release(self, jobs: Iterable[Job]) -> None:
        for job in jobs:
            if job.spec.id in self._held and all(self._may_play(name, job) for name in names_of(job.spec)):
                del self._held[job.spec.id]
                self._waiting.discard(job.spec.id)
                self._released.append(self._with_failures(job))

    def _with_failures(self, job: Job) -> Job:
        known = {name: self._given_up[name] for name in names_of(job.spec) if name in self._given_up}
        return replace(job, known=known) if known else job

    def _may_play(self, name: str, job: Job) -> bool:
        """Tell whether a game is one of those that an entrant plays now."""
        record = self._records.get(name)
        if record is None:
            return True
        under_way = record.most - len(record.failures)
        return not record.suspected and any(job is other for other in islice(self._in_order(record), under_way))

    def _in_order(self, record: _Record) -> Iterator[Job]:
        """Yield an unknown entrant's games that have not ended, but for those that are held because of the opponent."""
        return (job for job in record.pending.values() if not any(self._is_suspected(name) for name in names_of(job.spec)))

    def _is_suspected(self, name: str) -> bool:
        return name in self._records and self._records[name].suspected

    def _is_telling(self, name: str, record: _Record, job: Job) -> bool:
        """Tell whether a suspected entrant can show in a game what it does, whatever becomes of its opponent."""
        (other,) = (each for each in names_of(job.spec) if each != name)
        fails = other in self._given_up or self._is_suspected(other)
        return not fails or (job.spec.black == name and not record.first().answering)


def telling_games(rows: Iterable[GameRow], names: Iterable[str]) -> list[str]:
    """Return the ids of stored games from which a `Probation` learns what is known of these entrants."""
    found: dict[str, list[str]] = {name: [] for name in names}
    answered: dict[str, str] = {}
    for row in rows:
        for name, answers in ((row.black, row.black_moves), (row.white, row.white_moves)):
            if name in found:
                # Its first answer was good, so the others need not be looked at.
                if answers > 1:
                    answered[name] = row.id
                elif name not in answered:
                    found[name].append(row.id)
    games = (game for name, some in found.items() for game in ([answered[name]] if name in answered else some))
    return list(dict.fromkeys(games))


def failed_start(result: GameResult, colour: int) -> KnownFailure | None:
    """Return how a player has failed at the start, None if it has not."""
    if result.forfeited_by != colour:
        return None
    asked = result.last is not None
    if asked and (result.termination is not Termination.TIME_OUT or len(result.answers_of(colour)) > 1):
        return None
    log = result.black_log if colour == BLACK else result.white_log
    return KnownFailure(Fault(result.termination, reason_of(result), result.evidence), log, asked)


def _kind(failure: KnownFailure) -> tuple[bool, Termination, str]:
    """Return what two failures must share to be the same; the numbers in their lines may differ."""
    return failure.answering, failure.fault.termination, _NUMBERS.sub("#", failure.fault.detail)


def _note(record: _Record, result: GameResult, colour: int) -> None:
    """Note what a game tells of an entrant."""
    failure = failed_start(result, colour)
    if failure is not None:
        record.failures.append((result, failure))
    elif result.answers_of(colour):
        record.answered = True
    elif colour == BLACK or result.last is not None:
        # White is not begun where Black has failed before.
        record.begun = True


def names_of(spec: GameSpec) -> Sequence[str]:
    """Return the players of a game, Black first."""
    return spec.black, spec.white


_FIRST_LOOK = 0.05
"""The share of its budget that a submission must have used before it can be called slow."""


@dataclass(frozen=True)
class Pace:
    """What a submission has been charged for `played` of its `games`. budget: seconds."""

    name: str
    spent: float
    played: int
    games: int
    budget: float

    @property
    def expected(self) -> float:
        """What it will be charged for all its games if the others are like those so far."""
        return self.spent * max(1.0, self.games / self.played) if self.played else 0.0

    @property
    def is_slow(self) -> bool:
        """Whether its games are put off."""
        return self.spent >= _FIRST_LOOK * self.budget and self.expected > self.budget

    @property
    def words(self) -> str:
        """What it has taken, in a line: 'slow: bob used 12 min of 20 min in 80 of 400 games, at this rate 1 h'."""
        games = f"{self.played} of {self.games} games" if self.played < self.games else f"{self.played} games"
        rate = f", at this rate {in_words(self.expected)}" if self.played < self.games else ""
        return f"slow: {self.name} used {in_words(self.spent)} of {in_words(self.budget)} in {games}{rate}"


class Budgets:
    """See the top of this file.

    games: name -> how many games each has in the event, of those who have a budget. seconds: everybody's budget; None for none.
    before: games of earlier runs.
    """

    def __init__(self, games: Mapping[str, int], seconds: float | None, before: Iterable[GameRow] = ()) -> None:
        self._games = dict(games) if seconds is not None else {}
        self._seconds = seconds or 0.0
        self._spent = dict.fromkeys(self._games, 0.0)
        self._played = dict.fromkeys(self._games, 0)
        # Cached: it is asked for before each game, and only a game that has ended changes it.
        self._slow: set[str] = set()
        for row in before:
            self.count(row.black, row.black_seconds)
            self.count(row.white, row.white_seconds)

    def count(self, name: str, seconds: float) -> None:
        """Note what an entrant was charged for a game."""
        if name in self._games:
            self._spent[name] += seconds
            self._played[name] += 1
            (self._slow.add if self.pace(name).is_slow else self._slow.discard)(name)

    def is_slow(self, name: str) -> bool:
        """Tell whether the games of an entrant are put off."""
        return name in self._slow

    def pace(self, name: str) -> Pace:
        """Return what an entrant with a budget has taken."""
        return Pace(name, self._spent[name], self._played[name], self._games[name], self._seconds)

    def slow(self) -> list[Pace]:
        """Return those whose games are put off, the slowest last."""
        if not self._slow:
            return []
        return sorted((self.pace(name) for name in self._games if name in self._slow), key=lambda pace: pace.expected)


def in_words(seconds: float) -> str:
    """Return a duration in a few words: '40 s', '12 min', '1.5 h'."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 100 * 60 else f"{seconds / 3600:.1f} h"
