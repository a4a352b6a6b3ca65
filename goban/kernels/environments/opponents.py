"""The reference players on the boards of a batch, of every size and under every rule set: what they draw from in many games.

    FINDERS[name](rows, games, table, new_work(), candidates, counts)

They follow the definitions of the players in `players/`; a test compares the two on random positions. What two placements in a
row take, and what a reply takes, is told by the strings that have only one or two liberties; nothing is played to find out.
Each player is an entry of its own: who asks for `greedy` does not wait until `smart` is compiled.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from goban.kernels.environments.steps import GAMES, MARGIN, TABLE, TURN, Games, Points, Table
from goban.kernels.numba_tools.bits import Words, lowest, signed
from goban.kernels.numba_tools.compile import entry, inlined, kernel

# isort: off
from goban.kernels.environments.batch_boards import (
    DOWN, FIRST, HASH, LIBERTIES, MOST_WORDS, NEXT, PASSING, POSITIONAL, REPETITION, RIGHT, SIMPLE_KO, SIZE, STONES, Keys,
    Spots, colour_on, colours_around, has_stood, head_of, is_eye,
)  # fmt: skip
from goban.kernels.playouts.arrays import BLACK, EMPTY, OFF, WHITE, Board, at
# isort: on

Numbers = npt.NDArray[np.int64]
Actions = npt.NDArray[np.int16]
Work: TypeAlias = tuple[Numbers, Words]
FINDER = f"void(int64[::1], {GAMES}, {TABLE}, Tuple((int64[:, ::1], uint64[::1])), int16[:, ::1], int64[::1])"
"""Of rows, games, table and work; it writes a player's candidates in each of the games, as actions, and how many there are.
Where it has no placement the pass is the only one."""

FEW, ONE, TWO, DYING, LOST, WEAK, ENDANGERED, SAVED, CANDIDATES, WORTH = range(10)
"""Rows of the numbers a player works with. By a string's head: FEW liberties it has, 3 if more than two, and which, ONE and
TWO. By point: DYING opposing stones whose only liberty it is, and own ones that are LOST by a reply there. Lists of heads: WEAK
opposing strings, with one or two liberties; own ones ENDANGERED, with a single one, and SAVED of these by a placement. Then
CANDIDATES, and what each is WORTH."""

STRING_HASH = MOST_WORDS
"""Where the hashes of strings, by head, begin behind those of what a reply takes; under superko only."""


def new_work() -> Work:
    """Return what a finder works with; nothing in it outlasts a call."""
    return np.zeros((10, MOST_WORDS), dtype=np.int64), np.zeros(2 * MOST_WORDS, dtype=np.uint64)


# Strings and their liberties


@kernel
def _liberties(board: Board, head: int) -> tuple[int, int, int]:
    """Return how many liberties a string has, 3 for more than two, and the first two."""
    first, second, stone, down = 0, 0, head, at(board, DOWN)
    while True:
        for step in (-down, -RIGHT, RIGHT, down):
            q = stone + step
            if colour_on(board, q) == EMPTY and q != first and q != second:
                if first == 0:
                    first = q
                elif second == 0:
                    second = q
                else:
                    return 3, first, second
        stone = at(board, stone + NEXT)
        if stone == head:
            return (1 if second == 0 else 2), first, second


@kernel
def _survey(
    board: Board, keys: Keys, own: int, colours: int, most: int, numbers: Numbers, lost_hashes: Words
) -> tuple[int, int]:
    """Find the strings of these colours that are in danger; return how many opposing ones are weak, and own ones endangered.

    Only strings of at most so many pseudo-liberties are looked at. The hashes of what a reply takes go to `lost_hashes`.
    """
    size, down, weak, endangered = at(board, SIZE), at(board, DOWN), 0, 0
    top, superko = FIRST + down + RIGHT, at(board, REPETITION) != SIMPLE_KO
    for row in range(top, top + down * size, down):
        for p in range(row, row + RIGHT * size, RIGHT):
            numbers[DYING, p] = numbers[LOST, p] = 0
            lost_hashes[p] = lost_hashes[p + STRING_HASH] = 0
            numbers[FEW, p] = 3
    if superko and colours == BLACK | WHITE:
        for row in range(top, top + down * size, down):
            for p in range(row, row + RIGHT * size, RIGHT):
                colour = colour_on(board, p)
                lost_hashes[head_of(board, p) + STRING_HASH] ^= keys[colour & (BLACK | WHITE), p >> 2]
    for row in range(top, top + down * size, down):
        for p in range(row, row + RIGHT * size, RIGHT):
            if (colour_on(board, p) & colours == 0) | (head_of(board, p) != p) | (at(board, p + LIBERTIES) > most):
                continue
            few, one, two = _liberties(board, p)
            numbers[FEW, p], numbers[ONE, p], numbers[TWO, p] = few, one, two
            if colour_on(board, p) != own:
                if few < 3:
                    numbers[WEAK, weak] = p
                    weak += 1
                if few == 1:
                    numbers[DYING, one] += at(board, p + STONES)
            elif few == 1:
                numbers[LOST, one] += at(board, p + STONES)
                lost_hashes[one] ^= lost_hashes[p + STRING_HASH]
                numbers[ENDANGERED, endangered] = p
                endangered += 1
    return weak, endangered


# Actions


@kernel
def _list_legal(board: Board, legal: Words, points: Points, numbers: Numbers) -> int:
    """Make all legal placements the candidates; return how many there are."""
    actions, number = at(board, SIZE) ** 2, 0
    for w in range(1, len(legal) - 1):
        word = legal[w]
        while word != np.uint64(0):
            k = (w - 1) * 64 + lowest(word)
            word &= word - np.uint64(1)
            if k < actions:
                numbers[CANDIDATES, number] = points[k]
                number += 1
    return number


@kernel
def _keep_best(number: int, numbers: Numbers) -> int:
    """Keep the candidates that are worth most; return how many."""
    best = numbers[WORTH, 0]
    for k in range(1, number):
        best = max(best, numbers[WORTH, k])
    kept = 0
    for k in range(number):
        numbers[CANDIDATES, kept] = numbers[CANDIDATES, k]
        kept += 1 if numbers[WORTH, k] == best else 0
    return kept


@kernel
def _keep_central(board: Board, number: int, numbers: Numbers) -> int:
    """Keep the candidates nearest to the centre, by row distance plus column distance; return how many."""
    size = at(board, SIZE)
    for k in range(number):
        i, j = divmod(numbers[CANDIDATES, k] - FIRST, at(board, DOWN))
        j >>= 2
        numbers[WORTH, k] = -abs(2 * i - size - 1) - abs(2 * j - size - 1)
    return _keep_best(number, numbers)


@kernel
def _keep_capturing(number: int, numbers: Numbers) -> tuple[int, int]:
    """Keep the candidates that capture most; return how many, and what they capture."""
    most = 0
    for k in range(number):
        numbers[WORTH, k] = numbers[DYING, numbers[CANDIDATES, k]]
        most = max(most, numbers[WORTH, k])
    return _keep_best(number, numbers), most


@kernel
def _keep_no_eyes(board: Board, own: int, number: int, numbers: Numbers) -> int:
    """Keep the candidates that are no own eyes; return how many."""
    kept = 0
    for k in range(number):
        p = numbers[CANDIDATES, k]
        numbers[CANDIDATES, kept] = p
        kept += 0 if colours_around(board, p) == own and is_eye(board, p, own) else 1
    return kept


@kernel
def _touches(board: Board, p: int, head: int) -> bool:
    """Tell whether a point is next to a string."""
    down = at(board, DOWN)
    beside = (head_of(board, p - down) == head) | (head_of(board, p - RIGHT) == head)
    return beside | (head_of(board, p + RIGHT) == head) | (head_of(board, p + down) == head)


@kernel
def _joined_lives(board: Board, first: int, second: int, own: int) -> bool:
    """Tell whether the string that an own stone on `first` makes has a liberty besides `second`."""
    down = at(board, DOWN)
    for step in (-down, -RIGHT, RIGHT, down):
        q = first + step
        colour = colour_on(board, q)
        if colour == EMPTY and q != second:
            return True
        if colour == own:
            few, one, two = _liberties(board, head_of(board, q))
            # One of them is `first`.
            if few == 3 or (few == 2 and one + two - first != second):
                return True
    return False


@kernel
def _second_lives(board: Board, first: int, second: int, own: int) -> bool:
    """Tell whether an own stone on `second`, which captures nothing, has a liberty after one on `first`."""
    joins, down = False, at(board, DOWN)
    for step in (-down, -RIGHT, RIGHT, down):
        q = second + step
        colour = colour_on(board, q)
        if q == first:
            joins = True
        elif colour == EMPTY:
            return True
        elif colour == own:
            head = head_of(board, q)
            if _touches(board, first, head):
                joins = True
            elif _liberties(board, head)[0] > 1:
                return True
    return joins and _joined_lives(board, first, second, own)


@kernel
def _has_second(board: Board, first: int, own: int) -> bool:
    """Tell whether there is a second placement after `first`, where no second one captures."""
    size, down = at(board, SIZE), at(board, DOWN)
    top = FIRST + down + RIGHT
    for row in range(top, top + down * size, down):
        for second in range(row, row + RIGHT * size, RIGHT):
            if colour_on(board, second) == EMPTY and second != first and _second_lives(board, first, second, own):
                return True
    return False


@kernel
def _pair_captures(board: Board, weak: int, one: int, two: int, numbers: Numbers) -> int:
    """Return how many stones have these two liberties and no other ones."""
    taken = 0
    for k in range(weak):
        head = numbers[WEAK, k]
        a, b = numbers[ONE, head], numbers[TWO, head]
        if numbers[FEW, head] == 2 and ((a == one and b == two) or (a == two and b == one)):
            taken += at(board, head + STONES)
    return taken


@kernel
def _keep_attacking(board: Board, own: int, weak: int, number: int, numbers: Numbers) -> int:
    """Keep the candidates, none of which captures, that begin the pairs that capture most; return how many."""
    most = 0
    for k in range(weak):
        head = numbers[WEAK, k]
        if numbers[FEW, head] == 1:
            most = max(most, numbers[DYING, numbers[ONE, head]])
    # What is lost to replies is not asked for again.
    for k in range(number):
        numbers[LOST, numbers[CANDIDATES, k]] = most
    for k in range(weak):
        head = numbers[WEAK, k]
        if numbers[FEW, head] == 2:
            one, two = numbers[ONE, head], numbers[TWO, head]
            taken = _pair_captures(board, weak, one, two, numbers)
            numbers[LOST, one] = max(numbers[LOST, one], numbers[DYING, two] + taken)
            numbers[LOST, two] = max(numbers[LOST, two], numbers[DYING, one] + taken)
    best = 0
    for k in range(number):
        numbers[WORTH, k] = numbers[LOST, numbers[CANDIDATES, k]]
        best = max(best, numbers[WORTH, k])
    if best == 0:
        for k in range(number):
            numbers[WORTH, k] = 1 if _has_second(board, numbers[CANDIDATES, k], own) else 0
    return _keep_best(number, numbers)


# What a reply takes


@kernel
def _is_banned(board: Board, past: Words, after: np.uint64, own: int) -> bool:
    """Tell whether superko forbids the opponent to make a board of this hash."""
    repetition = at(board, REPETITION)
    return repetition != SIMPLE_KO and has_stood(board, past, after, own, repetition == POSITIONAL)


@inlined
def _one_more(only: int, liberty: int) -> int:
    """Return the only liberty, 0 for none yet and -1 for more than one, of what had `only` and gets another."""
    return liberty if only in (0, liberty) else -1


@kernel
def _capture(
    board: Board, head: int, p: int, own: int, only: int, saved: int, numbers: Numbers, lost_hashes: Words
) -> tuple[int, int]:
    """Note what a string's capture by p does to own ones; return the only liberty of what is on p, and how many are saved."""
    down = at(board, DOWN)
    one, two = head_of(board, p - down), head_of(board, p - RIGHT)
    three, four = head_of(board, p + RIGHT), head_of(board, p + down)
    stone = head
    while True:
        for step in (-down, -RIGHT, RIGHT, down):
            q = stone + step
            beside = head_of(board, q)
            joins = (beside == one) | (beside == two) | (beside == three) | (beside == four)
            if q == p or (colour_on(board, q) == own and joins):
                only = _one_more(only, stone)
            elif colour_on(board, q) == own and numbers[FEW, beside] == 1:
                numbers[FEW, beside] = 2
                numbers[LOST, numbers[ONE, beside]] -= at(board, beside + STONES)
                lost_hashes[numbers[ONE, beside]] ^= lost_hashes[beside + STRING_HASH]
                numbers[SAVED, saved] = beside
                saved += 1
        stone = at(board, stone + NEXT)
        if stone == head:
            return only, saved


