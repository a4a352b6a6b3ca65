"""Games to learn from: their positions, and who won."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from common.excerpts import quoted_path
from goban.errors import GobanError, SgfError
from goban.open_games import follow
from goban.rulesets import RuleSet
from goban.sgf import SgfGame
from goban.states import State
from learning.patterns.errors import PatternTrainingError
from search.sgf_files import main_lines, read_game

_RESULTS = {"B": 1.0, "W": 0.0, "0": 0.5, "D": 0.5}
"""By the first letter of RE: B+12.5, W+R, 0 or Draw; a game without any of them teaches nothing."""


@dataclass(frozen=True)
class FinishedGame:
    """The positions of a game in which somebody had to move, and what Black got of 1."""

    states: tuple[State, ...]
    black: float


def games_of(paths: Sequence[Path], rules: RuleSet) -> list[FinishedGame]:
    """Return the games with a result in SGF files. Raises OSError, and PatternTrainingError with the file and the game."""
    found: list[FinishedGame] = []
    for path in paths:
        for number, line in enumerate(main_lines(path.read_bytes()), start=1):
            if line is not None:
                try:
                    found += _finished(read_game(line), rules)
                except GobanError as error:
                    raise PatternTrainingError(f"{quoted_path(path)}: game {number}: {error}") from None
    return found


def _finished(game: SgfGame, rules: RuleSet) -> Iterator[FinishedGame]:
    black = _RESULTS.get(game.result[:1])
    if black is None:
        return
    if game.komi is not None and game.komi != rules.komi(game.size):
        raise SgfError(f"expected komi {rules.komi(game.size):g} as in {rules.name}, got {game.komi:g}")
    states: list[State] = []
    follow(game, rules, before=states.append)
    if states:
        yield FinishedGame(tuple(states), black)
