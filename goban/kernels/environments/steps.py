"""One step of every game of a batch: the action, its consequences, and what the next player sees and may do.

Events come in Pgx's order (pgx 2.6.0): an illegal action is carried out as far as it can be, ends the game, and its player
loses; making an earlier board again, where the rules forbid that so, comes before two passes, and these before the move limit.
Games do not know of each other: any part of a batch may be stepped by any thread.

A batch of games is made of arrays, which the kernels take as three tuples:

    games   what goes on in each game, a row or an entry per game
    shown   what is shown of each: observation, legal actions, rewards, whether it is over
    table   what is the same for all: the rules, an empty board, and where things are

Which actions are legal is kept as bits: bit k is action k, the bit after the points' the pass. `empties`, `sides` and what is
found are rows of words with a margin of one word of zeros at either end.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from goban.grids import grid_of
from goban.kernels.numba_tools.compile import entry, inlined, kernel
from goban.kernels.numba_tools.random_numbers import advance, below, game_stream
from goban.kernels.playouts import array_rules
from goban.kernels.playouts.array_rules import NO_PLACEMENT, REPEATED, copy_words
from goban.kernels.playouts.arrays import BLACK, EMPTY, WHITE, Board, at
from goban.rulesets import Ending, RuleSet
from goban.states import new_game

# isort: off
from goban.kernels.environments.batch_boards import (
    FILTER, KO, MOVER_LOSES, ON_REPEAT, PASSED, PASSING, REPETITION, SEEN, SIMPLE_KO, SIZE, Keys, Spots,
    colour_on, colours_around, end_move, is_alive, key_table, may_place, new_board, past_words, place, point_of, points_of,
)  # fmt: skip
from goban.kernels.environments.observations import (
    bits_in_word, clear_bit, plane_masks, planes_of, set_bit, turn, view_spot, view_words,
)  # fmt: skip
from goban.kernels.numba_tools.bits import (
    Bytes, Words, count, end_streams, lowest, nth_bit, prefetch, signed, stream_bits, write_bits,
)  # fmt: skip

# isort: on

NOT_LAST, NOT_FIRST, ALL_POINTS, FIRST_LEGAL, ALL_ACTIONS = range(5)
"""Rows of `side_masks`: the points that have a neighbour to the right, to the left; all points; what is legal on the empty
board; all points and the pass."""
MARGIN = 64
"""Where the bits of the actions begin in a row."""

Points = npt.NDArray[np.uint16]

_0, _1, _63 = (np.uint64(n) for n in (0, 1, 63))


def action_words(size: int) -> int:
    """Return how many words the actions of a board take, margins included."""
    return -(-(size * size + 1) // 64) + 2


def side_masks(size: int, passing: bool) -> Words:
    """Return sets of actions of a board size, one row for each of NOT_LAST to ALL_ACTIONS."""
    bits = np.zeros((5, action_words(size) * 64), dtype=np.uint8)
    bits[:, MARGIN : MARGIN + size * size] = 1
    points = bits[:, MARGIN : MARGIN + size * size].reshape(5, size, size)
    points[NOT_LAST, :, -1] = points[NOT_FIRST, :, 0] = 0
    bits[ALL_ACTIONS, MARGIN + size * size] = 1
    bits[FIRST_LEGAL, MARGIN + size * size] = passing
    return np.packbits(bits, axis=1, bitorder="little").view("<u8").astype(np.uint64)


@inlined
def find_legal(
    board: Board, past: Words, keys: Keys, own: int, empties: Words, sides: Words, points: Points, legal: Words
) -> np.uint64:
    """Write a player's legal actions; return a word that is 0 if no placement is among them. points: by action."""
    size = at(board, SIZE)
    row, back = np.uint64(size), np.uint64(64 - size)
    simple, ko = at(board, REPETITION) == SIMPLE_KO, at(board, KO)
    found = _0
    for w in range(1, len(empties) - 1):
        here, below, above = empties[w], empties[w - 1], empties[w + 1]
        near = (here & sides[NOT_LAST, w]) << _1 | (below & sides[NOT_LAST, w - 1]) >> _63
        near |= (here & sides[NOT_FIRST, w]) >> _1 | (above & sides[NOT_FIRST, w + 1]) << _63
        near |= here << row | below >> back | here >> row | above << back
        # Next to an empty point a stone lives, and the ko point has none.
        good = here & near if simple else _0
        doubtful = here ^ good
        while doubtful != _0:
            bit = doubtful & (_0 - doubtful)
            doubtful ^= bit
            p = signed(points[(w - 1) * 64 + lowest(bit)])
            lives = is_alive(board, p, own) & (p != ko) if simple else may_place(board, past, keys, p, own)
            good |= bit if lives else _0
        legal[w] = good
        found |= good
    if at(board, PASSING) != 0:
        legal[(size * size >> 6) + 1] |= _1 << np.uint64(size * size & 63)
    return found


