"""The order of a proof's positions: each after those from which it follows, as `verify_proof` takes them.

Besides, what follows any answer that leaves a board, and what is answered on that board by a placement, comes before all
answers that leave it. Where that leads in a circle, the prover would make a board twice, and an answer has to be changed.

All of it ends early, with nothing useful, where the limit of nodes in `space` becomes 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from goban.kernels.numba_tools.bits import nth
from goban.kernels.numba_tools.compile import kernel
from goban.solver.alphabeta.boards import Ints
from goban.solver.area import stack as at
from goban.solver.area.boards import Shape
from goban.solver.area.life import Bytes
from goban.solver.area.listing import (
    BY_PASS,
    COUNT,
    PLACED,
    SAFE,
    Listing,
    Numbers,
    no_numbers,
    number_of,
    place_in,
    play_answer,
    replies_of,
)
from goban.solver.area.moves import key_of
from goban.solver.area.stack import row_of

ON_PATH, DONE = 1, 2
_MOST_TODO = 1 << 22
_MOST_CIRCLE = 2_000
"""How many positions of a circle are told."""


class Boards(NamedTuple):
    """The boards that answers leave: the key of each, a position whose answer leaves it, and which ones are done.

    Of each position the board that its answer leaves, -1 if that is not asked, and another position that leaves it.
    """

    keys: Ints
    places: Numbers
    leaving: Numbers
    done: Bytes
    left_by: Numbers
    others: Numbers


def needed_positions(listing: Listing, starts: int, shape: Shape, symmetries: Ints, space: Ints) -> Bytes:
    """Return 1 for every position that comes up from the first so many, 0 for the others."""
    needed, todo = np.zeros(len(listing.keys), dtype=np.uint8), np.zeros(len(listing.keys), dtype=np.int32)
    _mark_needed(listing, starts, needed, todo, shape, symmetries, space)
    return needed


@kernel
def _mark_needed(
    listing: Listing, starts: int, needed: Bytes, todo: Numbers, shape: Shape, symmetries: Ints, space: Ints
) -> None:
    top = starts
    for i in range(starts):
        todo[nth(i)], needed[nth(i)] = i, 1
    while top and space[nth(at.LIMIT)]:
        top -= 1
        number = int(todo[nth(top)])
        if listing.answers[nth(number)] & SAFE:
            continue
        for k in range(replies_of(listing, number, shape, symmetries, space)):
            reply = number_of(listing, int(space[nth(row_of(1) + at.KEYS + k)]))
            # What one move wins is not in this list, and comes before all of it.
            if reply >= 0 and not needed[nth(reply)]:
                needed[nth(reply)] = 1
                todo[nth(top)] = reply
                top += 1


def boards_left(listing: Listing, needed: Bytes, shape: Shape, symmetries: Ints, space: Ints) -> Boards:
    """Return the boards that the answers to needed positions leave, of those that leave nothing safe."""
    room = int(np.count_nonzero(needed & (listing.answers & SAFE == 0))) + 1
    keys, done, places = np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.uint8), 1 << (2 * room - 1).bit_length()
    left_by, others = no_numbers(len(needed)), no_numbers(len(needed))
    boards = Boards(keys, no_numbers(places), no_numbers(room), done, left_by, others)
    _group(listing, needed, boards, shape, symmetries, space)
    return boards


@kernel
def _group(listing: Listing, needed: Bytes, boards: Boards, shape: Shape, symmetries: Ints, space: Ints) -> None:
    row, count = row_of(1), 0
    for number in range(int(listing.state[COUNT])):
        if space[nth(at.LIMIT)] and needed[nth(number)] and not listing.answers[nth(number)] & SAFE:
            play_answer(listing, number, shape, space)
            key = key_of(int(space[nth(row + at.P)]), int(space[nth(row + at.O)]), 0, 0, 0, symmetries)
            place = place_in(boards.places, boards.keys, key)
            board = int(boards.places[nth(place)])
            if board < 0:
                board = count
                count += 1
                boards.places[nth(place)], boards.keys[nth(board)] = board, key
            boards.left_by[nth(number)], boards.others[nth(number)] = board, boards.leaving[nth(board)]
            boards.leaving[nth(board)] = number


def put_in_order(
    listing: Listing, needed: Bytes, boards: Boards, starts: int, shape: Shape, symmetries: Ints, space: Ints
) -> tuple[Numbers, list[list[int]]]:
    """Return the needed positions in order, and groups of positions of which an answer leads in a circle."""
    order, marks = np.zeros(int(np.count_nonzero(needed)), dtype=np.int32), np.zeros(len(needed), dtype=np.uint8)
    todo, path, circles = (np.zeros(_MOST_TODO, dtype=np.int32) for _ in range(3))
    boards.done[:] = 0
    circles_end = int(_walk(listing, needed, boards, starts, order, marks, todo, path, circles, shape, symmetries, space))
    if circles_end < 0:
        raise MemoryError("the order of a proof: too much to do at once")
    found, place = list[list[int]](), 0
    while place < circles_end:
        size = int(circles[place])
        found.append(circles[place + 1 : place + 1 + size].tolist())
        place += 1 + size
    return order, found


@kernel
def _walk(
    listing: Listing, needed: Bytes, boards: Boards, starts: int, order: Numbers, marks: Bytes, todo: Numbers, path: Numbers,
    circles: Numbers, shape: Shape, symmetries: Ints, space: Ints,
) -> int:  # fmt: skip
    """Write the order, and each circle with its length before it; return where circles end, -1 where room is lacking."""
    written = depth = circles_end = 0
    for start in range(starts):
        todo[0], top = start, 1
        while top and space[nth(at.LIMIT)]:
            number = int(todo[nth(top - 1)])
            if marks[nth(number)]:
                top -= 1
                if marks[nth(number)] == ON_PATH and path[nth(depth - 1)] == number:
                    depth -= 1
                    marks[nth(number)], order[nth(written)] = DONE, number
                    written += 1
                    listing.state[PLACED] = written
                    if boards.left_by[nth(number)] >= 0:
                        boards.done[nth(int(boards.left_by[nth(number)]))] = 1
                continue
            marks[nth(number)], path[nth(depth)] = ON_PATH, number
            depth += 1
            board = int(boards.left_by[nth(number)])
            if board < 0 or boards.done[nth(board)]:
                continue
            before = top
            top = _add_leaving(listing, boards, board, marks, todo, top, shape, symmetries, space)
            top = _add_standing(listing, needed, int(boards.keys[nth(board)]), marks, todo, top, shape, symmetries)
            if top + 1_000 > len(todo) or depth + 1 > len(path):
                return -1
            circles_end = _tell_circle(boards, board, marks, todo, before, top, path, depth, circles, circles_end)
            kept = before
            for k in range(before, top):
                if marks[nth(int(todo[nth(k)]))] == 0:
                    todo[nth(kept)] = todo[nth(k)]
                    kept += 1
            top = kept
    return circles_end


@kernel
def _add_leaving(
    listing: Listing, boards: Boards, board: int, marks: Bytes, todo: Numbers, top: int, shape: Shape, symmetries: Ints,
    space: Ints,
) -> int:  # fmt: skip
    """Note what follows all answers that leave a board; return where the notes end."""
    other = int(boards.leaving[nth(board)])
    while other >= 0 and top + 1_000 < len(todo):
        for k in range(replies_of(listing, other, shape, symmetries, space)):
            reply = number_of(listing, int(space[nth(row_of(1) + at.KEYS + k)]))
            if reply >= 0 and marks[nth(reply)] != DONE:
                todo[nth(top)] = reply
                top += 1
        other = int(boards.others[nth(other)])
    return top


@kernel
def _add_standing(
    listing: Listing, needed: Bytes, board: int, marks: Bytes, todo: Numbers, top: int, shape: Shape, symmetries: Ints
) -> int:
    """Note what is answered on a board by a placement, whatever a ko forbids; return where the notes end."""
    mine, theirs = board & shape[1], board >> 30 & shape[1]
    empty = shape[1] & ~(mine | theirs)
    ko = 0
    while True:
        number = number_of(listing, key_of(mine, theirs, ko, 0, 0, symmetries))
        if number >= 0 and needed[nth(number)] and listing.answers[nth(number)] != BY_PASS and marks[nth(number)] != DONE:
            todo[nth(top)] = number
            top += 1
        if not empty:
            return top
        ko = empty & -empty
        empty ^= ko


@kernel
def _tell_circle(
    boards: Boards, board: int, marks: Bytes, todo: Numbers, first: int, top: int, path: Numbers, depth: int,
    circles: Numbers, end: int,
) -> int:  # fmt: skip
    """Write down a circle if what is noted lies on the path: what leaves the board, what is noted, and the path backwards."""
    closes = False
    for k in range(first, top):
        closes = closes or marks[nth(int(todo[nth(k)]))] == ON_PATH
    if not closes or end + _MOST_CIRCLE + 1 > len(circles):
        return end
    size, other = 0, int(path[nth(depth - 1)])
    circles[nth(end + 1)] = other
    size = 1
    other = int(boards.leaving[nth(board)])
    while other >= 0 and size < _MOST_CIRCLE // 4:
        size += 1
        circles[nth(end + size)] = other
        other = int(boards.others[nth(other)])
    for k in range(first, top):
        if marks[nth(int(todo[nth(k)]))] == ON_PATH and size < _MOST_CIRCLE // 2:
            size += 1
            circles[nth(end + size)] = todo[nth(k)]
    for k in range(depth - 2, -1, -1):
        if size < _MOST_CIRCLE:
            size += 1
            circles[nth(end + size)] = path[nth(k)]
    circles[nth(end)] = size
    return end + 1 + size
