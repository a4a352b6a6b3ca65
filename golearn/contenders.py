"""Resolves names of players: those that are measured, play matches, and play against people.

    random                               any legal action
    FILE.npz                             a network alone
    FILE.npz:simulations=32              the same with a Gumbel search
    FILE.onnx                            a network of another program, with a search or alone, see `onnx_files`
    uniform:simulations=32               that search without a network: all actions equally likely, nobody ahead
    rollouts:simulations=100,rollouts=1  plain Monte-Carlo tree search: PUCT, a leaf's value is the mean of so many random games
    minimax                              perfect play by looking at everything: small games such as tictactoe
    my, smart, montecarlo, ...           in games of Go, every player of `players.registry`, with its options, files and engines
                                         (`gtp:COMMAND`) among them
    MODULE:FUNCTION                      in games of Go, a function of somebody's: see `go_positions.GoFunction`
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from goban.common.arguments import check_kind
from goban.common.excerpts import error_line, quoted
from golearn.alphazero.answers import (
    Ask,
    Forgive,
    chance_answers,
    function_answers,
    network_answers,
    player_answers,
    search_answers,
)
from golearn.alphazero.games import CompleteGame
from golearn.alphazero.go_games import GoGame
from golearn.alphazero.go_positions import GoFunction, GoPlayer
from golearn.alphazero.planners import GumbelPlanner, PuctPlanner, Rollouts, on_observations, uniform
from golearn.alphazero.truth import Minimax
from golearn.alphazero.weights import NumpyNetwork, read_weights
from golearn.errors import UnknownGameError, UnknownPlayerError
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


def find_player(name: str, game: CompleteGame[Any], seed: str = "1", forgive: Forgive | None = None) -> Ask:
    """Return a function that asks the named player about states of a game.

    seed: of its random choices. forgive: the replacement for wrong answers in games of Go. Raises UnknownPlayerError for a
    name or options that this game does not know, BadWeightsError, and OSError for a missing file.
    """
    check_kind(name, str, "the name of a player", UnknownPlayerError)
    check_kind(game, CompleteGame, "a game of golearn.find_game", UnknownGameError)
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
    except (Exception, SystemExit) as error:
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
