"""Does `perfect` ever lose a won game, and does it make lost games hard?

    python3 -m benchmarks.perfect [GAMES] [RULES] [SEED]        default: 10000 games, course, 1

GAMES are shared between seven opponents (the last tosses a coin for each move, perfect or random) and both colours. Black
wins from the empty board, so as Black `perfect` has a won game from the start, and as White from the opponent's first
mistake on. A game counts as won before if the solver called a position won in which `perfect` was to move. Then `perfect`
must win it.

The second table is about games that stay lost for long. The opponent is Black and opens at C3, the only winning opening.
The table has White's share of wins when it plays as `perfect` does, and when it plays any move while the game is lost.
Games are seeded by opponent, colour and number, so the figures are the same on any number of processors.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from concurrent.futures import as_completed
from itertools import product
from multiprocessing import get_context

from tabulate import tabulate
from tqdm import tqdm

from benchmarks.parsers import parser_of
from benchmarks.players import share
from benchmarks.pools import processes
from common.command_lines import DONE, run, whole_number
from go import GO
from goban.grids import BLACK, WHITE
from goban.moves import PASS
from goban.rulesets import ruleset
from players.host import Answer, Host
from players.perfect_player import PerfectPlayer
from players.registry import Player, make_player
from search.alphabeta.boards import RULES

OPPONENTS = ("random", "greedy", "aggressive", "smart", "alphabeta", "my", "mixed")
HARD_GAMES = 200
CHUNK = 25


class Watched(PerfectPlayer):
    """`perfect`, but records whether it had a won game. careless: play any move while the game is lost."""

    had_won = False
    careless = False

    def get_input(self, go: GO, piece_type: int) -> Answer:  # type: ignore[override]
        """Return the move, and record whether the game was won."""
        state = go.position(piece_type)
        answer = super().get_input(go, piece_type)
        won = self.solver.winner(state).winner == piece_type
        self.had_won = self.had_won or won
        if won or not self.careless:
            return answer
        move = self.rng.choice(state.legal_moves())
        return "PASS" if move is PASS else move  # type: ignore[return-value]


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
    """Count the games that White wins against an opponent who opens at C3."""
    counts: Counter[str] = Counter()
    for number in numbers:
        rng = random.Random(f"{seed} {name} {number}")
        perfect, other = Watched(rng), Opening(other_player(name, rng))
        perfect.careless = careless
        counts += Counter(games=1, won=GO(5, ruleset(rules)).play(other, perfect) == WHITE)
    return counts


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
    print(f"\nWhite's wins after Black's C3, {HARD_GAMES} games each")
    hard = [[name, *(share(lost[name, careless]["won"], HARD_GAMES) for careless in (False, True))] for name in OPPONENTS]
    print(tabulate(hard, ["opponent", "hardest move", "any move"]))
    return DONE


if __name__ == "__main__":
    sys.exit(run("perfect", main))
