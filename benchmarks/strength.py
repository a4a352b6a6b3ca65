"""How strong `montecarlo` is, and GNU Go and Pachi beside it.

    python3 -m benchmarks.strength gnugo           GNU Go --monte-carlo against GNU Go at level 10
    python3 -m benchmarks.strength montecarlo      ours against GNU Go --monte-carlo, in equal time
    python3 -m benchmarks.strength level10         ours at 10,000 simulations a move against GNU Go at level 10, or --level
    python3 -m benchmarks.strength pachi           ours against Pachi without a network, in equal time, from random openings
    python3 -m benchmarks.strength self            ours without one of its parts against all of it, in equal time
    python3 -m benchmarks.strength self rave=300,priors=20 --against rave=3000    any options against any others
    python3 -m benchmarks.strength second-stage    7x7 under the course's rules against smart and my, 2 s a move
    python3 -m benchmarks.strength regret          5x5 under the course's rules: what moves lose, by the exact solver

The first five are on 9x9 by area rules with komi 7.5, under positional superko; our board and our count decide. Each game has
its own seed, and players take turns with Black. Games are kept in --out as they end: the same command goes on where it was
stopped, and games are not played again for a second table.

Equal time is time of the processor. Against GNU Go, which is given simulations, ours may spend what GNU Go has spent in the
same game on as many moves, since a machine's speed drifts, and late moves take less than early ones; until GNU Go has moved, it
thinks for as long as GNU Go did in --calibrate games before. What both took is in the table. Against Pachi, which is given
playouts too, it is the same with 0.1 s for the first move; the program is `pachi` on the PATH, see docs/measurements.md. With
`self --account` the first may spend so what the second has spent, and save for later moves; the second has as long for each.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from tabulate import tabulate

from benchmarks.kept_games import HEADERS, Pairing, play_all, row
from benchmarks.pools import parser_of
from benchmarks.regrets import HEADERS as REGRET_HEADERS
from benchmarks.regrets import regret_rows
from goban.common.command_lines import DONE, CommandError, run, whole_number
from players.errors import BadPlayerError

RULES, SIZE = "tromp-taylor-strict", 9
# Debian puts it where root does not look.
_PROGRAM = shutil.which("gnugo") or "/usr/games/gnugo"
GNUGO = (
    f"gtp:{_PROGRAM} --mode gtp --chinese-rules --capture-all-dead --positional-superko --never-resign --level 10 "
    "--seed {seed}"
)
# It plays on until nothing dead is left on the board, which is how we count, and without `threads` takes all cores.
PACHI = "gtp:pachi --nodcnn -d 0 -s {{seed}} -t ={playouts} threads=1 pass_all_alive"
PARTS = {
    "no RAVE": "rave=0", "no priors": "priors=0", "no reuse": "reuse=no", "uniform": "patterns=uniform",
    "mogo_classic": "patterns=mogo_classic", "montegnu_classic": "patterns=montegnu_classic", "no replies": "replies=no",
    "no mercy": "mercy=no", "GNU Go's formula": "uct=gnugo,patterns=montegnu_classic",
}  # fmt: skip


def monte_carlo(simulations: int) -> str:
    """Return GNU Go --monte-carlo with so many simulations a move."""
    # It multiplies by the level, which also decides how well the classical engine plays that runs beside.
    return f"{GNUGO} --monte-carlo --mc-games-per-level {max(1, simulations // 10)}"


def ours(budget: str, options: str = "") -> str:
    """Return our player with a budget and options."""
    return f"montecarlo:{','.join(part for part in (budget, options) if part)}"


def parser() -> argparse.ArgumentParser:
    """Return the command line's parser."""
    made = parser_of("strength", "How strong montecarlo is, and GNU Go and Pachi beside it.")
    commands = made.add_subparsers(required=True, metavar="COMMAND", dest="command")
    for name, (games, simulations, work) in COMMANDS.items():
        command = commands.add_parser(name)
        command.set_defaults(work=work)
        number = whole_number(1, 10**9, "a number")
        command.add_argument("--games", type=number, default=games, metavar="N", help="of each pairing (default: %(default)s)")
        command.add_argument("--seed", type=whole_number(0, 2**31, "a seed"), default=1, metavar="N", help="default: 1")
        place = Path("build/strength.jsonl")
        command.add_argument("--out", type=Path, default=place, metavar="FILE", help="of games (default: %(default)s)")
        if work is _self:
            _add_options_of_self(command)
        else:
            command.add_argument("--options", default="", metavar="KEY=VALUE,...", help="of montecarlo")
        if simulations:
            help_text = "a move (default: %(default)s)"
            command.add_argument("--simulations", type=number, default=simulations, metavar="N", help=help_text)
        if work is _level10:
            level = whole_number(0, 10, "a level")
            command.add_argument("--level", type=level, default=10, metavar="N", help="of GNU Go (default: %(default)s)")
        if work is _equal_time:
            command.add_argument("--calibrate", type=number, default=2, metavar="N", help="games (default: 2)")
        if work in _SECONDS:
            help_text = "a move (default: %(default)s)"
            command.add_argument("--seconds", type=float, default=_SECONDS[work], metavar="S", help=help_text)
    return made


