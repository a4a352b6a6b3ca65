"""Seven independent players who always make the same move in a position; see `benchmarks.similarity`."""

import random
from dataclasses import replace

from benchmarks.similarity import Habits

_RNG = random.Random(5)
PLAYERS = {f"p{k}": replace(Habits.drawn(_RNG), scan=_RNG.choice(["rows", "back", "columns"]), slips=0.0) for k in range(7)}
