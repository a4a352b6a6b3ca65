"""Tests this machine: plays the shelf of bad submissions. Each must come to its expected end, and harm nobody else.

An attack plays two games against a plain player, or one if it forfeits the first. Both must
end as expected. Afterwards its opponent plays a plain player in a new sandbox: both must move exactly as they do when nobody
misbehaves. The plain players are of the attack's own kind: classes, programs or engines.

The shelf holds bad players: classes, programs of Little-Go, and engines that speak GTP, each with the end it must come to.

    NAME/my_player.py              a class, played under the rules 'course'
    littlego/NAME/my_player3.py    a program, played under 'littlego'; any entry file of a program may stand here
    engines/NAME/engine.py         an engine, played under 'aga'; they share what lies in engines/

Every folder has an `expected.toml`:

    says = "Forks until it is stopped"
    expected = "crash"                    # a Termination; several may be joined by |
    tiers = ["T3", "T2"]                  # where it is contained, and so may be run; all tiers if left out
    detail = "CPU"                        # a word the verdict's detail must have, if any
    opponent_seconds = 0.04               # how long the opponent thinks, where that matters
    chance = true                         # it makes random choices that our seed does not decide
    rules = "course"                      # for an engine: the rules, where they are not 'aga'
    [limits]                              # where the attack needs others than LIMITS or PROGRAM_LIMITS
    move_seconds = 5
"""

from __future__ import annotations

import os
import secrets
import sys
import time
import tomllib
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Thread

from goban.common.arguments import check_fields, check_functions
from gojudge.errors import JudgeError
from gojudge.game import AGA, COURSE, LITTLEGO, RuleSet, State, new_game, ruleset
from gojudge.intake.player_files import PROGRAM_FILES
from gojudge.records import (
    CLASS,
    ENGINE,
    PROGRAM,
    Engine,
    Entrant,
    GameResult,
    GameSpec,
    Termination,
    Tier,
    engine_entrant,
    open_seeds,
    tier_of,
)
from gojudge.refereeing.referee import play
from gojudge.sandbox import compilers, tiers
from gojudge.sandbox.sweeping import sweep
from gojudge.seats import Limits, Reply, Seat

SHELF = Path(__file__).resolve().parent / "attacks"

PROGRAMS = "littlego"
ENGINES = "engines"
"""The subfolders with the programs and the engines; also the prefixes of their names."""

LIMITS = Limits(
    move_seconds=1.0, start_seconds=2.0, game_cpu_seconds=20.0, memory_mib=256, processes=32, disk_mib=8, log_kib=16
)

# Programs are started for every move, and the Java machine takes threads and memory before it does anything.
PROGRAM_LIMITS = Limits(
    move_seconds=5.0, start_seconds=20.0, game_cpu_seconds=60.0, memory_mib=512, processes=48, disk_mib=8, log_kib=64
)

_LIMITS = {CLASS: LIMITS, PROGRAM: PROGRAM_LIMITS, ENGINE: LIMITS}
_RULES = {CLASS: COURSE, PROGRAM: LITTLEGO, ENGINE: AGA}
_ENTRIES = {CLASS: ("my_player.py",), ENGINE: ("engine.py",)}
_FOLDERS = {CLASS: ".", PROGRAM: PROGRAMS, ENGINE: ENGINES}


@dataclass(frozen=True)
class Attack:
    """One bad submission (some are good ones that look odd). name: unique on the shelf. expected: the terminations that are
    right. tiers: where it may be run. detail: what the verdict must mention. opponent_seconds: how long its opponent thinks
    over each move. kind: CLASS, PROGRAM or ENGINE. chance: it makes random choices that our seed does not decide. rules: it is
    played under."""

    name: str
    folder: Path
    says: str
    expected: tuple[Termination, ...]
    tiers: tuple[Tier, ...]
    detail: str
    opponent_seconds: float
    limits: Limits
    kind: str = CLASS
    entry: str = "my_player.py"
    chance: bool = False
    rules: RuleSet = COURSE

    @property
    def entrant(self) -> Entrant:
        """The attack as an entrant, under the name of its folder."""
        if self.kind != ENGINE:
            return Entrant(self.folder.name, folder=self.folder, entry=self.entry, kind=self.kind)
        # They find what they share in the folder in which they are started. -B: nothing is to be written there.
        module = f"{self.folder.name}.{Path(self.entry).stem}"
        command = str(Path(sys.executable).resolve()), "-S", "-B", "-m", module
        return engine_entrant(self.folder.name, Engine(command, folder=self.folder.parent))

    @property
    def why_not_here(self) -> str:
        """Why it cannot be compiled on this machine, one line; '' if it can, or need not."""
        return compilers.why_not_here(self.entry) if self.kind == PROGRAM else ""

    def is_right(self, result: GameResult) -> bool:
        """Tell whether a game in which this attack was Black came to its expected end."""
        ending = result.termination
        if ending.is_forfeit and result.forfeited_by != 1:
            return False
        return ending in self.expected and self.detail in result.detail and "BREACH" not in result.detail


