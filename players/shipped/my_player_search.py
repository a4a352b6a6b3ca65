"""The look-ahead of `my_player.py`: alpha-beta search over values of boards, a table's or such as are made by hand.

It looks as far ahead as a fixed number of afterstates allows, and to the last move when the end of the game is near. It never
looks at a clock, so the same position gives the same move on every machine. To read it, begin at the end:
`SearchPlayer.get_input` asks `Lookahead.rank`, which asks the values.

Little-Go is played with the same table; a pass is one more move to look at. Where there is no table (other sizes, other ways of
counting, a file that cannot be read) V is made by hand, from stones, liberties and groups. On 7x7 that won 96 to 100 % of 100
games against every reference player as each colour. On boards below 5x5, where much is decided before the first move, it can be
under half. `python3 -m benchmarks.my_player GAMES SIZE RULES` measures it.

This file is a player by itself, too, which knows no table: `-p1=my_player_search.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from go import GO

SIZE = 5
STAGES = 24
PASS = 0

# How many afterstates a decision may look at: a few milliseconds early, more where the end of the game is in reach.
BUDGET = 900
BUDGET_AT_THE_END = 3000
END = 8

# Above any sum of weights; a game that is decided counts this much, and its margin in half points.
WON = 1_000_000

# No value is so much.
NEVER = 2 * WON

Move = tuple[int, int]
"""(bit, stones taken), masks as in `goban.grids`; a pass is (0, 0)."""

Values = Callable[[int, int, int, list[Move], int], list[int]]
"""`values(own, other, stage, moves, enough)`: V after each of the moves that `own` may make as placement number `stage`. The
list ends with the first that is `enough`."""


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

    def rank(self, own: int, other: int, ko: int, last: int, stage: int, passed: bool) -> list[int]:
        """Return all moves as single-bit masks (0: pass), the best first; empty if there is none.

        Iterative deepening: each round looks one move further than the last and begins with the best move the last has found.
        A round in which the budget runs out is forgotten.
        """
        moves = [(bit, taken) for _, bit, taken in self.order(own, other, ko, last, stage, passed)]
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
        moves = self.order(own, other, ko, last, stage, passed, high if depth == 1 else NEVER)
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

    def order(
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
        values = self.evaluate(own, other, stage, passed, moves, enough)
        found = [(value, bit, taken) for value, (bit, taken) in zip(values, moves)]  # noqa: B905
        # Alpha-beta cuts off most where the best move is tried first, and V is a good guess.
        found.sort(reverse=True)
        if len(found) == len(moves):
            self.known[position] = found
        return found

    def evaluate(self, own: int, other: int, stage: int, passed: bool, moves: list[Move], enough: int) -> list[int]:
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


class SearchPlayer:
    """Plays by looking ahead. learned: what values the boards of 5x5; without it, and in other games, they are made by hand."""

    type = "search"

    def __init__(self, learned: Values | None = None) -> None:
        self.learned = learned

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
        for bit in ahead.rank(now[mine], now[theirs], _ko(died), last, go.n_move, passed):
            if not bit:
                return "PASS"
            i, j = grid.point[bit]
            if (ahead.by_stones or not grid.is_eye(bit, now[mine])) and go.valid_place_check(i, j, piece_type, test_check=True):
                return i, j
        return "PASS"

    def values_for(self, go: GO, piece_type: int) -> Values:
        """Return what values afterstates in this game: the table, if it was made for such a game."""
        trained = go.size == SIZE and go.max_move == STAGES and go.n_move % 2 == piece_type - 1
        return self.learned if self.learned and trained else by_hand(go)
