"""Games of the latest network against itself, many in lockstep, and what is to be learned from them.

A move is searched in full or quickly, by chance (playout cap randomisation: Wu, "Accelerating Self-Play Learning in Go", 2019):
only full searches teach a policy, but all positions teach who won, and quick searches make more games of the same time. Quick
searches play the best they know; chance is in the others, and in the first moves of a game, which nobody learns from. All
chance of a game comes from a stream of its own, made of the run's seed and the game's number.

Where a game has players, its games may begin within one of the network against a player (`rivals` of a plan): there stand the
positions in which it goes wrong. The player chooses where they begin, and teaches nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from golearn.alphazero.games import Actions, CompleteGame, Rows, States
from golearn.alphazero.planners import Evaluator, GumbelPlanner, turned
from golearn.alphazero.plans import Plan
from golearn.alphazero.replay import Flags, Floats, Positions, join_parts, no_positions, pack, take_positions

LOOSE = 1 / 4
"""How often a network moves by chance in a game against a rival."""
SHARING = 32
"""Games, by number, that begin within the same game against a rival, if they begin in one."""
LONGEST_GAME = 512
"""Moves after which a game is broken off, where neither the plan nor the game says."""


class SelfPlayGames(NamedTuple):
    """What came of some games."""

    positions: Positions
    """Of the first game from its beginning, then of the second, and so on."""
    plies: npt.NDArray[np.int64]
    """Moves of each game after its opening."""
    results: npt.NDArray[np.int8]
    """+1, -1, 0: of each game."""
    finished: Flags
    """Whether the game was played to its end."""


class StoppedError(Exception):
    """Somebody wants no more games; those in hand are lost."""


class _Ply(NamedTuple):
    """One move of all games that go on."""

    games: Rows
    players: npt.NDArray[np.int8]
    roots: Floats
    """Values of the roots."""
    learned: tuple[npt.NDArray[np.uint8], Floats, npt.NDArray[np.float16], Flags]
    """The first four arrays of `Positions`."""


def stream(seed: int, number: int) -> np.random.Generator:
    """Return the chance of a game by number."""
    return np.random.default_rng((seed, 0, number))


class SelfPlay:
    """Plays games by number with one evaluator; for one thread, since its searches have their trees in one place."""

    def __init__(self, game: CompleteGame[Any], evaluator: Evaluator, plan: Plan) -> None:
        self.game, self.plan = game, plan
        self.most_plies = plan.max_plies or game.max_plies or LONGEST_GAME
        self._evaluator = evaluator = turned(game, evaluator) if plan.turned else evaluator
        self._full = GumbelPlanner(game, evaluator, plan.simulations)
        self._quick = GumbelPlanner(game, evaluator, plan.quick_simulations)

    def play(self, numbers: Sequence[int], stopped: Callable[[], bool] = lambda: False) -> SelfPlayGames:
        """Play the games with these numbers to their ends; StoppedError as soon as `stopped` says so."""
        streams = [stream(self.plan.seed, number) for number in numbers]
        states, going = self.game.states(len(numbers)), np.arange(len(numbers))
        rival_game = cache(self._rival_game)
        for row, (number, chance) in enumerate(zip(numbers, streams, strict=True)):
            if self.plan.rivals and chance.random() < self.plan.rival_share:
                found = rival_game(number // SHARING)
                states.put(row, found[chance.integers(len(found))])
            else:
                states.put(row, self._opening(chance))
        results, finished = np.zeros(len(numbers), np.int8), np.zeros(len(numbers), np.bool_)
        plies: list[_Ply] = []
        while True:
            facts = states.facts(going)
            results[going], finished[going] = facts.results, facts.over
            going, players = going[~facts.over], facts.players[~facts.over]
            if not len(going) or len(plies) == self.most_plies:
                return self._learned(states, plies, results, finished)
            if stopped():
                raise StoppedError
            actions, ply = self._ply(states, going, players, [streams[k] for k in going])
            plies.append(ply)
            states.play(going, actions, going)

    def _opening(self, stream: np.random.Generator) -> Any:  # noqa: ANN401
        """Return a state after some random moves, in which the game goes on."""
        state = self.game.initial_state()
        for _ in range(stream.integers(self.plan.random_plies, endpoint=True)):
            after = self.game.apply_move(state, int(stream.choice(self.game.legal_moves(state))))
            if self.game.is_terminal(after):
                break
            state = after
        return state

    def _rival_game(self, group: int) -> list[Any]:
        """Return the states of a game of the network against one of the rivals but for its end; SHARING games share one.

        The network plays the move that it holds for best, or with probability LOOSE one by its policy.
        """
        chance, names = np.random.default_rng((self.plan.seed, 3, group)), self.plan.rivals.split()
        rival = self.game.player(names[chance.integers(len(names))], str(chance.integers(2**32)))
        network, row, rows = chance.choice((1, -1)), self.game.states(1), np.zeros(1, np.int64)
        state, found = self.game.initial_state(), list[Any]()
        while not self.game.is_terminal(state) and len(found) < self.most_plies:
            found.append(state)
            if self.game.current_player(state) == network:
                row.put(0, state)
                logits, legal = self._evaluator(row, rows)[0][0], row.facts(rows).legal[0]
                draws = chance.gumbel(size=len(logits)) if chance.random() < LOOSE else 0
                action = int(np.where(legal, logits + draws, -np.inf).argmax())
            else:
                action = rival.action(state)
            state = self.game.apply_move(state, action)
        return found

    def _ply(
        self, states: States, going: Rows, players: npt.NDArray[np.int8], streams: list[np.random.Generator]
    ) -> tuple[Actions, _Ply]:
        """Search in all games that go on; return what to play in each, and what is kept of it."""
        full = np.array([stream.random() for stream in streams]) < self.plan.full_share
        draws = np.array(
            [stream.gumbel(size=self.game.action_size) for stream, drawn in zip(streams, full, strict=True) if drawn]
        )
        actions, roots = np.empty(len(going), np.int64), np.empty(len(going), np.float32)
        policies = np.empty((len(going), self.game.action_size), np.float16)
        for planner, which, chance in ((self._full, full, draws), (self._quick, ~full, None)):
            chosen = np.flatnonzero(which)
            if len(chosen):
                plans = planner.plan(states, going[chosen], chance)
                actions[chosen], policies[chosen], roots[chosen] = plans.actions, plans.policies, plans.values
        return actions, _Ply(going, players, roots, (*pack(states.encode(going)), policies, full))

    def _learned(self, states: States, plies: list[_Ply], results: npt.NDArray[np.int8], finished: Flags) -> SelfPlayGames:
        """Return the games as positions."""
        lengths = np.zeros(len(results), np.int64)
        for ply in plies:
            lengths[ply.games] += 1
        margins, owners, has_ending = self._endings(states, finished)
        parts = [no_positions(self.game)]
        for games, players, roots, learned in plies:
            share = self.plan.root_share
            values = (1 - share) * results[games] * players + share * roots
            parts.append(
                Positions(
                    *learned, values.astype(np.float32), finished[games],
                    margins[games] * players, owners[games] * players[:, None], has_ending[games],
                )
            )  # fmt: skip
        order = np.argsort(np.concatenate([np.empty(0, np.int64), *(ply.games for ply in plies)]), kind="stable")
        return SelfPlayGames(take_positions(join_parts(parts), order), lengths, results, finished)

    def _endings(self, states: States, finished: Flags) -> tuple[Floats, npt.NDArray[np.int8], Flags]:
        """Return margin and owners of each game as +1 sees them, and whether it has them."""
        height, width = self.game.board_shape
        margins, owners = np.zeros(len(finished), np.float32), np.zeros((len(finished), height * width), np.int8)
        start = self.game.initial_state()
        if self.game.margin(start) is None and self.game.ownership(start) is None:
            return margins, owners, np.zeros(len(finished), np.bool_)
        for game in np.flatnonzero(finished).tolist():
            last = states.state(game)
            margins[game] = self.game.margin(last) or 0
            owned = self.game.ownership(last)
            owners[game] = 0 if owned is None else owned.ravel()
        return margins, owners, finished