@kernel
def _endanger_again(board: Board, saved: int, numbers: Numbers, lost_hashes: Words) -> None:
    """Take back what `_capture` has noted."""
    for k in range(saved):
        head = numbers[SAVED, k]
        numbers[FEW, head] = 1
        numbers[LOST, numbers[ONE, head]] += at(board, head + STONES)
        lost_hashes[numbers[ONE, head]] ^= lost_hashes[head + STRING_HASH]


@kernel
def _heaviest_loss(
    board: Board, past: Words, keys: Keys, p: int, own: int, endangered: int, numbers: Numbers, lost_hashes: Words
) -> int:
    """Return how many stones the opponent's best reply takes after a legal placement on p."""
    string, stones = keys[own, p >> 2], 1
    after = past[HASH] ^ string
    only, captured, saved, ko = 0, 0, 0, 0
    down = at(board, DOWN)
    one, two = head_of(board, p - down), head_of(board, p - RIGHT)
    three, four = head_of(board, p + RIGHT), head_of(board, p + down)
    for side in range(4):
        head = one if side == 0 else two if side == 1 else three if side == 2 else four
        seen = (side > 0 and head == one) or (side > 1 and head == two) or (side > 2 and head == three)
        colour = colour_on(board, head)
        if seen or colour == OFF:
            continue
        if colour == EMPTY:
            only = _one_more(only, head)
        elif colour == own:
            stones += at(board, head + STONES)
            string ^= lost_hashes[head + STRING_HASH]
            if numbers[FEW, head] == 3:
                only = -1
            elif numbers[FEW, head] == 2:
                # One of the two is p.
                only = _one_more(only, numbers[ONE, head] + numbers[TWO, head] - p)
        elif numbers[FEW, head] == 1:
            captured += at(board, head + STONES)
            after ^= lost_hashes[head + STRING_HASH]
            ko = head
            only, saved = _capture(board, head, p, own, only, saved, numbers, lost_hashes)
    if captured != 1 or colours_around(board, p) & (own | EMPTY) != 0 or at(board, REPETITION) != SIMPLE_KO:
        ko = 0
    worst = 0
    if only > 0 and only != ko:
        then = after ^ keys[BLACK + WHITE - own, only >> 2] ^ lost_hashes[only] ^ string
        if not _is_banned(board, past, then, own):
            worst = numbers[LOST, only] + stones
    for k in range(endangered):
        head = numbers[ENDANGERED, k]
        reply = numbers[ONE, head]
        # On p there is a stone now; the only liberty of that has been looked at.
        if numbers[FEW, head] == 1 and reply not in (p, only) and numbers[LOST, reply] > worst:
            then = after ^ keys[BLACK + WHITE - own, reply >> 2] ^ lost_hashes[reply]
            if not _is_banned(board, past, then, own):
                worst = numbers[LOST, reply]
    _endanger_again(board, saved, numbers, lost_hashes)
    return worst


