"""Seven independent players who always make the same move in a position; see `lab.similarity`."""

import random
from dataclasses import replace

from lab.similarity import Habits

_RNG = random.Random(5)
PLAYERS = {f"p{k}": replace(Habits.draw(_RNG), scan=_RNG.choice(["rows", "back", "columns"]), slips=0.0) for k in range(7)}
