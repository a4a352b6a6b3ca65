"""What a player's games say about them: losses and why, forfeits with tracebacks, time per move, accuracy."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field

from goban.grids import BLACK, WHITE
from tournament.pages.editions import game_number
from tournament.pages.sanitising import excerpt, visible
from tournament.pages.truths import PHASES, Accuracy, Truth, count_accuracy
from tournament.pages.words import ending, turning_point
from tournament.records import GameResult

# Upper ends of the bins of times, in seconds; the last bin is open.
BINS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
BIN_LABELS = ("≤ 1 ms", "≤ 3 ms", "≤ 10 ms", "≤ 30 ms", "≤ 0.1 s", "≤ 0.3 s", "≤ 1 s", "≤ 3 s", "longer")
MOST_LOSSES = 200
"""Losses shown on a player's page. Further ones are found among the games of each pair."""
MOST_TRACEBACKS = 20
_EVIDENCE_CHARACTERS = 4_000


@dataclass(frozen=True, slots=True)
class Loss:
    """A lost game. forfeit: True if lost by a fault of the program. evidence: its traceback, '' if there is none."""

    opponent: str
    number: int
    colour: int
    moves: int
    why: str
    turning: str
    forfeit: bool
    evidence: str


@dataclass(slots=True)
class Profile:
    """Gathered game by game. times: answers per bin of BINS. losses: those listed. lost: the number of all losses."""

    times: list[int] = field(default_factory=lambda: [0] * len(BIN_LABELS))
    losses: list[Loss] = field(default_factory=list)
    lost: int = 0
    tracebacks: int = 0
    phases: list[Accuracy] = field(default_factory=lambda: [Accuracy() for _ in range(PHASES)])

    def add(self, result: GameResult, colour: int, truth: Truth | None, size: int) -> None:
        """Add a game that the player played as `colour`."""
        for answer in result.answers_of(colour):
            self.times[min(bisect_right(BINS, answer.spent.charge), len(BINS))] += 1
        if truth is not None:
            count_accuracy(self.phases, truth, colour, size)
        if result.winner == 3 - colour:
            self.lost += 1
            # A student must see their forfeits, however many games they lost.
            if len(self.losses) < MOST_LOSSES or result.forfeited_by:
                self._explain(result, colour, truth)

    def _explain(self, result: GameResult, colour: int, truth: Truth | None) -> None:
        evidence = ""
        if result.evidence and self.tracebacks < MOST_TRACEBACKS:
            self.tracebacks += 1
            evidence = excerpt(result.evidence, _EVIDENCE_CHARACTERS)
        spec = result.spec
        loss = Loss(
            spec.white if colour == BLACK else spec.black,
            int(game_number(spec.id)),
            colour,
            len(result.turns),
            visible(ending(result), _EVIDENCE_CHARACTERS),
            "" if result.forfeited_by else turning_point(truth, result),
            bool(result.forfeited_by),
            evidence,
        )
        if len(self.losses) >= MOST_LOSSES:
            # A forfeit replaces the last listed loss that is not one. If all are forfeits, the list is full.
            place = next((k for k in reversed(range(len(self.losses))) if not self.losses[k].forfeit), None)
            if place is None:
                return
            del self.losses[place]
        self.losses.append(loss)


def add_game(profiles: Mapping[str, Profile], result: GameResult, truth: Truth | None, size: int) -> None:
    """Add a game to the profiles of its players; not all players have one."""
    for name, colour in ((result.spec.black, BLACK), (result.spec.white, WHITE)):
        if name in profiles:
            profiles[name].add(result, colour, truth, size)
