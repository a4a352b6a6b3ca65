"""What is guessed of a move before any game went through it: how likely a good player makes it, by what it does.

Each move has a handful of *features*, numbers below FEATURES; each feature has a weight, and the likelihood of a move is
proportional to the exponential of the sum of its features' weights (Coulom, *Computing "Elo ratings" of move patterns in the
game of Go*, 2007). One more weight, the first, goes with the logarithm of what the pattern table gives the move, against the
average of the position. The *shape*, the class of the eight points around as the player sees them, has a weight of its own.

    LAST, BEFORE       how far from the last move and the one before it: rows, columns and the larger of both added up, 2 to 9+
    LINE               the first line to the fourth and beyond; from LINE + 4 on if there is a stone among the eight around
    TAKE               takes one stone, two, three or more; TAKE_LAST: the last move's among them
    RESCUE             saves a stone in atari, or several from RESCUE + 2 on, with two liberties then, or more
    SELF_ATARI         leaves one stone in atari, two, three or four, more, and takes nothing
    ATARI              leaves one stone of the opponent in atari, two, more; ATARI_LAST: the last move's; HARD, NET: which
                       then come to two liberties, or one, if the opponent extends
    EXTEND             brings one stone with two liberties to three or more; two stones, more
    PRESS              leaves the opponent two liberties; from PRESS + 1 on three
    LIBERTIES          has so many liberties then, 1 to 5+
    JOIN               joins two strings or more; JOIN + 1 if one of them has three liberties or fewer
    BESIDE             touches the string of the last move
    ANSWER             touches an own string that the last move touched, of one liberty, two, three
"""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from goban.kernels.numba_tools.bits import count, nth
from goban.kernels.numba_tools.compile import kernel
from goban.kernels.patterns.neighbourhoods import STEPS, Span, Words, bit_of, class_of_code
from goban.kernels.patterns.tables import Tables, board_entry, swapped_codes

# isort: off
from goban.kernels.patterns.boards import (
    BLACK, CODE, COLOUR, EMPTIES, FIRST, SECOND, SIZE, STONES, STRING, TO_MOVE, WHITE, Board, get, head, liberties_of,
)  # fmt: skip
from goban.kernels.patterns.boards import LIBERTIES as FREE
# isort: on

Factors = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]

PATTERN, LAST, BEFORE, LINE = 0, 1, 9, 17
TAKE, TAKE_LAST, RESCUE, SELF_ATARI = 25, 28, 29, 33
ATARI, ATARI_LAST, HARD, NET = 37, 40, 41, 42
EXTEND, PRESS, LIBERTIES, JOIN = 43, 46, 48, 53
BESIDE, ANSWER = 55, 56
FEATURES = 59
MOST_FEATURES = 24
"""Of one move."""

CODE_BITS = 2 * len(STEPS)
MOST_LOGARITHM = 4.0
_NEVER = -5.0
"""What counts instead for a move that a game at random would never make."""

PARTS = 100
"""Of a weight that is 1, in the file."""
_FILE = Path(__file__).parent / "patterns" / "guesses.json"
"""Weights by maximum likelihood, with a small penalty for large ones, from 3,261 moves on 9x9 in 100 games of Pachi 12.90
without a network against itself, 1,000 playouts a move. `lab.guesses` plays such games, fits weights, and writes the file."""


@cache
def terms() -> Factors:
    """Return the weights of features, then those of shapes by colour and code (`neighbourhoods`). Shared: not to be changed."""
    found = json.loads(_FILE.read_bytes())
    features, shapes = (np.array(found[name], dtype=np.float64) / PARTS for name in ("features", "shapes"))
    classes = class_of_code()
    known = np.append(shapes, 0.0)
    return np.concatenate([features, known[classes], known[classes[swapped_codes()]]])


