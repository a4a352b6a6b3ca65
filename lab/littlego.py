"""Little-Go: the judge beside the course's own loop, with programs that are started anew for every move.

    python3 -m lab.littlego [GAMES]          default: 4 games a round and way, 5 rounds

The baseline is the course's loop, written in the plainest way. For every move it writes input.txt into a folder, runs the
program there with subprocess.run, reads output.txt, and runs a second Python process that judges the move, as the course's
shell script does. 'one start' is the same, but judges the move in the loop's own process. The judge of this project runs
in the sandbox named, once with programs as forks, and once with programs started anew (start_each_move).

Two programs play themselves: 'trivial' writes the first point with an empty neighbour (or PASS), 'numpy' does the same with
numpy. These ways take turns, so that a drift in the machine's speed affects all alike. Ratios are taken within a round; the
median is shown with the lowest and the highest.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tabulate import tabulate

from benchmarks.pools import parser_of
from goban.common.command_lines import DONE, run
from goban.inputs import question_text
from goban.moves import read_answer
from goban.rulesets import LITTLEGO
from goban.states import State, new_game
from gojudge.errors import JudgeError
from gojudge.records import Entrant, GameSpec, open_seeds
from gojudge.refereeing.referee import play
from gojudge.sandbox import tiers
from gojudge.seats import Limits

ROUNDS = 5
SIZE = 5
SHELF = Path(__file__).resolve().parent.parent / "gojudge/shelf/attacks/littlego"
PROGRAMS = {"trivial": SHELF / "trivial", "numpy": SHELF / "trivial_numpy"}

# What the course's second process does: read both files, and see whether the move is on an empty point.
_JUDGE = """
lines = open("input.txt").read().split()
answer = open("output.txt").readline().strip().split(",")
board = [[int(x) for x in line] for line in lines[6:11]]
assert answer[0] == "PASS" or board[int(answer[0])][int(answer[1])] == 0
"""


def course_game(program: Path, judge_apart: bool) -> int:
    """Play a program against itself as the course's script does; return the number of moves."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for file in program.glob("*.py"):
            (folder / file.name).write_bytes(file.read_bytes())
        state: State = new_game(LITTLEGO, SIZE)
        while not state.is_over:
            (folder / "output.txt").unlink(missing_ok=True)
            (folder / "input.txt").write_text(question_text(state))
            subprocess.run([sys.executable, "my_player3.py"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
            if judge_apart:
                subprocess.run([sys.executable, "-c", _JUDGE], cwd=folder, check=True)
            pieces = (folder / "output.txt").read_text().strip().split(",")
            state = state.play(read_answer("PASS" if pieces[0] == "PASS" else tuple(map(int, pieces)), SIZE))
        return state.n_move


class Judged:
    """Games of a program against itself in the sandbox. Its two seats stay open, as in an event."""

    def __init__(self, program: Path, tier: str, real_starts: bool) -> None:
        entrants = [Entrant(name, folder=program, entry="my_player3.py", kind="program") for name in ("one", "two")]
        limits = Limits(move_seconds=10.0)
        self._seats = [
            tiers.open_seat(entrant, LITTLEGO, SIZE, limits, tier=tier, real_starts=real_starts) for entrant in entrants
        ]
        self._games = 0

    def __call__(self) -> int:
        """Play a game; return the number of moves."""
        self._games += 1
        spec = GameSpec(f"one-two-{self._games:03}", "one", "two", open_seeds(self._games))
        result = play(spec, new_game(LITTLEGO, SIZE), *self._seats).result
        if result.termination.is_forfeit or result.winner is None:
            raise SystemExit(result.detail)
        return len(result.turns)

    def close(self) -> None:
        """Close the seats."""
        for seat in self._seats:
            seat.close()


def milliseconds_a_move(game: Callable[[], int], games: int) -> float:
    """Return milliseconds per move, including the time to begin and end a game."""
    started = time.perf_counter()
    moves = sum(game() for _ in range(games))
    return 1000 * (time.perf_counter() - started) / moves


def spread(values: list[float], digits: int) -> str:
    """Return the median with the lowest and the highest, as text."""
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f}-{max(values):.{digits}f})"


def measure(program: Path, tier: str, games: int) -> dict[str, list[float]]:
    """Return way -> milliseconds per move in each round."""
    forks, starts = Judged(program, tier, False), Judged(program, tier, True)
    ways: dict[str, Callable[[], int]] = {
        "course's loop": lambda: course_game(program, True),
        "course's loop, one start": lambda: course_game(program, False),
        f"judge at {tier}": forks,
        f"judge at {tier}, start_each_move": starts,
    }
    taken: dict[str, list[float]] = {way: [] for way in ways}
    try:
        for seats in (forks, starts):
            # Not timed: the first game also has to start the sandbox.
            seats()
        for _ in range(ROUNDS):
            for way, game in ways.items():
                taken[way].append(milliseconds_a_move(game, games))
    finally:
        forks.close()
        starts.close()
    return taken


def main() -> int:
    """Measure and print."""
    parser = parser_of("littlego", "The judge beside the loop of the course.", 4)
    games = parser.parse_args().games
    tier = tiers.best_tier()
    rows = []
    for name, program in PROGRAMS.items():
        taken = measure(program, tier, games)
        yardstick = taken["course's loop"]
        for way, values in taken.items():
            ratios = [one / other for one, other in zip(yardstick, values, strict=True)]
            rows.append([name, way, spread(values, 1), f"{1000 / statistics.median(values) / 24:.1f}", spread(ratios, 1)])
    print(tabulate(rows, ["program", "way", "ms a move", "games/s", "times the course's"], disable_numparse=True))
    return DONE


if __name__ == "__main__":
    sys.exit(run("littlego", main, JudgeError))
