"""What every player chose in which position, gathered from stored games; players who met the same position can be compared.

A position is the board, where ko forbids to play, the colour to move and the number of moves played. Positions that mirror each
other stay apart: programs scan the board in an order of their own, so which of equal points one takes says much about it.

What two players have in common, position by position: where they made the same move and few others did.

Whoever takes what can be taken, and else the first point that is allowed, plays as the example that everybody has read: such
players are the same without knowing each other.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from goban.errors import GobanError
from goban.grids import Rows
from goban.moves import move_name
from goban.points import Point, parse_vertex
from goban.rulesets import ruleset
from goban.states import State, ko_points, new_game
from gojudge.errors import JudgeError
from gojudge.records import GameResult, Turn

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


_MASK64 = (1 << 64) - 1
# Odd numbers spread what they multiply over all 64 bits.
_FOR_KO, _FOR_MOVES = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F
_COLUMNS = 7


@dataclass(frozen=True)
class ComparedPosition:
    """One position that two players or more have met.

    players: their places in `Choices.players`, rising. shares: float array (players, moves), how often each played which of
    `moves`, a share of their visits, so that each row sums to 1. legal: how many moves the rules allowed. game, ply: one game
    in which it was met, and how many moves had been played.
    """

    players: npt.NDArray[np.int64]
    moves: tuple[str, ...]
    shares: npt.NDArray[np.float64]
    legal: int
    game: str
    ply: int


@dataclass(frozen=True)
class Choices:
    """The moves of an event's games. players: names, sorted.

    `table` has a row for each position, player and move that occurred. Its columns: the position's hash, the player's index,
    the move's index in `moves`, how often it was played, how many moves were legal, and where one visit is found: the index in
    `games`, and the ply.
    """

    players: tuple[str, ...]
    moves: tuple[str, ...]
    games: tuple[str, ...]
    table: npt.NDArray[np.int64]

    def find_shared(self) -> Iterator[ComparedPosition]:
        """Yield the positions that two players or more have met and in which there was a choice, in the order of hashes."""
        import numpy as np

        table = self.table
        bounds = [0, *(np.flatnonzero(np.diff(table[:, 0])) + 1).tolist(), len(table)]
        for start, end in pairwise(bounds):
            rows = table[start:end]
            if end - start > 1 and rows[0, 1] != rows[-1, 1] and rows[0, 4] > 1:
                yield self._position(rows)

    def _position(self, rows: npt.NDArray[np.int64]) -> ComparedPosition:
        import numpy as np

        players, line = np.unique(rows[:, 1], return_inverse=True)
        moves, column = np.unique(rows[:, 2], return_inverse=True)
        shares = np.zeros((len(players), len(moves)))
        shares[line, column] = rows[:, 3]
        shares /= shares.sum(axis=1, keepdims=True)
        first = rows[np.argmin(rows[:, 5])]
        names = tuple(self.moves[move] for move in moves)
        return ComparedPosition(players, names, shares, int(first[4]), self.games[first[5]], int(first[6]))


def gather(results: Iterable[GameResult], rules: str, size: int) -> Choices:
    """Return what was played in these games. rules: a preset's name. Raises JudgeError for a move that is none."""
    import numpy as np

    players: dict[str, int] = {}
    moves: dict[str, int] = {}
    games: list[str] = []
    cells = array("q")
    start = new_game(ruleset(rules), size)
    for result in results:
        pair = [players.setdefault(name, len(players)) for name in (result.spec.black, result.spec.white)]
        for ply, (state, turn) in enumerate(_replay(start, result)):
            move = moves.setdefault(turn.move, len(moves))
            cells.extend((_key(state), pair[ply % 2], move, 1, _legal(state), len(games), ply))
        games.append(result.spec.id)
    table = np.array(cells, dtype=np.int64).reshape(-1, _COLUMNS)
    names = tuple(sorted(players))
    table[:, 1] = np.array([names.index(name) for name in players], dtype=np.int64)[table[:, 1]]
    return Choices(names, tuple(moves), tuple(games), _count(table))


def state_before(turns: Sequence[Turn], ply: int, rules: str, size: int) -> State:
    """Return the position of a game after so many moves."""
    state = new_game(ruleset(rules), size)
    for turn in turns[:ply]:
        state = state.play(parse_vertex(turn.move, size))
    return state


