"""Measures how near networks, searches and players come to a game's exact values, and how they do against each other.

    evaluation = evaluate("ttt.npz:simulations=32", "tictactoe")
    evaluation.results["all"]["kept values"].value

    game                     what is known about it                          what is measured
    go5, go5-littlego        the value of every action in some positions     metrics of `golearn.alphazero.truth`, the opening
    go, go-komi9.5           who wins the empty board                        the opening
    tictactoe, your own      all, if it has no more than a million states    metrics of small games

Games between players of any kind are played all at once: each player is asked about all states in which it is to move.

    match = play_match(game, (one, other), games=100, seed=1, opening=2)
    match.score, match.interval

Games come in pairs: both start with the same random actions, and each player has each side once. So the luck of an opening
is not mistaken for strength. A draw is half a win.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from typing import Any

import numpy as np

from goban.common.arguments import check_fields, check_functions, check_kind, is_whole
from goban.common.estimates import ELO, Z, fit_strengths, wilson_interval
from goban.common.excerpts import quoted
from golearn.alphazero.answers import MOST_AT_ONCE, Answers, Ask, player_answers, together
from golearn.alphazero.games import CompleteGame, find_game, game_from_name
from golearn.alphazero.go_games import GoGame
from golearn.alphazero.go_positions import BUCKETS, GoPlayer, KnownPositions, read_positions, shipped_path
from golearn.alphazero.planners import LONGEST_ROLLOUT
from golearn.alphazero.truth import (
    EVERY,
    Estimate,
    Metrics,
    Minimax,
    bucket_name,
    by_bucket,
    every_state,
    measure_values,
    share,
)
from golearn.contenders import find_player
from golearn.errors import BadPositionSetError, LearningError, UnknownGameError, UnknownPlayerError, WrongAnswerError

OPENING = 2
"""Default number of random actions at the beginning."""

_TRIES = 100


@dataclass(frozen=True)
class Match:
    """The results of games between two players, seen from the first one."""

    wins: int
    draws: int
    losses: int

    def __post_init__(self) -> None:
        check_fields(self, LearningError)
        if min(self.wins, self.draws, self.losses) < 0:
            raise LearningError(f"Match: expected numbers of games of 0 or more, got {self}")

    @property
    def games(self) -> int:
        """How many games there were."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """Wins, with a draw as half a win."""
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """Points per game, 0 to 1. Raises LearningError if there was no game."""
        return self.points / self._played()

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the score: Wilson's, which assumes no draws; with draws it is too wide. Raises like `score`."""
        return wilson_interval(self.points, self._played())

    def _played(self) -> int:
        if not self.games:
            raise LearningError("expected a match of one game or more: without games there is no score")
        return self.games


