"""How near answers about positions come to the exact values, with 95 % intervals.

    metric           what it says, as the player to move sees it; v: the value given, z: +1 if the position is won, else -1
    winner           share of positions where v has the sign of z (so 0 is wrong)
    value error      mean of abs(v - z)
    Brier            mean of ((v + 1) / 2 - [z = 1]) ** 2
    calibration      expected calibration error of (v + 1) / 2, in ten bins of equal width
    kept wins        won positions where some action would lose: share of those where the action played wins
    best moves       share of positions where the action played is one of the best by margin
    mass on best     mean of the policy's sum over the best actions
    regret           mean of the stones lost by the action played, both sides playing for as many as they can from then on
    margin error     mean of the stones by which the margin given is wrong, where the margin is known

Best moves, mass and regret count positions only where margins are known and actions differ in them.

Intervals: Wilson's for shares; for means the normal one; for the calibration error, which is neither, the percentiles of
BOOTSTRAPS samples of the same positions with replacement. Sources: Brier, Monthly Weather Review 78 (1950); Naeini, Cooper
and Hauskrecht, *Obtaining Well Calibrated Probabilities Using Bayesian Binning*, AAAI (2015); Efron and Tibshirani, *An
Introduction to the Bootstrap* (1993), chapter 13.

Of games that are small enough to look at every state, such as tic-tac-toe and Othello on 4x4, `Minimax` knows the values:

    solved = Minimax(CompleteGame(TicTacToe()))
    solved.value(state)      what comes of it with perfect play, as +1 sees it
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from goban.common.arguments import check_fields
from goban.common.estimates import mean_interval, wilson_interval
from golearn.alphazero.answers import Answers, Ask, Floats
from golearn.alphazero.games import CompleteGame
from golearn.alphazero.go_positions import BUCKETS, KnownPositions
from golearn.errors import LearningError, TooLargeGameError

BINS = 10
BOOTSTRAPS = 1000
EVERY = "all"
"""The name of all positions together, beside those of `BUCKETS`, such as '0-5'."""

SHARES = ("winner", "kept wins", "best moves", "conversion", "kept values", "safe moves")
"""Metrics that are shares of positions or games."""

_SEED = 1

Flags: TypeAlias = npt.NDArray[np.bool_]
Indices: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Estimate:
    """A measured figure, its 95 % interval, and how many positions or games it rests on."""

    value: float
    low: float
    high: float
    count: int

    def __post_init__(self) -> None:
        check_fields(self, LearningError)


Metrics = dict[str, Estimate]
"""In the order of the table above; what cannot be said is left out."""


def bucket_name(bucket: range) -> str:
    """Return '6-11' for the positions after so many moves."""
    return f"{bucket[0]}-{bucket[-1]}"


def by_bucket(known: KnownPositions, answers: Answers) -> dict[str, Metrics]:
    """Return the metrics of all positions, and of each part of them."""
    n_moves = known.n_moves()
    parts = {EVERY: np.ones(len(known), np.bool_)}
    parts |= {bucket_name(bucket): (n_moves >= bucket.start) & (n_moves < bucket.stop) for bucket in BUCKETS}
    return {name: metrics(known.part(which), answers.part(which)) for name, which in parts.items()}


def metrics(known: KnownPositions, answers: Answers) -> Metrics:
    """Return what these answers about these positions are worth."""
    wins, played = known.wins(), (np.arange(len(known)), answers.actions)
    found: Metrics = {}
    if len(known) and answers.values is not None:
        found |= _of_values(np.where(wins.any(axis=1), 1.0, -1.0), answers.values)
    can_go_wrong = wins.any(axis=1) & (known.legal() & ~wins).any(axis=1)
    if can_go_wrong.any():
        found["kept wins"] = share(wins[played][can_go_wrong])
    return found | _of_margins(known.leads(), played, answers)


def _of_margins(leads: Floats, played: tuple[Indices, Indices], answers: Answers) -> Metrics:
    """Return the metrics that margins are needed for; leads: shape (n, 26), NaN for illegal and unknown ones."""
    found: Metrics = {}
    best = np.max(leads, axis=1, initial=-np.inf, where=~np.isnan(leads))
    counted = best > np.min(leads, axis=1, initial=np.inf, where=~np.isnan(leads))
    if counted.any():
        is_best = leads == best[:, None]
        found["best moves"] = share(is_best[played][counted])
        if answers.policies is not None:
            found["mass on best"] = mean((answers.policies * is_best).sum(axis=1)[counted])
        found["regret"] = mean((best - leads[played])[counted])
    is_known = np.isfinite(best)
    if answers.margins is not None and is_known.any():
        found["margin error"] = mean(np.abs(answers.margins - best)[is_known])
    return found


def _of_values(results: Floats, values: Floats) -> Metrics:
    """Return the metrics of values alone; results: +1 or -1."""
    chances, won = (values + 1) / 2, (results + 1) / 2
    return {
        "winner": share(np.sign(values) == results),
        "value error": mean(np.abs(values - results)),
        "Brier": mean((chances - won) ** 2),
        "calibration": _calibration(chances, won),
    }


def share(hits: Flags) -> Estimate:
    """Return the share of what is true; there must be something."""
    low, high = wilson_interval(int(hits.sum()), len(hits))
    return Estimate(float(hits.mean()), low, high, len(hits))


def mean(values: Floats) -> Estimate:
    """Return the mean of one value or more."""
    low, high = mean_interval(values.tolist())
    return Estimate(float(values.mean()), low, high, len(values))


def _calibration(chances: Floats, won: Floats) -> Estimate:
    """Return the expected calibration error; chances: of winning, 0 to 1; won: 1 or 0."""
    count = len(chances)
    bins = np.minimum((np.clip(chances, 0, 1) * BINS).astype(np.int64), BINS - 1)
    excess = np.zeros((count, BINS))
    excess[np.arange(count), bins] = (chances - won) / count
    drawn = np.random.default_rng(_SEED).multinomial(count, np.full(count, 1 / count), BOOTSTRAPS)
    low, high = np.percentile(np.abs(drawn @ excess).sum(axis=1), (2.5, 97.5))
    return Estimate(float(np.abs(excess.sum(axis=0)).sum()), float(low), float(high), count)


# Small games


MOST_STATES = 1_000_000
"""Looked at before a game is held for too large."""


class Minimax:
    """Remembers every state it has looked at."""

    def __init__(self, game: CompleteGame[Any], worth: Callable[[Any], float | None] | None = None) -> None:
        """worth: what the end of a game is worth to +1; who wins unless given."""
        self.game, self.worth = game, worth or game.winner
        self._values: dict[Hashable, float] = {}

    def value(self, state: Any) -> float:  # noqa: ANN401
        """Return what comes of a state, as +1 sees it; TooLargeGameError beyond MOST_STATES, or some hundred moves."""
        key = self.game.key(state)
        if key not in self._values:
            if len(self._values) >= MOST_STATES:
                raise TooLargeGameError(f"minimax: the game has more than {MOST_STATES:,} states")
            try:
                self._values[key] = self._find(state)
            except RecursionError:
                raise TooLargeGameError("minimax: the game goes on for too many moves, or for ever") from None
        return self._values[key]

    def _find(self, state: Any) -> float:  # noqa: ANN401
        if self.game.is_terminal(state):
            return float(self.worth(state) or 0)
        values = [self.value(self.game.apply_move(state, action)) for action in self.game.legal_moves(state)]
        return max(values) if self.game.current_player(state) == 1 else min(values)

    def best_actions(self, state: Any) -> list[int]:  # noqa: ANN401
        """Return the actions that keep a state's value."""
        value = self.value(state)
        return [action for action in self.game.legal_moves(state) if self.value(self.game.apply_move(state, action)) == value]

    def losing_actions(self, state: Any) -> list[int]:  # noqa: ANN401
        """Return the actions that lose a state which is not lost."""
        loss = -self.game.current_player(state)
        if self.value(state) == loss:
            return []
        return [action for action in self.game.legal_moves(state) if self.value(self.game.apply_move(state, action)) == loss]

    def answers(self, rng: random.Random) -> Ask:
        """Return how to ask for best actions, one of them by chance, and for values."""

        def ask(states: Sequence[Any]) -> Answers:
            actions = [rng.choice(self.best_actions(state)) for state in states]
            values = [self.value(state) * self.game.current_player(state) for state in states]
            return Answers(np.array(actions, np.int64), values=np.array(values, np.float64))

        return ask


