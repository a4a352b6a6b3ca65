"""How fast our Monte Carlo search and its playouts are, beside GNU Go's search: one core, CPU time; and on two cores.

    python3 -m benchmarks.montecarlo [--rounds 7]

GNU Go tells no speed. It is asked for a move in the same position with two budgets of games; the difference in games by the
difference in CPU time is its simulations a second, with everything but the tree search taken out. Ours are those of a tree
that grows by as many, and beside them playouts alone, from that position. All take turns, and each figure is the median of the
rounds, with the lowest and the highest. Without `gnugo` ours are measured alone.

Two threads are measured by the clock, since that is what they are for, and want two idle cores.
"""

from __future__ import annotations

import resource
import shutil
import statistics
import subprocess
import sys
import time

from tabulate import tabulate

from benchmarks.pools import parser_of
from goban.common.command_lines import DONE, run, whole_number
from goban.kernels.numba_tools.compile import compilation_told
from goban.kernels.patterns.pattern_games import play_patterns
from goban.kernels.patterns.tables import Tables, make_tables
from goban.montecarlo.pattern_sets import DEFAULT, GNUGO_DEFAULT, GNUGO_NAMES, NAMES, set_named, table_of
from goban.montecarlo.trees import Budget, Forest, Tree, TreeSettings
from goban.points import parse_vertex
from goban.rulesets import ruleset
from goban.states import State, new_game

SIZE = 9
OPENING = ["E5", "C3", "G3", "C7", "G7", "E3", "E7", "C5", "G5", "D6", "F6", "D4", "F4", "D5", "F5", "B4", "H4", "H6"]
"""The position that both start from, Black to move."""
BUDGETS = (2_000, 14_000)
"""Of simulations: from the first on they are timed, up to the second."""
PLAYOUTS = {9: 10_000, 19: 500}
"""Of ours in a round, by size; four times as many where a table is flat."""


def position() -> State:
    """Return the position that both start from."""
    state = new_game(ruleset("alphago7"), SIZE)
    for name in OPENING:
        state = state.play(parse_vertex(name, SIZE))
    return state


def seconds_of_gnugo(program: str, patterns: str, games: int) -> float:
    """Return the CPU seconds of a run of GNU Go that makes one move with so many games."""
    commands = [f"boardsize {SIZE}", "komi 7.5", *(f"play {'bw'[k % 2]} {name}" for k, name in enumerate(OPENING)), "genmove b"]
    options = ["--mode", "gtp", "--monte-carlo", "--level", "1", "--mc-games-per-level", str(games), "--mc-patterns", patterns]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, *options], input="\n".join([*commands, "quit", ""]), text=True, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def gnugo_rate(program: str, patterns: str) -> float:
    """Return GNU Go's simulations per second."""
    few, many = (seconds_of_gnugo(program, patterns, games) for games in BUDGETS)
    return (BUDGETS[1] - BUDGETS[0]) / (many - few)


def our_rate(state: State, settings: TreeSettings, seed: int) -> float:
    """Return our simulations per second."""
    tree = Tree(settings)
    tree.stand(state)
    tree.grow(BUDGETS[0], seed)
    begun = time.process_time()
    tree.grow(BUDGETS[1] - BUDGETS[0], seed)
    return (BUDGETS[1] - BUDGETS[0]) / (time.process_time() - begun)


def playout_rate(state: State, tables: Tables, seed: int) -> float:
    """Return our playouts per second."""
    games = PLAYOUTS[state.grid.size] * (4 if tables.flat else 1)
    begun = time.process_time()
    play_patterns(state, tables, games, seed)
    return games / (time.process_time() - begun)


def compare(program: str | None, rounds: int) -> list[list[str]]:
    """Return the rows of the position that both play from."""
    state, rows = position(), []
    for name in NAMES:
        settings, tables = TreeSettings(set_named(name)), make_tables(SIZE, set_named(name).values)
        playout_rate(state, tables, seed=0)
        our_rate(state, settings, seed=0)
        playouts, ours, theirs = [], [], []
        for seed in range(rounds):
            playouts.append(playout_rate(state, tables, seed))
            ours.append(our_rate(state, settings, seed))
            if program is not None:
                theirs.append(gnugo_rate(program, name if name in GNUGO_NAMES else GNUGO_DEFAULT))
        ratios = [one / other for one, other in zip(ours, theirs, strict=False)]
        rows.append([name, *map(spread, (playouts, ours, theirs)), spread(ratios, 2)])
    return rows


def threads_rate(state: State, threads: int, seed: int) -> float:
    """Return our simulations per second of the clock, with the player's usual settings."""
    forest = Forest(TreeSettings(table_of(DEFAULT)), threads)
    forest.stand(state)
    begun = time.perf_counter()
    forest.grow_for(seed, Budget(BUDGETS[1] * threads), time.perf_counter, begun)
    return BUDGETS[1] * threads / (time.perf_counter() - begun)


def time_threads(rounds: int) -> list[str]:
    """Return the row of one thread and two."""
    state = position()
    threads_rate(state, 2, seed=0)
    one, two = zip(*((threads_rate(state, 1, seed), threads_rate(state, 2, seed)) for seed in range(rounds)), strict=True)
    return [spread(list(one)), spread(list(two)), spread([more / less for less, more in zip(one, two, strict=True)], 2)]


def time_playouts(rounds: int) -> list[list[str]]:
    """Return the rows of playouts from empty boards."""
    rows = []
    for name in NAMES:
        row = [name]
        for size in PLAYOUTS:
            state, tables = new_game(ruleset("alphago7"), size), make_tables(size, set_named(name).values)
            play_patterns(state, tables, 1, seed=0)
            row.append(spread([playout_rate(state, tables, seed) for seed in range(rounds)]))
        rows.append(row)
    return rows


def spread(figures: list[float], digits: int = 0) -> str:
    """Return median, lowest and highest as text."""
    if not figures:
        return "-"
    return "{:.{d}f} ({:.{d}f} to {:.{d}f})".format(statistics.median(figures), min(figures), max(figures), d=digits)


def main() -> int:
    """Measure and print."""
    parser = parser_of("montecarlo", "Simulations and playouts a second.")
    number = whole_number(1, 1000, "a number of rounds")
    parser.add_argument("--rounds", type=number, default=7, help="how often each figure is taken (default 7)")
    rounds = parser.parse_args().rounds
    program = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")
    if program is None:
        print("GNU Go is not installed: ours alone")
    with compilation_told(lambda: print("compiling kernels, once for this machine...", file=sys.stderr)):
        rows = compare(program, rounds)
        others, threads = time_playouts(rounds), time_threads(rounds)
    print(f"playouts and simulations a second from a position of {len(OPENING)} stones on {SIZE}x{SIZE}")
    print(tabulate(rows, ["patterns", "playouts", "simulations", "GNU Go's", "simulations / GNU Go's"], disable_numparse=True))
    print()
    print("playouts a second from the empty board")
    print(tabulate(others, ["patterns", *(f"{size}x{size}" for size in PLAYOUTS)], disable_numparse=True))
    print()
    print("simulations a second by the clock, from the same position")
    print(tabulate([threads], ["one thread", "two threads", "two / one"], disable_numparse=True))
    return DONE


if __name__ == "__main__":
    sys.exit(run("montecarlo", main))
