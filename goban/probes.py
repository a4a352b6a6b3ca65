"""The probes. In each position of a probe the game hangs on one idea, and that is exact:

    FIND    some moves win, at most half of all, and each of them is of the idea
    AVOID   some moves win, some lose, and each of those is of the idea

So whoever keeps the win has passed, and whoever loses it has missed, or fallen for, just this. The winner is the one with
best play of both sides to the end (`goban.solver.solver`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

from goban import ideas
from goban.ideas import Idea
from goban.moves import Move
from goban.states import State

_MOST_WINNING = 1 / 2
FIRST_SOLVED = {"course": 6, "littlego": 8}
"""Moves made before the first positions of which it is known within seconds by how much each move wins."""
_LAST_MOVES = 6
# From here on that takes milliseconds, so many positions can be looked at.
_ANYWHERE = range(13, 24)


class Kind(Enum):
    """What is asked of the player: to find a move of an idea, or to avoid one."""

    FIND = "find"
    AVOID = "avoid"


@dataclass(frozen=True)
class Probe:
    """One probe. says: what it tests, after 'the player ...'. plies: the moves that were made before its positions.
    least: the share of the legal moves that lose, or more, if it is to AVOID. rules: those under which there are positions.
    """

    name: str
    says: str
    idea: Idea
    kind: Kind = Kind.FIND
    plies: range = _ANYWHERE
    least: float = 0.0
    rules: tuple[str, ...] = ("course", "littlego")

    def may_show(self, state: State) -> bool:
        """Tell whether a position may be one of this probe, as far as can be told without knowing who wins."""
        if state.n_move not in self.plies or state.is_over:
            return False
        found, legal = len(self.idea(state)), len(state.legal_moves())
        return found > 0 and (self.kind is Kind.FIND or found >= legal * self.least)

    def shows(self, state: State, winning: Collection[Move]) -> bool:
        """Tell whether a position is one of this probe. winning: the moves that win."""
        return self.may_show(state) and self.decides(state, winning)

    def decides(self, state: State, winning: Collection[Move]) -> bool:
        """Tell whether the game hangs on the idea in a position, after however many moves. winning: the moves that win."""
        if not winning or state.is_over:
            return False
        legal, found = state.legal_moves(), self.idea(state)
        if self.kind is Kind.FIND:
            return len(winning) <= len(legal) * _MOST_WINNING and found.issuperset(winning)
        losing = set(legal) - set(winning)
        return 0 < len(losing) >= len(legal) * self.least and found.issuperset(losing)


PROBES = (
    Probe("opening", "keeps a won game in the opening", ideas.any_move, plies=range(6, 9)),
    Probe("capture", "takes a free capture", ideas.safe_captures),
    Probe("larger-capture", "takes the larger of two captures", ideas.larger_captures),
    Probe("rescue", "saves a group in atari", ideas.rescues),
    Probe("rescuing-capture", "saves a group by a capture", ideas.rescuing_captures),
    Probe("double-atari", "gives atari to two groups at once", ideas.double_ataris),
    Probe("snapback", "sees a snapback", ideas.snapbacks),
    Probe("bait", "makes no capture that costs more than it takes", ideas.baits, Kind.AVOID, rules=("course",)),
    Probe("ladder", "begins a ladder that works", ideas.ladders),
    Probe("ladder-run", "does not run into a ladder", ideas.ladder_runs, Kind.AVOID),
    Probe("ko", "takes a ko", ideas.ko_captures),
    Probe("ko-answer", "finds a move where ko forbids one", ideas.ko_answers),
    Probe("connection", "joins its groups", ideas.connections),
    Probe("cut", "cuts the opponent's groups apart", ideas.cuts),
    Probe("self-atari", "avoids self-atari", ideas.self_ataris, Kind.AVOID, least=1 / 4),
    Probe("own-eye", "does not fill its own eye", ideas.own_eyes, Kind.AVOID),
    Probe("vital-point", "finds the point where nothing is in atari", ideas.quiet_positions, plies=range(11, 24)),
    Probe("pass", "passes when every stone would cost the game", ideas.passing, rules=("littlego",)),
    Probe("count", "counts in the last six moves", ideas.any_move, plies=range(18, 23)),
    Probe("last-move", "makes the last move count", ideas.any_move, plies=range(23, 24)),
)
BY_NAME = {probe.name: probe for probe in PROBES}

SAMPLE = "sample"
"""The set of positions that were drawn as they came, from which the stones lost in each phase are estimated."""
SYMMETRIC = "symmetric"
"""The set of positions that are shown in all their images; each has exactly one move that wins."""


def probes_for(rules: str) -> list[Probe]:
    """Return the probes that a rule set has positions for."""
    return [probe for probe in PROBES if rules in probe.rules]


def phases(rules: str) -> list[range]:
    """Return, for each phase of the game, how many moves were made before its positions."""
    return [range(FIRST_SOLVED[rules], 12), range(12, 18), range(18, 24)]


def lesson_of(state: State, winning: Collection[Move]) -> Probe | None:
    """Return the probe whose idea a position teaches, on a board of any size; None if there is none.

    winning: the moves that win. It is the first of PROBES whose idea decides; to count teaches something near the end only.
    """
    limit = state.rules.max_move(state.grid.size)
    left = state.grid.size**2 if limit is None else limit - state.n_move
    wanting = {"opening": False, "count": left <= _LAST_MOVES, "last-move": left == 1}
    return next((probe for probe in PROBES if wanting.get(probe.name, True) and probe.decides(state, winning)), None)


def ideas_in(state: State) -> dict[str, list[Move]]:
    """Return what moves of a position do, whatever they are worth: names of probes, each with the moves of its idea."""
    anything = (ideas.any_move, ideas.quiet_positions, ideas.passing, ideas.ko_answers)
    found = {probe.name: probe.idea(state) for probe in PROBES if probe.idea not in anything}
    return {name: [move for move in state.legal_moves() if move in moves] for name, moves in found.items() if moves}
