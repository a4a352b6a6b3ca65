"""Games as the pipeline sees them: their members, states as rows, symmetries, and the available games.

    game = find_game("tictactoe")
    state = game.apply_move(game.initial_state(), 4)

A *game* is an object with the members of `Game`: nothing else is needed, and a plug-in written for cweill/alphago has them.
A *state* is any object that is hashable and never changes. The players are +1, who moves first, and -1. An
*action* is a number from 0 to `action_size` - 1. What else a game may offer, and the default if it does not:

    member                      default
    symmetries()                the identity only; see `Symmetry`
    max_plies                   None: no known limit on the number of actions in a game
    legal_mask(state)           made from `legal_moves`
    margin(state)               None: the lead of +1 in points; at the end a target for training
    ownership(state)            None: +1, 0, -1 for each point, an array of `board_shape`; at the end a target for training
    action_name, parse_action   the number, as text
    key(state)                  the state itself; equal keys mean equal games from there on
    states(count)               rows of states as a list; see `States`
    solver()                    None: no exact values are known
    players                     none: name -> "MODULE:CLASS" of a player, created with (game, name, seed), with `action(state)`

The pipeline uses a `CompleteGame`, never the plug-in itself. Searches and self-play work on many states of a game at once, as
numbered rows: `States`. A game with its own, compiled rows returns room for `count` of them from `states(count)`; all
others use `PlainStates`. Arrays of rows hold int64. No row may be named twice in one call, except rows to copy from.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable, Hashable
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from goban.common.arguments import check_kind
from goban.common.excerpts import error_line, quoted
from golearn.errors import BadGameError, IllegalActionError, UnknownGameError

Rows: TypeAlias = npt.NDArray[np.int64]
Actions: TypeAlias = npt.NDArray[np.int64]
Observations: TypeAlias = npt.NDArray[np.float32]
"""States as a network sees them: shape (rows, num_planes, height, width)."""


class Facts(NamedTuple):
    """What a search needs to know about states; entry k of each array is about the k-th requested row."""

    legal: npt.NDArray[np.bool_]
    """Shape (rows, action_size); nothing is legal once the game is over."""
    players: npt.NDArray[np.int8]
    """+1 or -1."""
    over: npt.NDArray[np.bool_]
    results: npt.NDArray[np.int8]
    """+1, -1 or 0 for a draw; 0 while the game goes on."""


class States(Protocol):
    """States of one game in rows 0 to count - 1; the contents of a row are undefined until something is put into it."""

    def put(self, row: int, state: Any) -> None:  # noqa: ANN401
        """Write a state of the game into a row."""

    def state(self, row: int) -> Any:  # noqa: ANN401
        """Return a row as a state of the game; its past may be missing."""

    def copy(self, source: States, sources: Rows, rows: Rows) -> None:
        """Copy rows of another object of the same kind; a row may be copied more than once."""

    def play(self, parents: Rows, actions: Actions, rows: Rows) -> None:
        """Write into each row the successor of its parent by an action that is known to be legal.

        A row may be its own parent, but no other row's; several rows may have one parent.
        """

    def facts(self, rows: Rows) -> Facts:
        """Return the legal actions in these rows, the players to move, and the status of the games."""

    def encode(self, rows: Rows) -> Observations:
        """Return these rows as planes."""


# Symmetries of boards, as permutations of points, which are numbered row by row, and of actions. A symmetry turns a state's
# planes and its policy so that they fit together:
#
#     turned_planes[:, k] = planes[:, points[k]]          (planes flattened to (planes, points))
#     turned_policy[k] = policy[actions[k]]


Permutation: TypeAlias = npt.NDArray[np.int64]


class Symmetry(NamedTuple):
    """One symmetry of a game: for each place of the turned array, the index in the original."""

    points: Permutation
    actions: Permutation


def identity(points: int, actions: int) -> Symmetry:
    """Return the identity."""
    return Symmetry(np.arange(points), np.arange(actions))


def board_symmetries(size: int, others: int = 0) -> list[Symmetry]:
    """Return the eight symmetries of a square board whose actions are points, followed by `others` that no symmetry moves."""
    board = np.arange(size * size).reshape(size, size)
    turned = [np.rot90(side, quarter).ravel() for side in (board, board.T) for quarter in range(4)]
    rest = np.arange(size * size, size * size + others)
    return [Symmetry(points, np.concatenate([points, rest])) for points in turned]


def column_mirror(rows: int, columns: int) -> Symmetry:
    """Return the left-right reflection, for a game whose actions are columns."""
    board = np.arange(rows * columns).reshape(rows, columns)
    return Symmetry(board[:, ::-1].ravel(), np.arange(columns)[::-1].copy())


Planes: TypeAlias = npt.NDArray[np.float32]
"""A state as a network sees it: shape (num_planes, height, width)."""

State = TypeVar("State")


class Game(Protocol[State]):
    """The members every game has. `num_planes` and `board_shape` (height, width) are those of `encode`."""

    @property
    def action_size(self) -> int: ...

    @property
    def board_shape(self) -> tuple[int, int]: ...

    @property
    def num_planes(self) -> int: ...

    def initial_state(self) -> State:
        """Return the state in which a game starts; +1 is to move."""

    def current_player(self, state: State) -> int:
        """Return the player to move, +1 or -1; at the end, either will do."""

    def legal_moves(self, state: State) -> list[int]:
        """Return the legal actions; [] at the end, and only there."""

    def apply_move(self, state: State, action: int) -> State:
        """Return the state after an action; raises ValueError if it is not legal. `state` does not change."""

    def is_terminal(self, state: State) -> bool:
        """Return True if the game is over."""

    def winner(self, state: State) -> int | None:
        """Return +1 or -1, 0 for a draw, None while the game goes on."""

    def encode(self, state: State) -> Planes:
        """Return the state as the player to move sees it: own pieces in plane 0, the opponent's in plane 1.

        Nested lists and arrays of integers, flags or other floats will do too; a network is shown float32.
        """

    def __str__(self, state: State) -> str:  # type: ignore[override]
        """Return a state as text for people."""


_NEEDED = tuple(name for name in vars(Game) if not name.startswith("_"))

Value = TypeVar("Value")


class CompleteGame(Generic[State]):
    """A game with every possible member: the game's own where it has one, otherwise the default."""

    def __init__(self, game: Game[State]) -> None:
        missing = [name for name in _NEEDED if not hasattr(game, name)]
        if missing:
            raise BadGameError(f"expected a game with {', '.join(missing)}, got {quoted(game)}")
        self.game = game
        self.action_size, self.num_planes = game.action_size, game.num_planes
        self.board_shape: tuple[int, int] = game.board_shape
        self.initial_state: Callable[[], State] = game.initial_state
        self.current_player: Callable[[State], int] = game.current_player
        self.legal_moves: Callable[[State], list[int]] = game.legal_moves
        self.apply_move: Callable[[State, int], State] = game.apply_move
        self.is_terminal: Callable[[State], bool] = game.is_terminal
        self.winner: Callable[[State], int | None] = game.winner
        self.max_plies: int | None = getattr(game, "max_plies", None)

    def _own(self, name: str, default: Callable[..., Any]) -> Callable[..., Any]:
        return getattr(self.game, name, default)

    def text(self, state: State) -> str:
        """Return a state as text, from the game if it can, otherwise from the state itself."""
        has_its_own = any("__str__" in vars(kind) for kind in type(self.game).__mro__[:-1])
        return self.game.__str__(state) if has_its_own else str(state)

    def encode(self, state: State) -> Planes:
        """Return the state as the player to move sees it; raises BadGameError if the game does not say so in planes."""
        return _as_planes(self.game.encode(state), (self.num_planes, *self.board_shape))

    def symmetries(self) -> list[Symmetry]:
        """Return the symmetries, including the identity."""
        height, width = self.board_shape
        found = self._own("symmetries", lambda: [identity(height * width, self.action_size)])()
        return [Symmetry(np.asarray(points), np.asarray(actions)) for points, actions in found]

    def legal_mask(self, state: State) -> npt.NDArray[np.bool_]:
        """Return a mask of the legal actions, shape (action_size,)."""
        return np.asarray(self._own("legal_mask", self._mask_from_list)(state), dtype=np.bool_)

    def _mask_from_list(self, state: State) -> npt.NDArray[np.bool_]:
        mask = np.zeros(self.action_size, dtype=np.bool_)
        mask[self.legal_moves(state)] = True
        return mask

    def margin(self, state: State) -> float | None:
        """Return the lead of +1 in points; None if the game has no points."""
        found: float | None = self._own("margin", _nothing)(state)
        return found

    def ownership(self, state: State) -> npt.NDArray[np.int8] | None:
        """Return the owner of each point: +1, -1 or 0; None if the game does not say."""
        found: npt.NDArray[np.int8] | None = self._own("ownership", _nothing)(state)
        return found

    def action_name(self, action: int) -> str:
        """Return the name of an action, for people."""
        return str(self._own("action_name", str)(action))

    def parse_action(self, text: str) -> int:
        """Return the action that a text names; ValueError if it names none."""
        return int(self._own("parse_action", self._number)(text))

    def _number(self, text: str) -> int:
        if text.isascii() and text.isdigit() and len(text) <= 9 and int(text) < self.action_size:
            return int(text)
        raise IllegalActionError(f"expected an action from 0 to {self.action_size - 1}, got {text!r}")

    def key(self, state: State) -> Hashable:
        """Return a dictionary key for a state."""
        found: Hashable = self._own("key", _itself)(state)
        return found

    def states(self, count: int) -> States:
        """Return room for this many states: the game's own kind of rows if it has one."""
        room: States = self._own("states", lambda count: PlainStates(self, count))(count)
        return room

    def solver(self) -> Any:  # noqa: ANN401
        """Return a solver that knows exact values, None if there is none."""
        return self._own("solver", lambda: None)()

    def player(self, name: str, seed: str) -> Any:  # noqa: ANN401
        """Return one of the game's `players`, None if it has none; raises UnknownPlayerError for an unknown name."""
        if (place := getattr(self.game, "players", None)) is None:
            return None
        module, kind = place.split(":")
        return getattr(importlib.import_module(module), kind)(self.game, name, seed)


