"""What the reference players choose from, by `players.tactics`: state -> mask of points."""

from players.tactics import aggressive_candidates, fewest_losses, most_captures, nearest_to_centre


def random(state):
    return state.placements()


def greedy(state):
    return most_captures(state, state.placements())[0]


def aggressive(state):
    best, captures = aggressive_candidates(state, state.placements())
    return best if captures else nearest_to_centre(state.grid, best)


def smart(state):
    best, _ = aggressive_candidates(state, fewest_losses(state, state.placements()))
    return nearest_to_centre(state.grid, best)


CHOICES = {"random": random, "greedy": greedy, "aggressive": aggressive, "smart": smart}