def read_shelf(folder: Path = SHELF) -> list[Attack]:
    """Return the classes of a shelf by name, then its programs, then its engines.

    Raises JudgeError if there are none or one cannot be read.
    """
    attacks = []
    for kind, place in _FOLDERS.items():
        attacks += [_read(path.parent, kind) for path in sorted((folder / place).glob("*/expected.toml"))]
    if not attacks:
        raise JudgeError(f"expected a folder of bad submissions, found none in {str(folder)!r}")
    return attacks


def plain_player(kind: str, rules: RuleSet) -> Attack:
    """Return the harmless player of our own shelf against which attacks of this kind are played, under their rules."""
    return replace(_read(SHELF / _FOLDERS[kind] / ("trivial" if kind == PROGRAM else "plain"), kind), rules=rules)


def _read(folder: Path, kind: str) -> Attack:
    path = folder / "expected.toml"
    try:
        table = tomllib.loads(path.read_text())
        return Attack(
            name=folder.name if kind == CLASS else f"{_FOLDERS[kind]}/{folder.name}",
            folder=folder,
            says=table["says"],
            expected=tuple(Termination(word) for word in table["expected"].split("|")),
            tiers=tuple(Tier(name) for name in table.get("tiers", Tier)),
            detail=table.get("detail", ""),
            opponent_seconds=table.get("opponent_seconds", 0.0),
            limits=replace(_LIMITS[kind], **table.get("limits", {})),
            kind=kind,
            entry=_entry(folder, kind),
            chance=table.get("chance", False),
            rules=ruleset(table["rules"]) if "rules" in table else _RULES[kind],
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise JudgeError(f"{path}: {error!r}") from error


def _entry(folder: Path, kind: str) -> str:
    """Return the name of a player's file; raises ValueError."""
    names = PROGRAM_FILES if kind == PROGRAM else _ENTRIES[kind]
    for name in names:
        if (folder / name).exists() or kind == CLASS:
            return name
    raise ValueError(f"expected one of {', '.join(names)} beside it, found none")


_SIZE = 5
_SECRET = "GO_DOCTOR_SECRET"


@dataclass(frozen=True)
class Finding:
    """The outcome of an attack. actual: the termination, with its detail; untouched: whether the next game went as usual."""

    attack: Attack
    tier: Tier
    actual: str
    as_expected: bool
    untouched: bool
    seconds: float

    def __post_init__(self) -> None:
        check_fields(self, JudgeError)

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
                    return _describe_end(result), right
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
    """Try the attacks that can be tried here, and return the outcome of each: what was expected, and whether the sandbox held.

    names: of attacks; all if empty. tier: of the sandbox; None for the strongest that works here. python: the interpreter that
    runs submissions; '' for ours. jobs: attacks tried at the same time. told: called with each finding as its attack ends.
    Raises SandboxError if there is no sandbox here, and JudgeError for a name that is not on the shelf.
    """
    check_functions(JudgeError, told=told)
    chosen = choose_attacks(names, shelf)
    tier = None if tier is None else tier_of(tier)
    sweep()
    tier = tier or tiers.best_tier()
    here = [attack for attack in chosen if tier in attack.tiers and not attack.why_not_here]
    return examine_all(here, tier, python, jobs, told)


def choose_attacks(names: Collection[str], shelf: Path) -> list[Attack]:
    """Return the attacks with these names, or all if there are none; raises JudgeError if a name is not on the shelf."""
    wanted = {names} if isinstance(names, str) else set(names)
    attacks = read_shelf(shelf)
    unknown = wanted - {attack.name for attack in attacks}
    if unknown:
        raise JudgeError(f"expected names of attacks of {shelf}, got {', '.join(sorted(unknown))}")
    return [attack for attack in attacks if not wanted or attack.name in wanted]


def examine_all(
    attacks: Sequence[Attack], tier: Tier, python: str, number: int, told: Callable[[Finding], None]
) -> list[Finding]:
    """Try attacks, so many at the same time; return what came of them, in their order. told: called with each as it ends."""
    waiting, findings = iter(attacks), list[Finding]()

    def lane() -> None:
        with Examination(tier, python) as examination:
            for attack in waiting:
                finding = examination.examine(attack)
                findings.append(finding)
                told(finding)

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


def _describe_end(result: GameResult) -> str:
    """Return a termination with its detail, without the players' names."""
    detail = result.detail.partition(": ")[2] or result.detail
    return f"{result.termination}: {detail}" if detail else str(result.termination)


def _same(result: GameResult, usual: GameResult) -> bool:
    """Tell whether two games went the same way, apart from times."""
    moves = [[turn.move for turn in game.turns] for game in (result, usual)]
    return moves[0] == moves[1] and result.termination is usual.termination and result.winner == usual.winner