def _as_planes(encoded: object, shape: tuple[int, ...]) -> Planes:
    """Return an array or nested lists of numbers of this shape as float32; raises BadGameError for anything else."""
    if isinstance(encoded, np.ndarray) and encoded.dtype == np.float32 and encoded.shape == shape:
        return encoded
    try:
        array = np.asarray(encoded)
    except Exception as error:
        raise BadGameError(f"encode returns what is no array: {error_line(error)}") from None
    if array.dtype.kind not in "fiub" or array.shape != shape:
        raise BadGameError(f"encode returns {array.dtype} of shape {array.shape}, expected numbers of shape {shape}")
    with np.errstate(over="ignore"):
        return array.astype(np.float32)


def _nothing(_: object) -> None:
    return None


def _itself(state: Value) -> Value:
    return state


class PlainStates:
    """See `golearn.alphazero.games.States`."""

    def __init__(self, game: CompleteGame[Any], count: int) -> None:
        self.game = game
        self.rows: list[Any] = [None] * count

    def put(self, row: int, state: Any) -> None:  # noqa: ANN401
        self.rows[row] = state

    def state(self, row: int) -> Any:  # noqa: ANN401
        return self.rows[row]

    def copy(self, source: States, sources: Rows, rows: Rows) -> None:
        if not isinstance(source, PlainStates):
            raise TypeError(f"expected PlainStates to copy from, got {type(source).__name__}")
        for row, state in zip(rows.tolist(), [source.rows[row] for row in sources.tolist()], strict=True):
            self.rows[row] = state

    def play(self, parents: Rows, actions: Actions, rows: Rows) -> None:
        for parent, action, row in zip(parents.tolist(), actions.tolist(), rows.tolist(), strict=True):
            self.rows[row] = self.game.apply_move(self.rows[parent], action)

    def facts(self, rows: Rows) -> Facts:
        game, states = self.game, [self.rows[row] for row in rows.tolist()]
        winners = [game.winner(state) for state in states]
        return Facts(
            np.array([game.legal_mask(state) for state in states], dtype=np.bool_).reshape(-1, game.action_size),
            np.array([game.current_player(state) for state in states], dtype=np.int8),
            np.array([winner is not None for winner in winners], dtype=np.bool_),
            np.array([winner or 0 for winner in winners], dtype=np.int8),
        )

    def encode(self, rows: Rows) -> Observations:
        game = self.game
        planes = np.empty((len(rows), game.num_planes, *game.board_shape), dtype=np.float32)
        for k, row in enumerate(rows.tolist()):
            planes[k] = game.encode(self.rows[row])
        return planes


