"""Tries this machine out: plays the shelf of bad submissions, and says whether each came to its expected end alone.

An attack is a folder of the shelf with `my_player.py` and `expected.toml`:

    says = "Forks until it is stopped"
    expected = "crash"                    # a Termination; several may be joined by |
    tiers = ["T3", "T2"]                  # where it is contained, and so may be run; all tiers if left out
    detail = "CPU"                        # a word the verdict's detail must have, if any
    opponent_seconds = 0.04               # how long the opponent thinks, where that matters
    [limits]                              # where the attack needs others than LIMITS
    move_seconds = 5

It plays two games against a plain player (one if it forfeits the first), both of which must end as expected. Afterwards
its opponent plays a plain player in a new sandbox: both must move exactly as they do when nobody misbehaves.
"""

from __future__ import annotations

import os
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from goban.rulesets import COURSE
from goban.states import State, new_game
from tournament import sandbox
from tournament.errors import TournamentError
from tournament.records import Entrant, GameResult, GameSpec
from tournament.referee import play
from tournament.seats import Limits, Reply, Seat
from tournament.verdicts import Termination

SHELF = Path(__file__).resolve().parent.parent / "tests/submissions"

LIMITS = Limits(
    move_seconds=1.0, start_seconds=2.0, game_cpu_seconds=20.0, memory_mib=256, processes=32, disk_mib=8, log_kib=16
)

MARKS_FROM = "T2"
"""The weakest tier at which nothing a submission does can change another's result."""

_SIZE = 5
_PLAIN = "plain"
_SECRET = "GO_DOCTOR_SECRET"


@dataclass(frozen=True)
class Attack:
    """One bad submission. expected: the terminations that are right; detail: what the verdict must mention; opponent_seconds:
    how long its opponent thinks over each move."""

    name: str
    folder: Path
    says: str
    expected: tuple[Termination, ...]
    tiers: tuple[str, ...]
    detail: str
    opponent_seconds: float
    limits: Limits


@dataclass(frozen=True)
class Finding:
    """What an attack came to. actual: a termination, with its detail; untouched: whether the next game was as ever."""

    attack: Attack
    tier: str
    actual: str
    as_expected: bool
    untouched: bool
    seconds: float

    @property
    def holds(self) -> bool:
        """True if this attack changed nobody's result but its own."""
        return self.as_expected and self.untouched


def read_shelf(folder: Path = SHELF) -> list[Attack]:
    """Return the attacks of a shelf by name; raises TournamentError if one cannot be read or there are none."""
    attacks = []
    for path in sorted(folder.glob("*/expected.toml")):
        try:
            attacks.append(_read(path))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise TournamentError(f"{path}: {error!r}") from error
    if not attacks:
        raise TournamentError(f"expected a folder of bad submissions, found none in {str(folder)!r}")
    return attacks


def _read(path: Path) -> Attack:
    table = tomllib.loads(path.read_text())
    return Attack(
        path.parent.name,
        path.parent,
        table["says"],
        tuple(Termination(word) for word in table["expected"].split("|")),
        tuple(table.get("tiers", sandbox.TIERS)),
        table.get("detail", ""),
        table.get("opponent_seconds", 0.0),
        replace(LIMITS, **table.get("limits", {})),
    )


class Examination:
    """Tries attacks at one tier; a context manager, which holds the opponent's sandbox."""

    def __init__(self, tier: str, python: str = "", shelf: Path = SHELF) -> None:
        self._tier = tier
        self._python = python
        self._plain = Entrant(_PLAIN, folder=shelf / _PLAIN)
        self._opponent: Seat | None = None
        self._usual: GameResult | None = None

    def __enter__(self) -> Examination:
        os.environ[_SECRET] = "no submission may read this"
        self._opponent = self._open(self._plain, LIMITS)
        return self

    def __exit__(self, *error: object) -> None:
        os.environ.pop(_SECRET, None)
        if self._opponent is not None:
            self._opponent.close()

    def examine(self, attack: Attack) -> Finding:
        """Play an attack, and the game after it."""
        started = time.monotonic()
        if self._usual is None:
            self._usual = self._next_game()
        actual, as_expected = self._attack(attack)
        untouched = _same(self._next_game(), self._usual)
        return Finding(attack, self._tier, actual, as_expected, untouched, time.monotonic() - started)

    def _attack(self, attack: Attack) -> tuple[str, bool]:
        """Return how an attack's games ended, and whether that is right."""
        entrant = Entrant(attack.name, folder=attack.folder)
        with self._seat(entrant, attack.limits) as seat:
            for number in range(2):
                result = self._play(seat, self._at_leisure(attack.opponent_seconds), attack.name, number)
                ending = result.termination
                right = ending in attack.expected and attack.detail in result.detail and "BREACH" not in result.detail
                if ending.is_forfeit and result.forfeited_by != 1:
                    right = False
                if not right or ending.is_forfeit:
                    return _told(result), right
        return str(ending), True

    def _next_game(self) -> GameResult:
        """Return what comes of a game between the opponent and a plain player in a new sandbox."""
        assert self._opponent is not None
        with self._seat(self._plain, LIMITS) as fresh:
            return self._play(self._opponent, fresh, _PLAIN, 0)

    def _play(self, black: Seat, white: Seat, name: str, number: int) -> GameResult:
        spec = GameSpec(f"{name}-{_PLAIN}-{number:03}", name, _PLAIN, number)
        return play(spec, new_game(COURSE, _SIZE), black, white).result

    def _at_leisure(self, seconds: float) -> Seat:
        assert self._opponent is not None
        return _Leisurely(self._opponent, seconds)

    def _open(self, entrant: Entrant, limits: Limits) -> Seat:
        return sandbox.open_seat(entrant, COURSE, _SIZE, limits, tier=self._tier, python=self._python)

    @contextmanager
    def _seat(self, entrant: Entrant, limits: Limits) -> Iterator[Seat]:
        seat = self._open(entrant, limits)
        try:
            yield seat
        finally:
            seat.close()


class _Leisurely:
    """A seat that takes its time, so that one can see what the other does meanwhile."""

    def __init__(self, seat: Seat, seconds: float) -> None:
        self._seat = seat
        self._seconds = seconds
        self.tier = seat.tier
        self.begin, self.rest, self.wake = seat.begin, seat.rest, seat.wake
        self.end, self.close = seat.end, seat.close

    def answer(self, state: State, complaint: str) -> Reply:
        time.sleep(self._seconds)
        return self._seat.answer(state, complaint)


def _told(result: GameResult) -> str:
    """Return a termination with its detail, the names left out."""
    detail = result.detail.partition(": ")[2] or result.detail
    return f"{result.termination}: {detail}" if detail else str(result.termination)


def _same(result: GameResult, usual: GameResult) -> bool:
    """Tell whether two games went the same way, times aside."""
    moves = [[turn.move for turn in game.turns] for game in (result, usual)]
    return moves[0] == moves[1] and result.termination is usual.termination and result.winner == usual.winner
