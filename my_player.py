"""MyPlayer: a player that learned 5x5 Go by tabular Q-learning. This file and its table are a whole submission.

A Q-value says how good an action is in a state. Apart from kos, all that matters about a placement is the board right after
it, the *afterstate*, so Q(s, a) = V(afterstate), seen from the player who has just placed (Sutton and Barto 2018, section
6.8). V is kept in tables, all of them filled by Q-learning:

    states     single afterstates that came up often in training, up to the 12th placement. Key: how many placements
               there were, and the board as a number in base 3 (0 empty, 1 the player who has just placed, 2 the
               opponent), the least of the eight that its rotations and reflections give.
    patterns   for every other afterstate: 17 overlapping pieces of the board (pairs of neighbouring rows and columns,
               3x3 windows) have a weight each, and V is their sum. Key: how many placements there were, the kind of
               piece, and its points as a number in base 3; mirror images share a weight.

After a training game, V of each of its afterstates was moved towards the best that could follow,

    V(afterstate) += rate * (- max over the opponent's answers of V(their afterstate) - V(afterstate))

and, as long as the moves played were the best ones, towards how the game went on. The end of a game counts 1 if won, -1 if
lost. (Q-learning: Watkins and Dayan 1992; with traces, as here: Watkins 1989; for two players: Littman 1994; sums of
pattern weights: Lucas 2008.) `python3 -m learning.qlearning` does that, from 4,000,000 games: 7 of 10 against itself, the
others against greedy, aggressive and smart. No solved position was used. Yet as Black, who wins 5x5 with perfect play, it
won all of 200 games against the exact player `perfect`.

This file only plays. An alpha-beta search over V looks ahead as far as a fixed number of afterstates allows, and to the last
move when the end of the game is near. It never looks at a clock, so the same position gives the same move on every machine.
To read it, begin at the end: `MyPlayer.get_input` asks `Lookahead.ranked`, which asks `Table.value` or `by_hand`.

Little-Go is played with the same table; a pass is one more move to look at. Where there is no table (other sizes, other
ways of counting, a file that cannot be read) V is made by hand, from stones, liberties and groups. On 7x7 that won 96 to
100 % of 100 games against every reference player as each colour. On boards below 5x5, where much is decided before the
first move, it can be under half. `python3 -m benchmarks.my_player GAMES SIZE RULES` measures it.
"""

from __future__ import annotations

import struct
import sys
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Callable
from itertools import product
from pathlib import Path

from go import GO

TABLE = Path(__file__).with_name("my_player_table.bin")
SIZE = 5
STAGES = 24
PASS = 0

# How many afterstates a decision may look at: a few milliseconds early, more where the end of the game is in reach.
BUDGET = 900
BUDGET_AT_THE_END = 3000
END = 8

# Above any sum of weights; a game that is decided counts this much, and its margin in half points.
WON = 1_000_000

Value = Callable[[int, int, int], int]
"""`value(own, other, stage)`: `own` has just placed as placement number `stage`; masks as in `goban.grids`."""