def beginnings(game: CompleteGame[Any], count: int) -> States:
    """Return this many games in their initial state."""
    states = game.states(count)
    for row in range(count):
        states.put(row, game.initial_state())
    return states


# The games there are


GAMES = {
    "tictactoe": "golearn.alphazero.small_games:TicTacToe",
    "connectfour": "golearn.alphazero.small_games:ConnectFour",
    "othello6": "golearn.alphazero.small_games:Othello(6)",
    "othello": "golearn.alphazero.small_games:Othello",
    "go": "golearn.alphazero.go_games:go_game('alphago7', 7)",
    "go-komi9.5": "golearn.alphazero.go_games:go_game('alphago7', 7, komi=9.5)",
    "go5": "golearn.alphazero.go_games:go_game('course', 5)",
    "go5-littlego": "golearn.alphazero.go_games:go_game('littlego', 5)",
    "go9": "golearn.alphazero.go_games:go_game('tromp-taylor-pgx', 9)",
}
"""Name -> what creates the game, imported on first use."""

GAME_CHOICES = tuple(GAMES)

# What stands in the plans of before.
_MODULES_OF_BEFORE = {
    **{f"learning.alphazero.{name}": f"golearn.alphazero.{name}" for name in ("small_games", "go_games")},
    **{f"learning.alphazero.{name}": "golearn.alphazero.small_games" for name in ("connect_four", "othello", "tictactoe")},
}


