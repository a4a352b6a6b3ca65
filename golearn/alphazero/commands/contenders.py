"""What game is meant by --game, and whom `evaluate`, `match` and `play` ask, from a name.

    random                               any legal action
    FILE.npz                             a network alone
    FILE.npz:simulations=32              the same with a search by Gumbel
    FILE.onnx                            a network of another program, with a search or alone, see `onnx_files`
    uniform:simulations=32               that search without a network: all actions alike, nobody ahead
    rollouts:simulations=100,rollouts=1  plain Monte-Carlo tree search: PUCT, a leaf's value is the mean of so many random games
    minimax                              perfect play by looking at everything: small games such as tictactoe
    my, smart, montecarlo, ...           in games of Go, every player of `players.registry`, with its options, files and engines
                                         (`gtp:COMMAND`) among them
    MODULE:FUNCTION                      in games of Go, a function of somebody's: see `go_positions.GoFunction`

Below stands what `evaluate` and `curve` share: a game's exact values, somebody's answers held against them, and the figures as
lines.
"""

from __future__ import annotations

import argparse
import importlib
import json
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from goban.common.command_lines import CommandError
from goban.common.excerpts import error_line, quoted
from golearn.alphazero.answers import (
    MOST_AT_ONCE,
    Answers,
    Ask,
    Forgive,
    chance_answers,
    function_answers,
    network_answers,
    player_answers,
    search_answers,
    together,
)
from golearn.alphazero.games import GAME_CHOICES, CompleteGame, game_named
from golearn.alphazero.go_games import GoGame
from golearn.alphazero.go_positions import GoFunction, GoPlayer, KnownPositions, read_positions, shipped_path
from golearn.alphazero.numpy_network import NumpyNetwork
from golearn.alphazero.planners import GumbelPlanner, PuctPlanner, Rollouts, on_observations, uniform
from golearn.alphazero.truth import EVERY, SHARES, Estimate, Metrics, Minimax, by_bucket, every_state, kept_values
from golearn.alphazero.weights import read_weights
from golearn.errors import UnknownPlayerError
from players.errors import BadPlayerError
from players.registry import NAMES, read_options, split_options

if TYPE_CHECKING:
    from golearn.alphazero.onnx_files import OnnxNetwork

NETWORK, ONNX = ".npz", ".onnx"
PLAYERS_HELP = (
    "a network's file, FILE.npz or FILE.onnx, alone or with a search, FILE.npz:simulations=32; uniform:simulations=32, "
    "rollouts:simulations=100, random, minimax (small games) or, in games of Go, any player of go_play.py, gtp:COMMAND, or "
    "MODULE:FUNCTION"
)


def add_game_argument(parser: argparse.ArgumentParser, choices: Sequence[str] = GAME_CHOICES) -> None:
    """Add --game, one of these or somebody's own."""

    def name(text: str) -> str:
        if ":" not in text and text not in choices:
            raise argparse.ArgumentTypeError(f"expected one of {', '.join(choices)}, or MODULE:CLASS, got {quoted(text)}")
        return text

    parser.add_argument("--game", type=name, default="go5", metavar="GAME", help=(
        f"{', '.join(choices)}, or your own, MODULE:CLASS (default: %(default)s)"
    ))  # fmt: skip


@dataclass(frozen=True)
class _Network:
    simulations: int = 0


@dataclass(frozen=True)
class _Uniform:
    simulations: int = 32


@dataclass(frozen=True)
class _Rollouts:
    simulations: int = 100
    rollouts: int = 1


@dataclass(frozen=True)
class _WithoutOptions:
    """Of `random` and `minimax`."""


def contender(name: str, game: CompleteGame[Any], seed: str, forgive: Forgive | None = None) -> Ask:
    """Return how to ask whom a name stands for; seed: of their chance. forgive: what stands for wrong answers in games of Go.

    Raises UnknownPlayerError for a name that stands for nobody in this game, or for options that it does not have.
    """
    kind, options = split_options(name)
    if kind in _MAKERS:
        options_of, make = _MAKERS[kind]
        return make(game, _read(name, options, options_of), seed)
    if kind.endswith(NETWORK):
        return _network(game, Path(kind), _read(name, options, _Network))
    if kind.endswith(ONNX):
        return _onnx(game, Path(kind), _read(name, options, _Network))
    if isinstance(game.game, GoGame):
        function = _function(name)
        if function is not None:
            return function_answers(GoFunction(game.game, function, name), forgive)
        return player_answers(GoPlayer(game.game, name, seed), forgive)
    choices = f"FILE{NETWORK}, {', '.join(_MAKERS)}"
    raise UnknownPlayerError(f"expected one of {choices} as a player of this game, got {quoted(name)}")


def _read(name: str, options: str, kind: type) -> Any:  # noqa: ANN401
    try:
        return kind(**read_options(options, kind))
    except BadPlayerError as error:
        raise UnknownPlayerError(f"player {quoted(name)}: {error}") from None


def _network(game: CompleteGame[Any], path: Path, options: _Network) -> Ask:
    weights = read_weights(path)
    weights.check_game(game)
    return _alone_or_searched(game, NumpyNetwork(weights), options)


