"""Steps a second of other environments, for benchmarks/environments.py: `environments_others.py NAME SIZE`.

Every line that comes in asks for one round; the answer is a line of JSON, {"steps": ..., "seconds": ...}. The first line out
is the program's name and version. Times are processor time of one core; compiling and warming up are not counted.
"""

from __future__ import annotations

import ctypes
import importlib.util
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path

# (games in a batch, steps in a round), the batch being the fastest of a few that were tried.
PGX_BATCHES = {5: (64, 20), 9: (64, 60), 19: (8, 100)}
TURNS = 2000
"""Steps in a round of those that play one game."""
PUFFERLIB_GAMES = 64
"""Games at once; more are not faster."""


def pgx(size: int) -> tuple[str, Callable[[], int]]:
    """Return Pgx's name and a round of a batch."""
    return f"Pgx {version('pgx')}", pgx_round(size, *PGX_BATCHES.get(size, (16, 2 * size)))


def pgx_round(size: int, batch: int, steps: int) -> Callable[[], int]:
    """Return a round: drawing legal actions and stepping a batch from its beginning, compiled as one loop, which is warmed up.

    Nearly all games last that long; steps after a game's end are not counted, and beginning anew costs nothing here.
    """
    import jax  # type: ignore[import-not-found, unused-ignore]
    import jax.numpy as jnp  # type: ignore[import-not-found, unused-ignore]
    from pgx.go import Go  # type: ignore[import-not-found, unused-ignore]

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
    return play


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


# What PufferLib's Go asks of the library that draws its window, which is never opened.
RAYLIB = """
#include <stdbool.h>
typedef struct { unsigned char r, g, b, a; } Color;
typedef struct { float x, y; } Vector2;
#define BLACK (Color){0}
#define WHITE (Color){0}
#define GRAY (Color){0}
#define KEY_ESCAPE 256
#define IsKeyDown(key) 0
#define TextFormat(...) ""
""" + "".join(f"#define {name}(...) (void)0\n" for name in (
    "InitWindow", "SetTargetFPS", "BeginDrawing", "EndDrawing", "CloseWindow", "ClearBackground", "DrawRectangle", "DrawLineEx",
    "DrawCircleGradient", "DrawText",
))  # fmt: skip


def pufferlib(size: int, answered: bool = False) -> tuple[str, Callable[[], int]]:
    """Return the name of PufferLib's Go and a round of steps, or of those that its opponent answered: to a move that is none it
    says nothing.

    Its source is part of the package, and of its source distribution, unpacked and named in PYTHONPATH. Nothing else of it is
    needed.
    """
    found = importlib.util.find_spec("pufferlib")
    if found is None or found.submodule_search_locations is None:
        raise ImportError(name="pufferlib")
    source = Path(found.submodule_search_locations[0]) / "ocean" / "go"
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "raylib.h").write_text(RAYLIB)
        built = Path(folder) / "go.so"
        driver = Path(__file__).with_name("pufferlib_go.c")
        # Optimised as its own setup.py does.
        command = ["cc", "-O2", "-w", "-shared", "-fPIC", f"-I{folder}", f"-I{source}", str(driver), "-o", str(built), "-lm"]
        if subprocess.run(command, check=False).returncode:
            raise SystemExit(f"{source}: cannot be built")
        library = ctypes.CDLL(str(built))
    library.begin.restype, library.play.restype = ctypes.c_void_p, ctypes.c_long
    # All games last equally long: a round is whole games, of which the last steps are answered least.
    envs, steps = ctypes.c_void_p(library.begin(PUFFERLIB_GAMES, size)), (3 * size**2 + 1) * max(1, 400 // size**2)

    def play() -> int:
        found: int = library.play(envs, PUFFERLIB_GAMES, steps)
        return found if answered else PUFFERLIB_GAMES * steps

    return f"PufferLib {version('pufferlib')}, {'steps that are answered' if answered else 'all steps'}", play


def main() -> None:
    """Answer a line for every line."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    os.environ["JAX_PLATFORMS"] = "cpu"
    kinds: dict[str, Callable[[int], tuple[str, Callable[[], int]]]] = {
        "pgx": pgx, "open_spiel": open_spiel, "go_v5": go_v5, "ours": ours,
        "pufferlib": pufferlib, "pufferlib-answered": partial(pufferlib, answered=True),
    }  # fmt: skip
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
