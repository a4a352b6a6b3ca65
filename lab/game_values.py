"""How much of a whole game's truth is found: who wins in all positions, and how early margins are known.

    python3 -m lab.game_values [GAMES] [RULES] [--seconds S]        default: 10 games, course, 10 seconds

The games are those of `lab.book`: reference players and my_player.py, seeds fixed. Each is asked about as
`goban.solver.truth --sgf` does, by a solver with one thread and a table of 256 MiB that begins with the book and nothing else.

    winners s     CPU seconds until the winner of every position is known, asked from the last to the first
    positions     how many the solver visited for that; divided by the seconds it shows how busy the machine was
    margins from  the ply from which on all margins are known after S CPU seconds for everything about the game
    unknown       how many margins are not
    best from     the ply from which on all best moves are known then

All are CPU seconds of the process, so that other work on the machine counts little. Compiling and filling the table are not
counted. Winners are asked for anew in the second part: nothing is left of the first.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Sequence

from tabulate import tabulate

from benchmarks.pools import parser_of
from goban.common.command_lines import DONE, run
from goban.solver.analysis import MEMORY_MIB, values_of
from goban.solver.errors import RULES
from goban.solver.solver import Solution, Solver
from goban.states import State
from lab.book import play_games

SECONDS = 10.0


def prepare(solver: Solver, start: State) -> Solver:
    """Return the solver with nothing but the book, compiled."""
    solver.forget()
    solver.winner(start, nodes=0)
    return solver


def find_winners(solver: Solver, states: Sequence[State]) -> tuple[float, int]:
    """Return the CPU seconds until all winners are known, and how many positions were visited."""
    prepare(solver, states[0])
    started = solver.clock()
    nodes = sum(solver.winner(state).nodes for state in reversed(states))
    return solver.clock() - started, nodes


def known_from(found: Sequence[Solution], name: str) -> int:
    """Return the ply of the first position from which on something is known of all unfinished ones, from 0."""
    unknown = [k for k, solution in enumerate(found[:-1]) if getattr(solution, name) in (None, ())]
    return max(unknown, default=-1) + 1


def main() -> int:
    """Measure and print."""
    parser = parser_of("game_values", "How much of a game's truth is found.", 10)
    parser.add_argument("rules", nargs="?", choices=RULES, default="course", help="default: course")
    parser.add_argument("--seconds", type=float, default=SECONDS, help=f"of CPU for a game, default {SECONDS:g}")
    options = parser.parse_args()
    solver = Solver(MEMORY_MIB, clock=time.process_time)
    rows: list[tuple[str, int, float, str, int, int, int]] = []
    for names, states in play_games(options.games, options.rules):
        winners, nodes = find_winners(solver, states)
        found = values_of(states, prepare(solver, states[0]), options.seconds)
        unknown = sum(solution.margin is None for solution in found)
        margins, best = known_from(found, "margin"), known_from(found, "best_moves")
        rows.append((names, len(states) - 1, winners, f"{nodes:,}", margins, unknown, best))
        print(*rows[-1][:2], f"{winners:.3f}", *rows[-1][3:], flush=True)
    header = ["black-white", "moves", "winners s", "positions", "margins from", "unknown", "best from"]
    print("\n" + tabulate(rows, header, floatfmt=".3f"))
    seconds, plies = [row[2] for row in rows], [row[4] for row in rows]
    print(f"{options.rules}: winners {statistics.median(seconds):.2f} s, at most {max(seconds):.2f} s; margins within")
    print(f"{options.seconds:g} s from ply {statistics.median(plies):g}, at best {min(plies)}, at worst {max(plies)}")
    return DONE


if __name__ == "__main__":
    sys.exit(run("game_values", main))
