"""The shelf of file-protocol programs, and games with small ones written for a test."""

import textwrap
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

from goban.rulesets import LITTLEGO
from goban.states import new_game
from tournament import sandbox
from tournament.records import Entrant, GameSpec
from tournament.referee import play
from tournament.reference_seat import ReferenceSeat
from tournament.seats import Limits
from tournament.sources import PROGRAM_FILES
from tournament.verdicts import Termination

SHELF = Path(__file__).resolve().parent.parent / "submissions/littlego"

LIMITS = Limits(
    move_seconds=5.0, start_seconds=20.0, game_cpu_seconds=60.0, memory_mib=512, processes=48, disk_mib=8, log_kib=64
)


@dataclass(frozen=True)
class Program:
    """One of the shelf. chance: it draws lots; time: how long its moves take decides what it does."""

    name: str
    folder: Path
    entry: str
    expected: tuple[Termination, ...]
    detail: str
    tiers: tuple[str, ...]
    chance: bool
    limits: Limits

    @property
    def entrant(self):
        return Entrant(self.name, folder=self.folder, entry=self.entry, kind="program")


def read_shelf():
    """All programs of the shelf by name."""
    return [_read(path) for path in sorted(SHELF.glob("*/expected.toml"))]


def _read(path):
    table = tomllib.loads(path.read_text())
    return Program(
        path.parent.name,
        path.parent,
        next(name for name in PROGRAM_FILES if (path.parent / name).exists()),
        tuple(Termination(word) for word in table["expected"].split("|")),
        table.get("detail", ""),
        tuple(table.get("tiers", sandbox.TIERS)),
        table.get("chance", False),
        replace(LIMITS, **table.get("limits", {})),
    )


def program(folder, source, entry="my_player3.py", **files):
    """Write a program into a folder; return its entrant."""
    folder.mkdir(exist_ok=True)
    (folder / entry).write_text(textwrap.dedent(source))
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    return Entrant("alice", folder=folder, entry=entry, kind="program")


def seat_for(entrant, tier, limits=LIMITS, real_starts=False):
    """Open a seat; close it yourself."""
    return sandbox.open_seat(entrant, LITTLEGO, 5, limits, tier=tier, real_starts=real_starts)


def game(seat, number=1, opponent="greedy", colour=1):
    """Play a whole game against a reference player; return the result."""
    other = ReferenceSeat(Entrant(opponent, reference=opponent), LITTLEGO, 5)
    names = ("alice", opponent) if colour == 1 else (opponent, "alice")
    spec = GameSpec(f"{names[0]}-{names[1]}-{number:03}", *names, number)
    seats = (seat, other) if colour == 1 else (other, seat)
    return play(spec, new_game(LITTLEGO, 5), *seats).result


def moves(result):
    """The moves of a game."""
    return [turn.move for turn in result.turns]
