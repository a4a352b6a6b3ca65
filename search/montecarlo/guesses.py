"""What is guessed of a move before any game went through it: a number of games, and how many of them it won.

The guess begins with the weight that the pattern table gives the move, against the average of the position. Games that it won
are added if it takes stones, or saves stones that the opponent could take, wherever the move before was; patterns count that
for near moves only, or little. For a flat table stones are not counted. How many games that is worth is rough: the few hundred
games on 9x9 by which it was chosen tell no more.
"""

from __future__ import annotations

from kernels.numba_tools.entry_points import kernel
from kernels.patterns.boards import FACTS, get
from kernels.patterns.facts import captures_of, is_atari
from kernels.patterns.tables import Tables
from kernels.playouts.arrays import BLACK, TO_MOVE, WHITE, at
from search.montecarlo.positions import Position
from search.montecarlo.spaces import PRIOR, SPREAD, Space

_EVEN = 0.5
_TINY = 1e-9
_CAPTURE, _SAVE = 0.5, 0.5
"""What counts as won games, of as many as the guess by patterns counts: a move that takes a stone, twice as many for more; one
that saves stones from being taken and is not in atari itself."""


@kernel
def guess(space: Space, played: Position, tables: Tables, p: int, weight: float, even: float) -> tuple[int, float]:
    """Return (games, won games) for a placement of the player to move. weight: what it is worth; even: what placements are."""
    by_pattern = _EVEN + space.factors[SPREAD] * (weight - even) / (weight + even + _TINY)
    unit, more = space.factors[PRIOR], 0.0
    if space.factors[SPREAD] > 0.0 and tables.flat == 0:
        more = _for_stones(get(played.patterned, p, FACTS), at(played.board, TO_MOVE))
    games = int(unit * (1.0 + more) + 0.5)
    return games, min(float(games), unit * (by_pattern + more))


@kernel
def _for_stones(facts: int, own: int) -> float:
    if is_atari(facts, own):
        return 0.0
    taken = captures_of(facts, own)
    if taken != 0:
        return _CAPTURE if taken == 1 else 2 * _CAPTURE
    return _SAVE if captures_of(facts, BLACK + WHITE - own) != 0 else 0.0