@kernel
def _distance(p: int, q: int, stride: int) -> int:
    # A point is its own neighbour where what was played there has been taken.
    rows, cols = abs(p // stride - q // stride), abs(p % stride - q % stride)
    return max(2, min(9, rows + cols + max(rows, cols)))


@kernel
def _liberties_to_come(board: Board, words: Words, tables: Tables, span: Span, p: int, own: int, less: int) -> int:
    """Return how many liberties a stone on p has, with all it joins, captures left aside. less: a point that is none, or 0."""
    stride, number = head(board, SIZE) + 1, 0
    for k in range(len(span)):
        word = tables.beside[nth(p * len(span) + k)] & words[EMPTIES + k]
        for q in (p + stride, p - 1, p - stride, p + 1):
            if get(board, q, COLOUR) == own:
                word |= words[nth(liberties_of(span, get(board, q, STRING)) + k)]
        if p >> 6 == k:
            word &= ~bit_of(p)
        if less != 0 and less >> 6 == k:
            word &= ~bit_of(less)
        number += count(word)
    return number


@kernel
def note_features(
    board: Board, words: Words, tables: Tables, span: Span, p: int, last: int, before: int, noted: Numbers
) -> int:
    """Write the features of a placement of the player to move; return how many. last, before: the moves before, 0 for none."""
    own, number = head(board, TO_MOVE), _note_place(board, p, last, before, noted)
    other, stride = BLACK + WHITE - own, head(board, SIZE) + 1
    last_string = get(board, last, STRING) if last != 0 else 0
    liberties = _liberties_to_come(board, words, tables, span, p, own, 0)
    first = second = third = taken = rescued = extended = strings = 0
    stones, thin, last_taken, beside, answered = 1, 0, False, False, 4
    for q in (p + stride, p - 1, p - stride, p + 1):
        colour, string = get(board, q, COLOUR), get(board, q, STRING)
        if (colour != own and colour != other) or string in (first, second, third):
            continue
        first, second, third = string, first, second
        free, many = get(board, string, FREE), get(board, string, STONES)
        if colour == other:
            beside = beside or string == last_string
            if free == 1:
                taken += many
                last_taken = last_taken or string == last_string
            else:
                number = _note_pressed(board, words, tables, span, p, string, last_string, noted, number)
        else:
            stones += many
            strings += 1
            thin = 1 if free <= 3 else thin
            rescued += many if free == 1 else 0
            extended = max(extended, many if free == 2 else 0)
            if free < answered and last != 0 and _touches(board, last, string):
                answered = free
    if taken > 0:
        number = _note(noted, number, TAKE + min(taken, 3) - 1)
        if last_taken:
            number = _note(noted, number, TAKE_LAST)
    elif liberties <= 1:
        number = _note(noted, number, SELF_ATARI + (stones - 1 if stones < 3 else 2 if stones < 5 else 3))
    if rescued > 0 and liberties >= 2:
        number = _note(noted, number, RESCUE + (2 if rescued > 1 else 0) + (1 if liberties > 2 else 0))
    if extended > 0 and liberties >= 3:
        number = _note(noted, number, EXTEND + min(extended, 3) - 1)
    if strings > 1:
        number = _note(noted, number, JOIN + thin)
    if beside:
        number = _note(noted, number, BESIDE)
    if answered < 4:
        number = _note(noted, number, ANSWER + answered - 1)
    return _note(noted, number, LIBERTIES + min(max(liberties, 1), 5) - 1)


@kernel
def _touches(board: Board, p: int, string: int) -> bool:
    """Tell whether a point is next to a string."""
    stride = head(board, SIZE) + 1
    beside = get(board, p + stride, STRING) == string or get(board, p - 1, STRING) == string
    return beside or get(board, p - stride, STRING) == string or get(board, p + 1, STRING) == string


@kernel
def _note(noted: Numbers, number: int, feature: int) -> int:
    noted[nth(number)] = feature
    return number + 1


@kernel
def _note_place(board: Board, p: int, last: int, before: int, noted: Numbers) -> int:
    """Write what follows from where a move is; return how many features."""
    size, number = head(board, SIZE), 0
    row, col = p // (size + 1), p % (size + 1)
    if last != 0:
        number = _note(noted, number, LAST + _distance(p, last, size + 1) - 2)
    if before != 0:
        number = _note(noted, number, BEFORE + _distance(p, before, size + 1) - 2)
    line, code = min(min(row, size + 1 - row), min(col, size + 1 - col), 4), get(board, p, CODE)
    # Of a stone's two bits one is set, of an empty point's none, and both of one beyond the edge.
    return _note(noted, number, LINE + line - 1 + (4 if (code ^ code >> 1) & 0x5555 != 0 else 0))


@kernel
def _note_pressed(
    board: Board, words: Words, tables: Tables, span: Span, p: int, string: int, last_string: int, noted: Numbers, number: int
) -> int:
    """Write what a move does to a string of the opponent with two liberties or more; return how many features there are."""
    free = get(board, string, FREE)
    if free > 4:
        return number
    if free > 2:
        return _note(noted, number, PRESS + free - 3)
    number = _note(noted, number, ATARI + min(get(board, string, STONES), 3) - 1)
    if string == last_string:
        number = _note(noted, number, ATARI_LAST)
    escape = get(board, string, FIRST) + get(board, string, SECOND) - p
    left = _liberties_to_come(board, words, tables, span, escape, get(board, string, COLOUR), p)
    return number if left > 2 else _note(noted, number, HARD if left == 2 else NET)


@board_entry("int64", ", int64, int64, int64, int64[::1]")
def features_of(
    board: Board, words: Words, tables: Tables, span: Span, p: int, last: int, before: int, noted: Numbers
) -> int:
    """See `note_features`; for Python."""
    return note_features(board, words, Tables(*tables), span, p, last, before, noted)


@kernel
def _place_of_shape(board: Board, p: int) -> int:
    """Return where `terms` has the weight of what stands around a point, as the player to move sees it."""
    return FEATURES + ((head(board, TO_MOVE) - BLACK) << CODE_BITS) + get(board, p, CODE)


@kernel
def score_of_move(
    board: Board, words: Words, tables: Tables, span: Span, p: int, last: int, before: int, noted: Numbers, terms: Factors
) -> float:
    """Return the logarithm of a placement's likelihood but for its pattern, and for what all placements have in common."""
    score = float(terms[nth(_place_of_shape(board, p))])
    for k in range(note_features(board, words, tables, span, p, last, before, noted)):
        score += terms[nth(noted[nth(k)])]
    return score


@kernel
def score_of_pattern(weight: float, even: float, terms: Factors) -> float:
    """Return what a placement's weight adds to that. even: what placements are worth on the average."""
    if weight <= 0.0:
        return _NEVER
    return float(terms[PATTERN] * max(-MOST_LOGARITHM, min(MOST_LOGARITHM, math.log(weight / even))))
