"""Captures and suicide: what a placement takes, whether it would be left without a liberty, and what it then loses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from goban.grids import BLACK

if TYPE_CHECKING:
    from goban.states import State


NOWHERE = 0, 0
"""What is known of a placement (its mask, what came out) before any was looked at."""


def is_sound(state: State) -> bool:
    """Tell whether every group has a liberty, as always in play; on a board set up by hand it may be otherwise."""
    if state.sound is None:
        grid, empty = state.grid, state.empty
        state.sound = not grid.dead(state.black, empty) and not grid.dead(state.white, empty)
    return state.sound


def taken_by(state: State, bit: int) -> int:
    """Return the mask of the stones that the player to move takes by a stone on the empty point `bit`."""
    known = state.taken
    if known[0] == bit:
        return known[1]
    grid, empty = state.grid, state.empty
    other = state.white if state.to_move == BLACK else state.black
    # Where all groups have liberties, only those next to the stone can lose their last one.
    if state.sound or is_sound(state):
        taken = grid.captured(bit, other, empty) if grid.near[bit] & other else 0
    else:
        taken = grid.dead(other, empty ^ bit)
    state.taken = bit, taken
    return taken


def is_suicide(state: State, bit: int) -> bool:
    """Tell whether the player to move would have no liberty with a stone on the empty point `bit`."""
    grid, empty = state.grid, state.empty
    if grid.near[bit] & empty:
        return False
    own, other = state.colours()
    if not (state.sound or is_sound(state)):
        return grid.is_suicide(bit, own, other, empty)
    return bool(grid.trapped(bit, own | bit, empty ^ bit)) and not taken_by(state, bit)


def lost_by(state: State, bit: int) -> int:
    """Return the mask of the own stones that a stone on the empty point `bit` removes, by a suicide that is allowed."""
    if not state.rules.suicide or not is_suicide(state, bit):
        return 0
    return state.grid.group(bit, state.colours()[0] | bit)


def placeable(state: State) -> int:
    """Return the mask of the empty points that suicide does not forbid to the player to move."""
    if state.rules.suicide:
        return state.empty
    if state.free is None:
        grid, empty = state.grid, state.empty
        # Next to an empty point nothing is suicide, so most points need no closer look.
        state.free = grid.adjacent(empty) & empty
        for bit in grid.singles(empty ^ state.free):
            if not is_suicide(state, bit):
                state.free |= bit
    return state.free
