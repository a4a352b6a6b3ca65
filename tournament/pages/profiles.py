"""What a player's games say about them: forfeits by cause, moves missed, losses and why, time per move, accuracy."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field

from goban.grids import BLACK, WHITE
from search.mistakes import loses
from tournament.pages.editions import game_number
from tournament.pages.sanitising import visible
from tournament.pages.truths import PHASES, Accuracy, Truth, count_accuracy
from tournament.pages.words import cause, common_cause, ending, forfeit, instead, traceback, turning_point
from tournament.records import GameResult
from tournament.seats import Limits

# Upper ends of the bins of times, in seconds; the last bin is open.
BINS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
BIN_LABELS = ("≤ 1 ms", "≤ 3 ms", "≤ 10 ms", "≤ 30 ms", "≤ 0.1 s", "≤ 0.3 s", "≤ 1 s", "≤ 3 s", "longer")
MOST_LOSSES = 200
"""Losses shown on a player's page. Further ones are found among the games of each pair."""
MOST_CAUSES = 20
MOST_NAMED = 12
"""Games named for one cause of forfeits."""
MOST_MISSED = 6
_REASON_CHARACTERS = 4_000


@dataclass(frozen=True, slots=True)
class GamePlace:
    """One game of a player, or a move of it. ply: 0 for the game as a whole."""

    opponent: str
    number: int
    colour: int
    moves: int
    ply: int = 0


@dataclass(frozen=True, slots=True)
class Loss:
    """A lost game that was played to its end."""

    place: GamePlace
    why: str
    turning: str


@dataclass(slots=True)
class ForfeitCause:
    """Forfeits of one cause. cause: what they have in common. why, evidence: of the first one, evidence '' if it left none.
    places: of the first MOST_NAMED."""

    cause: str
    why: str
    evidence: str
    count: int = 0
    places: list[GamePlace] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class MissedMove:
    """A move that cost its player something. turn: 'win to loss', '' if the result stayed; cost: stones, None if unknown."""

    place: GamePlace
    move: str
    better: str
    turn: str
    cost: int | None

    @property
    def weight(self) -> tuple[bool, bool, int]:
        """What ranks missed moves: those that lost the game first, then those that lost a win, then by stones."""
        return loses(self.turn), bool(self.turn), self.cost or 0


@dataclass(slots=True)
class Profile:
    """Gathered game by game.

    times: answers per bin of BINS. faults: `common_cause` -> forfeits, the first MOST_CAUSES. losses: the first MOST_LOSSES
    without a forfeit, of `lost` in all. missed: the worst moves for which a better one is known, worst first. limits: those of
    the event.
    """

    times: list[int] = field(default_factory=lambda: [0] * len(BIN_LABELS))
    faults: dict[str, ForfeitCause] = field(default_factory=dict)
    losses: list[Loss] = field(default_factory=list)
    lost: int = 0
    missed: list[MissedMove] = field(default_factory=list)
    phases: list[Accuracy] = field(default_factory=lambda: [Accuracy() for _ in range(PHASES)])
    limits: Limits = field(default_factory=Limits)

    def add(self, result: GameResult, colour: int, truth: Truth | None, size: int) -> None:
        """Add a game that the player played as `colour`."""
        for answer in result.answers_of(colour):
            self.times[min(bisect_right(BINS, answer.spent.charge), len(BINS))] += 1
        spec = result.spec
        place = GamePlace(spec.white if colour == BLACK else spec.black, int(game_number(spec.id)), colour, len(result.turns))
        if truth is not None:
            count_accuracy(self.phases, truth, colour, size)
            self._miss(result, truth, place)
        if result.forfeited_by == colour:
            self._forfeit(result, place)
        elif result.winner == 3 - colour:
            self.lost += 1
            if len(self.losses) < MOST_LOSSES:
                why = visible(ending(result), _REASON_CHARACTERS)
                self.losses.append(Loss(place, why, turning_point(truth, result)))

    def _forfeit(self, result: GameResult, place: GamePlace) -> None:
        what = cause(result)
        key = common_cause(what)
        if key not in self.faults and len(self.faults) >= MOST_CAUSES:
            key = what = "other causes"
        first = ForfeitCause(what, forfeit(result, self.limits), traceback(result))
        fault = self.faults.setdefault(key, first)
        if fault.cause != what:
            fault.cause = key
        fault.count += 1
        if len(fault.places) < MOST_NAMED:
            fault.places.append(place)

    def _miss(self, result: GameResult, truth: Truth, place: GamePlace) -> None:
        for ply in truth.mistakes:
            if ply % 2 == place.colour % 2 and (better := instead(truth, ply)):
                at = GamePlace(place.opponent, place.number, place.colour, place.moves, ply)
                self.missed.append(MissedMove(at, result.turns[ply - 1].move, better, truth.turn(ply), truth.cost(ply)))
        self.missed.sort(key=lambda one: one.weight, reverse=True)
        del self.missed[MOST_MISSED:]

    @property
    def causes(self) -> list[tuple[str, ForfeitCause]]:
        """The causes of forfeits, the most frequent first."""
        return sorted(((fault.cause, fault) for fault in self.faults.values()), key=lambda item: -item[1].count)


def add_game(profiles: Mapping[str, Profile], result: GameResult, truth: Truth | None, size: int) -> None:
    """Add a game to the profiles of its players; not all players have one."""
    for name, colour in ((result.spec.black, BLACK), (result.spec.white, WHITE)):
        if name in profiles:
            profiles[name].add(result, colour, truth, size)
