"""States of games of random moves, and what the oracle and the drawn positions call their breaches and endings."""

import random

from hypothesis import strategies as st

from goban.moves import PASS
from goban.rulesets import PRESETS, ruleset
from goban.states import new_game

RULES_OF_BREACH = {"the point is occupied": "occupied", "suicide, the stone would have no liberty": "suicide"}

WITHOUT_SUICIDE = [name for name, rules in PRESETS.items() if not rules.suicide]
"""The presets that games in arrays, and batches of games, are played by."""

# What `play_some` takes: preset, size, seed and the largest number of moves.
games = st.tuples(st.sampled_from(list(PRESETS)), st.integers(2, 7), st.integers(0, 10**9), st.integers(0, 60))


def why(state, point):
    """Why a stone may not be placed there: "occupied", "suicide" or "repetition"; None if it may."""
    breach = state.why_illegal_placement(point)
    return None if breach is None else RULES_OF_BREACH.get(breach.rule, "repetition")


def ending(state):
    """How the game has ended, as `Ending` spells it; None if it goes on."""
    return None if state.ending is None else state.ending.value


def random_move(state, rng, passes):
    """A legal placement or a pass; a pass where the rules know it, with chance `passes` or if nothing else is legal."""
    placements = state.grid.points_of(state.placements())
    if state.rules.passing and (not placements or rng.random() < passes):
        return PASS
    return rng.choice(placements)


def play_some(preset, size, seed, moves):
    """The states of a game of at most `moves` random moves, from the empty board on."""
    rng = random.Random(seed)
    states = [new_game(ruleset(preset), size)]
    while len(states) <= moves and not states[-1].is_over:
        states.append(states[-1].play(random_move(states[-1], rng, 0.05)))
    return states