def _onnx(game: CompleteGame[Any], path: Path, options: _Network) -> Ask:
    try:
        from golearn.alphazero.onnx_files import OnnxNetwork

        network = OnnxNetwork(path, game)
    except ImportError as error:
        raise UnknownPlayerError(f"player {quoted(str(path))}: {error}") from None
    return _alone_or_searched(game, network, options)


def _alone_or_searched(game: CompleteGame[Any], network: NumpyNetwork | OnnxNetwork, options: _Network) -> Ask:
    if not options.simulations:
        return network_answers(game, network)
    return search_answers(game, GumbelPlanner(game, on_observations(network), options.simulations))


def _function(name: str) -> Callable[[Any], object] | None:
    """Return the function MODULE:FUNCTION, None where the name is none of that kind; UnknownPlayerError if it cannot be had."""
    place, _, attribute = name.rpartition(":")
    if not (attribute.isidentifier() and all(word.isidentifier() for word in place.split("."))) or place in NAMES:
        return None
    try:
        found = getattr(importlib.import_module(place), attribute)
    except Exception as error:
        raise UnknownPlayerError(f"player {quoted(name)} cannot be had: {error_line(error)}") from None
    return None if isinstance(found, type) or not callable(found) else found


def _uniform(game: CompleteGame[Any], options: _Uniform, _: str) -> Ask:
    return search_answers(game, GumbelPlanner(game, uniform(game), options.simulations))


def _rollouts(game: CompleteGame[Any], options: _Rollouts, seed: str) -> Ask:
    if options.rollouts < 1:
        raise UnknownPlayerError(f"rollouts: expected 1 or more, got {options.rollouts}")
    evaluator = Rollouts(game, options.rollouts, np.random.default_rng(random.Random(seed).getrandbits(64)))
    return search_answers(game, PuctPlanner(game, evaluator, options.simulations))


def _random(game: CompleteGame[Any], _: _WithoutOptions, seed: str) -> Ask:
    return chance_answers(game, random.Random(seed))


def _minimax(game: CompleteGame[Any], _: _WithoutOptions, seed: str) -> Ask:
    return Minimax(game).answers(random.Random(seed))


_MAKERS: dict[str, tuple[type, Callable[[CompleteGame[Any], Any, str], Ask]]] = {
    "random": (_WithoutOptions, _random),
    "uniform": (_Uniform, _uniform),
    "rollouts": (_Rollouts, _rollouts),
    "minimax": (_WithoutOptions, _minimax),
}


OF_POSITIONS = {"go5": "course", "go5-littlego": "littlego"}
"""Games of which the values of some positions are known, and their rules."""
OF_OPENINGS = ("go", "go-komi9.5")
"""Games of which it is known only who wins the empty board."""
GAMES = (*OF_POSITIONS, "tictactoe")
"""With those of which every state can be looked at, as of one's own it may be."""

Results = dict[str, Metrics]
"""By the name of a part of the positions."""


def known_positions(game: str, path: Path | None = None) -> KnownPositions:
    """Return the positions in a file, those that come with the project if there is none.

    Raises CommandError if they are of other rules, BadPositionSetError.
    """
    rules = OF_POSITIONS[game]
    known = read_positions(path or shipped_path(rules))
    if known.rules != rules:
        raise CommandError(f"--positions: expected positions of {rules}, got {known.rules}")
    return known


def of_positions(known: KnownPositions, ask: Ask) -> Results:
    """Return what answers about known positions are worth, part by part."""
    return by_bucket(known, _asked(ask, known.states()))


class EveryState:
    """All states of a small game. Raises UnknownGameError, TooLargeGameError."""

    def __init__(self, game: str) -> None:
        self.game = game_named(game)
        self._solved = Minimax(self.game)
        # Before its states are listed: this is what finds out whether the game is small enough.
        self._solved.value(self.game.initial_state())
        self._states = list(every_state(self.game))

    def measured(self, ask: Ask) -> Results:
        """Return what answers about all of them are worth."""
        return {EVERY: kept_values(self._solved, self._states, _asked(ask, self._states))}


def _asked(ask: Ask, states: Sequence[Any]) -> Answers:
    """Ask about all states; show how far that is."""
    found = []
    with bar(len(states), " positions") as shown:
        for first in range(0, len(states), MOST_AT_ONCE):
            found.append(ask(states[first : first + MOST_AT_ONCE]))
            shown.update(len(found[-1].actions))
    return together(found)


def bar(total: int, unit: str) -> Any:  # noqa: ANN401
    """Return a bar that is shown on a terminal and goes when it is done."""
    from tqdm import tqdm

    return tqdm(total=total, unit=unit, leave=False, disable=not sys.stderr.isatty())


def cell(name: str, estimate: Estimate | None) -> str:
    """Return a metric with its interval, '' if nothing is known of it."""
    if estimate is None:
        return ""
    figures = estimate.value, estimate.low, estimate.high
    return "{:.1%} ({:.1%}-{:.1%})".format(*figures) if name in SHARES else "{:.3f} ({:.3f}-{:.3f})".format(*figures)


def lines_of(about: dict[str, Any], results: Results) -> list[str]:
    """Return results as lines of JSON, one for each figure; about: what they all say."""
    return [
        json.dumps({**about, "positions": part, "metric": name, **asdict(estimate)})
        for part, metrics in results.items()
        for name, estimate in metrics.items()
    ]
