"""What tests of the solver share: games it knows, played at random, and what nobody else asks it."""

import random

from goban.rulesets import ruleset
from goban.solver.engine import OutOfBudgetError
from goban.states import new_game

RULES = ["course", "littlego"]


def random_game(rules, size, seed):
    """(moves, last state) of a game of random moves, few passes among them, to its end."""
    rng, state, moves = random.Random(f"{rules} {size} {seed}"), new_game(ruleset(rules), size), []
    while not state.is_over:
        choices = state.legal_moves()
        moves.append(rng.choice(choices if rng.random() < 0.1 else choices[:-1] or choices))
        state = state.play(moves[-1])
    return moves, state


def random_state(rules, size, moves, rng, passes=0.1):
    """A state `moves` random moves into a game; None if the game ended before."""
    state = new_game(ruleset(rules), size)
    for _ in range(moves):
        choices = state.legal_moves()
        if not choices:
            return None
        state = state.play(rng.choice(choices) if rng.random() < passes else rng.choice(choices[:-1] or choices))
    return None if state.is_over else state


def winner_of(margin, size):
    """1, 2 or 0 from Black's stones less White's, komi being half the size."""
    return 1 if 2 * margin > size else 2 if 2 * margin < size else 0


def black_reaches(solver, state, margin, nodes=None):
    """Whether Black ends at least `margin` stones ahead of White; None if a limit came first."""
    solver.engine.start(state, nodes, None)
    try:
        return solver.engine.reaches(state, margin)
    except OutOfBudgetError:
        return None
