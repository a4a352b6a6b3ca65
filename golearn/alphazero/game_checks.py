"""Checks of a game by playing it at random: what to run on a plug-in of one's own before training.

    for finding in check_game(MyGame()):
        print(finding)          # "illegal listed as legal: legal_moves lists 4, but apply_move refuses it, after actions 0 4"

Nothing here knows a game's rules. So it finds what contradicts itself, not a rule that is wrong.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
import numpy.typing as npt

from goban.common.arguments import check_functions
from goban.common.excerpts import error_line, quoted
from golearn.alphazero.games import CompleteGame, Game, Planes
from golearn.errors import BadGameError, LearningError

MOST_PLIES = 2000
"""A random game that goes on for longer has no end, unless the game says `max_plies`."""

_TRIED_ILLEGAL = 8
"""So many actions that are not listed are tried in each state."""


class GameFault(Enum):
    """What can be wrong with a game."""

    ILLEGAL_LISTED = "illegal listed as legal"
    LEGAL_LEFT_OUT = "legal left out"
    MUTATING = "mutating"
    UNHASHABLE = "unhashable"
    ENCODING = "encoding"
    PERSPECTIVE = "perspective"
    SYMMETRY = "symmetry"
    ENDLESS = "endless"
    RESULT = "result"
    RAISING = "raising"


@dataclass(frozen=True)
class Finding:
    """One fault of a game, and where it showed first."""

    fault: GameFault
    detail: str
    actions: tuple[int, ...] = ()

    def __str__(self) -> str:
        shown = [*map(str, self.actions[:20]), *(["..."] if len(self.actions) > 20 else [])]
        return f"{self.fault.value}: {self.detail}" + (f", after actions {' '.join(shown)}" if shown else "")


def check_game(
    game: Game[Any], games: int = 20, seed: int = 0, told: Callable[[int], object] = lambda done: None
) -> list[Finding]:
    """Play this many random games and return the faults of a game, each once; [] if none was found.

    told: called with the number of games played after each.
    """
    check_functions(LearningError, told=told)
    found: dict[GameFault, Finding] = {}
    for number in range(games):
        played = _Played(CompleteGame(game), random.Random(f"{seed} {number}"))
        try:
            for finding in played.findings():
                found.setdefault(finding.fault, finding)
        except BadGameError as error:
            found.setdefault(GameFault.ENCODING, Finding(GameFault.ENCODING, str(error), tuple(played.actions)))
        except Exception as error:
            found.setdefault(GameFault.RAISING, Finding(GameFault.RAISING, error_line(error), tuple(played.actions)))
        told(number + 1)
        # A second game without an end would take as long again.
        if GameFault.ENDLESS in found:
            break
    return list(found.values())


class _Played:
    """One random game, and what is found on the way."""

    def __init__(self, game: CompleteGame[Any], rng: random.Random) -> None:
        self.game, self.rng = game, rng
        self.actions: list[int] = []
        # Stones gained by who moved less those gained by the other; planes changed if sides are exchanged, and if not.
        self.gained = self.exchanged = self.kept = 0.0

    def findings(self) -> Iterator[Finding]:
        game = self.game
        state = game.initial_state()
        most = game.max_plies or MOST_PLIES
        while not game.is_terminal(state):
            if len(self.actions) >= most:
                yield self._finding(GameFault.ENDLESS, f"no end after {most} actions")
                return
            before = self._looks(state)
            legal = [action for action in game.legal_moves(state) if self._applies(state, action)]
            if self._looks(state) != before:
                # Nothing that such a state says later means anything.
                yield self._finding(GameFault.MUTATING, f"apply_move changed a state it was given (tried: {legal})")
                return
            yield from self._in_play(state)
            if not legal:
                yield self._finding(GameFault.RESULT, "no legal action, but is_terminal says that the game goes on")
                return
            state = self._step(state, self.rng.choice(legal))
        yield from self._at_the_end(state)
        yield from self._seen_from_the_wrong_side()
        yield from self._again()
        yield from self._check_turned()

    def _finding(self, fault: GameFault, detail: str) -> Finding:
        return Finding(fault, detail, tuple(self.actions))

    def _applies(self, state: Any, action: int) -> bool:  # noqa: ANN401
        try:
            self.game.apply_move(state, action)
        except ValueError:
            return False
        return True

    def _in_play(self, state: Any) -> Iterator[Finding]:  # noqa: ANN401
        """Look at a state in which the game goes on."""
        game = self.game
        listed = game.legal_moves(state)
        if game.winner(state) is not None:
            yield self._finding(GameFault.RESULT, f"winner is {quoted(game.winner(state))} before the end, expected None")
        if game.current_player(state) not in (1, -1):
            yield self._finding(GameFault.RESULT, f"current_player is {quoted(game.current_player(state))}, expected 1 or -1")
        for action in listed:
            if not (0 <= action < game.action_size and self._applies(state, action)):
                yield self._finding(GameFault.ILLEGAL_LISTED, f"legal_moves lists {action}, but apply_move refuses it")
        others = sorted(set(range(game.action_size)) - set(listed))
        for action in self.rng.sample(others, min(len(others), _TRIED_ILLEGAL)):
            if self._applies(state, action):
                yield self._finding(GameFault.LEGAL_LEFT_OUT, f"apply_move plays {action}, which legal_moves does not list")
        if set(np.flatnonzero(game.legal_mask(state)).tolist()) != set(listed):
            yield self._finding(GameFault.LEGAL_LEFT_OUT, "legal_mask and legal_moves do not agree")
        yield from self._check_encoded(state)
        yield from self._check_hashed(state)

    def _check_encoded(self, state: Any) -> Iterator[Finding]:  # noqa: ANN401
        planes = self.game.encode(state)
        if not np.isfinite(planes).all():
            yield self._finding(GameFault.ENCODING, "encode returns numbers that are not finite")
        else:
            yield from self._several_values(planes)

    def _several_values(self, planes: Planes) -> Iterator[Finding]:
        """A plane may hold one value besides 0; see `golearn.alphazero.selfplay`."""
        for number, plane in enumerate(planes):
            values = np.unique(plane[plane != 0])
            if len(values) > 1:
                shown = ", ".join(f"{value:g}" for value in values[:5]) + (", ..." if len(values) > 5 else "")
                detail = f"plane {number} holds several values besides 0 ({shown}): each kind of point wants a plane of its own"
                yield self._finding(GameFault.ENCODING, detail)
                return

    def _check_hashed(self, state: Any) -> Iterator[Finding]:  # noqa: ANN401
        try:
            hash(state)
            hash(self.game.key(state))
        except TypeError as error:
            yield self._finding(GameFault.UNHASHABLE, error_line(error))

    def _step(self, state: Any, action: int) -> Any:  # noqa: ANN401
        game = self.game
        after = game.apply_move(state, action)
        self.actions.append(action)
        exchanged = game.current_player(after) != game.current_player(state)
        self._compare_sides(game.encode(state), game.encode(after), exchanged)
        return after

    def _looks(self, state: Any) -> tuple[object, ...]:  # noqa: ANN401
        game = self.game
        return (
            game.encode(state).tobytes(), game.current_player(state), tuple(game.legal_moves(state)), game.text(state),
            game.winner(state),
        )  # fmt: skip

    def _check_replayed(self) -> Any:  # noqa: ANN401
        state = self.game.initial_state()
        for action in self.actions:
            state = self.game.apply_move(state, action)
        return state

    def _compare_sides(self, before: npt.NDArray[Any], after: npt.NDArray[Any], exchanged: bool) -> None:
        """Add up how the first two planes changed with one action."""
        if len(before) < 2:
            return
        own, other = (after[1], after[0]) if exchanged else (after[0], after[1])
        self.gained += float(own.sum() - before[0].sum() - (other.sum() - before[1].sum()))
        if exchanged:
            self.exchanged += float(np.abs(own - before[0]).sum() + np.abs(other - before[1]).sum())
            self.kept += float(np.abs(other - before[0]).sum() + np.abs(own - before[1]).sum())

    def _seen_from_the_wrong_side(self) -> Iterator[Finding]:
        """Who has moved is the opponent next: pieces change planes, and it is the mover who gains."""
        if self.exchanged > self.kept:
            yield Finding(GameFault.PERSPECTIVE, "pieces stay in their planes when the other player is to move")
        elif self.gained < 0:
            yield Finding(GameFault.PERSPECTIVE, "who moves gains pieces in plane 1: own pieces belong in plane 0")

    def _at_the_end(self, state: Any) -> Iterator[Finding]:  # noqa: ANN401
        game = self.game
        winner = game.winner(state)
        if winner not in (1, -1, 0) or isinstance(winner, bool | np.bool_):
            yield self._finding(GameFault.RESULT, f"winner is {quoted(winner)} at the end, expected 1, -1 or 0")
        if len(game.legal_moves(state)):
            yield self._finding(GameFault.RESULT, "legal_moves lists actions after the end")
        yield from self._check_encoded(state)
        yield from self._check_hashed(state)

    def _again(self) -> Iterator[Finding]:
        """The same actions lead to the same state."""
        one, two = self._check_replayed(), self._check_replayed()
        if isinstance(one, Hashable) and one != two:
            yield self._finding(GameFault.UNHASHABLE, "the same actions led to two states that are not equal")
        elif isinstance(one, Hashable) and _hash_of(one) != _hash_of(two):
            yield self._finding(GameFault.UNHASHABLE, "two equal states have different hashes")
        if self._looks(one) != self._looks(two):
            yield self._finding(GameFault.MUTATING, "the same actions led to two states that look different")

    def _check_turned(self) -> Iterator[Finding]:
        """A game played turned looks like the game, turned; every symmetry is tried."""
        game = self.game
        points = int(np.prod(game.board_shape))
        for number, symmetry in enumerate(game.symmetries()):
            if not (_is_permutation(symmetry.points, points) and _is_permutation(symmetry.actions, game.action_size)):
                yield Finding(GameFault.SYMMETRY, f"symmetry {number} is no pair of permutations of points and actions")
                continue
            detail = self._differs_turned(*symmetry)
            if detail:
                yield Finding(GameFault.SYMMETRY, f"under symmetry {number} {detail}", tuple(self.actions))

    def _differs_turned(self, points: npt.NDArray[np.int64], actions: npt.NDArray[np.int64]) -> str:
        game, place = self.game, np.argsort(actions)
        state = twin = game.initial_state()
        for action in [*self.actions, None]:
            planes = game.encode(state).reshape(game.num_planes, -1)[:, points]
            if not np.array_equal(planes, game.encode(twin).reshape(game.num_planes, -1)):
                return "the planes are not those of the turned game"
            if not np.array_equal(game.legal_mask(state)[actions], game.legal_mask(twin)):
                return "the legal actions are not those of the turned game"
            if action is not None:
                state, twin = game.apply_move(state, action), game.apply_move(twin, int(place[action]))
        return "" if game.winner(state) == game.winner(twin) else "the turned game is won by somebody else"


def _hash_of(thing: object) -> int | None:
    try:
        return hash(thing)
    except TypeError:
        return None


def _is_permutation(numbers: npt.NDArray[np.int64], length: int) -> bool:
    return numbers.shape == (length,) and np.array_equal(np.sort(numbers), np.arange(length))
