"""Random games in OpenSpiel, for benchmarks/playouts.py: prints JSON, {"name": ..., "<way>": {"<size>": moves/s}}.

There are two ways: a loop in Python over `legal_actions` and `apply_action`, and the rollouts of its C++ MCTSBot, each from
the second move on. The bot does not report how many moves it played, so they are taken as the number of rollouts times the
mean length of the Python games, less one. Times are processor time.
"""

from __future__ import annotations

import json
import random
import sys
import time
from importlib.metadata import version

import pyspiel  # type: ignore[import-not-found, unused-ignore]

ROLLOUTS = 50


def python_loop(size: int, games: int) -> tuple[float, float]:
    """Return (moves per second, mean number of moves in a game)."""
    game, rng, moves = pyspiel.load_game("go", {"board_size": size}), random.Random(1), 0
    begun = time.process_time()
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
            moves += 1
    return moves / (time.process_time() - begun), moves / games


def bot_rollouts(size: int, simulations: int, length: float) -> float:
    """Return moves per second. length: the mean number of moves in a game."""
    game = pyspiel.load_game("go", {"board_size": size})
    bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1), 1.4, simulations, 100, False, 1, False)
    begun = time.process_time()
    bot.step(game.new_initial_state())
    return simulations * ROLLOUTS * (length - 1) / (time.process_time() - begun)


def main() -> None:
    """Measure the board sizes given as arguments."""
    found: dict[str, dict[str, float]] = {"Python": {}, "C++ MCTSBot": {}}
    for size in sys.argv[1:]:
        points = int(size) ** 2
        rates = [python_loop(int(size), max(4, 10_000 // points)) for _ in range(3)]
        length = sum(mean for _, mean in rates) / len(rates)
        found["Python"][size] = sorted(rate for rate, _ in rates)[1]
        found["C++ MCTSBot"][size] = sorted(bot_rollouts(int(size), max(2, 8000 // points), length) for _ in range(3))[1]
    print(json.dumps({"name": f"OpenSpiel {version('open_spiel')}", **found}))


if __name__ == "__main__":
    main()
