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
To read it, begin at the end: `MyPlayer.get_input` asks `Lookahead.ranked`, which asks `Table.values` or `by_hand`.

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
from functools import lru_cache
from itertools import product
from operator import getitem
from pathlib import Path

from go import GO

TABLE = Path(__file__).with_name("my_player_table.bin")
SIZE = 5
STAGES = 24
PASS = 0

# The points of the board, and those of a piece of each kind, all from the last to the first. Every piece is read from its side
# or corner inwards, so that the pieces of a kind share their weights.
#
#     outer   the line at a side and the next        corner   the 3x3 window in a corner
#     inner   the second line and the middle one     edge     the one in the middle of a side
#                                                    centre   the one in the middle
BOARD, OUTER, INNER, CORNER, EDGE, CENTRE = (
    list(product(rows, columns))
    for rows, columns in (
        ((4, 3, 2, 1, 0), range(5)), ((1, 0), range(5)), ((2, 1), range(5)),
        ((2, 1, 0), (0, 1, 2)), ((2, 1, 0), (1, 2, 3)), ((3, 2, 1), (1, 2, 3)),
    )
)  # fmt: skip
PIECES = OUTER, INNER, CORNER, EDGE, CENTRE

# For how many sets of stones their numbers are remembered: a search comes by the same ones on many boards.
REMEMBERED = 1 << 13

# Eight numbers of 64 bits in one, and 17 of 16 bits.
EIGHT, SEVENTEEN = struct.Struct("<8Q"), struct.Struct("<17H")

# How many afterstates a decision may look at: a few milliseconds early, more where the end of the game is in reach.
BUDGET = 900
BUDGET_AT_THE_END = 3000
END = 8

# Above any sum of weights; a game that is decided counts this much, and its margin in half points.
WON = 1_000_000

# No value is so much.
NEVER = 2 * WON

# What is added to a weight of -128 to 127 to keep it as a byte, and to each byte in a file's two's complement.
RAISED = 128
RAISING = bytes((byte + RAISED) % 256 for byte in range(256))

Point = tuple[int, int]

Move = tuple[int, int]
"""(bit, stones taken), masks as in `goban.grids`; a pass is (0, 0)."""

Values = Callable[[int, int, int, list[Move], int], list[int]]
"""`values(own, other, stage, moves, enough)`: V after each of the moves that `own` may make as placement number `stage`. The
list ends with the first that is `enough`."""


