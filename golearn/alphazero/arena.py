"""Games between players of any kind, all at once: each asks about all states in which it is to move.

    match = play_match(game, (one, other), games=100, seed=1, opening=2)
    match.score, match.low, match.high

Games come in pairs: both begin with the same actions by chance, and each player has each side once. So what an opening
decides is not taken for strength. A draw is half a win.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from goban.common.estimates import ELO, Z, fit_strengths, wilson_interval
from golearn.alphazero.answers import Ask
from golearn.alphazero.games import CompleteGame
from golearn.alphazero.planners import LONGEST_ROLLOUT

OPENING = 2
"""Actions by chance at the beginning, unless somebody says otherwise."""

_TRIES = 100


@dataclass(frozen=True)
class Match:
    """What came of games between one player and another, as the first one sees it."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Wins, a draw being half a win."""
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """Points a game, 0 to 1."""
        return self.points / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score: Wilson's, as if there were no draws; with draws it is too wide."""
        return wilson_interval(self.points, self.games)


def play_match(
    game: CompleteGame[Any],
    players: tuple[Ask, Ask],
    games: int,
    seed: int,
    opening: int = OPENING,
    progress: Callable[[int], object] = lambda ended: None,
) -> Match:
    """Return what comes of so many games; an odd one out is begun by the first player. progress: see `results_of`."""
    pairs = (play_opening(game, opening, f"{seed} {pair}") for pair in range((games + 1) // 2))
    starts = [start for pair in pairs for start in (pair, pair)][:games]
    one, other = players
    seats = [(one, other) if number % 2 == 0 else (other, one) for number in range(games)]
    results = results_of(game, starts, seats, progress)
    own = [result if number % 2 == 0 else -result for number, result in enumerate(results)]
    return Match(own.count(1), own.count(0), own.count(-1))


def play_opening(game: CompleteGame[Any], actions: int, seed: str) -> Any:  # noqa: ANN401
    """Return a state after so many actions by chance, fewer where a game tends to be over by then."""
    rng = random.Random(seed)
    for number in range(_TRIES):
        state = game.initial_state()
        for _ in range(actions if number < _TRIES - 1 else 0):
            if not game.is_terminal(state):
                state = game.apply_move(state, rng.choice(game.legal_moves(state)))
        if not game.is_terminal(state):
            break
    return state


def results_of(
    game: CompleteGame[Any],
    starts: Sequence[Any],
    seats: Sequence[tuple[Ask, Ask]],
    progress: Callable[[int], object] = lambda ended: None,
) -> list[int]:
    """Play from each start to the end; return the results: +1, -1 or 0. Too long a game, see `LONGEST_ROLLOUT`, is a draw.

    seats: for each game, who plays +1 and who plays -1. progress: called with the number of games that are over.
    """
    states, longest = list(starts), game.max_plies or LONGEST_ROLLOUT
    going = [number for number, state in enumerate(states) if not game.is_terminal(state)]
    for _ in range(longest):
        asked: dict[Ask, list[int]] = {}
        for number in going:
            seat = seats[number][0 if game.current_player(states[number]) == 1 else 1]
            asked.setdefault(seat, []).append(number)
        for ask, numbers in asked.items():
            actions = ask([states[number] for number in numbers]).actions
            for number, action in zip(numbers, actions.tolist(), strict=True):
                states[number] = game.apply_move(states[number], action)
        going = [number for number in going if not game.is_terminal(states[number])]
        progress(len(states) - len(going))
        if not going:
            break
    return [game.winner(state) or 0 for state in states]


@dataclass(frozen=True)
class Rating:
    """One player on the Elo scale, with a 95 % interval; 0 is the middle of all."""

    name: str
    rating: float
    low: float
    high: float


def rate_players(matches: Mapping[tuple[str, str], Match]) -> list[Rating]:
    """Return the ratings of all players, the strongest first; matches: by the names of both. See `goban.common.estimates`."""
    names = sorted({name for pair in matches for name in pair})
    wins = np.zeros((len(names), len(names)))
    for (one, other), match in matches.items():
        a, b = names.index(one), names.index(other)
        wins[a, b] += match.points
        wins[b, a] += match.games - match.points
    strengths, covariance = fit_strengths(wins)
    found = []
    for name, strength, variance in zip(names, strengths, np.diag(covariance), strict=True):
        middle, half = ELO * strength, ELO * Z * variance**0.5
        found.append(Rating(name, float(middle), float(middle - half), float(middle + half)))
    return sorted(found, key=lambda one: (-round(one.rating, 6), one.name))
