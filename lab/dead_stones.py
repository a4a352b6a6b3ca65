"""Whether our GTP engines take the same stones for dead as GNU Go does, on finished games of 9x9.

    python3 -m lab.dead_stones 200

GNU Go at level 1 plays both sides, from up to four drawn moves in the middle on, until both pass. In every other game each of
the first 44 moves is drawn with a chance of 1 in 5, which leaves more dead stones. Strings that GNU Go says are in a seki are
left out.
"""

from __future__ import annotations

import random
import shutil
import sys
from concurrent.futures import as_completed
from dataclasses import dataclass, replace

from tabulate import tabulate

from benchmarks.kept_games import GtpProgram
from benchmarks.pools import parser_of, processes, progress_of
from goban.common.command_lines import DONE, run
from goban.grids import BLACK, WHITE
from goban.montecarlo.dead_stones import dead_stones
from goban.open_games import OpenGame
from goban.points import Point
from goban.rulesets import ruleset
from goban.states import State, new_game

SIZE = 9
RULES = replace(ruleset("alphago7"), fixed_komi=5.5)
_PROGRAM = shutil.which("gnugo") or "/usr/games/gnugo"
COMMAND = f"{_PROGRAM} --mode gtp --level 1 --never-resign --seed {{seed}}"
_OPENING, _DRAWN, _CHANCE, _LONGEST = 4, 44, 0.2, 200


@dataclass(frozen=True)
class Compared:
    """Of one game: strings that both say are dead, that both say are alive, and those that only one says are dead."""

    dead: int
    alive: int
    only_gnugo: int
    only_ours: int


def _draw_point(rng: random.Random, lines: range) -> Point:
    """Return a point of these columns and of these lines, counted from the bottom."""
    column = lines[rng.randrange(len(lines))]
    return SIZE - 1 - lines[rng.randrange(len(lines))], column


def play_game(program: GtpProgram, seed: int) -> OpenGame:
    """Play a game to its end."""
    game, rng, moves, passes = OpenGame(RULES, SIZE), random.Random(seed), 0, 0
    program.begin(new_game(RULES, SIZE))

    def tell(colour: int, move: Point) -> int:
        """Play a drawn move where it is legal; return how many were played."""
        if game.why_illegal(colour, move) is not None:
            return 0
        game.play(colour, move)
        program.hear(colour, move, SIZE)
        return 1

    for _ in range(_OPENING):
        moves += tell(_colour(moves), _draw_point(rng, range(2, 7)))
    while passes < 2 and moves < _LONGEST:
        if seed % 2 and moves < _DRAWN and rng.random() < _CHANCE:
            done = tell(_colour(moves), _draw_point(rng, range(SIZE)))
            moves, passes = moves + done, 0 if done else passes
            continue
        move = program.answer(game.position(_colour(moves)))
        assert move is None or isinstance(move, tuple)
        game.play(_colour(moves), move)
        moves, passes = moves + 1, passes + 1 if move is None else 0
    return game


def _colour(moves: int) -> int:
    return WHITE if moves % 2 else BLACK


def compare(seed: int) -> Compared:
    """Play a game and compare."""
    program = GtpProgram(COMMAND, seed)
    try:
        game = play_game(program, seed)
        dead, seki = program.stones("dead", SIZE), program.stones("seki", SIZE)
    finally:
        program.close()
    ours = dead_stones([game.position(colour) for colour in (BLACK, WHITE)])
    counts = [[0, 0], [0, 0]]
    for stones in _strings(game.state):
        first = game.state.grid.points_of(stones)[0]
        if first not in seki:
            counts[first in dead][bool(stones & ours)] += 1
    return Compared(counts[1][1], counts[0][0], counts[1][0], counts[0][1])


def _strings(state: State) -> list[int]:
    found, left = [], state.black | state.white
    while left:
        found.append(state.group_at(state.grid.point[left & -left])[0])
        left ^= found[-1]
    return found


HEADERS = ("games", "all the same", "strings", "both dead", "both alive", "only GNU Go: dead", "only ours: dead")


def main() -> int:
    """Measure and print."""
    parser = parser_of("dead_stones", "Whether our GTP engines and GNU Go take the same stones for dead.", 200)
    games = parser.parse_args().games
    found: list[Compared] = []
    with processes() as pool, progress_of(games, "games") as progress:
        for future in as_completed([pool.submit(compare, seed) for seed in range(1, games + 1)]):
            found.append(future.result())
            progress.update()
    same = sum(one.only_gnugo + one.only_ours == 0 for one in found)
    counts = ((one.dead, one.alive, one.only_gnugo, one.only_ours) for one in found)
    sums = [sum(column) for column in zip(*counts, strict=True)]
    print(tabulate([[len(found), same, sum(sums), *sums]], HEADERS))
    return DONE


if __name__ == "__main__":
    sys.exit(run("dead_stones", main))
