"""The shelf of bad players: classes, programs of Little-Go, and engines that speak GTP, each with the end it must come to.

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

import sys
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

from gojudge.errors import JudgeError
from gojudge.game import AGA, COURSE, LITTLEGO, RuleSet, ruleset
from gojudge.intake.player_files import PROGRAM_FILES
from gojudge.records import CLASS, ENGINE, PROGRAM, Engine, Entrant, GameResult, Tier, engine_entrant
from gojudge.sandbox import compilers
from gojudge.seats import Limits
from gojudge.verdicts import Termination

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
            folder.name if kind == CLASS else f"{_FOLDERS[kind]}/{folder.name}",
            folder,
            table["says"],
            tuple(Termination(word) for word in table["expected"].split("|")),
            tuple(Tier(name) for name in table.get("tiers", Tier)),
            table.get("detail", ""),
            table.get("opponent_seconds", 0.0),
            replace(_LIMITS[kind], **table.get("limits", {})),
            kind,
            _entry(folder, kind),
            table.get("chance", False),
            ruleset(table["rules"]) if "rules" in table else _RULES[kind],
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
