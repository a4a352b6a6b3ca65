"""What exact values of Go make possible besides `golearn.alphazero.truth`: won positions to be won, and the opening."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from golearn.alphazero.answers import Ask, player_answers
from golearn.alphazero.arena import results_of
from golearn.alphazero.games import CompleteGame
from golearn.alphazero.go_games import GoGame
from golearn.alphazero.go_positions import BUCKETS, GoPlayer, KnownPositions
from golearn.alphazero.truth import EVERY, Estimate, bucket_name, share

LEAD_ON_7X7 = 9
"""Points that Black is ahead on 7x7 with perfect play, komi left out, as KataGo's books of 7x7 have it."""


@dataclass(frozen=True)
class Opening:
    """What somebody plays on the empty board, what they hold of it and of the board after the centre; None: they do not say."""

    move: str
    value: float | None
    value_after_centre: float | None
    centre: str

    def __str__(self) -> str:
        if self.value is None:
            return f"opens with {self.move}"
        values = f"value of the empty board {self.value:+.2f}, of the board after {self.centre} {self.value_after_centre:+.2f}"
        return f"opens with {self.move}; {values}"


def opening(game: GoGame, ask: Ask) -> Opening:
    """Return how somebody opens on a board of odd size. Values are those of the player to move.

    With perfect play Black wins `go5` and `go`, by the centre too, and White `go-komi9.5`.
    """
    start, centre = game.initial_state(), game.pass_action // 2
    found = ask([start, game.apply_move(start, centre)])
    value, after_centre = [None, None] if found.values is None else found.values.tolist()
    return Opening(game.action_name(int(found.actions[0])), value, after_centre, game.action_name(centre))


def conversion(
    known: KnownPositions, ask: Ask, games: int, seed: int, progress: Callable[[int], object] = lambda ended: None
) -> dict[str, Estimate]:
    """Return the shares of won positions that somebody wins against `perfect`, in all and by part.

    Positions are drawn from those in which some action loses, as many from each part. progress: see `arena.results_of`.
    """
    drawn = known.part(np.array(won_positions(known, games, seed), np.int64))
    n_moves, states = drawn.n_moves(), drawn.states()
    game = CompleteGame(known.game)
    perfect = player_answers(GoPlayer(known.game, "perfect", f"{seed} perfect"))
    movers = [game.current_player(state) for state in states]
    seats = [(ask, perfect) if mover == 1 else (perfect, ask) for mover in movers]
    won = np.array(results_of(game, states, seats, progress)) == np.array(movers)
    found = {EVERY: share(won)} if len(won) else {}
    parts = {bucket_name(bucket): won[(n_moves >= bucket.start) & (n_moves < bucket.stop)] for bucket in BUCKETS}
    return found | {name: share(part) for name, part in parts.items() if len(part)}


def won_positions(known: KnownPositions, count: int, seed: int) -> list[int]:
    """Return the numbers of so many positions in which the player to move can win, and can go wrong."""
    wins, n_moves = known.wins(), known.n_moves()
    fit = wins.any(axis=1) & (known.legal() & ~wins).any(axis=1)
    found: list[int] = []
    for part, bucket in enumerate(BUCKETS):
        numbers = np.flatnonzero(fit & (n_moves >= bucket.start) & (n_moves < bucket.stop)).tolist()
        wanted = (count + part) // len(BUCKETS)
        found += random.Random(f"{seed} {part}").sample(numbers, min(wanted, len(numbers)))
    return found