def board_before(turns: Sequence[Turn], ply: int, rules: str, size: int) -> Rows:
    """Return the board of a game after so many moves."""
    return state_before(turns, ply, rules, size).rows()


def _replay(state: State, result: GameResult) -> Iterator[tuple[State, Turn]]:
    """Yield each placement and pass with the position before it. A resignation is no choice of a point."""
    for number, turn in enumerate(result.turns, 1):
        if turn.move == "resign":
            return
        yield state, turn
        try:
            state = state.play(parse_vertex(turn.move, state.grid.size))
        except GobanError as error:
            raise JudgeError(f"game {result.spec.id}: move {number}: {error}") from error


def _key(state: State) -> int:
    """Return a hash of a position, from -2**63 to 2**63 - 1."""
    key = (state.situation ^ ko_points(state) * _FOR_KO ^ state.n_move * _FOR_MOVES) & _MASK64
    return key - (1 << 63)


def _legal(state: State) -> int:
    return state.placements().bit_count() + state.rules.passing


def _count(table: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Return the table with one row for what is the same in its first three columns, sorted by these."""
    import numpy as np

    table = table[np.lexsort((table[:, 5], table[:, 2], table[:, 1], table[:, 0]))]
    if not len(table):
        return table
    starts = np.flatnonzero(np.r_[True, np.any(np.diff(table[:, :3], axis=0), axis=1)])
    kept = table[starts]
    kept[:, 3] = np.diff(np.r_[starts, len(table)])
    return kept


# What two players have in common


@dataclass(frozen=True)
class SameMove:
    """A position in which two players made the same move. game, ply: where it was met, and how many moves had been played.

    others: how many other players met it. same: how many of them made that move; a fraction if they did not always.
    """

    move: str
    game: str
    ply: int
    others: int
    same: float

    @property
    def rarity(self) -> float:
        """What a third player may be expected to do: the share of the others, drawn towards one half where they are few."""
        return (self.same + 1) / (self.others + 2)


def same_moves(choices: Choices, one: str, other: str) -> list[SameMove]:
    """Return the positions in which each of two players made one move in half of their visits or more, the rarest first."""
    wanted = [choices.players.index(name) for name in (one, other) if name in choices.players]
    found = []
    for position in choices.find_shared():
        rows = [row for row, player in enumerate(position.players) if player in wanted]
        if len(rows) < 2:
            continue
        both = position.shares[rows].min(axis=0)
        column = int(both.argmax())
        if both[column] >= 0.5:
            same = float(position.shares[:, column].sum() - position.shares[rows, column].sum())
            others = len(position.players) - 2
            found.append(SameMove(position.moves[column], position.game, position.ply, others, same))
    return sorted(found, key=lambda one: (one.rarity, -one.others, one.ply, one.game))


AS_TAUGHT = 0.95
"""Of the moves that two players both make so many are those of the example, if both play as it does."""
# As loops go over the board: row by row, the same with `>=` for the best, column by column.
_ORDERS: tuple[Callable[[Point], Point], ...] = (lambda at: at, lambda at: (-at[0], -at[1]), lambda at: (at[1], at[0]))


def play_as_taught(choices: Choices, one: str, other: str, state_of: Callable[[str, int], State]) -> bool:
    """Tell whether two players both play as the greedy example of the documents. state_of: a game's position, by id and ply."""
    places = {choices.players.index(name) for name in (one, other)}
    right, met = [0] * len(_ORDERS), 0
    for position in choices.find_shared():
        rows = [row for row, player in enumerate(position.players) if player in places]
        if len(rows) < 2:
            continue
        state = state_of(position.game, position.ply)
        points = state.grid.points_of(state.placements())
        if not points:
            continue
        met += 1
        taken = {point: state.after(point).captured.bit_count() for point in points}
        most = max(taken.values())
        for number, order in enumerate(_ORDERS):
            move = move_name(min((point for point in points if taken[point] == most), key=order), state.grid.size)
            made = position.shares[rows, position.moves.index(move)] if move in position.moves else [0.0]
            right[number] += min(made) > 0.5
    return met > 0 and max(right) >= AS_TAUGHT * met