Facts = npt.NDArray[np.int32]
Log = npt.NDArray[np.int16]
Rewards = npt.NDArray[np.float32]

PLAYER, TURN, STEPS, WON, ENDED, ORDER = range(6)
"""Rows of `facts`: the player to move (0 or 1), the colour to move (0 Black, 1 White), steps taken, who has won (0 nobody, 1
Black, 2 White), why the game is over (0: it is not), and which player has Black."""

Games: TypeAlias = tuple[
    npt.NDArray[np.uint16], npt.NDArray[np.uint64], Words, Words, Words, Words, Words, Log, Facts
]  # fmt: skip
Shown: TypeAlias = tuple[Bytes, Bytes, Rewards, Bytes]
Table: TypeAlias = tuple[Board, Keys, Words, Words, Points, Spots, Spots, int, np.float32, int]

GAMES = (
    "Tuple((uint16[:, ::1], uint64[:, ::1], uint64[:, ::1], uint64[:, ::1], uint64[:, ::1], uint64[:, ::1], "
    "uint64[::1], int16[:, ::1], int32[:, ::1]))"
)
SHOWN = "Tuple((uint8[:, ::1], uint8[:, ::1], float32[:, ::1], uint8[::1]))"
TABLE = (
    "Tuple((uint16[::1], uint64[:, ::1], uint64[::1], uint64[:, ::1], uint16[::1], uint16[::1], uint16[::1], int64, float32, "
    "int64))"
)


class GameArrays(NamedTuple):
    """What goes on in each game: boards and pasts as in `goban.kernels.environments.batch_boards`, and what goes with them."""

    boards: npt.NDArray[np.uint16]
    pasts: Words
    views: Words
    """What the player to move sees; see `goban.kernels.environments.observations`."""
    finals: Words
    """The last view of the game before, where a game begins in the step that ends the one before."""
    empties: Words
    legal: Words
    streams: Words
    """Where each row's random numbers have got to; they say which player has Black."""
    log: Log
    """The actions of the game so far."""
    facts: Facts

    def plain(self) -> Games:
        """Return them as kernels take them."""
        return (
            self.boards, self.pasts, self.views, self.finals, self.empties, self.legal, self.streams, self.log, self.facts,
        )  # fmt: skip


def table_of(rules: RuleSet, size: int, history: int) -> Table:
    """Return what is the same for all games. The rules must have a move limit; BadBoardError for a size outside 2..19."""
    board = new_board(rules, size)
    board[PASSED] = new_game(rules, size).pass_ends
    points = np.array([point_of(size, *pair) for pair in grid_of(size).points])
    cells, spots = np.zeros((2, len(board) >> 2), dtype=np.uint16)
    cells[points >> 2] = MARGIN + np.arange(size * size)
    spots[points >> 2] = [view_spot(k, history) for k in range(size * size)]
    sides = side_masks(size, rules.passing)
    komi = np.float32(rules.komi(size))
    return (
        board, key_table(size), plane_masks(history), sides, np.array([*points, 0], dtype=np.uint16), cells, spots,
        bits_in_word(history), komi, rules.tie_winner,
    )  # fmt: skip


def new_games(rules: RuleSet, size: int, history: int, number: int, streams: Words) -> GameArrays:
    """Return arrays for so many games, none of which has begun."""
    words = action_words(size)
    return GameArrays(
        np.zeros((number, len(new_board(rules, size))), dtype=np.uint16),
        np.zeros((number, past_words(rules, size)), dtype=np.uint64),
        np.zeros((number, view_words(size, history)), dtype=np.uint64),
        np.zeros((number, view_words(size, history)), dtype=np.uint64),
        np.zeros((number, words), dtype=np.uint64),
        np.zeros((number, words), dtype=np.uint64),
        streams,
        np.zeros((number, rules.max_move(size) or 0), dtype=np.int16),
        np.zeros((6, number), dtype=np.int32),
    )


