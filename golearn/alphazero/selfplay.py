"""Games of the latest network against itself, many in lockstep, and what is to be learned from them.

A move is searched in full or quickly, by chance (playout cap randomisation: Wu, "Accelerating Self-Play Learning in Go", 2019):
only full searches teach a policy, but all positions teach who won, and quick searches make more games of the same time. Quick
searches play the best they know; chance is in the others, and in the first moves of a game, which nobody learns from. All
chance of a game comes from a stream of its own, made of the run's seed and the game's number.

Where a game has players, its games may begin within one of the network against a player (`rivals` of a plan): there stand the
positions in which it goes wrong. The player chooses where they begin, and teaches nothing.

The newest positions of a run are kept packed, and batches are drawn from them. A position's planes are kept as bits, so each
plane may hold one value besides 0 (counts belong into several planes), and its policy as float16. All is as the player to move
sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from goban.common.excerpts import quoted
from goban.common.files import check_array
from golearn.alphazero.games import Actions, CompleteGame, Observations, Rows, States
from golearn.alphazero.planners import Evaluator, GumbelPlanner, turn_states
from golearn.alphazero.plans import Plan
from golearn.errors import BadGameError

Floats: TypeAlias = npt.NDArray[np.float32]
Flags: TypeAlias = npt.NDArray[np.bool_]


class Positions(NamedTuple):
    """Entry k of each array is about the k-th position."""

    bits: npt.NDArray[np.uint8]
    """Where its planes are not 0: shape (positions, octets)."""
    scales: Floats
    """What its planes hold there: shape (positions, planes)."""
    policies: npt.NDArray[np.float16]
    """The planner's, shape (positions, actions)."""
    has_policy: Flags
    """Whether the policy is worth learning: that of a full search is."""
    values: Floats
    """-1 to 1."""
    has_value: Flags
    """Not where the game was broken off."""
    margins: Floats
    """Points by which the player to move is ahead in the end."""
    owners: npt.NDArray[np.int8]
    """Whose each point is in the end, shape (positions, points)."""
    has_ending: Flags
    """Whether margin and owners are known."""


class Batch(NamedTuple):
    """Positions as a network learns them, each in a random symmetry; names and meaning as in `Positions`."""

    planes: Observations
    policies: Floats
    has_policy: Flags
    values: Floats
    has_value: Flags
    margins: Floats
    owners: npt.NDArray[np.int8]
    has_ending: Flags


def pack(planes: Observations) -> tuple[npt.NDArray[np.uint8], Floats]:
    """Return bits and scales; BadGameError if a plane holds two values besides 0."""
    flat = planes.reshape(*planes.shape[:2], -1)
    there = flat != 0
    # Every value in a plane is its mean over where it is not 0, or the plane has several.
    lowest, highest = np.where(there, flat, np.inf).min(axis=2), np.where(there, flat, -np.inf).max(axis=2)
    several = np.argwhere(lowest < highest)
    if len(several):
        raise BadGameError(f"expected planes that hold one value besides 0, got several in plane {several[0][1]}")
    scales = np.where(there.any(axis=2), lowest, 0).astype(np.float32)
    return np.packbits(there.reshape(len(planes), -1), axis=1), scales


def join_parts(parts: Sequence[Positions]) -> Positions:
    """Return all positions of some parts, in their order."""
    arrays: list[Any] = [np.concatenate(arrays) for arrays in zip(*parts, strict=True)]
    return Positions(*arrays)


def take_positions(positions: Positions, which: slice | npt.NDArray[np.int64]) -> Positions:
    """Return some of the positions."""
    arrays: list[Any] = [array[which] for array in positions]
    return Positions(*arrays)


def no_positions(game: CompleteGame[Any]) -> Positions:
    """Return arrays of the right shapes for a game, without positions."""
    height, width = game.board_shape
    octets = -(-game.num_planes * height * width // 8)
    return Positions(
        np.empty((0, octets), np.uint8), np.empty((0, game.num_planes), np.float32),
        np.empty((0, game.action_size), np.float16), np.empty(0, np.bool_), np.empty(0, np.float32), np.empty(0, np.bool_),
        np.empty(0, np.float32), np.empty((0, height * width), np.int8), np.empty(0, np.bool_),
    )  # fmt: skip


class Replay:
    """The newest positions; how many of all that came in are kept grows like their number to the power of EXPONENT."""

    EXPONENT = 0.75
    """KataGo's (Wu 2019, appendix C): early games are soon forgotten, and later the window moves ever more slowly."""

    def __init__(self, game: CompleteGame[Any], window: int) -> None:
        """window: up to so many positions all are kept."""
        self.window, self.total = window, 0
        self._game, self.positions = game, no_positions(game)
        self._shape = game.num_planes, *game.board_shape
        symmetries = game.symmetries()
        self._points = np.stack([symmetry.points for symmetry in symmetries])
        self._actions = np.stack([symmetry.actions for symmetry in symmetries])

    def add(self, positions: Positions) -> None:
        """Take in new positions and forget the oldest."""
        self.total += len(positions.values)
        room = self.room()
        self.positions = take_positions(join_parts([self.positions, positions]), slice(-room, None))

    def take_over(self, positions: Positions, total: int) -> None:
        """Go on from another's positions and total; raises ValueError for what is none of this game's."""
        number = len(positions.values)
        if type(total) is not int or total < number:
            raise ValueError(f"positions: expected at least the {number} that are kept, got {quoted(total)}")
        for name, like in no_positions(self._game)._asdict().items():
            check_array(name, getattr(positions, name), like.dtype, (number, *like.shape[1:]))
        self.positions, self.total = positions, total

    def room(self) -> int:
        """Return how many positions are kept at most."""
        if self.total <= self.window:
            return self.window
        return int(self.window * (self.total / self.window) ** self.EXPONENT)

    def draw(self, rng: np.random.Generator, size: int) -> Batch:
        """Return positions drawn at random, each turned by a random symmetry."""
        return self.batch(*self.draw_numbers(rng, size))

    def draw_numbers(self, rng: np.random.Generator, size: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """Return what `batch` makes a drawn batch of: numbers of positions and of symmetries."""
        return rng.integers(len(self.positions.values), size=size), rng.integers(len(self._points), size=size)

    def batch(self, chosen: npt.NDArray[np.int64], turns: npt.NDArray[np.int64]) -> Batch:
        """Return positions by number, each turned by a symmetry by number."""
        drawn = take_positions(self.positions, chosen)
        planes, height, width = self._shape
        bits = np.unpackbits(drawn.bits, axis=1, count=planes * height * width).reshape(len(chosen), planes, height * width)
        points, actions = self._points[turns], self._actions[turns]
        turned = np.take_along_axis(bits, points[:, None], axis=2) * drawn.scales[:, :, None]
        return Batch(
            turned.reshape(len(chosen), planes, height, width),
            np.take_along_axis(drawn.policies, actions, axis=1).astype(np.float32), drawn.has_policy,
            drawn.values, drawn.has_value,
            drawn.margins, np.take_along_axis(drawn.owners, points, axis=1), drawn.has_ending,
        )  # fmt: skip


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
        self._evaluator = evaluator = turn_states(game, evaluator) if plan.turned else evaluator
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
                return self._collect(states, plies, results, finished)
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

    def _collect(self, states: States, plies: list[_Ply], results: npt.NDArray[np.int8], finished: Flags) -> SelfPlayGames:
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