# Players


@kernel
def _write(board: Board, number: int, numbers: Numbers, cells: Spots, found: Actions) -> int:
    """Write the candidates as actions, the pass if there are none; return how many."""
    for k in range(number):
        found[k] = signed(cells[numbers[CANDIDATES, k] >> 2]) - MARGIN
    if number == 0:
        found[0] = at(board, SIZE) ** 2
    return max(number, 1)


@entry(FINDER)
def _find_random(rows: Numbers, games: Games, table: Table, work: Work, found: Actions, counts: Numbers) -> None:
    numbers, _ = work
    for k, g in enumerate(rows):
        board = games[0][g]
        number = _list_legal(board, games[5][g], table[4], numbers)
        counts[k] = _write(board, number, numbers, table[5], found[k])


@entry(FINDER)
def _find_naive(rows: Numbers, games: Games, table: Table, work: Work, found: Actions, counts: Numbers) -> None:
    numbers, _ = work
    for k, g in enumerate(rows):
        board, own = games[0][g], signed(games[8][TURN, g]) + BLACK
        number = _keep_no_eyes(board, own, _list_legal(board, games[5][g], table[4], numbers), numbers)
        if number == 0 and at(board, PASSING) == 0:
            number = _list_legal(board, games[5][g], table[4], numbers)
        counts[k] = _write(board, number, numbers, table[5], found[k])


