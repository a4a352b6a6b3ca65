"""What a game is to the pipeline, and the games there are.

    game = game_from_name("tictactoe")
    state = game.apply_move(game.initial_state(), 4)

A *game* is an object with the members of `Game`: nothing else is needed, and a plug-in written for cweill/alphago has them.
A *state* is whatever the game likes, so long as it is hashable and never changes. Players are +1, who begins, and -1. An
*action* is a number from 0 to `action_size` - 1. What a game may offer besides is listed in
`learning.alphazero.complete_games`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from common.excerpts import quoted
from learning.alphazero.connect_four import ConnectFour
from learning.alphazero.errors import UnknownGameError
from learning.alphazero.go_games import GO_GAMES
from learning.alphazero.othello import Othello
from learning.alphazero.tictactoe import TicTacToe

Planes = npt.NDArray[np.float32]
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
        """Return where a game begins; +1 is to move."""

    def current_player(self, state: State) -> int:
        """Return who is to move, +1 or -1; at the end either will do."""

    def legal_moves(self, state: State) -> list[int]:
        """Return the actions that may be played; [] at the end, and only there."""

    def apply_move(self, state: State, action: int) -> State:
        """Return the state after an action; ValueError if it may not be played. `state` stays as it is."""

    def is_terminal(self, state: State) -> bool:
        """Tell whether the game is over."""

    def winner(self, state: State) -> int | None:
        """Return +1 or -1, 0 for a draw, None while the game goes on."""

    def encode(self, state: State) -> Planes:
        """Return the state as the player to move sees it: own pieces in plane 0, the opponent's in plane 1."""

    def __str__(self, state: State) -> str:  # type: ignore[override]
        """Return a state as text for people."""


GAMES: dict[str, Callable[[], Game[Any]]] = {
    "tictactoe": TicTacToe,
    "connectfour": ConnectFour,
    "othello6": lambda: Othello(6),
    "othello": Othello,
    **GO_GAMES,
}
"""Name -> what makes the game."""

GAME_CHOICES = tuple(GAMES)


def game_from_name(name: str) -> Game[Any]:
    """Return a new game by name; UnknownGameError lists the choices."""
    if name not in GAMES:
        raise UnknownGameError(f"expected one of {', '.join(GAME_CHOICES)} as game, got {quoted(name)}")
    return GAMES[name]()
