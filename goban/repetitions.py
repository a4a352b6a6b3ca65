"""Repetition: ko, superko, and when a situation stood before. `goban.states` asks about placements that are no suicide.

A situation is a board together with the player to move, as a 64-bit hash (`goban.zobrist`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goban.breaches import Breach
from goban.grids import BLACK
from goban.history import History
from goban.outcomes import opponent
from goban.rulesets import Repetition
from goban.zobrist import WHITE_TO_MOVE, mask_hash, stone_keys

if TYPE_CHECKING:
    from goban.states import State


def why_repeated(state: State, bit: int, own: int, other: int) -> Breach | None:
    """Return the breach of the repetition rule by a placement at `bit`; None if it is allowed.

    own, other: the masks of the stones before it, seen from the player to move.
    """
    rules, grid = state.rules, state.grid
    if rules.repetition is Repetition.SIMPLE_KO:
        # Only retaking what was just taken can bring the last board but one back.
        if not state.captured:
            return None
        taken = grid.dead(other, state.empty ^ bit)
        after = (own | bit, other ^ taken) if state.to_move == BLACK else (other ^ taken, own | bit)
        return Breach("ko", state.n_move - 1 if state.n_move else None) if taken and after == state.previous else None
    situation = situation_after(state, bit, grid.dead(other, state.empty ^ bit))
    repeats = stood(state, situation, positional=rules.repetition is Repetition.POSITIONAL)
    return None if repeats is None else Breach(rules.repetition.value, repeats)


def situation_after(state: State, bit: int, taken: int) -> int:
    """Return the situation after a placement at `bit` that takes the stones of the mask `taken`."""
    size, own, other = state.grid.size, state.to_move, opponent(state.to_move)
    return state.situation ^ WHITE_TO_MOVE ^ stone_keys(size)[own][bit] ^ mask_hash(size, other, taken)


def stood(state: State, situation: int, positional: bool) -> int | None:
    """Return after how many moves a situation stood before; `positional`: with either player to move."""
    history = past_of(state)
    same = history.first(situation, state.n_move + 1)
    if not positional:
        return same
    turned = history.first(situation ^ WHITE_TO_MOVE, state.n_move + 1)
    return min((number for number in (same, turned) if number is not None), default=None)


def past_of(state: State) -> History:
    """Return the situations up to and including this one (a position set up by hand has no earlier ones)."""
    history = state.history or History([])
    state.history = history.extended(state.situation, state.n_move)
    return state.history
