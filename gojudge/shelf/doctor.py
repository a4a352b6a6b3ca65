"""Tests this machine: plays the shelf of bad submissions. Each must come to its expected end, and harm nobody else.

An attack (see `gojudge.shelf.catalogue`) plays two games against a plain player, or one if it forfeits the first. Both must
end as expected. Afterwards its opponent plays a plain player in a new sandbox: both must move exactly as they do when nobody
misbehaves. The plain players are of the attack's own kind: classes, programs or engines.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from gojudge.game import State, new_game
from gojudge.records import GameResult, GameSpec, Tier, open_seeds
from gojudge.refereeing.referee import play
from gojudge.sandbox import tiers
from gojudge.sandbox.sweeping import sweep
from gojudge.seats import Reply, Seat
from gojudge.shelf.catalogue import SHELF, Attack, plain_player, read_shelf

_SIZE = 5
_SECRET = "GO_DOCTOR_SECRET"


@dataclass(frozen=True)
class Finding:
    """What came of an attack. actual: the termination, with its detail; untouched: whether the next game went as usual."""

    attack: Attack
    tier: Tier
    actual: str
    as_expected: bool
    untouched: bool
    seconds: float

    @property
    def holds(self) -> bool:
        """True if this attack changed no result but its own."""
        return self.as_expected and self.untouched


@contextmanager
def secret_in_environment() -> Iterator[None]:
    """Keep in our environment, during the block, what some attacks look for."""
    os.environ[_SECRET] = "no submission may read this"
    try:
        yield
    finally:
        os.environ.pop(_SECRET, None)


class Examination:
    """Plays attacks at one tier. A context manager: it holds the opponents' sandboxes."""

    def __init__(self, tier: Tier, python: str = "") -> None:
        self._tier = tier
        self._python = python
        self._opponents: dict[tuple[str, str], _PlainOpponent] = {}

    def __enter__(self) -> Examination:
        return self

    def __exit__(self, *error: object) -> None:
        for opponent in self._opponents.values():
            opponent.close()

    def examine(self, attack: Attack) -> Finding:
        """Play an attack, and the game after it."""
        started = time.monotonic()
        kind = attack.kind, attack.rules.name
        if kind not in self._opponents:
            self._opponents[kind] = _PlainOpponent(plain_player(attack.kind, attack.rules), self._tier, self._python)
        actual, as_expected, untouched = self._opponents[kind].meet(attack)
        return Finding(attack, self._tier, actual, as_expected, untouched, time.monotonic() - started)


class _PlainOpponent:
    """The plain player against which all attacks of one kind and rules play, in one sandbox from the first to the last."""

    def __init__(self, plain: Attack, tier: Tier, python: str) -> None:
        self._plain = plain
        self._tier = tier
        self._python = python
        # As in an event: an attack may compute seeds from a key that it can guess.
        self._secret = secrets.token_hex()
        self._opponent = self._open(plain)
        self._usual: GameResult | None = None

    def close(self) -> None:
        """Close its sandbox."""
        self._opponent.close()

    def meet(self, attack: Attack) -> tuple[str, bool, bool]:
        """Play an attack; return how its games ended, whether that is right, and whether the game after it went as usual."""
        if self._usual is None:
            self._usual = self._next_game()
        actual, as_expected = self._attack(attack)
        after = self._next_game()
        return actual, as_expected, self._plain.is_right(after) and _same(after, self._usual)

    def _attack(self, attack: Attack) -> tuple[str, bool]:
        opponent = _Leisurely(self._opponent, attack.opponent_seconds)
        with self._seat(attack) as seat:
            for number in range(2):
                result = self._play(seat, opponent, attack, number)
                right = attack.is_right(result)
                if not right or result.termination.is_forfeit:
                    return _told(result), right
        return str(result.termination), True

    def _next_game(self) -> GameResult:
        """Return the result of a game between the opponent and a plain player in a new sandbox."""
        with self._seat(self._plain) as fresh:
            return self._play(self._opponent, fresh, self._plain, 0)

    def _play(self, black: Seat, white: Seat, visitor: Attack, number: int) -> GameResult:
        name, plain = visitor.entrant.name, self._plain.entrant.name
        game_id = f"{name}-{plain}-{number:03}"
        spec = GameSpec(game_id, name, plain, open_seeds(self._secret, game_id))
        return play(spec, new_game(self._plain.rules, _SIZE), black, white).result

    def _open(self, attack: Attack) -> Seat:
        return tiers.open_seat(attack.entrant, attack.rules, _SIZE, attack.limits, tier=self._tier, python=self._python)

    @contextmanager
    def _seat(self, attack: Attack) -> Iterator[Seat]:
        seat = self._open(attack)
        try:
            yield seat
        finally:
            seat.close()


def doctor(
    names: Collection[str] = (), tier: Tier | None = None, *,
    python: str = "", jobs: int = 1, shelf: Path = SHELF, told: Callable[[Finding], None] = lambda finding: None,
) -> list[Finding]:  # fmt: skip
    """Try the attacks that can be tried here, and return what came of each: whether the sandbox held, and what was expected.

    names: of attacks, all if there are none. tier: of the sandbox, the strongest that works here if None. python: the
    interpreter submissions run under, ours if ''. jobs: how many at the same time. told: called with each as it ends. Raises
    SandboxError if there is no sandbox here.
    """
    sweep()
    tier = tier or tiers.best_tier()
    chosen = [attack for attack in read_shelf(shelf) if not names or attack.name in names]
    here = [attack for attack in chosen if tier in attack.tiers and not attack.why_not_here]
    return examine_all(here, tier, python, jobs, told)


def examine_all(
    attacks: Sequence[Attack], tier: Tier, python: str, number: int, told: Callable[[Finding], None]
) -> list[Finding]:
    """Try attacks, so many at the same time; return what came of them, in their order. told: called with each as it ends."""
    waiting, findings = iter(attacks), list[Finding]()

    def lane() -> None:
        with Examination(tier, python) as examination:
            for attack in waiting:
                findings.append(examination.examine(attack))
                told(findings[-1])

    def watched() -> None:
        try:
            lane()
        except BaseException as error:
            failures.append(error)

    # Threads will do: a lane waits for its sandboxes most of the time. On Ctrl-C nobody waits for them, and the sandboxes end
    # with this process.
    failures: list[BaseException] = []
    lanes = [Thread(target=watched, daemon=True) for _ in range(number)]
    with secret_in_environment():
        for each in lanes:
            each.start()
        for each in lanes:
            each.join()
    if failures:
        raise failures[0]
    return sorted(findings, key=lambda finding: attacks.index(finding.attack))


class _Leisurely:
    """A seat that takes its time, so that an attack has time to do something on its opponent's turn."""

    def __init__(self, seat: Seat, seconds: float) -> None:
        self._seat = seat
        self._seconds = seconds
        self.tier = seat.tier
        self.begin, self.printed, self.end, self.close = seat.begin, seat.printed, seat.end, seat.close

    def answer(self, state: State, complaint: str) -> Reply:
        time.sleep(self._seconds)
        return self._seat.answer(state, complaint)


def _told(result: GameResult) -> str:
    """Return a termination with its detail, without the players' names."""
    detail = result.detail.partition(": ")[2] or result.detail
    return f"{result.termination}: {detail}" if detail else str(result.termination)


def _same(result: GameResult, usual: GameResult) -> bool:
    """Tell whether two games went the same way, apart from times."""
    moves = [[turn.move for turn in game.turns] for game in (result, usual)]
    return moves[0] == moves[1] and result.termination is usual.termination and result.winner == usual.winner
