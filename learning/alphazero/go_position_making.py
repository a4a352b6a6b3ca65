"""Draws positions of 5x5 Go and finds their exact values.

Position k belongs to part k % 4 of `BUCKETS`; by turns its game is one of players and one of chance alone. Each game has its
own seed, so the k-th position is the same however many there are. In a game of players each move is by chance with
probability SLIP: otherwise they would play the same few games. A position is taken where it has two legal actions or more
and is not there yet.

Who wins after an action is known of every position; by how much, only from FIRST_MARGIN moves on: before, one position takes
seconds to minutes.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from goban.rulesets import ruleset
from goban.states import State
from learning.alphazero.errors import BadPositionSetError
from learning.alphazero.go_games import GoGame
from learning.alphazero.go_players import GoPlayer
from learning.alphazero.go_positions import ACTIONS, BUCKETS, ILLEGAL, MOST_MOVES, NO_MOVE, SIZE, UNKNOWN, KnownPositions
from players.shipped_player import SHIPPED
from search.solver import Solver

PLAYERS = (SHIPPED, "smart", "aggressive", "greedy", "alphabeta")
SLIP = 1 / 8
FIRST_MARGIN = {"course": 6, "littlego": 8}
_MEMORY_MIB = 256

Label = dict[str, Any]
"""One position: moves, from_players, winners and margins, as `KnownPositions` has them, in lists."""


class Drawing:
    """Draws one position after the other; `taken` are those there are."""

    def __init__(self, rules: str, seed: int) -> None:
        self.game = GoGame(ruleset(rules), SIZE)
        self.seed = f"{seed} {rules}"
        self.taken: set[State] = set()

    def drawn(self, number: int) -> tuple[State, list[int]]:
        """Return position `number`, which is then taken, and the actions that led to it."""
        attempt = 0
        while True:
            seed = f"{self.seed} {number} {attempt}"
            state, actions = self.played(random.Random(seed), BUCKETS[number % len(BUCKETS)], seed, from_players(number))
            if state not in self.taken and len(self.game.legal_moves(state)) > 1:
                self.taken.add(state)
                return state, actions
            attempt += 1

    def played(self, rng: random.Random, plies: range, seed: str, with_players: bool) -> tuple[State, list[int]]:
        """Return where a game stands after one of these numbers of moves, or at its end, and the actions; seed: of players."""
        seats = [GoPlayer(self.game, rng.choice(PLAYERS), f"{seed} {seat}") for seat in range(2)] if with_players else []
        state, ply, actions = self.game.initial_state(), rng.choice(plies), list[int]()
        while len(actions) < ply and not state.is_over:
            by_chance = not seats or rng.random() < SLIP
            action = rng.choice(self.game.legal_moves(state)) if by_chance else seats[len(actions) % 2].action(state)
            actions.append(action)
            state = self.game.apply_move(state, action)
        return state, actions


def from_players(number: int) -> bool:
    """Tell whether position `number` comes from a game of players."""
    return number // len(BUCKETS) % 2 == 0


def label(game: GoGame, state: State, actions: list[int], with_players: bool, solver: Solver) -> Label:
    """Return a position with the exact values of its actions."""
    winners, margins, near = [ILLEGAL] * ACTIONS, [UNKNOWN] * ACTIONS, None
    for action in game.legal_moves(state):
        after = state.after(game.move_of(action))
        if state.n_move < FIRST_MARGIN[game.rules.name]:
            found = solver.winner(after)
        else:
            found = solver.margin(after, near=near)
            assert found.margin is not None
            margins[action] = near = found.margin
        assert found.winner
        winners[action] = found.winner
    return {"moves": actions, "from_players": with_players, "winners": winners, "margins": margins}


def made_positions(rules: str, count: int, seed: int, notes: Path, done: Callable[[int], object]) -> KnownPositions:
    """Return so many positions; done: called with how many there are, at first with those that were there.

    notes: a file in which what has been found is kept, so that the same call goes on where this one was stopped. Raises
    BadPositionSetError if it holds other positions.
    """
    drawing, solver = Drawing(rules, seed), Solver(_MEMORY_MIB)
    labels = list(_noted(notes, drawing))
    done(len(labels))
    with notes.open("a", encoding="ascii") as file:
        for number in range(len(labels), count):
            state, actions = drawing.drawn(number)
            labels.append(label(drawing.game, state, actions, from_players(number), solver))
            file.write(json.dumps(labels[-1]) + "\n")
            file.flush()
            done(len(labels))
    return _collected(rules, labels[:count])


def _noted(notes: Path, drawing: Drawing) -> Iterator[Label]:
    """Yield what a file holds, and take those positions; a line that was cut off is removed from it."""
    if not notes.exists():
        return
    whole = notes.read_text(encoding="ascii").split("\n")[:-1]
    notes.write_text("".join(f"{line}\n" for line in whole), encoding="ascii")
    for number, line in enumerate(whole):
        found = json.loads(line)
        if drawing.drawn(number)[1] != found["moves"]:
            raise BadPositionSetError(f"{notes}: expected positions of the same rules and seed, line {number + 1} has another")
        yield found


def _collected(rules: str, labels: list[Label]) -> KnownPositions:
    moves = np.full((len(labels), MOST_MOVES), NO_MOVE, np.uint8)
    for row, found in zip(moves, labels, strict=True):
        row[: len(found["moves"])] = found["moves"]
    winners, margins = (np.array([one[key] for one in labels], np.int8).reshape(-1, ACTIONS) for key in ("winners", "margins"))
    return KnownPositions(rules, moves, np.array([one["from_players"] for one in labels], np.bool_), winners, margins)
