"""What the judge costs: games between trivial players, with the submission in this process and in each sandbox.

    python3 -m benchmarks.judge [GAMES]          default: 60 games a round, 5 rounds

Course rules on 5x5, one game after the other. The submission (gojudge/shelf/attacks/plain) plays the first legal point;
its opponent, in this process, plays a random one. So nearly all the time is the judge's own. The ways of running it take
turns, so that a drift in the machine's speed affects all alike. Each figure is the median of the rounds, with the lowest
and the highest.

    start-up   ms by which the first game begins later than others do: sandbox, interpreter, import
    game       ms to begin and end a game
    move       ms from question to answer and back to rest, including the player's own thinking (as in this process)
    processor  ms of processor time of a whole game and its share of the start-up, of all processes: on a busy machine, too
"""

from __future__ import annotations

import resource
import statistics
import sys
import time
from pathlib import Path

from tabulate import tabulate

from benchmarks.pools import parser_of
from goban.common.command_lines import DONE, run
from goban.grids import WHITE
from goban.moves import read_answer
from goban.rulesets import COURSE
from goban.states import new_game
from gojudge.errors import JudgeError
from gojudge.records import Entrant, GameSpec, open_seeds
from gojudge.refereeing.open_seats import ReferenceSeat
from gojudge.sandbox import tiers
from gojudge.seats import Limits, Seat

ROUNDS = 5
SIZE = 5
PLAIN = Path(__file__).resolve().parent.parent / "gojudge/shelf/attacks/plain"
IN_PROCESS = "in process"


def open_seat(way: str) -> Seat:
    """Return the submission's seat, in this process or in a sandbox of a tier."""
    if way == IN_PROCESS:
        return ReferenceSeat(Entrant("plain", reference=str(PLAIN / "my_player.py")), COURSE, SIZE)
    return tiers.open_seat(Entrant("plain", folder=PLAIN), COURSE, SIZE, Limits(), tier=way)


def game(seat: Seat, number: int) -> tuple[float, float, int]:
    """Play one game as Black; return (seconds to begin and end it, seconds of all answers, number of answers)."""
    spec = GameSpec(f"plain-random-{number:03}", "plain", "random", open_seeds(number))
    opponent = ReferenceSeat(Entrant("random", reference="random"), COURSE, SIZE)
    started = time.perf_counter()
    seat.begin(spec, 1)
    around = time.perf_counter() - started
    opponent.begin(spec, WHITE)
    state, answering, moves = new_game(COURSE, SIZE), 0.0, 0
    while not state.is_over:
        asked = time.perf_counter()
        answer = (seat if state.to_move != WHITE else opponent).answer(state, "").answer
        if state.to_move != WHITE:
            answering += time.perf_counter() - asked
            moves += 1
        state = state.play(read_answer(answer, SIZE))
    started = time.perf_counter()
    seat.end()
    return around + time.perf_counter() - started, answering, moves


def processor_seconds() -> float:
    """Return the processor time of this process and of those that it has waited for."""
    return sum(sum(resource.getrusage(whose)[:2]) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def round_of(way: str, games: int) -> tuple[float, float, float, float, float]:
    """Open a new seat; return (games per second, ms of start-up, ms per game, ms per move, ms of processor time per game)."""
    before = processor_seconds()
    seat = open_seat(way)
    started = time.perf_counter()
    played = [game(seat, number) for number in range(games)]
    seconds = time.perf_counter() - started
    seat.close()
    around = statistics.mean(first for first, _, _ in played[1:])
    move = sum(answering for _, answering, _ in played) / sum(moves for _, _, moves in played)
    used = (processor_seconds() - before) / games
    return games / seconds, 1000 * (played[0][0] - around), 1000 * around, 1000 * move, 1000 * used


def spread(values: list[float], digits: int) -> str:
    """Return the median with the lowest and the highest, as text."""
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f}-{max(values):.{digits}f})"


def main() -> int:
    """Measure and print."""
    parser = parser_of("judge", "What the judge costs.", 60, least=2)
    games = parser.parse_args().games
    ways = [IN_PROCESS, *(report.tier for report in reversed(tiers.probe()) if report.works)]
    rounds: dict[str, list[tuple[float, float, float, float, float]]] = {way: [] for way in ways}
    for _ in range(ROUNDS):
        for way in ways:
            rounds[way].append(round_of(way, games))
    rows = []
    for way in ways:
        columns = list(zip(*rounds[way], strict=True))
        rows.append([way, *(spread(list(column), digits) for column, digits in zip(columns, (0, 0, 1, 2, 1), strict=True))])
    headers = ["submission", "games/s", "start-up, ms", "game, ms", "move, ms", "processor, ms"]
    print(tabulate(rows, headers, disable_numparse=True))
    return DONE


if __name__ == "__main__":
    sys.exit(run("judge", main, JudgeError))