def new_shown(size: int, history: int, number: int) -> Shown:
    """Return arrays to show so many games in: observations, legal actions, rewards and whether they are over."""
    return (
        np.zeros((number, size * size * planes_of(history)), dtype=np.uint8),
        np.zeros((number, size * size + 1), dtype=np.uint8),
        np.zeros((number, 2), dtype=np.float32),
        np.zeros(number, dtype=np.uint8),
    )


# isort: on

Actions = npt.NDArray[np.int64]
Chances = npt.NDArray[np.float64]

ENDINGS = (*array_rules.ENDINGS, Ending.ILLEGAL_MOVE)
"""What the number in `facts[ENDED]` means."""
ILLEGAL = len(ENDINGS) - 1

STAYS, NEXT_STEP, SAME_STEP = range(3)
"""What becomes of a game that is over: it stays so; the step after begins the next game and plays no action; the next game
begins in the very step that ends this one."""
UNSEEN = 4
"""Added to these: games that go on are not shown."""

SHOWN_ANEW, SET_UP, REPLACED = 1, 2, 4
"""What is left to be done for a game after `step_game`: it is shown; before that, the next game is set up; and before that, the
last view of the one before is kept."""

_LINE = 64
_MOST_FETCHED = 32
_AHEAD = 2
# From 11x11 on, observations that are too large for the caches are written past them. On smaller boards that takes longer.
_LARGE_OBSERVATION = 2000
_LARGE_OBSERVATIONS = 8 * 2**20



@inlined
def _begin(g: int, games: Games) -> None:
    """Draw which player has Black in the next game of a row, which is to be set up."""
    streams, facts = games[6], games[8]
    streams[g] = advance(streams[g])
    order = below(streams[g], 2)
    facts[TURN, g], facts[STEPS, g] = 0, 0
    facts[ORDER, g] = facts[PLAYER, g] = order


@inlined
def set_up_game(g: int, changes: int, first: int, step: int, games: Games, table: Table) -> None:
    """Write the empty board of a game that begins.

    changes: what `step_game` says. first, step: which words of the arrays, every `step`-th from `first` on.
    """
    boards, pasts, views, finals, empties, legal, _, _, _ = games
    board, sides = table[0], table[3]
    for w in range(first, views.shape[1], step):
        if changes & REPLACED != 0:
            finals[g, w] = views[g, w]
        views[g, w] = _0
    for k in range(first, len(board), step):
        boards[g, k] = board[k]
    for w in range(first, SEEN + at(board, FILTER), step):
        pasts[g, w] = _0
    for w in range(first, sides.shape[1], step):
        empties[g, w], legal[g, w] = sides[ALL_POINTS, w], sides[FIRST_LEGAL, w]


@inlined
def _streams(shown: Shown) -> bool:
    """Tell whether observations are written past the caches."""
    return shown[0].shape[1] >= _LARGE_OBSERVATION and shown[0].size >= _LARGE_OBSERVATIONS


@kernel
def show_game(g: int, soon: int, games: Games, shown: Shown, table: Table) -> None:
    """Write what the player to move sees and may do.

    soon: a game whose board memory is to bring meanwhile, where what is seen is written past the caches.
    """
    if _streams(shown):
        stream_bits(games[2][g], table[7], shown[0][g], games[0][soon])
    else:
        write_bits(games[2][g], table[7], shown[0][g])
    write_bits(games[5][g, 1:-1], 64, shown[1][g])