@entry(FINDER)
def _find_greedy(rows: Numbers, games: Games, table: Table, work: Work, found: Actions, counts: Numbers) -> None:
    numbers, lost_hashes = work
    for k, g in enumerate(rows):
        board, own = games[0][g], signed(games[8][TURN, g]) + BLACK
        number = _list_legal(board, games[5][g], table[4], numbers)
        _survey(board, table[1], own, BLACK + WHITE - own, 4, numbers, lost_hashes)
        number, _ = _keep_capturing(number, numbers)
        counts[k] = _write(board, number, numbers, table[5], found[k])


@entry(FINDER)
def _find_aggressive(rows: Numbers, games: Games, table: Table, work: Work, found: Actions, counts: Numbers) -> None:
    numbers, lost_hashes = work
    for k, g in enumerate(rows):
        board, own = games[0][g], signed(games[8][TURN, g]) + BLACK
        number = _list_legal(board, games[5][g], table[4], numbers)
        weak, _ = _survey(board, table[1], own, BLACK + WHITE - own, 8, numbers, lost_hashes)
        number, captures = _keep_capturing(number, numbers)
        if captures == 0:
            number = _keep_central(board, _keep_attacking(board, own, weak, number, numbers), numbers)
        counts[k] = _write(board, number, numbers, table[5], found[k])


@entry(FINDER)
def _find_smart(rows: Numbers, games: Games, table: Table, work: Work, found: Actions, counts: Numbers) -> None:
    numbers, lost_hashes = work
    for k, g in enumerate(rows):
        board, past, own = games[0][g], games[1][g], signed(games[8][TURN, g]) + BLACK
        number = _list_legal(board, games[5][g], table[4], numbers)
        weak, endangered = _survey(board, table[1], own, BLACK | WHITE, 8, numbers, lost_hashes)
        for c in range(number):
            p = numbers[CANDIDATES, c]
            numbers[WORTH, c] = -_heaviest_loss(board, past, table[1], p, own, endangered, numbers, lost_hashes)
        number, captures = _keep_capturing(_keep_best(number, numbers), numbers)
        if captures == 0:
            number = _keep_attacking(board, own, weak, number, numbers)
        counts[k] = _write(board, _keep_central(board, number, numbers), numbers, table[5], found[k])


FINDERS = {
    "random": _find_random,
    "naive": _find_naive,
    "greedy": _find_greedy,
    "aggressive": _find_aggressive,
    "smart": _find_smart,
}
