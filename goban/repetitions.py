"""Repetition: ko, superko, and when a situation stood before. `goban.states` asks about what is no forbidden suicide.

A situation is a board together with the player to move, as a 64-bit hash (`goban.grids`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from goban.breaches import Breach
from goban.captures import lost_by, taken_by
from goban.grids import BLACK, WHITE_TO_MOVE, mask_hash, stone_keys
from goban.history import History
from goban.outcomes import opponent
from goban.rulesets import Repetition

if TYPE_CHECKING:
    from goban.states import State


def why_repeated(state: State, bit: int) -> Breach | None:
    """Return the breach of the repetition rule by a placement at `bit`; None if it is allowed."""
    rules = state.rules
    if rules.repetition is Repetition.SIMPLE_KO:
        return Breach("ko", state.n_move - 1 if state.n_move else None) if bit & ko_points(state) else None
    situation, positional = situation_after(state, bit), rules.repetition is Repetition.POSITIONAL
    known = (state.past or past_of(state)).numbers
    # Most placements make a board that nobody has seen, and that is all that has to be found out of them.
    if situation not in known and not (positional and situation ^ WHITE_TO_MOVE in known):
        return None
    repeats = stood(state, situation, positional)
    return None if repeats is None else Breach(rules.repetition.value, repeats)


def repeating(state: State, candidates: int) -> int:
    """Return those of the points where a placement would break the repetition rule."""
    if state.rules.repetition is Repetition.SIMPLE_KO:
        return candidates & ko_points(state)
    return sum(bit for bit in state.grid.singles(candidates) if why_repeated(state, bit) is not None)


def ko_points(state: State) -> int:
    """Return the mask of the point where simple ko forbids a placement; 0 if there is none."""
    if not state.may_repeat:
        return 0
    own, other = state.colours()
    before = state.previous if state.to_move == BLACK else state.previous[::-1]
    bit = before[0] ^ own
    if bit not in state.grid.near or not bit & state.empty:
        return 0
    taken = taken_by(state, bit)
    return bit if taken and before[1] == other ^ taken else 0


def situation_after(state: State, bit: int) -> int:
    """Return the situation after a placement at `bit`."""
    known = state.leads_to
    if known[0] == bit:
        return known[1]
    size, own, taken = state.grid.size, state.to_move, taken_by(state, bit)
    situation = state.situation ^ WHITE_TO_MOVE ^ stone_keys(size)[own][bit]
    if taken:
        situation ^= mask_hash(size, opponent(own), taken)
    elif state.rules.suicide and (lost := lost_by(state, bit)):
        situation ^= mask_hash(size, own, lost)
    state.leads_to = bit, situation
    return situation


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
    past = state.past
    if past is None:
        past = state.past = state.history = (state.history or History([])).extended(state.situation, state.n_move)
    return past
