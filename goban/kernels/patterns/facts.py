"""Facts: what a move to an empty point does, of either player, kept as one byte a point.

    bit   7               6               5               4-3         2-1         0
          White suicide   Black's stone   White's stone   Black       White       Black suicide
                          in atari        in atari        captures    captures

These are the `properties` of a move of Black, but for the lowest bit. They follow from the four neighbours, of which a *kind*
says all that can be said of one alone: edge, empty, or a string of a colour with its liberties (one, two or more) and, if it
has one only, its stones (one, two or more). A table of all four kinds answers nearly always. Left over are moves that may
join two strings with the same other liberty, or free a second point by a capture; these are looked at.

Captures may be added up without asking which neighbours are of the same string: only strings of three stones and more can
touch a point twice, and three is all that counts.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.bits import signed
from goban.kernels.numba_tools.entry_points import kernel
from goban.kernels.numba_tools.indices import nth
from goban.kernels.patterns.neighbourhoods import EMPTY
from goban.kernels.patterns.properties import MOST_CAPTURES, OTHER_ATARI, OTHER_CAPTURES, OTHER_SUICIDE, OWN_ATARI, OWN_CAPTURES

# isort: off
from goban.kernels.patterns.boards import (
    BLACK, COLOUR, EMPTY_KIND, FIRST, KIND, LIBERTIES, NEXT, SECOND, STRING, WHITE, Board, get,
)  # fmt: skip
# isort: on

BLACK_SUICIDE, WHITE_SUICIDE = 1, 1 << OTHER_SUICIDE
BLACK_ATARI, WHITE_ATARI = 1 << OWN_ATARI, 1 << OTHER_ATARI
BLACK_UNSURE, WHITE_UNSURE = 1 << 8, 1 << 9
"""In the table: whether the stone is in atari, the kinds do not say."""

_STRING_KINDS = 5

FactTable = npt.NDArray[np.uint16]


@kernel
def kind_of(colour: int, liberties: int, stones: int) -> int:
    """Return the kind of a string."""
    narrow = 0 if liberties > 2 else 1 if liberties == 2 else 1 + min(stones, MOST_CAPTURES)
    return EMPTY_KIND + 1 + (colour - BLACK) * _STRING_KINDS + narrow


@cache
def fact_table() -> FactTable:
    """Return the facts of a point by the kinds of its neighbours, four bits for each. Shared: not to be written to."""
    kinds = np.arange(1 << 16)[:, None] >> np.array([0, 4, 8, 12]) & 15
    empty = (kinds == EMPTY_KIND).sum(axis=1)
    first = EMPTY_KIND + 1
    atari, suicide, unsure, captures = {}, {}, {}, {}
    for colour in (BLACK, WHITE):
        own, other = first + (colour - BLACK) * _STRING_KINDS, first + (WHITE - colour) * _STRING_KINDS
        stones = kinds - (other + 1)
        captured = (stones > 0) & (stones <= MOST_CAPTURES)
        captures[colour] = np.minimum(MOST_CAPTURES, (stones * captured).sum(axis=1))
        freed, two = captured.sum(axis=1), (kinds == own + 1).sum(axis=1)
        one = (kinds > own + 1) & (kinds < own + _STRING_KINDS)
        safe = (kinds == own).any(axis=1) | (empty + freed + (two > 0) * (freed > 0) >= 2)
        joins = (two > 0) & (two + empty >= 2)
        frees = (empty + two == 0) & (freed == 1) & one.any(axis=1) & (captures[colour] > 1)
        unsure[colour] = ~safe & (joins | frees)
        atari[colour] = ~safe & ~unsure[colour]
        suicide[colour] = atari[colour] & (empty + freed + two == 0)
    table = captures[BLACK] << OWN_CAPTURES | captures[WHITE] << OTHER_CAPTURES
    table |= atari[BLACK] * BLACK_ATARI | atari[WHITE] * WHITE_ATARI
    table |= suicide[BLACK] * BLACK_SUICIDE | suicide[WHITE] * WHITE_SUICIDE
    table |= unsure[BLACK] * BLACK_UNSURE | unsure[WHITE] * WHITE_UNSURE
    found: FactTable = table.astype(np.uint16)
    return found


@kernel
def find_facts(board: Board, table: FactTable, p: int, stride: int) -> int:
    """Return the facts of an empty point."""
    kinds = _kind_at(board, p + stride) | _kind_at(board, p - 1) << 4
    kinds |= _kind_at(board, p - stride) << 8 | _kind_at(board, p + 1) << 12
    facts = signed(table[nth(kinds)])
    if facts < BLACK_UNSURE:
        return facts
    if facts & BLACK_UNSURE != 0 and liberties_after(board, p, BLACK, stride) < 2:
        facts |= BLACK_ATARI
    if facts & WHITE_UNSURE != 0 and liberties_after(board, p, WHITE, stride) < 2:
        facts |= WHITE_ATARI
    return facts & (BLACK_UNSURE - 1)


@kernel
def is_atari(facts: int, colour: int) -> bool:
    """Tell whether a stone of a colour would be in atari by the facts of the point."""
    return facts & (BLACK_ATARI if colour == BLACK else WHITE_ATARI) != 0


@kernel
def _kind_at(board: Board, q: int) -> int:
    return get(board, get(board, q, STRING), KIND)


@kernel
def liberties_after(board: Board, p: int, own: int, stride: int) -> int:
    """Return how many liberties an own stone on the empty point p would have, 2 standing for more."""
    seen = 0
    for q in (p + stride, p - 1, p - stride, p + 1):
        colour, string = get(board, q, COLOUR), get(board, q, STRING)
        liberties, liberty = get(board, string, LIBERTIES), 0
        if colour == EMPTY:
            liberty = q
        elif colour == own:
            if liberties > 2:
                return 2
            liberty = get(board, string, FIRST) + get(board, string, SECOND) - p if liberties == 2 else 0
        elif colour == BLACK + WHITE - own and liberties == 1:
            if _frees_another(board, p, q, own, stride):
                return 2
            liberty = q
        if liberty != 0 and liberty != seen:
            if seen != 0:
                return 2
            seen = liberty
    return 1 if seen != 0 else 0


@kernel
def _frees_another(board: Board, p: int, q: int, own: int, stride: int) -> bool:
    """Tell whether capturing the string on q by a stone on p frees a point beside q that an own string next to p touches.

    Only such strings matter as have no liberty but p.
    """
    stone = get(board, q, NEXT)
    while stone != q:
        for beside in (stone + stride, stone - 1, stone - stride, stone + 1):
            if get(board, beside, COLOUR) == own:
                string = get(board, beside, STRING)
                if get(board, string, LIBERTIES) == 1 and get(board, string, FIRST) == p:
                    return True
        stone = get(board, stone, NEXT)
    return False
