"""Exact values of games that are small enough to look at every state, such as tic-tac-toe and Othello on 4x4.

    solved = Minimax(CompleteGame(TicTacToe()))
    solved.value(state)      what comes of it with perfect play, as +1 sees it
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

import numpy as np

from learning.alphazero.answers import Answers, Ask
from learning.alphazero.errors import TooLargeGameError
from learning.alphazero.games import CompleteGame
from learning.alphazero.truth import Metrics, mean, share

MOST_STATES = 1_000_000
"""Looked at before a game is held for too large."""


class Minimax:
    """Remembers every state it has looked at."""

    def __init__(self, game: CompleteGame[Any], worth: Callable[[Any], float | None] | None = None) -> None:
        """worth: what the end of a game is worth to +1; who wins unless given."""
        self.game, self.worth = game, worth or game.winner
        self._values: dict[Hashable, float] = {}

    def value(self, state: Any) -> float:  # noqa: ANN401
        """Return what comes of a state, as +1 sees it; TooLargeGameError beyond MOST_STATES, or some hundred moves."""
        key = self.game.key(state)
        if key not in self._values:
            if len(self._values) >= MOST_STATES:
                raise TooLargeGameError(f"minimax: the game has more than {MOST_STATES:,} states")
            try:
                self._values[key] = self._found(state)
            except RecursionError:
                raise TooLargeGameError("minimax: the game goes on for too many moves, or for ever") from None
        return self._values[key]

    def _found(self, state: Any) -> float:  # noqa: ANN401
        if self.game.is_terminal(state):
            return float(self.worth(state) or 0)
        values = [self.value(self.game.apply_move(state, action)) for action in self.game.legal_moves(state)]
        return max(values) if self.game.current_player(state) == 1 else min(values)

    def best_actions(self, state: Any) -> list[int]:  # noqa: ANN401
        """Return the actions that keep a state's value."""
        value = self.value(state)
        return [action for action in self.game.legal_moves(state) if self.value(self.game.apply_move(state, action)) == value]

    def losing_actions(self, state: Any) -> list[int]:  # noqa: ANN401
        """Return the actions that lose a state which is not lost."""
        loss = -self.game.current_player(state)
        if self.value(state) == loss:
            return []
        return [action for action in self.game.legal_moves(state) if self.value(self.game.apply_move(state, action)) == loss]

    def answers(self, rng: random.Random) -> Ask:
        """Return how to ask for best actions, one of them by chance, and for values."""

        def ask(states: Sequence[Any]) -> Answers:
            actions = [rng.choice(self.best_actions(state)) for state in states]
            values = [self.value(state) * self.game.current_player(state) for state in states]
            return Answers(np.array(actions, np.int64), values=np.array(values, np.float64))

        return ask


def every_state(game: CompleteGame[Any]) -> Iterator[Any]:
    """Yield every state that a game can reach and in which it goes on, each once."""
    waiting = [game.initial_state()]
    seen = {game.key(waiting[0])}
    while waiting:
        state = waiting.pop()
        if game.is_terminal(state):
            continue
        yield state
        for action in game.legal_moves(state):
            after = game.apply_move(state, action)
            if game.key(after) not in seen:
                seen.add(game.key(after))
                waiting.append(after)


def kept_values(solved: Minimax, states: Sequence[Any], answers: Answers) -> Metrics:
    """Return what answers about states are worth.

        kept values    share of states in which the action played keeps the value
        safe moves     states that are not lost, where some action would lose: share of those where the one played does not
        value error    mean of abs(v - z); v: the value given, z: the exact one
    """
    played = list(zip(states, answers.actions.tolist(), strict=True))
    found = {"kept values": share(np.array([action in solved.best_actions(state) for state, action in played], np.bool_))}
    losing = [(solved.losing_actions(state), action) for state, action in played]
    safe = [action not in actions for actions, action in losing if actions]
    if safe:
        found["safe moves"] = share(np.array(safe, np.bool_))
    if answers.values is not None:
        values = np.array([solved.value(state) * solved.game.current_player(state) for state in states])
        found["value error"] = mean(np.abs(answers.values - values))
    return found