def game_from_name(name: str) -> Game[Any]:
    """Return a new game by name; UnknownGameError lists the choices."""
    if name not in GAMES:
        raise UnknownGameError(f"expected one of {', '.join(GAME_CHOICES)} as game, got {quoted(name)}")
    game: Game[Any] = _make(GAMES[name])
    return game


def find_game(name: str) -> CompleteGame[Any]:
    """Return a new game by name, or by its class as MODULE:CLASS, with arguments as MODULE:CLASS(size=5).

    Raises UnknownGameError, which lists the known names, or says why the class is not available.
    """
    check_kind(name, str, "the name of a game", UnknownGameError)
    if ":" not in name:
        return CompleteGame(game_from_name(name))
    try:
        return CompleteGame(_make(name))
    except Exception as error:
        raise UnknownGameError(f"game: {name} cannot be had: {error_line(error)}") from error


def _make(place: str) -> Any:  # noqa: ANN401
    """Return what MODULE:CLASS or MODULE:CLASS(size=5) makes."""
    module, _, kind = place.partition(":")
    kind, positions, names = _parse_call(kind)
    return getattr(importlib.import_module(_MODULES_OF_BEFORE.get(module, module)), kind)(*positions, **names)


def _parse_call(text: str) -> tuple[str, list[Any], dict[str, Any]]:
    """Return a class's name and the arguments in brackets after it, which are plain values; raises ValueError."""
    if not text.endswith(")"):
        return text, [], {}
    try:
        call = ast.parse(text, mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise ValueError
        names = {str(word.arg): ast.literal_eval(word.value) for word in call.keywords if word.arg}
        if len(names) != len(call.keywords):
            raise ValueError
        return call.func.id, [ast.literal_eval(value) for value in call.args], names
    except (ValueError, SyntaxError):
        raise ValueError(f"expected CLASS(name=value, ...) with plain values, got {quoted(text)}") from None


def check_range(action: int, action_size: int) -> None:
    """Raise IllegalActionError for a number that is not an action."""
    if not 0 <= action < action_size:
        raise IllegalActionError(f"action {action} is out of range: expected 0 to {action_size - 1}")