@inlined
def _carry_out(
    board: Board, past: Words, keys: Keys, p: int, own: int, moves: int, legal: bool, cells: Spots, spots: Spots, view: Words,
    empties: Words,
) -> int:  # fmt: skip
    """Make a move, an illegal one if it leaves the stone a liberty; return why the game is over, 0 if it is not."""
    if p != 0:
        lives = legal
        if not legal and colour_on(board, p) == EMPTY:
            lives = colours_around(board, p) & EMPTY != 0 or is_alive(board, p, own)
        if lives:
            place(board, past, keys, p, own, cells, spots, view, empties)
        # Where the stone goes is seen whatever was there.
        spot = signed(spots[p >> 2])
        set_bit(view, spot + 1)
        clear_bit(view, spot)
        clear_bit(empties, signed(cells[p >> 2]))
    return end_move(board, past, own, p, moves) if legal else ILLEGAL


@inlined
def _move(g: int, k: int, games: Games, table: Table) -> int:
    """Take an action in a game that goes on, its view turned; return why it is over, 0 if it is not."""
    boards, pasts, views, _, empties, legal, _, log, facts = games
    _, keys, _, sides, points, cells, spots, _, _, _ = table
    board, past, view = boards[g], pasts[g], views[g]
    mover, steps = facts[TURN, g], facts[STEPS, g]
    allowed = legal[g, (k >> 6) + 1] >> np.uint64(k & 63) & _1 != _0
    ending = _carry_out(board, past, keys, signed(points[k]), mover + 1, steps + 1, allowed, cells, spots, view, empties[g])
    log[g, steps] = k
    facts[STEPS, g], facts[TURN, g] = steps + 1, 1 - mover
    facts[PLAYER, g] = 1 - facts[PLAYER, g]
    if ending == 0:
        found = find_legal(board, past, keys, 2 - mover, empties[g], sides, points, legal[g])
        if found == _0 and at(board, PASSING) == 0:
            ending = NO_PLACEMENT
    return ending


@kernel
def _settle(g: int, ending: int, games: Games, shown: Shown, table: Table) -> None:
    """Say who has won a game that is over."""
    board, facts, rewards = games[0][g], games[8], shown[2]
    if ending == ILLEGAL or (ending == REPEATED and at(board, ON_REPEAT) == MOVER_LOSES):
        winner = facts[TURN, g] + 1
    elif ending == REPEATED:
        winner = 0
    else:
        black, white = points_of(board)
        # In single precision, as Pgx.
        left, right = np.float32(black) - table[8], np.float32(white)
        winner = BLACK if left > right else WHITE if left < right else table[9]
    facts[WON, g], facts[ENDED, g] = winner, ending
    shown[3][g] = 1
    if winner != 0:
        player = facts[ORDER, g] if winner == BLACK else 1 - facts[ORDER, g]
        rewards[g, player], rewards[g, 1 - player] = 1, -1


