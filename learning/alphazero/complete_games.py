"""What a game may offer besides the members of `learning.alphazero.games.Game`, and what holds where it does not.

    member                      where it is missing
    symmetries()                the identity only; see `learning.alphazero.symmetries`
    max_plies                   None: nobody says after how many actions a game is over
    legal_mask(state)           made from `legal_moves`
    margin(state)               None: by how many points +1 is ahead; at the end a target for training
    ownership(state)            None: +1, 0, -1 for each point, an array of `board_shape`; at the end a target for training
    action_name, parse_action   the number, as text
    key(state)                  the state itself; equal keys mean equal games from there on
    batched()                   None: no rows of states of its own; see `learning.alphazero.batched_games`
    solver()                    None: no exact values are known

The pipeline asks a `CompleteGame`, never the plug-in itself.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from common.excerpts import error_line, quoted
from learning.alphazero.batched_games import BatchedGame
from learning.alphazero.errors import IllegalActionError, UnknownGameError
from learning.alphazero.games import Game, Planes, State, game_from_name
from learning.alphazero.symmetries import Symmetry, identity

Value = TypeVar("Value")


class CompleteGame(Generic[State]):
    """A game with every member there is: its own where it has one, else the default."""

    def __init__(self, game: Game[State]) -> None:
        self.game = game
        self.action_size, self.num_planes = game.action_size, game.num_planes
        self.board_shape: tuple[int, int] = game.board_shape
        self.initial_state: Callable[[], State] = game.initial_state
        self.current_player: Callable[[State], int] = game.current_player
        self.legal_moves: Callable[[State], list[int]] = game.legal_moves
        self.apply_move: Callable[[State, int], State] = game.apply_move
        self.is_terminal: Callable[[State], bool] = game.is_terminal
        self.winner: Callable[[State], int | None] = game.winner
        self.encode: Callable[[State], Planes] = game.encode
        self.max_plies: int | None = getattr(game, "max_plies", None)

    def _own(self, name: str, default: Callable[..., Any]) -> Callable[..., Any]:
        return getattr(self.game, name, default)

    def text(self, state: State) -> str:
        """Return a state as text: by the game's `__str__`, else as the state writes itself."""
        has_its_own = any("__str__" in vars(kind) for kind in type(self.game).__mro__[:-1])
        return self.game.__str__(state) if has_its_own else str(state)

    def symmetries(self) -> list[Symmetry]:
        """Return the symmetries, the identity among them."""
        height, width = self.board_shape
        found = self._own("symmetries", lambda: [identity(height * width, self.action_size)])()
        return [Symmetry(np.asarray(points), np.asarray(actions)) for points, actions in found]

    def legal_mask(self, state: State) -> npt.NDArray[np.bool_]:
        """Return which actions may be played, shape (action_size,)."""
        return np.asarray(self._own("legal_mask", self._mask_from_list)(state), dtype=np.bool_)

    def _mask_from_list(self, state: State) -> npt.NDArray[np.bool_]:
        mask = np.zeros(self.action_size, dtype=np.bool_)
        mask[self.legal_moves(state)] = True
        return mask

    def margin(self, state: State) -> float | None:
        """Return by how many points +1 is ahead on the board; None if the game counts none."""
        found: float | None = self._own("margin", _nothing)(state)
        return found

    def ownership(self, state: State) -> npt.NDArray[np.int8] | None:
        """Return whose each point is: +1, -1 or 0; None if the game does not say."""
        found: npt.NDArray[np.int8] | None = self._own("ownership", _nothing)(state)
        return found

    def action_name(self, action: int) -> str:
        """Return an action as people write it."""
        return str(self._own("action_name", str)(action))

    def parse_action(self, text: str) -> int:
        """Return the action that a text names; ValueError if it names none."""
        return int(self._own("parse_action", self._number)(text))

    def _number(self, text: str) -> int:
        if text.isascii() and text.isdigit() and len(text) <= 9 and int(text) < self.action_size:
            return int(text)
        raise IllegalActionError(f"expected an action from 0 to {self.action_size - 1}, got {text!r}")

    def key(self, state: State) -> Hashable:
        """Return what stands for a state in a dictionary."""
        found: Hashable = self._own("key", _itself)(state)
        return found

    def batched(self) -> BatchedGame | None:
        """Return the maker of the game's own rows of states, None if it has none."""
        found: BatchedGame | None = self._own("batched", lambda: None)()
        return found

    def solver(self) -> Any:  # noqa: ANN401
        """Return what knows exact values, None if nobody does."""
        return self._own("solver", lambda: None)()


def game_named(name: str) -> CompleteGame[Any]:
    """Return a new game by name, or by its class as MODULE:CLASS, with arguments as MODULE:CLASS(size=5).

    Raises UnknownGameError, which lists the names there are, or says why the class cannot be had.
    """
    module, colon, kind = name.partition(":")
    if not colon:
        return CompleteGame(game_from_name(name))
    try:
        kind, positions, names = _called(kind)
        return CompleteGame(getattr(importlib.import_module(module), kind)(*positions, **names))
    except Exception as error:
        raise UnknownGameError(f"game: {name} cannot be had: {error_line(error)}") from error


def _called(text: str) -> tuple[str, list[Any], dict[str, Any]]:
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


def _nothing(_: object) -> None:
    return None


def _itself(state: Value) -> Value:
    return state
