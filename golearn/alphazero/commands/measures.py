"""What `evaluate` and `curve` share: a game's exact values, somebody's answers held against them, and the figures as lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from goban.common.command_lines import CommandError
from golearn.alphazero.answers import MOST_AT_ONCE, Answers, Ask, together
from golearn.alphazero.games import game_named
from golearn.alphazero.go_positions import KnownPositions, read_positions, shipped_path
from golearn.alphazero.truth import EVERY, SHARES, Estimate, Metrics, Minimax, by_bucket, every_state, kept_values

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