def play_match(
    game: CompleteGame[Any],
    players: tuple[Ask, Ask],
    games: int,
    seed: int,
    opening: int = OPENING,
    progress: Callable[[int], object] = lambda ended: None,
) -> Match:
    """Play this many games and return the results; the first player starts an odd last game. progress: see `results_of`.

    seed: a whole number, which with the number of a pair of games decides its opening. Raises LearningError.
    """
    check_kind(game, CompleteGame, "a game of golearn.find_game", UnknownGameError)
    for what, number in {"games": games, "opening": opening}.items():
        if not is_whole(number, 0, sys.maxsize):
            raise LearningError(f"{what}: expected a whole number of 0 or more, got {quoted(number)}")
    check_kind(seed, Integral, "a whole number as seed", LearningError)
    check_functions(LearningError, progress=progress)
    check_kind(players, Sequence, "two players, as (one, other)", LearningError)
    for player in players:
        check_kind(player, Callable, "a player of golearn.find_player", UnknownPlayerError)  # type: ignore[arg-type]
    if len(players) != 2:
        raise LearningError(f"expected two players, as (one, other), got {len(players)}")
    pairs = (play_opening(game, opening, f"{seed} {pair}") for pair in range((games + 1) // 2))
    starts = [start for pair in pairs for start in (pair, pair)][:games]
    one, other = players
    seats = [(one, other) if number % 2 == 0 else (other, one) for number in range(games)]
    results = results_of(game, starts, seats, progress)
    own = [result if number % 2 == 0 else -result for number, result in enumerate(results)]
    return Match(own.count(1), own.count(0), own.count(-1))


def play_opening(game: CompleteGame[Any], actions: int, seed: str) -> Any:  # noqa: ANN401
    """Return a state after this many random actions, fewer if games tend to be over by then."""
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
            answers = ask([states[number] for number in numbers])
            check_kind(answers, Answers, "golearn.Answers, with an action for each state", WrongAnswerError)
            for number, action in zip(numbers, answers.actions.tolist(), strict=True):
                states[number] = game.apply_move(states[number], action)
        going = [number for number in going if not game.is_terminal(states[number])]
        progress(len(states) - len(going))
        if not going:
            break
    return [game.winner(state) or 0 for state in states]


@dataclass(frozen=True)
class Rating:
    """One player on the Elo scale, with a 95 % interval; 0 is the mean of all."""

    name: str
    rating: float
    low: float
    high: float

    def __post_init__(self) -> None:
        check_fields(self, LearningError)


_MATCHES = "matches by their players, such as {('a', 'b'): match}"


def rate_players(matches: Mapping[tuple[str, str], Match]) -> list[Rating]:
    """Return the ratings of all players, the strongest first. matches: keyed by both names. See `goban.common.estimates`."""
    check_kind(matches, Mapping, _MATCHES, LearningError)
    for pair, match in matches.items():
        if not (isinstance(pair, tuple) and len(pair) == 2 and isinstance(match, Match)):
            raise LearningError(f"expected {_MATCHES}, got {quoted({pair: match})}")
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


OF_POSITIONS = {"go5": "course", "go5-littlego": "littlego"}
"""Games for which the values of some positions are known, and their rules."""
OF_OPENINGS = ("go", "go-komi9.5")
"""Games for which only the winner of the empty board is known."""
GAMES = (*OF_POSITIONS, "tictactoe")
"""With those of which every state can be looked at, as of one's own it may be."""

Results = dict[str, Metrics]
"""Metrics by the name of a part of the positions: 'all', or for example '0-5' for those after that many moves."""
Progress = Callable[[str, int, int], object]
"""Called now and then with what is counted, 'positions' or 'games', the number done, and the total."""


def _ignore(what: str, done: int, total: int) -> None:
    """Watch nothing."""


@dataclass(frozen=True)
class Evaluation:
    """The quality of a player's answers."""

    results: Results
    """Empty if only the opening can be measured."""
    opening: Opening | None = None
    """None for games other than Go."""
    note: str = ""
    """What is known about the empty board."""

    def __post_init__(self) -> None:
        check_fields(self, LearningError)


def evaluate(
    player: str,
    game: str = "go5",
    *,
    positions: Path | None = None,
    conversion: int = 0,
    seed: int = 1,
    progress: Progress = _ignore,
) -> Evaluation:
    """Ask a player, a network or a search about a game, and return the quality of its answers.

    player: a name as in `golearn.contenders`. game: one of the table above, or MODULE:CLASS. positions: for Go, a file
    written by `truth-set`, instead of the positions that come with the project. conversion: for Go, the number of won positions
    that are also played to the end against `perfect`. seed: of all random choices.
    Raises UnknownPlayerError, UnknownGameError, TooLargeGameError, BadPositionSetError, BadWeightsError, OSError.
    """
    check_functions(LearningError, progress=progress)
    label = f"{seed} {player}"
    if game in OF_POSITIONS:
        known = known_positions(game, positions)
        ask = find_player(player, CompleteGame(known.game), label)
        results = of_positions(known, ask, progress)
        if conversion:
            tell = lambda ended: progress("games", ended, conversion)  # noqa: E731
            for part, won in convert(known, ask, conversion, seed, tell).items():
                results[part]["conversion"] = won
        return Evaluation(results, open_game(known.game, ask))
    if positions or conversion:
        raise UnknownGameError(f"positions and conversion: expected with {' or '.join(OF_POSITIONS)} only, not {game}")
    if game in OF_OPENINGS:
        named = game_from_name(game)
        assert isinstance(named, GoGame)
        opening = open_game(named, find_player(player, CompleteGame(named), label))
        winner = "Black" if named.komi < LEAD_ON_7X7 else "White"
        note = f"with perfect play {winner} wins: Black is {LEAD_ON_7X7} points ahead, komi {named.komi:g}"
        return Evaluation({}, opening, note)
    ask = find_player(player, find_game(game), label)
    return Evaluation(EveryState(game).measure(ask, progress))


def known_positions(game: str, path: Path | None = None) -> KnownPositions:
    """Return the positions in a file, or those that come with the project if no file is named.

    Raises BadPositionSetError, also if they are of other rules.
    """
    rules = OF_POSITIONS[game]
    known = read_positions(path or shipped_path(rules))
    if known.rules != rules:
        raise BadPositionSetError(f"{path}: expected positions of {rules}, got {known.rules}")
    return known


def of_positions(known: KnownPositions, ask: Ask, progress: Progress = _ignore) -> Results:
    """Return what answers about known positions are worth, part by part."""
    return by_bucket(known, _ask_all(ask, known.states(), progress))


class EveryState:
    """All states of a small game. Raises UnknownGameError, TooLargeGameError."""

    def __init__(self, game: str) -> None:
        self.game = find_game(game)
        self._solved = Minimax(self.game)
        # Before its states are listed: this is what finds out whether the game is small enough.
        self._solved.value(self.game.initial_state())
        self._states = list(every_state(self.game))

    def measure(self, ask: Ask, progress: Progress = _ignore) -> Results:
        """Return what answers about all of them are worth."""
        return {EVERY: measure_values(self._solved, self._states, _ask_all(ask, self._states, progress))}


def _ask_all(ask: Ask, states: Sequence[Any], progress: Progress) -> Answers:
    parts: list[Answers] = []
    for first in range(0, len(states), MOST_AT_ONCE):
        parts.append(ask(states[first : first + MOST_AT_ONCE]))
        progress("positions", first + len(parts[-1].actions), len(states))
    return together(parts)


LEAD_ON_7X7 = 9
"""Black's lead in points on 7x7 with perfect play, without komi, according to KataGo's 7x7 books."""


@dataclass(frozen=True)
class Opening:
    """What somebody plays on the empty board, what they hold of it and of the board after the centre; None: they do not say."""

    move: str
    value: float | None
    value_after_centre: float | None
    centre: str

    def __str__(self) -> str:
        if self.value is None:
            return f"opens with {self.move}"
        values = f"value of the empty board {self.value:+.2f}, of the board after {self.centre} {self.value_after_centre:+.2f}"
        return f"opens with {self.move}; {values}"


def open_game(game: GoGame, ask: Ask) -> Opening:
    """Return how somebody opens on a board of odd size. Values are those of the player to move.

    With perfect play Black wins `go5` and `go`, by the centre too, and White `go-komi9.5`.
    """
    start, centre = game.initial_state(), game.pass_action // 2
    answers = ask([start, game.apply_move(start, centre)])
    value, after_centre = [None, None] if answers.values is None else answers.values.tolist()
    return Opening(game.action_name(int(answers.actions[0])), value, after_centre, game.action_name(centre))


def convert(
    known: KnownPositions, ask: Ask, games: int, seed: int, progress: Callable[[int], object] = lambda ended: None
) -> dict[str, Estimate]:
    """Return the shares of won positions that somebody wins against `perfect`, in all and by part.

    Positions are drawn from those in which some action loses, as many from each part. progress: see `results_of`.
    """
    drawn = known.part(np.array(won_positions(known, games, seed), np.int64))
    n_moves, states = drawn.n_moves(), drawn.states()
    game = CompleteGame(known.game)
    perfect = player_answers(GoPlayer(known.game, "perfect", f"{seed} perfect"))
    movers = [game.current_player(state) for state in states]
    seats = [(ask, perfect) if mover == 1 else (perfect, ask) for mover in movers]
    won = np.array(results_of(game, states, seats, progress)) == np.array(movers)
    found = {EVERY: share(won)} if len(won) else {}
    parts = {bucket_name(bucket): won[(n_moves >= bucket.start) & (n_moves < bucket.stop)] for bucket in BUCKETS}
    return found | {name: share(part) for name, part in parts.items() if len(part)}


def won_positions(known: KnownPositions, count: int, seed: int) -> list[int]:
    """Return the numbers of so many positions in which the player to move can win, and can go wrong."""
    wins, n_moves = known.wins(), known.n_moves()
    fit = wins.any(axis=1) & (known.legal() & ~wins).any(axis=1)
    found: list[int] = []
    for part, bucket in enumerate(BUCKETS):
        numbers = np.flatnonzero(fit & (n_moves >= bucket.start) & (n_moves < bucket.stop)).tolist()
        wanted = (count + part) // len(BUCKETS)
        found += random.Random(f"{seed} {part}").sample(numbers, min(wanted, len(numbers)))
    return found