class Table:
    """The learned values for 5x5. `read` makes one from a file; see `learning/qlearning/tables.py` for the file's layout."""

    MAGIC = b"goQ1"
    LAYOUT = tuple(3 ** len(piece) for piece in PIECES)

    def __init__(self, keys: array[int], states: array[int], last_stage: int, patterns: bytes) -> None:
        self.keys = keys
        self.states = states
        self.last_stage = last_stage
        self.images = _numbering(_turned(BOARD), 64)
        # Where a piece and its mirror image lie on the same points, one of them is enough.
        places = [list({frozenset(points): points for points in _turned(piece)}.values()) for piece in PIECES]
        pieces = [points for kind in places for points in kind]
        self.pieces = _numbering(pieces, 16)
        # stage -> the weights of each piece; those of a kind are the same.
        self.weights = [
            [weights for weights, kind in zip(self._kinds(patterns, stage), places, strict=True) for _ in kind]
            for stage in range(STAGES)
        ]
        # bit -> (piece, what a stone there with the digit 1 adds to its number) for each piece that the point is in.
        self.touched: dict[int, list[tuple[int, int]]] = {PASS: []}
        for i, j in BOARD:
            around = [(n, 3 ** points.index((i, j))) for n, points in enumerate(pieces) if (i, j) in points]
            self.touched[1 << 6 * i + j] = around

    @classmethod
    def read(cls, path: Path) -> Table:
        """Return the table in a file; raises OSError or ValueError if there is none or it is damaged."""
        try:
            data = memoryview(zlib.decompress(path.read_bytes()))
            magic, last_stage, number = struct.unpack_from("<4sII", data)
        except (zlib.error, struct.error) as error:
            raise ValueError(str(error)) from error
        keys, states = array("Q"), array("h")
        keys.frombytes(data[12 : 12 + 8 * number])
        states.frombytes(data[12 + 8 * number : 12 + 10 * number])
        patterns = data[12 + 10 * number :].tobytes().translate(RAISING)
        if magic != cls.MAGIC or len(patterns) != (STAGES - 1) * sum(cls.LAYOUT):
            raise ValueError("not a table of this version")
        if sys.byteorder == "big":
            keys.byteswap()
            states.byteswap()
        return cls(keys, states, last_stage, patterns)

    def _kinds(self, patterns: bytes, stage: int) -> list[bytes]:
        """Return the weights of a stage (1 to 23; 0 is never asked for) by kind of pattern, in the order of PIECES."""
        start, kinds = (stage - 1) * sum(self.LAYOUT), []
        for length in self.LAYOUT:
            kinds.append(patterns[start : start + length])
            start += length
        return kinds

    def values(self, own: int, other: int, stage: int, moves: list[Move], enough: int) -> list[int]:
        """Return V of afterstates in the table's unit; see `Values`.

        A stone is in 3 to 13 of the 17 pieces. So the pieces are summed once, and for each move what it changes.
        """
        weights, touched = self.weights[stage], self.touched
        numbers = self._numbers(own, other)
        before = list(map(getitem, weights, numbers))
        total = sum(before) - 17 * RAISED
        found = []
        for bit, taken in moves:
            value = self._met_often(own | bit, other ^ taken, stage) if stage <= self.last_stage else None
            if value is None and taken:
                value = self._by_patterns(own | bit, other ^ taken, stage)
            elif value is None:
                value = total
                for n, more in touched[bit]:
                    value += weights[n][numbers[n] + more] - before[n]
            found.append(value)
            if value >= enough:
                break
        return found

    def value(self, own: int, other: int, stage: int) -> int:
        """Return V of one afterstate: `own` has just placed as placement number `stage`."""
        return self.values(own, other, stage, [(PASS, 0)], NEVER)[0]

    def _met_often(self, own: int, other: int, stage: int) -> int | None:
        """Return the value of its own that a state has which was met often in training. It is better than a sum of patterns."""
        eight = self.images(own) + 2 * self.images(other)
        key = stage * 3**25 + min(EIGHT.unpack(eight.to_bytes(64, "little")))
        at = bisect_left(self.keys, key)
        return self.states[at] if at < len(self.keys) and self.keys[at] == key else None

    def _by_patterns(self, own: int, other: int, stage: int) -> int:
        return sum(map(getitem, self.weights[stage], self._numbers(own, other))) - 17 * RAISED

    def _numbers(self, own: int, other: int) -> tuple[int, ...]:
        """Return the number of each piece on a board."""
        return SEVENTEEN.unpack((self.pieces(own) + 2 * self.pieces(other)).to_bytes(34, "little"))


def _turned(points: list[Point]) -> list[tuple[Point, ...]]:
    """Return what becomes of points when the board is turned or mirrored in its eight ways."""
    around = [[(y, x) for y in (i, 4 - i) for x in (j, 4 - j)] for i, j in points]
    return list(zip(*(four + [(x, y) for y, x in four] for four in around), strict=True))


def _numbering(pieces: list[tuple[Point, ...]], bits: int) -> Callable[[int], int]:
    """Return a function that tells what stones (a mask) with the digit 1 add to the numbers of all pieces.

    The number of a piece has a digit in base 3 for each of its points, the first one lowest. The numbers of all pieces stand
    side by side in a single one, `bits` for each, so that one addition makes them all.
    """
    share = {1 << 6 * i + j: 0 for i, j in BOARD}
    for n, piece in enumerate(pieces):
        for k, (i, j) in enumerate(piece):
            share[1 << 6 * i + j] += 3**k << bits * n

    @lru_cache(REMEMBERED)
    def numbers(stones: int) -> int:
        return sum(number for bit, number in share.items() if bit & stones)

    return numbers