def _add_options_of_self(command: argparse.ArgumentParser) -> None:
    help_text = "of the first player, a row for each; '' for none (default: the parts, one by one)"
    command.add_argument("options", nargs="*", metavar="OPTIONS", help=help_text)
    command.add_argument("--against", default="", metavar="OPTIONS", help="of the second (default: none)")
    number, least = whole_number(1, 10**9, "a number"), whole_number(0, 20, "a number")
    command.add_argument("--opening", type=least, default=2, metavar="N", help="stones at random (default: 2)")
    command.add_argument("--account", action="store_true", help="let the first spend what the second has spent in all")
    command.add_argument("--simulations", type=number, metavar="N", help="a move, instead of seconds")


def _pairing(options: argparse.Namespace, label: str, first: str, second: str, equal: bool = False) -> Pairing:
    return Pairing(label, first, second, RULES, SIZE, options.games, options.seed, equal)


def _print(options: argparse.Namespace, pairings: Sequence[Pairing]) -> None:
    options.out.parent.mkdir(parents=True, exist_ok=True)
    games = play_all(pairings, options.out)
    rows = [row(pairing.label, played) for pairing, played in zip(pairings, games, strict=True)]
    print(tabulate(rows, HEADERS, disable_numparse=True))


def _gnugo(options: argparse.Namespace) -> None:
    label = f"GNU Go --monte-carlo, {options.simulations} simulations, against level 10"
    _print(options, [_pairing(options, label, monte_carlo(options.simulations), GNUGO)])


def _level10(options: argparse.Namespace) -> None:
    label = f"montecarlo, {options.simulations} simulations, against GNU Go level {options.level}"
    gnugo = GNUGO.replace("--level 10", f"--level {options.level}")
    _print(options, [_pairing(options, label, ours(f"simulations={options.simulations}", options.options), gnugo)])


def _equal_time(options: argparse.Namespace) -> None:
    label = f"montecarlo in equal time against GNU Go --monte-carlo, {options.simulations} simulations"
    player = ours(f"seconds={_seconds_of_gnugo(options)}", options.options)
    _print(options, [_pairing(options, label, player, monte_carlo(options.simulations), equal=True)])


def pachi(playouts: int) -> str:
    """Return Pachi with so many playouts a move. Raises CommandError if there is none."""
    if shutil.which("pachi") is None:
        raise CommandError("expected the program pachi on the PATH (docs/measurements.md says how to build it), found none")
    return PACHI.format(playouts=playouts)


def _pachi(options: argparse.Namespace) -> None:
    label = f"montecarlo in equal time against Pachi, {options.simulations} playouts"
    player = ours(f"seconds={options.seconds:g}", options.options)
    pairing = _pairing(options, label, player, pachi(options.simulations), equal=True)
    _print(options, [replace(pairing, opening=2)])


def _self(options: argparse.Namespace) -> None:
    budget = f"seconds={options.seconds:g}" if options.simulations is None else f"simulations={options.simulations}"
    rows = {text or "all": text for text in options.options} or PARTS
    second = ours(budget, options.against)
    _print(options, [
        replace(_pairing(options, label, ours(budget, text), second, options.account), opening=options.opening)
        for label, text in rows.items()
    ])  # fmt: skip


def _seconds_of_gnugo(options: argparse.Namespace) -> str:
    """Return how long GNU Go --monte-carlo takes for a move, in games of its own, to hundredths."""
    options.out.parent.mkdir(parents=True, exist_ok=True)
    pairing = _pairing(options, "", monte_carlo(options.simulations), GNUGO)
    (games,) = play_all([replace(pairing, games=options.calibrate)], options.out)
    spent = sum(game.seconds[0] for game in games) / sum(game.answers[0] for game in games)
    return f"{spent:.2f}"


def _second_stage(options: argparse.Namespace) -> None:
    player = ours(f"seconds={options.seconds:g}", options.options)
    _print(options, [
        Pairing(f"montecarlo against {other}, 7x7 course", player, other, "course", 7, options.games, options.seed)
        for other in ("smart", "my")
    ])  # fmt: skip


def _regret(options: argparse.Namespace) -> None:
    print(tabulate(regret_rows(options.games, options.seed, options.options), REGRET_HEADERS, disable_numparse=True))


_SECONDS: dict[Callable[[argparse.Namespace], None], float] = {_pachi: 0.1, _self: 0.1, _second_stage: 2.0}

# games, simulations, work
COMMANDS: dict[str, tuple[int, int, Callable[[argparse.Namespace], None]]] = {
    "gnugo": (200, 8000, _gnugo),
    "montecarlo": (400, 8000, _equal_time),
    "level10": (400, 10_000, _level10),
    "pachi": (400, 1900, _pachi),
    "self": (100, 0, _self),
    "second-stage": (100, 0, _second_stage),
    "regret": (60, 0, _regret),
}


def main() -> int:
    """Measure and print."""
    options = parser().parse_args()
    options.work(options)
    return DONE


if __name__ == "__main__":
    sys.exit(run("strength", main, BadPlayerError))
