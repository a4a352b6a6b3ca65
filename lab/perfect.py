"""Does `perfect` ever lose a won game, and does it make lost games hard?

    python3 -m lab.perfect [GAMES] [RULES] [SEED]        default: 10000 games, course, 1

GAMES are shared between seven opponents (the last tosses a coin for each move, perfect or random) and both colours. Black
wins from the empty board, so as Black `perfect` has a won game from the start, and as White from the opponent's first
mistake on. A game counts as won before if the solver called a position won in which `perfect` was to move. Then `perfect`
must win it.

The second table is about games that stay lost for long. The opponent is Black and opens at C3, the only winning opening.
The table has White's share of wins when it plays as `perfect` does, and when it plays any move while the game is lost; and
how many stones a game White's lost moves gave away, by the margins before and after each.
Games are seeded by opponent, colour and number, so the figures are the same on any number of processors.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from concurrent.futures import as_completed
from functools import cache
from itertools import product
from multiprocessing import get_context

from tabulate import tabulate
from tqdm import tqdm

from benchmarks.players import share
from benchmarks.pools import parser_of, processes
from go import GO
from goban.common.command_lines import DONE, run, whole_number
from goban.grids import BLACK, WHITE
from goban.moves import PASS, Move
from goban.rulesets import ruleset
from goban.solver.errors import RULES
from goban.solver.solver import Solver
from goban.states import State
from players.host import Answer, Host
from players.perfect_player import PerfectPlayer
from players.registry import Player, make_player

OPPONENTS = ("random", "greedy", "aggressive", "smart", "alphabeta", "my", "mixed")
HARD_GAMES = 200
CHUNK = 25


class Watched(PerfectPlayer):
    """`perfect`, but records whether it had a won game. careless: play any move while the game is lost.

    truth: if there is one, it says how many stones the moves of lost positions gave away, which are counted in `given`.
    """

    had_won = False
    careless = False
    truth: Solver | None = None
    given = 0

    def get_input(self, go: GO, piece_type: int) -> Answer:  # type: ignore[override]
        """Return the move, and record whether the game was won."""
        state = go.position(piece_type)
        answer = super().get_input(go, piece_type)
        won = self.solver.winner(state).winner == piece_type
        self.had_won = self.had_won or won
        if not won and self.careless:
            move = self.rng.choice(state.legal_moves())
            answer = "PASS" if move is PASS else move  # type: ignore[assignment]
        if self.truth is not None and not won:
            self.given += _given_away(state, PASS if answer == "PASS" else answer, self.truth)  # type: ignore[arg-type]
        return answer


def _given_away(state: State, move: Move, truth: Solver) -> int:
    """Return how many stones a move costs."""
    before = truth.margin(state).margin
    after = truth.margin(state.after(move), near=before, before=before).margin
    assert before is not None
    assert after is not None
    return abs(after - before)


@cache
def _truth() -> Solver:
    """Return this process's own solver: what is asked of a player's decides which of its winning moves it finds first."""
    return Solver(256)


class Opening:
    """Opens at C3 if it is Black; all other moves are another player's."""

    def __init__(self, player: Player) -> None:
        self.player = player

    def get_input(self, go: GO, piece_type: int) -> object:
        """Return the point."""
        return (2, 2) if go.n_move == 0 else self.player.get_input(go, piece_type)


class Mixed:
    """Plays perfect and random moves, a coin deciding at each."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.players = [make_player(name, rng) for name in ("perfect", "random")]

    def get_input(self, go: Host, piece_type: int, /) -> object:
        """Return the point."""
        return self.rng.choice(self.players).get_input(go, piece_type)


def other_player(name: str, rng: random.Random) -> Player:
    """Return the opponent of this name."""
    return Mixed(rng) if name == "mixed" else make_player(name, rng)


def play_won(name: str, colour: int, numbers: range, rules: str, seed: int) -> Counter[str]:
    """Count the games in which `perfect` had a won position, those it lost all the same, and all that it won."""
    counts: Counter[str] = Counter()
    for number in numbers:
        rng = random.Random(f"{seed} {name} {colour} {number}")
        perfect, other = Watched(rng), other_player(name, rng)
        won = GO(5, ruleset(rules)).play(*((perfect, other) if colour == BLACK else (other, perfect))) == colour
        counts += Counter(games=1, won=won, had_won=perfect.had_won, thrown_away=perfect.had_won and not won)
    return counts


def play_lost(name: str, careless: bool, numbers: range, rules: str, seed: int) -> Counter[str]:
    """Count the games that White wins against an opponent who opens at C3, and the stones that White gives away."""
    counts: Counter[str] = Counter()
    for number in numbers:
        rng = random.Random(f"{seed} {name} {number}")
        perfect, other = Watched(rng), Opening(other_player(name, rng))
        perfect.careless, perfect.truth = careless, _truth()
        won = GO(5, ruleset(rules)).play(other, perfect) == WHITE
        counts += Counter(games=1, won=won, given=perfect.given)
    return counts


def _lost_row(counts: Counter[str]) -> list[str]:
    return [share(counts["won"], counts["games"]), f"{counts['given'] / counts['games']:.2f}"]


def chunks(games: int) -> list[range]:
    """Return the numbers of the games, split into chunks."""
    return [range(first, min(first + CHUNK, games)) for first in range(0, games, CHUNK)]


def main() -> int:
    """Play and print."""
    parser = parser_of("perfect", "Does `perfect` ever lose a won game?", 10000)
    parser.add_argument("rules", nargs="?", choices=RULES, default="course", help="default: course")
    parser.add_argument("seed", nargs="?", type=whole_number(0, 2**64 - 1, "a seed"), default=1, help="default: 1")
    options = parser.parse_args()
    rules, seed = options.rules, options.seed
    each = -(-options.games // (2 * len(OPPONENTS)))
    started = time.perf_counter()
    # Numba's threads do not survive a fork.
    with processes(get_context("spawn")) as pool:
        first = {
            pair: [pool.submit(play_won, *pair, numbers, rules, seed) for numbers in chunks(each)]
            for pair in product(OPPONENTS, (BLACK, WHITE))
        }
        second = {
            pair: [pool.submit(play_lost, *pair, numbers, rules, seed) for numbers in chunks(HARD_GAMES)]
            for pair in product(OPPONENTS, (False, True))
        }
        parts = [part for found in (first, second) for shares in found.values() for part in shares]
        for _ in tqdm(as_completed(parts), total=len(parts), unit=f" times {CHUNK} games", disable=None):
            pass
        won = {pair: sum((part.result() for part in parts), Counter()) for pair, parts in first.items()}
        lost = {pair: sum((part.result() for part in parts), Counter()) for pair, parts in second.items()}
    header = ["opponent", "colour of perfect", "games", "won before", "of these lost", "games won"]
    rows = [
        [name, "black" if colour == BLACK else "white", c["games"], c["had_won"], c["thrown_away"], c["won"]]
        for (name, colour), c in won.items()
    ]
    total = sum(won.values(), Counter())
    rows.append(["all", "", total["games"], total["had_won"], total["thrown_away"], total["won"]])
    print(f"{rules}, {time.perf_counter() - started:.0f} s")
    print(tabulate(rows, header))
    print(f"\nWhite's wins after Black's C3, and the stones that White gives away a game, {HARD_GAMES} games each")
    hard = [[name, *(part for careless in (False, True) for part in _lost_row(lost[name, careless]))] for name in OPPONENTS]
    print(tabulate(hard, ["opponent", "hardest move", "stones", "any move", "stones"]))
    return DONE


if __name__ == "__main__":
    sys.exit(run("perfect", main))
