"""What is guessed of a move before any game went through it: how likely a good player makes it, by what it does.

Each move has a handful of *features*, numbers below FEATURES; each feature has a weight, and the likelihood of a move is
proportional to the exponential of the sum of its features' weights (Coulom, *Computing "Elo ratings" of move patterns in the
game of Go*, 2007). One more weight, the first, goes with the logarithm of what the pattern table gives the move, against the
average of the position. What stands around a move has three weights more, each of what the player sees, turned and mirrored in
any way: of its *shape*, the eight points around; of its *contacts*, the four points beside it, each with whether what stands
there has one liberty, two, or more; and of its *reach*, those four and the four behind them.

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
from goban.kernels.numba_tools.compile import inlined, kernel
from goban.kernels.patterns.neighbourhoods import (
    CLASSES,
    EDGE,
    EMPTY,
    OTHER,
    OWN,
    STEPS,
    Span,
    Words,
    bit_of,
    class_of_code,
)  # fmt: skip
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
_BESIDE = STEPS[:4]
CONTACT_BITS = 3 * len(_BESIDE)
"""Of a code of contacts: by point 0 for empty, 1 to 3 for an own string of so many liberties, 4 to 6 for the opponent's, 7 for
beyond the edge. Of one of a reach: two bits a point as in `neighbourhoods`, first of those beside the move."""
CONTACTS, REACHES = 666, 9316
"""Classes of such codes."""
WEIGHTS = FEATURES + CLASSES + CONTACTS + REACHES
"""Of features, shapes, contacts and reaches, in this order."""
_NO_CONTACTS = FEATURES + (2 << CODE_BITS)
_NO_REACH = _NO_CONTACTS + (1 << CONTACT_BITS)
"""Where the first contacts and the first reach stand in `terms`."""
SURROUNDINGS = 3
"""Shape, contacts and reach."""
MOST_LOGARITHM = 4.0
_NEVER = -5.0
"""What counts instead for a move that a game at random would never make."""

PARTS = 100
"""Of a weight that is 1, in the file."""
_FILE = Path(__file__).parent / "patterns" / "guesses.json"
"""Weights by maximum likelihood, with a small penalty for large ones, from 41,538 moves on 9x9: of `montecarlo` and Pachi 12.90
without a network in 800 games of `benchmarks.strength pachi`, 0.1 s a move, and of Pachi in 100 games against itself, 1,000
playouts a move. `lab.guesses` plays such games, fits weights, and writes the file."""


@cache
def weight_of_term() -> Numbers:
    """Return for each of `terms` which weight it is, WEIGHTS for those that no move has. Shared: not to be changed."""
    shapes = class_of_code().astype(np.int64)
    shapes = np.where(shapes < CLASSES, FEATURES + shapes, WEIGHTS)
    contacts = FEATURES + CLASSES + _classes(3, 1)
    reaches = FEATURES + CLASSES + CONTACTS + _classes(2, 2)
    return np.concatenate([np.arange(FEATURES), shapes, shapes[swapped_codes()], contacts, reaches])


def _classes(bits: int, rings: int) -> Numbers:
    """Return which codes of four points, or of several rings of four, are the same turned and mirrored, as numbers from 0 on.

    bits: of a point.
    """
    shifts = bits * np.arange(4 * rings).reshape(rings, 4)
    things = np.arange(1 << bits * 4 * rings)[:, None, None] >> shifts & (1 << bits) - 1
    # Down, left, up, right: turned, and mirrored.
    orders = [[(turn + way * k) % 4 for k in range(4)] for turn in range(4) for way in (1, -1)]
    lowest = np.min([(things[:, :, order] << shifts).sum(axis=(1, 2)) for order in orders], axis=0)
    return np.asarray(np.unique(lowest, return_inverse=True)[1], dtype=np.int64)


@cache
def terms() -> Factors:
    """Return the weights of features, then those of shapes by colour and code (`neighbourhoods`), of contacts and of reaches by
    code. Shared: not to be changed."""
    found = json.loads(_FILE.read_bytes())
    parts = (found[name] for name in ("features", "shapes", "contacts", "reaches"))
    weights = np.concatenate([np.array(part, dtype=np.float64) / PARTS for part in parts])
    return np.append(weights, 0.0)[weight_of_term()]


@kernel
def _distance(p: int, q: int, stride: int) -> int:
    # A point is its own neighbour where what was played there has been taken.
    rows, cols = abs(p // stride - q // stride), abs(p % stride - q % stride)
    return max(2, min(9, rows + cols + max(rows, cols)))


@kernel
def _liberties_to_come(board: Board, words: Words, beside: Words, span: Span, p: int, own: int, less: int) -> int:
    """Return how many liberties a stone on p has, with all it joins, captures left aside. less: a point that is none, or 0."""
    stride, number = head(board, SIZE) + 1, 0
    for k in range(len(span)):
        word = beside[nth(p * len(span) + k)] & words[EMPTIES + k]
        for q in (p + stride, p - 1, p - stride, p + 1):
            if get(board, q, COLOUR) == own:
                word |= words[nth(liberties_of(span, get(board, q, STRING)) + k)]
        if p >> 6 == k:
            word &= ~bit_of(p)
        if less != 0 and less >> 6 == k:
            word &= ~bit_of(less)
        number += count(word)
    return number


@inlined
def note_features(
    board: Board, words: Words, tables: Tables, span: Span, p: int, last: int, before: int, noted: Numbers
) -> int:
    """Write the features of a placement of the player to move; return how many. last, before: the moves before, 0 for none."""
    own, number = head(board, TO_MOVE), _note_place(board, p, last, before, noted)
    other, stride = BLACK + WHITE - own, head(board, SIZE) + 1
    last_string = get(board, last, STRING) if last != 0 else 0
    liberties = _liberties_to_come(board, words, tables.beside, span, p, own, 0)
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


@inlined
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
    left = _liberties_to_come(board, words, tables.beside, span, escape, get(board, string, COLOUR), p)
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
def note_surroundings(board: Board, p: int, noted: Numbers) -> None:
    """Write where `terms` has the weights of a move's shape, contacts and reach."""
    own, stride, contacts, reach = head(board, TO_MOVE), head(board, SIZE) + 1, 0, 0
    for k, step in enumerate((stride, -1, -stride, 1)):
        thing = _seen(board, p + step, own)
        further = EDGE if thing == EDGE else _seen(board, p + 2 * step, own)
        reach |= thing << 2 * k | further << 2 * (4 + k)
        if thing == EDGE:
            contacts |= 7 << 3 * k
        elif thing != EMPTY:
            free = min(get(board, get(board, p + step, STRING), FREE), 3)
            contacts |= (free if thing == OWN else 3 + free) << 3 * k
    noted[0], noted[1], noted[2] = _place_of_shape(board, p), _NO_CONTACTS + contacts, _NO_REACH + reach


