"""Steps a second of other environments, for benchmarks/environments.py: `environments_others.py NAME SIZE`.

Every line that comes in asks for one round; the answer is a line of JSON, {"steps": ..., "seconds": ...}. The first line out
is the program's name and version. Times are processor time of one core; compiling and warming up are not counted.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections.abc import Callable
from importlib.metadata import version

if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
os.environ["JAX_PLATFORMS"] = "cpu"

# (games in a batch, steps in a round), the batch being the fastest of a few that were tried.
PGX_BATCHES = {5: (64, 20), 9: (64, 60), 19: (8, 100)}
TURNS = 2000
"""Steps in a round of those that play one game."""


def pgx(size: int) -> tuple[str, Callable[[], int]]:
    """Return Pgx's name and a round: drawing legal actions and stepping a batch from its beginning, compiled as one loop.

    Nearly all games last that long; steps after a game's end are not counted, and beginning anew costs nothing here.
    """
    import jax  # type: ignore[import-not-found, unused-ignore]
    import jax.numpy as jnp  # type: ignore[import-not-found, unused-ignore]
    from pgx.go import Go  # type: ignore[import-not-found, unused-ignore]

    batch, steps = PGX_BATCHES.get(size, (16, 2 * size))
    env = Go(size=size)
    step = jax.vmap(env.step)

    def advance(state, key):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
        legal = jnp.cumsum(state.legal_action_mask, axis=1)
        chosen = jnp.floor(jax.random.uniform(key, (batch, 1)) * legal[:, -1:]) + 1
        return step(state, jnp.argmax(legal >= chosen, axis=1)), (~state.terminated).sum()

    # The last state goes out, so that observations are not optimised away.
    run = jax.jit(lambda state, key: jax.lax.scan(advance, state, jax.random.split(key, steps)))
    start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), batch))
    seeds = iter(range(10**9))

    def play() -> int:
        state, played = run(start, jax.random.PRNGKey(next(seeds)))
        state.observation.block_until_ready()
        return int(played.sum())

    play()
    return f"Pgx {version('pgx')}", play


def open_spiel(size: int) -> tuple[str, Callable[[], int]]:
    """Return OpenSpiel's name and a round; its observation has 4 planes."""
    import pyspiel  # type: ignore[import-not-found, unused-ignore]

    game = pyspiel.load_game("go", {"board_size": size})
    rng, box = random.Random(0), [game.new_initial_state()]

    def play() -> int:
        state = box[0]
        for _ in range(TURNS):
            if state.is_terminal():
                state = game.new_initial_state()
            state.apply_action(rng.choice(state.legal_actions()))
            state.observation_tensor(0)
        box[0] = state
        return TURNS

    return f"OpenSpiel {version('open_spiel')}", play


def turns(name: str, env) -> tuple[str, Callable[[], int]]:  # type: ignore[no-untyped-def]  # noqa: ANN001
    """Return a name and a round of a PettingZoo environment, turn by turn as its own benchmark takes them."""
    chance = random.Random(0).random
    env.reset()

    def play() -> int:
        for _ in range(TURNS):
            seen, _, over, cut, _ = env.last()
            if over or cut:
                env.reset()
                seen = env.last()[0]
            legal, action = seen["action_mask"], 0
            while True:
                action = int(chance() * len(legal))
                if legal[action]:
                    break
            env.step(action)
        return TURNS

    play()
    return name, play


def go_v5(size: int) -> tuple[str, Callable[[], int]]:
    """Return PettingZoo's own Go."""
    from pettingzoo.classic import go_v5 as module  # type: ignore[import-not-found, unused-ignore]

    return turns(f"PettingZoo {version('pettingzoo')}", module.env(board_size=size))


def ours(size: int) -> tuple[str, Callable[[], int]]:
    """Return our face for PettingZoo, on which the same loop runs."""
    from golearn.environments.pettingzoo_envs import env

    return turns("our PettingZoo face", env(board_size=size))


def main() -> None:
    """Answer a line for every line."""
    kinds = {"pgx": pgx, "open_spiel": open_spiel, "go_v5": go_v5, "ours": ours}
    try:
        name, play = kinds[sys.argv[1]](int(sys.argv[2]))
    except ImportError as error:
        raise SystemExit(f"{error.name or error} is missing") from None
    print(json.dumps(name), flush=True)
    for _ in sys.stdin:
        begun = time.process_time()
        steps = play()
        print(json.dumps({"steps": steps, "seconds": time.process_time() - begun}), flush=True)


if __name__ == "__main__":
    main()