@inlined
def _fetch(g: int, games: Games, empty: Board, with_board: bool) -> None:
    """Have memory bring what a step touches of a game, so that none waits for it."""
    board, past, view, log, steps = games[0][g], games[1][g], games[2][g], games[7][g], games[8][STEPS, g]
    words = at(empty, FILTER)
    if with_board:
        for line in range(0, len(board), _LINE // 2):
            prefetch(board, line)
    for line in range(0, len(view), _LINE // 8):
        prefetch(view, line)
    for line in range(0, SEEN + min(words, _MOST_FETCHED), _LINE // 8):
        prefetch(past, line)
    prefetch(past, SEEN + words + steps)
    prefetch(log, steps)


@inlined
def takes_action(g: int, mode: int, shown: Shown) -> bool:
    """Tell whether a step takes its action in a game, which is not over or begun anew already."""
    return shown[3][g] == 0 or mode & UNSEEN - 1 == SAME_STEP


@inlined
def turn_view(g: int, first: int, step: int, games: Games, table: Table) -> None:
    """Make a game's view that of the player who is not to move: every `step`-th word from `first` on."""
    turn(games[2][g], table[2], np.uint64(1 - games[8][TURN, g]), first, step)


@inlined
def step_game(g: int, action: int, mode: int, games: Games, shown: Shown, table: Table) -> int:
    """Take an action in one game, from 0 to size * size; return what is left to be done: SHOWN_ANEW to REPLACED.

    Where the game takes an action, its view has been turned. mode: STAYS, NEXT_STEP or SAME_STEP, and UNSEEN.
    """
    _, _, rewards, over = shown
    facts, changes = games[8], 0 if mode >= UNSEEN else SHOWN_ANEW
    mode &= UNSEEN - 1
    rewards[g, 0] = rewards[g, 1] = 0
    was_over = over[g] != 0
    if was_over and mode == STAYS:
        return 0
    if was_over:
        over[g] = 0
        facts[WON, g] = facts[ENDED, g] = 0
    if was_over and mode == NEXT_STEP:
        _begin(g, games)
        return SHOWN_ANEW | SET_UP
    ending = _move(g, action, games, table)
    if ending == 0:
        return changes
    _settle(g, ending, games, shown, table)
    copy_words(games[5][g], table[3][ALL_ACTIONS])
    if mode != SAME_STEP:
        return SHOWN_ANEW
    _begin(g, games)
    return SHOWN_ANEW | SET_UP | REPLACED


@inlined
def finish_step(g: int, soon: int, changes: int, games: Games, shown: Shown, table: Table) -> None:
    """Do what `step_game` has left to be done. soon: see `show_game`."""
    if changes & SET_UP != 0:
        set_up_game(g, changes, 0, 1, games, table)
    if changes & SHOWN_ANEW != 0:
        show_game(g, soon, games, shown, table)


@entry(f"void(int64, int64, int64[::1], int64, {GAMES}, {SHOWN}, {TABLE})")
def step_games(first: int, end: int, actions: Actions, mode: int, games: Games, shown: Shown, table: Table) -> None:
    """Take an action in each of the games from `first` to before `end`, but in those where it is negative. See `step_game`."""
    streams = mode < UNSEEN and _streams(shown)
    for g in range(first, end):
        soon = min(g + _AHEAD, end - 1)
        if streams and actions[g] >= 0:
            # Asked for at once, a whole board takes all ways to memory there are.
            _fetch(soon, games, table[0], False)
        else:
            _fetch(soon, games, table[0], True)
        if actions[g] < 0:
            continue
        if takes_action(g, mode, shown):
            turn_view(g, 0, 1, games, table)
        changes = step_game(g, actions[g], mode, games, shown, table)
        finish_step(g, soon, changes, games, shown, table)
    end_streams()


@entry("int64(int64[::1], int64)")
def first_wrong(actions: Actions, most: int) -> int:
    """Return the number of the first game whose action is not from 0 to `most`; -1 if there is none."""
    for g in range(len(actions)):
        if actions[g] < 0 or actions[g] > most:
            return g
    return -1


@kernel
def begin_game(g: int, games: Games, shown: Shown) -> int:
    """Begin the next game of a row, whether or not the one before is over; return what is left to be done."""
    _begin(g, games)
    games[8][WON, g] = games[8][ENDED, g] = 0
    shown[2][g, 0] = shown[2][g, 1] = shown[3][g] = 0
    return SHOWN_ANEW | SET_UP


@entry(f"void(uint8[::1], {GAMES}, {SHOWN}, {TABLE})")
def begin_games(chosen: Bytes, games: Games, shown: Shown, table: Table) -> None:
    """Begin the next game of every row whose number is marked with a 1."""
    for g in range(len(chosen)):
        if chosen[g] != 0:
            finish_step(g, g, begin_game(g, games, shown), games, shown, table)
    end_streams()


@inlined
def draw_place(chance: float, legal: Words) -> tuple[int, int]:
    """Return where a legal action stands in a row, each with the same chance: the word, and how many stand before it there.

    chance: a number from 0 to before 1.
    """
    number = 0
    for w in range(1, len(legal) - 1):
        number += count(legal[w])
    left, w = int(chance * number), 1
    while left >= count(legal[w]):
        left -= count(legal[w])
        w += 1
    return w, left


@entry("void(float64[::1], uint64[:, ::1], int64[::1])")
def draw_actions(chances: Chances, legal: Words, actions: Actions) -> None:
    """Draw a legal action for every game, each with the same chance, by one number from 0 to before 1 a game."""
    for g in range(len(actions)):
        w, left = draw_place(chances[g], legal[g])
        actions[g] = (w - 1) * 64 + lowest(nth_bit(legal[g, w], left))


@entry("void(uint64, uint64[::1])")
def start_streams(seed: np.uint64, streams: Words) -> None:
    """Write where the random numbers of each row begin."""
    for g in range(len(streams)):
        streams[g] = game_stream(seed, g)