@kernel
def _seen(board: Board, p: int, own: int) -> int:
    """Return what stands on a point, as the player sees it."""
    colour = get(board, p, COLOUR)
    return OWN if colour == own else OTHER if colour == BLACK + WHITE - own else colour


@board_entry("void", ", int64, int64[::1]")
def surroundings_of(board: Board, words: Words, tables: Tables, span: Span, p: int, noted: Numbers) -> None:
    """See `note_surroundings`; for Python."""
    note_surroundings(board, p, noted)


@inlined
def score_of_move(
    board: Board, words: Words, tables: Tables, span: Span, p: int, last: int, before: int, noted: Numbers, terms: Factors
) -> float:
    """Return the logarithm of a placement's likelihood but for its pattern, and for what all placements have in common."""
    note_surroundings(board, p, noted)
    score = terms[nth(noted[0])] + terms[nth(noted[1])] + terms[nth(noted[2])]
    for k in range(note_features(board, words, tables, span, p, last, before, noted)):
        score += terms[nth(noted[nth(k)])]
    return float(score)


@kernel
def score_of_pattern(weight: float, even: float, terms: Factors) -> float:
    """Return what a placement's weight adds to that. even: what placements are worth on the average."""
    if weight <= 0.0:
        return _NEVER
    return float(terms[PATTERN] * max(-MOST_LOGARITHM, min(MOST_LOGARITHM, math.log(weight / even))))