def every_state(game: CompleteGame[Any]) -> Iterator[Any]:
    """Yield every state that a game can reach and in which it goes on, each once."""
    waiting = [game.initial_state()]
    seen = {game.key(waiting[0])}
    while waiting:
        state = waiting.pop()
        if game.is_terminal(state):
            continue
        yield state
        for action in game.legal_moves(state):
            after = game.apply_move(state, action)
            if game.key(after) not in seen:
                seen.add(game.key(after))
                waiting.append(after)


def measure_values(solved: Minimax, states: Sequence[Any], answers: Answers) -> Metrics:
    """Return what answers about states are worth.

        kept values    share of states in which the action played keeps the value
        safe moves     states that are not lost, where some action would lose: share of those where the one played does not
        value error    mean of abs(v - z); v: the value given, z: the exact one
    """
    played = list(zip(states, answers.actions.tolist(), strict=True))
    found = {"kept values": share(np.array([action in solved.best_actions(state) for state, action in played], np.bool_))}
    losing = [(solved.losing_actions(state), action) for state, action in played]
    safe = [action not in actions for actions, action in losing if actions]
    if safe:
        found["safe moves"] = share(np.array(safe, np.bool_))
    if answers.values is not None:
        values = np.array([solved.value(state) * solved.game.current_player(state) for state in states])
        found["value error"] = mean(np.abs(answers.values - values))
    return found
