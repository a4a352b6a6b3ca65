"""Random games in Pgx on one core, for benchmarks/playouts.py: prints JSON, {"name": ..., "CPU": {"<size>": rate}}.

A compiled scan advances a whole batch. Compilation and moves after a game's end are not counted. The batch sizes are the
fastest of a few that were tried. Times are processor time.
"""

from __future__ import annotations

import json
import os
import sys
import time
from importlib.metadata import version
from typing import Any

if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # type: ignore[import-not-found, unused-ignore]
import jax.numpy as jnp  # type: ignore[import-not-found, unused-ignore]
from pgx.go import Go  # type: ignore[import-not-found, unused-ignore]

# (games in a batch, moves). Nearly all games last that many moves.
BATCHES = {5: (64, 20), 9: (64, 60), 19: (8, 100)}


def moves_per_second(size: int) -> float:
    """Return moves per second, the median of five batches."""
    batch, moves = BATCHES.get(size, (16, 2 * size))
    env = Go(size=size)
    one_move = jax.vmap(env.step)

    def advance(state: Any, key: Any) -> Any:  # noqa: ANN401
        legal = jnp.cumsum(state.legal_action_mask, axis=1)
        chosen = jnp.floor(jax.random.uniform(key, (batch, 1)) * legal[:, -1:]) + 1
        return one_move(state, jnp.argmax(legal >= chosen, axis=1)), (~state.terminated).sum()

    play = jax.jit(lambda state, key: jax.lax.scan(advance, state, jax.random.split(key, moves))[1].sum())
    start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), batch))
    play(start, jax.random.PRNGKey(0)).block_until_ready()
    rates = []
    for seed in range(1, 6):
        begun = time.process_time()
        played = int(play(start, jax.random.PRNGKey(seed)))
        rates.append(played / (time.process_time() - begun))
    return sorted(rates)[2]


if __name__ == "__main__":
    rates = {size: moves_per_second(int(size)) for size in sys.argv[1:]}
    print(json.dumps({"name": f"Pgx {version('pgx')} (jax {version('jax')})", "CPU": rates}))
