"""Made-up events: random games between names, with forfeits and printed texts among them, in an ordinary store.

Seats that answer at once cost no time, so that only the harness does. Worker processes import them from this module.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from goban.moves import Resign, move_name
from goban.rulesets import ruleset
from goban.states import State, new_game
from gojudge.records import Entrant, GameResult, GameSpec, Spent, Termination, Turn
from gojudge.refereeing.open_seats import Conditions
from gojudge.sandbox.transcripts import compose
from gojudge.seats import Reply
from tournament.events.events import Event
from tournament.store.store import Run, open_store

RUN = Run("2026-01-01T00:00:00+00:00", "secret-host", "Python 3")
CRASHED = "Traceback (most recent call last):\nZeroDivisionError"


def play_moves(rules: str, size: int, rng: random.Random) -> tuple[tuple[Turn, ...], State]:
    """Return a game of random legal moves, as turns, and its last state."""
    state, turns = new_game(ruleset(rules), size), list[Turn]()
    while not state.is_over:
        move = rng.choice(state.legal_moves())
        turns.append(Turn(move_name(move, size), Spent(cpu=rng.choice([0.0005, 0.02, 0.4]))))
        state = state.play(move)
    return tuple(turns), state


def game(spec: GameSpec, rules: str = "course", size: int = 5, **fields: Any) -> GameResult:  # noqa: ANN401
    """Return a game of random moves between two names."""
    turns, state = play_moves(rules, size, random.Random(spec.seeds[0]))
    end = state.outcome
    assert end is not None
    termination = Termination.of(end.ending)
    shown: dict[str, Any] = {"turns": turns, "tier": "T3"} | fields
    return GameResult(spec, end.winner, end.black, end.white, termination, **shown)


def forfeit(spec: GameSpec, moves: int = 6, evidence: str = CRASHED) -> GameResult:
    """Return a game that the player to move after `moves` moves lost by a crash."""
    turns, _ = play_moves("course", 5, random.Random(spec.seeds[0]))
    name = "black" if moves % 2 == 0 else "white"
    loser = spec.black if moves % 2 == 0 else spec.white
    detail = f"{name} ({loser}) forfeits at move {moves + 1}: ZeroDivisionError: division by zero ({loser}.py, line 12)"
    return GameResult(
        spec, 2 if name == "black" else 1, 0, 0, Termination.CRASH, forfeited_by=1 if name == "black" else 2, detail=detail,
        evidence=evidence, turns=turns[:moves], last=Turn("?", Spent(0.1, 0.1)), black_log=log(spec.black, 1, moves),
        white_log=log(spec.white, 2, moves), tier="T3", notes=("late",),
    )  # fmt: skip


def log(name: str, colour: int, moves: int) -> str:
    """Return the log of a player that prints a line at the start and at each of its moves, except move 5."""
    plies = [ply for ply in range(colour, moves + 2, 2) if ply != 5]
    return compose([(0, f"{name} is here\n"), *((ply, f"{name} thinks of {ply}\n") for ply in plies)])


def pair_specs(names: Sequence[str], games: int, seed: int = 1) -> Iterator[GameSpec]:
    """Yield the games of a round robin, pair by pair."""
    rng = random.Random(seed)
    for k, one in enumerate(names):
        for other in names[k + 1 :]:
            for number in range(1, games + 1):
                black, white = (one, other) if number % 2 else (other, one)
                yield GameSpec(f"{one}-{other}-{number:03}", black, white, (rng.getrandbits(62), 0))


def grade_specs(names: Sequence[str], references: Sequence[str], games: int, seed: int = 1) -> Iterator[GameSpec]:
    """Yield the games of a grade: everybody of `names` against every reference player."""
    rng = random.Random(seed)
    for name in names:
        for reference in references:
            for number in range(1, games + 1):
                black, white = (name, reference) if number % 2 else (reference, name)
                yield GameSpec(f"{name}-{reference}-{number:03}", black, white, (rng.getrandbits(62), 0))


def make_store(
    path: Path, names: Sequence[str], results: Iterable[GameResult], *, rules: str = "course", size: int = 5, games: int = 2,
    references: Sequence[str] = (), name: str = "cup", rubric: str = "",
) -> Path:  # fmt: skip
    """Write a store with these games; return its path. rubric: makes the event a grade by it."""
    event = Event(name, "grade" if rubric else "round-robin", rules=rules, size=size, games=games, rubric=rubric)
    entrants = [
        Entrant(one, () if one in references else (f"Person of {one}",), one if one in references else "", digest=f"d{k}")
        for k, one in enumerate(names)
    ]
    with open_store(path, event) as store:
        store.begin_run(entrants, RUN)
        for result in results:
            store.add(result)
    return path


class InstantSeat:
    """Plays seeded random legal moves, and prints nothing."""

    tier = ""

    def __init__(self) -> None:
        self._rng = random.Random()

    def begin(self, spec: GameSpec, colour: int) -> None:
        """Start a game."""
        self._rng = random.Random(spec.seeds[colour - 1])

    def answer(self, state: State, complaint: str) -> Reply:
        """Return a random legal move, in a form that JSON can hold."""
        move = self._rng.choice(state.legal_moves())
        return Reply("PASS" if move is None else move.value if isinstance(move, Resign) else list(move), Spent(0.001, 0.0005))

    def printed(self) -> str:
        """Return nothing."""
        return ""

    def end(self) -> str:
        """Return nothing."""
        return ""

    def close(self) -> None:
        """Do nothing: the seat holds no resources."""


def open_instant_seat(entrant: Entrant, conditions: Conditions) -> InstantSeat:
    """Return a seat; entrant and conditions do not matter."""
    return InstantSeat()
