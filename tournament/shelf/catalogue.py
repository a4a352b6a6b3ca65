"""The shelf of bad submissions: classes, and programs of Little-Go, each with the end it must come to.

    NAME/my_player.py              a class, played under the rules 'course'
    littlego/NAME/my_player3.py    a program, played under 'littlego'; any entry file of a program may stand here

Every folder has an `expected.toml`:

    says = "Forks until it is stopped"
    expected = "crash"                    # a Termination; several may be joined by |
    tiers = ["T3", "T2"]                  # where it is contained, and so may be run; all tiers if left out
    detail = "CPU"                        # a word the verdict's detail must have, if any
    opponent_seconds = 0.04               # how long the opponent thinks, where that matters
    chance = true                         # it makes random choices that our seed does not decide
    [limits]                              # where the attack needs others than LIMITS or PROGRAM_LIMITS
    move_seconds = 5
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

from goban.rulesets import COURSE, LITTLEGO, RuleSet
from tournament.errors import TournamentError
from tournament.intake.player_files import PROGRAM_FILES
from tournament.records import CLASS, PROGRAM, Entrant, GameResult, Tier
from tournament.sandbox import compilers
from tournament.seats import Limits
from tournament.verdicts import Termination

SHELF = Path(__file__).resolve().parent / "attacks"

PROGRAMS = "littlego"
"""The subfolder with the programs; also the prefix of their names."""

LIMITS = Limits(
    move_seconds=1.0, start_seconds=2.0, game_cpu_seconds=20.0, memory_mib=256, processes=32, disk_mib=8, log_kib=16
)

# Programs are started for every move, and the Java machine takes threads and memory before it does anything.
PROGRAM_LIMITS = Limits(
    move_seconds=5.0, start_seconds=20.0, game_cpu_seconds=60.0, memory_mib=512, processes=48, disk_mib=8, log_kib=64
)

_LIMITS = {CLASS: LIMITS, PROGRAM: PROGRAM_LIMITS}


@dataclass(frozen=True)
class Attack:
    """One bad submission (some are good ones that look odd). name: unique on the shelf. expected: the terminations that are
    right. tiers: where it may be run. detail: what the verdict must mention. opponent_seconds: how long its opponent thinks
    over each move. kind: CLASS or PROGRAM. chance: it makes random choices that our seed does not decide."""

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

    @property
    def entrant(self) -> Entrant:
        """The attack as an entrant, under the name of its folder."""
        return Entrant(self.folder.name, folder=self.folder, entry=self.entry, kind=self.kind)

    @property
    def rules(self) -> RuleSet:
        """The preset it is played under."""
        return LITTLEGO if self.kind == PROGRAM else COURSE

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
    """Return the classes of a shelf by name, then its programs. Raises TournamentError if there are none or one cannot be
    read."""
    attacks = [_read(path.parent, CLASS) for path in sorted(folder.glob("*/expected.toml"))]
    attacks += [_read(path.parent, PROGRAM) for path in sorted(folder.glob(f"{PROGRAMS}/*/expected.toml"))]
    if not attacks:
        raise TournamentError(f"expected a folder of bad submissions, found none in {str(folder)!r}")
    return attacks


def plain_player(kind: str) -> Attack:
    """Return the harmless player of our own shelf against which attacks of this kind are played."""
    return _read(SHELF / (f"{PROGRAMS}/trivial" if kind == PROGRAM else "plain"), kind)


def _read(folder: Path, kind: str) -> Attack:
    path = folder / "expected.toml"
    try:
        table = tomllib.loads(path.read_text())
        return Attack(
            f"{PROGRAMS}/{folder.name}" if kind == PROGRAM else folder.name,
            folder,
            table["says"],
            tuple(Termination(word) for word in table["expected"].split("|")),
            tuple(Tier(name) for name in table.get("tiers", Tier)),
            table.get("detail", ""),
            table.get("opponent_seconds", 0.0),
            replace(_LIMITS[kind], **table.get("limits", {})),
            kind,
            _entry(folder) if kind == PROGRAM else "my_player.py",
            table.get("chance", False),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise TournamentError(f"{path}: {error!r}") from error


def _entry(folder: Path) -> str:
    """Return the name of a program's entry file; raises ValueError."""
    for name in PROGRAM_FILES:
        if (folder / name).exists():
            return name
    raise ValueError(f"expected one of {', '.join(PROGRAM_FILES)} beside it, found none")