def by_hand(go: GO) -> Values:
    """Return `Values` that have not learned anything, for any board: stones, liberties and, above all, few groups.

    Connected stones share their liberties. That is what counts where nobody may pass and the board fills up: in the end
    players must fill liberties of their own, and one large group stands that longer than three small ones.
    """
    grid = go.grid

    def value(own: int, other: int) -> int:
        empty = grid.full ^ own ^ other
        stones = own.bit_count() - other.bit_count()
        liberties = grid.liberties(own, empty).bit_count() - grid.liberties(other, empty).bit_count()
        # A group too many counts as much as six stones or liberties.
        return stones + liberties - 6 * (groups(go, own) - groups(go, other))

    def values(own: int, other: int, stage: int, moves: list[Move], enough: int) -> list[int]:
        found: list[int] = []
        for bit, taken in moves:
            found.append(value(own | bit, other ^ taken))
            if found[-1] >= enough:
                break
        return found

    return values


def groups(go: GO, stones: int) -> int:
    """Return how many groups the stones of one colour form."""
    number = 0
    while stones:
        stones ^= go.grid.group(stones & -stones, stones)
        number += 1
    return number


# The search


Position = tuple[int, int, int, int, int, bool]
"""(own, other, ko, last, stage, passed): see `Lookahead`."""


class OutOfBudgetError(Exception):
    """Ends a search that has looked at as many afterstates as it may."""


