"""How fast random games are played: the kernels beside a C program, OpenSpiel and Pgx, one core, 5x5, 9x9 and 19x19.

    python3 -m benchmarks.playouts [--others PYTHON] [--rounds 7]

The C program (playouts.c, compiled on the spot if there is a compiler) and the kernels take turns and play exactly the same
games, which is checked. OpenSpiel and Pgx may need another version of numpy than we do, so they run in a Python of their
own if one is named (`pip install open_spiel pgx jax`). All figures are millions of moves per second of processor time, so
that other work on the machine hardly matters: the median of the rounds, with the lowest and the highest ratio.

    rules and moves                     C               kernels
    course, uniform                     course          course on bitboards; 5x5 only
    simple ko, no own eye filled        eyes            alphago7 on array boards, NO_OWN_EYES
    simple ko, pass among the moves     uniform         alphago7 on array boards, ALL_MOVES
    superko, pass among the moves       -               tromp-taylor-openspiel and -pgx on array boards, ALL_MOVES
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tabulate import tabulate

from benchmarks.pools import parser_of
from goban.common.command_lines import DONE, run
from goban.kernels.numba_tools.compile import compilation_told
from goban.kernels.playouts.random_games import Playouts, Policy, play_games
from goban.rulesets import ruleset
from goban.states import new_game

SIZES = (5, 9, 19)
ROOT = Path(__file__).parent.parent
OTHERS = {"OpenSpiel": "playouts_open_spiel.py", "Pgx": "playouts_pgx.py"}

# What is compared with C: its mode, our rules and policy, and C's move limit, as a multiple of the board's points.
PAIRS = {
    "course, uniform": ("course", "course", Policy.PLACEMENTS, 1),
    "simple ko, no own eye filled": ("eyes", "alphago7", Policy.NO_OWN_EYES, 4),
    "simple ko, pass among the moves": ("uniform", "alphago7", Policy.ALL_MOVES, 2),
}
ALONE = {
    "superko, a repeat is a tie (OpenSpiel's rules)": "tromp-taylor-openspiel",
    "a repeat loses (Pgx's rules)": "tromp-taylor-pgx",
}
# These take about a third of a second per round.
GAMES = {("course", 5): 600_000, ("eyes", 5): 100_000, ("uniform", 5): 100_000, 5: 100_000, 9: 30_000, 19: 6_000}


def c_program(size: int, folder: Path) -> Path | None:
    """Return the compiled C program for a board size, None without a compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    program = folder / f"playouts{size}"
    source = Path(__file__).with_name("playouts.c")
    subprocess.run([compiler, "-O3", "-march=native", f"-DSIZE={size}", "-o", program, source], check=True)
    return program


def c_rate(program: Path, mode: str, games: int) -> tuple[float, tuple[int, int]]:
    """Return (moves per second, (moves, games Black won))."""
    output = subprocess.run([program, mode, str(games), "1"], check=True, capture_output=True, text=True).stdout.split()
    moves, wins = int(output[0]), int(output[2])
    return moves / float(output[3]), (moves, wins)


def our_rate(rules: str, size: int, policy: Policy, most: int, games: int) -> tuple[float, tuple[int, int]]:
    """Return the same for the kernels."""
    state = new_game(ruleset(rules), size)
    begun = time.process_time()
    played: Playouts = play_games(state, games, seed=1, policy=policy, most=most)
    seconds = time.process_time() - begun
    moves = int(played.moves.sum(dtype=int))
    return moves / seconds, (moves, int((played.winners == 1).sum()))


def compare(rounds: int, folder: Path) -> list[list[str]]:
    """Return the rows of the kernels and C, which take turns."""
    rows = []
    programs = {size: c_program(size, folder) for size in SIZES}
    for name, (mode, rules, policy, boards) in PAIRS.items():
        for size in SIZES[:1] if mode == "course" else SIZES:
            games = GAMES.get((mode, size), GAMES[size])
            ours, theirs = [], []
            our_rate(rules, size, policy, boards * size * size, 10)
            for _ in range(rounds):
                rate, result = our_rate(rules, size, policy, boards * size * size, games)
                ours.append(rate)
                program = programs[size]
                if program is not None:
                    rate, expected = c_rate(program, mode, games)
                    theirs.append(rate)
                    if result != expected:
                        raise SystemExit(f"C and kernels played different games: {expected}, {result} ({name}, {size})")
            ratios = [a / b for a, b in zip(ours, theirs, strict=False)]
            rows.append([name, f"{size}x{size}", millions(ours), millions(theirs), spread(ratios)])
    return rows


def alone(rounds: int) -> list[list[str]]:
    """Return the rows of the kernels under rules that the C program does not know."""
    rows = []
    for name, rules in ALONE.items():
        for size in SIZES:
            games = GAMES[size]
            our_rate(rules, size, Policy.ALL_MOVES, 2 * size * size, 10)
            rates = [our_rate(rules, size, Policy.ALL_MOVES, 2 * size * size, games)[0] for _ in range(rounds)]
            rows.append([name, f"{size}x{size}", millions(rates), "", ""])
    return rows


def others(python: str) -> list[list[str]]:
    """Return the rows of the other programs; print a line for each one that is missing."""
    rows = []
    for name, script in OTHERS.items():
        command = [python, str(Path(__file__).with_name(script)), *map(str, SIZES)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            print(f"{name} left out: {reason} ({python}; see --others)")
            continue
        found = json.loads(done.stdout.strip().splitlines()[-1])
        for way in found.keys() - {"name"}:
            rates = [f"{found[way][str(size)] / 1e6:.3f}" for size in SIZES]
            rows.append([f"{found['name']}, {way}", *rates])
    return sorted(rows)


def millions(rates: list[float]) -> str:
    """Return the median, in millions, as text."""
    return f"{statistics.median(rates) / 1e6:.1f}" if rates else "-"


def spread(ratios: list[float]) -> str:
    """Return median, lowest and highest as text."""
    return f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})" if ratios else "-"


def main() -> int:
    """Measure and print."""
    parser = parser_of("playouts", "Random games a second.")
    parser.add_argument("--others", metavar="PYTHON", default=sys.executable, help="a Python that has open_spiel and pgx")
    parser.add_argument("--rounds", type=int, default=7, help="how often each figure is taken (default 7)")
    arguments = parser.parse_args()
    with compilation_told(lambda: print("compiling kernels, once for this machine...", file=sys.stderr)):
        with tempfile.TemporaryDirectory() as folder:
            rows = compare(arguments.rounds, Path(folder))
        rows += alone(arguments.rounds)
    print("millions of moves per second of one core")
    print(tabulate(rows, ["rules and moves", "board", "kernels", "C", "kernels / C"], disable_numparse=True))
    print()
    rows = others(arguments.others)
    if rows:
        print(tabulate(rows, ["pass among the moves", *(f"{n}x{n}" for n in SIZES)], disable_numparse=True))
    return DONE


if __name__ == "__main__":
    sys.exit(run("playouts", main))