class Table:
    """The learned values for 5x5. `read` makes one from a file; see `learning/qlearning/tables.py` for the file's layout."""

    MAGIC = b"goQ1"
    PAIR, WINDOW = 3**10, 3**9
    LAYOUT = (PAIR, PAIR, WINDOW, WINDOW, WINDOW)

    def __init__(self, keys: array[int], values: array[int], last_stage: int, patterns: memoryview) -> None:
        self.keys = keys
        self.values = values
        self.last_stage = last_stage
        self.patterns = [self._pieces(patterns, stage) for stage in range(STAGES)]
        self.rows = [[_row_numbers(k, own, other) for other, own in product(range(32), repeat=2)] for k in range(SIZE)]
        self.reversed = [sum(code // 3**j % 3 * 3 ** (4 - j) for j in range(SIZE)) for code in range(3**SIZE)]
        self.middle = [code // 3 % 27 for code in range(3**SIZE)]

    @classmethod
    def read(cls, path: Path) -> Table:
        """Return the table in a file; raises OSError or ValueError if there is none or it is damaged."""
        try:
            data = memoryview(zlib.decompress(path.read_bytes()))
            magic, last_stage, number = struct.unpack_from("<4sII", data)
        except (zlib.error, struct.error) as error:
            raise ValueError(str(error)) from error
        keys, values = array("Q"), array("h")
        keys.frombytes(data[12 : 12 + 8 * number])
        values.frombytes(data[12 + 8 * number : 12 + 10 * number])
        patterns = data[12 + 10 * number :].cast("b")
        if magic != cls.MAGIC or len(patterns) != (STAGES - 1) * sum(cls.LAYOUT):
            raise ValueError("not a table of this version")
        if sys.byteorder == "big":
            keys.byteswap()
            values.byteswap()
        return cls(keys, values, last_stage, patterns)

    def _pieces(self, patterns: memoryview, stage: int) -> list[memoryview]:
        """Return the weights of a stage (1 to 23; 0 is never asked for) by kind of pattern, in the order of LAYOUT."""
        start, pieces = (stage - 1) * sum(self.LAYOUT), []
        for length in self.LAYOUT:
            pieces.append(patterns[start : start + length])
            start += length
        return pieces

    def value(self, own: int, other: int, stage: int) -> int:
        """Return V of an afterstate in the table's unit; see `Value`.

        The rows of the board are a to e from the top, its columns f to j from the left, each as a number in base 3 below
        3**5. al, am and ar are the left, middle and right three points of row a, from which 3x3 windows are put together.
        A mask has 6 bits to a row (5 points and a gap), so row k of a board is `mask >> 6 * k & 31`.
        """
        # Everything that can be known of a single row was worked out once, in `rows`; here it is only looked up. The last
        # of its numbers is the row's share of all five columns, 8 bits for each, so their sum holds the columns.
        rows = self.rows
        a, al, am, ar, ax = rows[0][own & 31 | (other & 31) << 5]
        b, bl, bm, br, bx = rows[1][own >> 6 & 31 | (other >> 6 & 31) << 5]
        c, cl, cm, cr, cx = rows[2][own >> 12 & 31 | (other >> 12 & 31) << 5]
        d, dl, dm, dr, dx = rows[3][own >> 18 & 31 | (other >> 18 & 31) << 5]
        e, el, em, er, ex = rows[4][own >> 24 | other >> 24 << 5]
        columns = ax + bx + cx + dx + ex
        f, g, h, i, j = columns & 255, columns >> 8 & 255, columns >> 16 & 255, columns >> 24 & 255, columns >> 32
        # A state that was met often has a value of its own, which is better than a sum of patterns.
        if stage <= self.last_stage:
            key = stage * 3**25 + self._least((a, b, c, d, e), (f, g, h, i, j))
            at = bisect_left(self.keys, key)
            if at < len(self.keys) and self.keys[at] == key:
                return self.values[at]
        # All others are the sum of 17 overlapping pieces:
        #
        #     outer   4   the line at a side and the next        corner   4   the 3x3 windows in the corners
        #     inner   4   the second line and the middle one     edge     4   those in the middle of the sides
        #                                                        centre   1   the one in the middle
        #
        # Every piece is read from its side or corner inwards, so that the four of a kind share their weights. The numbers of
        # its lines make the index: 243 is 3**5, a whole line; 27 is 3**3, a line of a window, and 729 two of them.
        outer, inner, corner, edge, centre = self.patterns[stage]
        middle = self.middle
        return (
            outer[a * 243 + b] + outer[e * 243 + d] + outer[f * 243 + g] + outer[j * 243 + i]
            + inner[b * 243 + c] + inner[d * 243 + c] + inner[g * 243 + h] + inner[i * 243 + h]
            + corner[al * 729 + bl * 27 + cl] + corner[ar * 729 + br * 27 + cr]
            + corner[el * 729 + dl * 27 + cl] + corner[er * 729 + dr * 27 + cr]
            + edge[am * 729 + bm * 27 + cm] + edge[em * 729 + dm * 27 + cm]
            + edge[middle[f] * 729 + middle[g] * 27 + middle[h]] + edge[middle[j] * 729 + middle[i] * 27 + middle[h]]
            + centre[bm * 729 + cm * 27 + dm]
        )  # fmt: skip

    def _least(self, *lines: tuple[int, ...]) -> int:
        """Return the least of the numbers of the eight images of a board, given as its rows and as its columns.

        The rows as they are, upside down, each reversed, and both make four images; the columns make the other four.
        """
        turn = self.reversed
        images = []
        for a, b, c, d, e in lines:
            images += [(a, b, c, d, e), (e, d, c, b, a)]
            a, b, c, d, e = turn[a], turn[b], turn[c], turn[d], turn[e]
            images += [(a, b, c, d, e), (e, d, c, b, a)]
        a, b, c, d, e = min(images)
        return (((a * 243 + b) * 243 + c) * 243 + d) * 243 + e


def _row_numbers(k: int, own: int, other: int) -> tuple[int, int, int, int, int]:
    """Return what row k of the board says, from its two 5-bit masks.

    That is: its number in base 3, lowest digit left; the number of its left three points, of its middle three, of its right
    three from right to left; and what it adds to the numbers of the five columns, 8 bits for each.
    """
    digits = [(own >> j & 1) + 2 * (other >> j & 1) for j in range(SIZE)]
    number = sum(digit * 3**j for j, digit in enumerate(digits))
    right = digits[4] + digits[3] * 3 + digits[2] * 9
    return number, number % 27, number // 3 % 27, right, sum(digit * 3**k << 8 * j for j, digit in enumerate(digits))


def by_hand(go: GO) -> Value:
    """Return a `Value` that has not learned anything, for any board: stones, liberties and, above all, few groups.

    Connected stones share their liberties. That is what counts where nobody may pass and the board fills up: in the end
    players must fill liberties of their own, and one large group stands that longer than three small ones.
    """
    grid = go.grid

    def value(own: int, other: int, stage: int) -> int:
        empty = grid.full ^ own ^ other
        stones = own.bit_count() - other.bit_count()
        liberties = grid.liberties(own, empty).bit_count() - grid.liberties(other, empty).bit_count()
        # A group too many counts as much as six stones or liberties.
        return stones + liberties - 6 * (groups(go, own) - groups(go, other))

    return value


def groups(go: GO, stones: int) -> int:
    """Return how many groups the stones of one colour form."""
    number = 0
    while stones:
        stones ^= go.grid.group(stones & -stones, stones)
        number += 1
    return number


# The search


class OutOfBudgetError(Exception):
    """Ends a search that has looked at as many afterstates as it may."""


class Lookahead:
    """Alpha-beta search, one placement deeper each time, until the budget of afterstates is spent.

    A position is (own, other, ko, last, stage, passed), seen from the player to move: `ko` is the stone the previous
    placement took if it was a single one (else 0), `last` the point of that placement, `stage` the number of moves so
    far, `passed` whether a pass now ends the game. A move is (bit, stones taken), a pass (0, 0).
    """

    def __init__(self, go: GO, piece_type: int, value: Value, budget: int) -> None:
        self.grid = go.grid
        self.end = go.max_move
        self.komi_twice = round(2 * go.komi)
        self.whites_moves = (go.n_move + piece_type - 1) % 2  # odd or even numbers
        self.by_stones = go.rules.scoring.value == "stones"
        self.passing = go.rules.passing and self.by_stones
        self.value = value
        self.budget = budget

    def ranked(self, own: int, other: int, ko: int, last: int, stage: int, passed: bool) -> list[int]:
        """Return all moves as single-bit masks (0: pass), the best first; empty if there is none.

        Iterative deepening: each round looks one move further than the last and begins with the best move the last has found.
        A round in which the budget runs out is forgotten.
        """
        moves = [(bit, taken) for _, bit, taken in self.ordered(own, other, ko, last, stage, passed)]
        depth = 1
        while depth < self.end - stage and len(moves) > 1:
            depth += 1
            best = -2 * WON
            leaders: list[tuple[int, int]] = []
            try:
                for move in moves:
                    worth = self.worth(move, own, other, stage, depth, best, 2 * WON, passed)
                    if worth > best:
                        best = worth
                        leaders.insert(0, move)
            except OutOfBudgetError:
                break
            # If every move loses, the order so far at least shows which one is hardest to refute.
            if best > -WON:
                moves = leaders + [move for move in moves if move not in leaders]
            if abs(best) >= WON:
                break
        return [bit for bit, _ in moves]

    def worth(
        self, move: tuple[int, int], own: int, other: int, stage: int, depth: int, low: int, high: int, passed: bool
    ) -> int:
        """Return the value of a move for the player to move, looking `depth` >= 2 moves ahead, it being the first."""
        bit, taken = move
        if passed and not bit:
            return self.result(own, other, stage + 1)
        return -self.search(other ^ taken, own | bit, _ko(taken), bit, stage + 1, depth - 1, -high, -low, not bit)

    def search(
        self, own: int, other: int, ko: int, last: int, stage: int, depth: int, low: int, high: int, passed: bool
    ) -> int:
        """Return the value of a position for the player to move, looking `depth` >= 1 moves ahead.

        Exact between `low` and `high`; outside them it is only known to lie on that side. `low` is what the player to move
        has already found elsewhere, `high` what the opponent will not allow to be exceeded: from there on, no other move
        needs to be looked at.
        """
        moves = self.ordered(own, other, ko, last, stage, passed)
        if not moves:
            return -self.result(other, own, stage)
        if depth == 1 or stage + 1 == self.end:
            return moves[0][0]
        best = -2 * WON
        for _, bit, taken in moves:
            best = max(best, self.worth((bit, taken), own, other, stage, depth, max(low, best), high, passed))
            if best >= high:
                break
        return best

    def ordered(self, own: int, other: int, ko: int, last: int, stage: int, passed: bool) -> list[tuple[int, int, int]]:
        """Return (value, bit, taken) of every move, the best first."""
        value = self.result if stage + 1 == self.end else self.value
        moves = [
            (value(own | bit, other ^ taken, stage + 1), bit, taken) for bit, taken in self.placements(own, other, ko, last)
        ]
        if self.passing:
            moves.append(((self.result if passed else value)(own, other, stage + 1), PASS, 0))
        self.budget -= len(moves)
        if self.budget < 0:
            raise OutOfBudgetError
        # Alpha-beta cuts off most where the best move is tried first, and V is a good guess.
        moves.sort(reverse=True)
        return moves

    def placements(self, own: int, other: int, ko: int, last: int) -> list[tuple[int, int]]:
        """Return (bit, stones taken) of every legal placement."""
        grid = self.grid
        empty = grid.full ^ own ^ other
        found = []
        for bit in grid.singles(empty):
            near = grid.near[bit]
            taken = grid.dead(other, empty ^ bit) if near & other else 0
            if (not taken and not near & empty and grid.is_suicide(bit, own, other, empty)) or (bit == ko and taken == last):
                continue
            found.append((bit, taken))
        return found

    def result(self, own: int, other: int, stage: int) -> int:
        """Return the value of a finished game for the player who has just moved as move number `stage`.

        Any win is above any V, and a higher win above a lower one, so that a lost game is lost by as little as possible.
        """
        komi = self.komi_twice if stage % 2 == self.whites_moves else -self.komi_twice
        margin = 2 * (own.bit_count() - other.bit_count()) + komi
        return margin + WON if margin > 0 else margin - WON if margin < 0 else 0


def _ko(taken: int) -> int:
    return taken if taken.bit_count() == 1 else 0


class MyPlayer:
    """The player. Reads its table once, when it is made; says so on stderr if it cannot, and plays without."""

    type = "my"

    def __init__(self, table: Path = TABLE) -> None:
        self.table: Table | None = None
        try:
            self.table = Table.read(table)
        except (OSError, ValueError) as error:
            print(f"{table.name}: cannot be read, playing without learned values: {error}", file=sys.stderr)

    def get_input(self, go: GO, piece_type: int) -> tuple[int, int] | str:
        """Return the point to play on; "PASS" only where the rules know passing."""
        grid = go.grid
        _, *now = grid.masks(go.board)
        _, *before = grid.masks(go.previous_board)
        mine, theirs = piece_type - 1, 2 - piece_type
        died = grid.mask_of(go.died_pieces)
        budget = BUDGET if go.max_move - go.n_move > END else BUDGET_AT_THE_END
        ahead = Lookahead(go, piece_type, self.value_for(go, piece_type), budget)
        passed = go.board == go.previous_board
        last = now[theirs] & ~before[theirs]
        for bit in ahead.ranked(now[mine], now[theirs], _ko(died), last, go.n_move, passed):
            if not bit:
                return "PASS"
            i, j = grid.point[bit]
            if (ahead.by_stones or not grid.is_eye(bit, now[mine])) and go.valid_place_check(i, j, piece_type, test_check=True):
                return i, j
        return "PASS"

    def value_for(self, go: GO, piece_type: int) -> Value:
        """Return what values afterstates in this game: the table, if it was made for such a game."""
        trained = go.size == SIZE and go.max_move == STAGES and go.n_move % 2 == piece_type - 1
        return self.table.value if self.table and trained else by_hand(go)