class Lookahead:
    """Alpha-beta search, one placement deeper each time, until the budget of afterstates is spent.

    A position is (own, other, ko, last, stage, passed), seen from the player to move: `ko` is the stone the previous
    placement took if it was a single one (else 0), `last` the point of that placement (0 if it does not matter), `stage` the
    number of moves so far, `passed` whether a pass now ends the game.
    """

    def __init__(self, go: GO, piece_type: int, values: Values, budget: int) -> None:
        self.grid = go.grid
        self.end = go.max_move
        self.komi_twice = round(2 * go.komi)
        self.whites_moves = (go.n_move + piece_type - 1) % 2  # odd or even numbers
        self.by_stones = go.rules.scoring.value == "stones"
        self.passing = go.rules.passing and self.by_stones
        self.values = values
        self.budget = budget
        self.known: dict[Position, list[tuple[int, int, int]]] = {}

    def ranked(self, own: int, other: int, ko: int, last: int, stage: int, passed: bool) -> list[int]:
        """Return all moves as single-bit masks (0: pass), the best first; empty if there is none.

        Iterative deepening: each round looks one move further than the last and begins with the best move the last has found.
        A round in which the budget runs out is forgotten.
        """
        moves = [(bit, taken) for _, bit, taken in self.ordered(own, other, ko, last, stage, passed)]
        depth = 1
        while depth < self.end - stage and len(moves) > 1:
            depth += 1
            best = -NEVER
            leaders: list[Move] = []
            try:
                for move in moves:
                    worth = self.worth(move, own, other, stage, depth, best, NEVER, passed)
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
        self, move: Move, own: int, other: int, stage: int, depth: int, low: int, high: int, passed: bool
    ) -> int:
        """Return the value of a move for the player to move, looking `depth` >= 2 moves ahead, it being the first."""
        bit, taken = move
        if passed and not bit:
            return self.result(own, other, stage + 1)
        ko = _ko(taken)
        # Where nothing can be retaken, it does not matter which stone was placed last: more positions are the same.
        return -self.search(other ^ taken, own | bit, ko, bit if ko else 0, stage + 1, depth - 1, -high, -low, not bit)

    def search(
        self, own: int, other: int, ko: int, last: int, stage: int, depth: int, low: int, high: int, passed: bool
    ) -> int:
        """Return the value of a position for the player to move, looking `depth` >= 1 moves ahead.

        Exact between `low` and `high`; outside them it is only known to lie on that side. `low` is what the player to move
        has already found elsewhere, `high` what the opponent will not allow to be exceeded: from there on, no other move
        needs to be looked at.
        """
        # The last moves looked at need no order: from one on that the opponent will not allow, none needs to be looked at.
        moves = self.ordered(own, other, ko, last, stage, passed, high if depth == 1 else NEVER)
        if not moves:
            return -self.result(other, own, stage)
        if depth == 1 or stage + 1 == self.end:
            return moves[0][0]
        best = -NEVER
        for _, bit, taken in moves:
            best = max(best, self.worth((bit, taken), own, other, stage, depth, max(low, best), high, passed))
            if best >= high:
                break
        return best

    def ordered(
        self, own: int, other: int, ko: int, last: int, stage: int, passed: bool, enough: int = NEVER
    ) -> list[tuple[int, int, int]]:
        """Return (value, bit, taken) of every move, the best first; of some only if one of these is worth `enough`."""
        position = own, other, ko, last, stage, passed
        # Every round comes by positions of the last one again. All their moves count each time.
        known = self.known.get(position)
        moves = [] if known else self.moves(own, other, ko, last)
        self.budget -= len(known or moves)
        if self.budget < 0:
            raise OutOfBudgetError
        if known:
            return known
        values = self.valued(own, other, stage, passed, moves, enough)
        found = [(value, bit, taken) for value, (bit, taken) in zip(values, moves)]  # noqa: B905
        # Alpha-beta cuts off most where the best move is tried first, and V is a good guess.
        found.sort(reverse=True)
        if len(found) == len(moves):
            self.known[position] = found
        return found

    def valued(self, own: int, other: int, stage: int, passed: bool, moves: list[Move], enough: int) -> list[int]:
        """Return what each of the moves is worth, where it ends the game exactly; up to one that is `enough`."""
        if stage + 1 == self.end:
            return [self.result(own | bit, other ^ taken, stage + 1) for bit, taken in moves]
        values = self.values(own, other, stage + 1, moves, enough)
        if passed and self.passing and len(values) == len(moves):
            values[-1] = self.result(own, other, stage + 1)
        return values

    def moves(self, own: int, other: int, ko: int, last: int) -> list[Move]:
        """Return every legal placement, and after them a pass where the rules know it."""
        return self.placements(own, other, ko, last) + ([(PASS, 0)] if self.passing else [])

    def placements(self, own: int, other: int, ko: int, last: int) -> list[Move]:
        """Return every legal placement."""
        grid = self.grid
        empty = grid.full ^ own ^ other
        # What a stone takes are the groups that have no other liberty.
        atari = grid.by_liberties(other, empty)
        dead = atari.get(0, 0)
        found = []
        for bit, near in grid.near.items():
            if not bit & empty:
                continue
            taken = atari.get(bit, 0) | dead if near & other else 0
            if not taken and not near & empty and grid.trapped(bit, own | bit, empty ^ bit):
                continue
            if bit != ko or taken != last:
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
        ahead = Lookahead(go, piece_type, self.values_for(go, piece_type), budget)
        passed = go.board == go.previous_board
        last = now[theirs] & ~before[theirs]
        for bit in ahead.ranked(now[mine], now[theirs], _ko(died), last, go.n_move, passed):
            if not bit:
                return "PASS"
            i, j = grid.point[bit]
            if (ahead.by_stones or not grid.is_eye(bit, now[mine])) and go.valid_place_check(i, j, piece_type, test_check=True):
                return i, j
        return "PASS"

    def values_for(self, go: GO, piece_type: int) -> Values:
        """Return what values afterstates in this game: the table, if it was made for such a game."""
        trained = go.size == SIZE and go.max_move == STAGES and go.n_move % 2 == piece_type - 1
        return self.table.values if self.table and trained else by_hand(go)
