"""What the course's reference players look at: captures now, captures by two placements, losses to a reply.

Every function narrows a mask of candidate points (legal placements of the player to move) to the best of them by one
criterion. `own` and `other` are seen from the player to move. The move limit is not looked at: these players see only the
board.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from goban.grids import Grid
from goban.points import Point
from goban.states import State, taken_by
from players.host import Answer


def draw(grid: Grid, candidates: int, rng: random.Random) -> Answer:
    """Return one of the candidates, each with the same chance; "PASS" if there is none."""
    return rng.choice(grid.points_of(candidates)) if candidates else "PASS"


def highest(grid: Grid, candidates: int, value: Callable[[int], int]) -> tuple[int, int]:
    """Return (mask of the candidates of the highest value, that value); `value` is given single-bit masks."""
    best, top = 0, -1
    for bit in grid.singles(candidates):
        worth = value(bit)
        if worth > top:
            best, top = bit, worth
        elif worth == top:
            best |= bit
    return best, top


def most_captures(state: State, candidates: int) -> tuple[int, int]:
    """Return (the candidates that capture most opposing stones at once, how many); all of them if none captures."""
    grid = state.grid
    dying = _deaths(grid, state.colours()[1], state.empty)
    capturing = candidates & sum(liberty for liberty in dying if liberty in grid.near)
    if not capturing:
        return candidates, dying[0]
    return highest(grid, capturing, lambda bit: dying[bit] + dying[0])


def most_captures_by_two(state: State, candidates: int) -> int:
    """Return the candidates that begin a pair of own placements after which most opposing stones have no liberty.

    The opponent does not reply in between. Meant for positions in which no candidate captures anything by itself. A
    candidate without a second placement after it begins no pair; if there is no pair at all, all candidates are returned.
    """
    grid, (own, other) = state.grid, state.colours()
    near_other = grid.adjacent(other)
    dying = _deaths(grid, other, state.empty)
    # Any other second placement takes nothing that the first does not take alone.
    useful = 0
    for liberties in dying:
        useful |= liberties if liberties.bit_count() <= 2 else 0

    def captured_by_pair(first: int) -> int:
        free, mine = state.empty ^ first, own | first
        most = 0
        if free & near_other:
            seconds = grid.singles(free & useful)
            most = max((dying.get(bit, 0) + dying.get(first | bit, 0) for bit in seconds), default=0)
            most += dying.get(first, 0) + dying[0]
        # A second placement that captures is legal; one that captures nothing only has to exist.
        if most or any(not grid.is_suicide(bit, mine, other, free) for bit in grid.singles(free)):
            return most + 1
        return 0

    return highest(grid, candidates, captured_by_pair)[0]


def _deaths(grid: Grid, stones: int, empty: int) -> dict[int, int]:
    """Return liberties -> how many stones have these liberties and no other ones; there is always a key 0."""
    return {0: 0} | {liberties: group.bit_count() for liberties, group in grid.by_liberties(stones, empty).items()}


def aggressive_candidates(state: State, candidates: int) -> tuple[int, bool]:
    """Return (the candidates an aggressive player would choose from, whether they capture at once)."""
    best, captured = most_captures(state, candidates)
    if captured > 0:
        return best, True
    return most_captures_by_two(state, candidates), False


def fewest_losses(state: State, candidates: int) -> int:
    """Return the candidates after which the opponent's worst reply leaves most own stones on the board."""
    grid, (own, _), suicide = state.grid, state.colours(), state.rules.suicide

    def stones_left(bit: int) -> int:
        if suicide:
            after = state.after(grid.point[bit])
            mine, free = after.colours()[1], after.empty
        else:
            mine, free = own | bit, state.empty ^ bit | taken_by(state, bit)
        dying = _deaths(grid, mine, free)
        lost = 0
        for reply in grid.singles(free & grid.adjacent(mine)):
            dies = dying.get(reply, 0) + dying[0]
            # A reply that captures is no suicide, but it may be a forbidden repetition.
            if dies > lost and state.after(grid.point[bit]).why_illegal_placement(grid.point[reply]) is None:
                lost = dies
        return mine.bit_count() - lost

    return highest(grid, candidates, stones_left)[0]


def nearest_to_centre(grid: Grid, candidates: int) -> int:
    """Return the candidates with the smallest distance to the centre of the board."""
    return highest(grid, candidates, lambda bit: 2 * grid.size - distance_to_centre(grid, grid.point[bit]))[0]


def distance_to_centre(grid: Grid, point: Point) -> int:
    """Return |row distance| + |column distance| to the centre, in half points: even boards have a centre too."""
    return abs(2 * point[0] - grid.size + 1) + abs(2 * point[1] - grid.size + 1)
