"""Plays our batches and Pgx's Go side by side and compares all that they show, step by step.

    python3 -m lab.pgx_parity [--part PERCENT] [--record FILE.npz]      needs pgx: pip install pgx jax

Each run plays a batch in lockstep: random legal actions with passes made rarer, one action in 500 illegal, and steps on games
that are over until they are begun anew. Compared are observation, legal actions, rewards, terminated, truncated, current
player and step count; who has Black is taken from Pgx. `--record` writes games as Pgx plays them, for a test without Pgx.
"""

from __future__ import annotations

import os
import sys
import time
import zlib
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from tabulate import tabulate

from benchmarks.pools import parser_of
from goban.common.command_lines import DONE, LEFT, CommandError, run, whole_number
from goban.common.files import open_beside
from goban.rulesets import Ending
from golearn.environments import GoBatch

ILLEGAL_SHARE = 0.002
RENEWED_SHARE = 0.1
PASS_WEIGHTS = (1.0, 0.05, 0.02)

Row = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Plan:
    """One run: a kind of game, how many at once, and how many steps of all of them together."""

    size: int
    games: int
    steps: int
    komi: float = 7.5
    history_length: int = 8
    max_terminal_steps: int | None = None

    def options(self) -> dict[str, Any]:
        """Return what both environments are made with."""
        return {
            "size": self.size, "komi": self.komi, "history_length": self.history_length,
            "max_terminal_steps": self.max_terminal_steps,
        }  # fmt: skip


PLANS = (
    Plan(2, 256, 100_000),
    Plan(3, 256, 100_000),
    Plan(4, 256, 100_000),
    Plan(5, 512, 1_000_000),
    Plan(9, 256, 300_000),
    Plan(19, 64, 100_000),
    Plan(3, 256, 30_000, komi=0.0, history_length=1),
    Plan(5, 256, 50_000, komi=6.0, history_length=4),
    Plan(5, 256, 50_000, komi=-3.0, history_length=2, max_terminal_steps=10),
    Plan(7, 128, 30_000, komi=6.5, history_length=5),
    Plan(13, 64, 20_000, komi=7.0),
)
# Few games, so that their traces stay below 500 KB together.
RECORDED = (
    Plan(2, 24, 480), Plan(2, 24, 480, komi=0.0, history_length=1), Plan(3, 16, 800, komi=6.5, history_length=4),
    Plan(3, 16, 800, komi=0.0), Plan(4, 12, 1_200, komi=-3.0), Plan(5, 12, 2_400), Plan(5, 8, 400, max_terminal_steps=10),
    Plan(7, 8, 2_400, komi=0.0, history_length=4), Plan(9, 8, 4_000), Plan(13, 4, 3_200, komi=6.5, history_length=1),
    Plan(19, 4, 6_000),
)  # fmt: skip


@dataclass
class Found:
    """What came of a run."""

    steps: int = 0
    differences: int = 0
    first: str = ""
    endings: Counter[Ending] = field(default_factory=Counter)
    stopped: int = 0
    """Steps on games that were over."""


class Pgx:
    """A batch of Pgx's games, which are begun anew where they are asked to."""

    def __init__(self, plan: Plan, seed: int) -> None:
        os.environ.setdefault("JAX_PLATFORMS", "cpu")
        try:
            import jax  # type: ignore[import-not-found, unused-ignore]
            from pgx.go import Go  # type: ignore[import-not-found, unused-ignore]
        except ImportError as error:
            raise CommandError(f"{error.name or error} is missing; install it with: pip install pgx jax") from None
        env = Go(**plan.options())
        self._jax, self._key, self._games = jax, jax.random.PRNGKey(seed), plan.games
        self._init, self._step = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step))
        pick = jax.numpy.where
        self._mixed = jax.jit(jax.vmap(lambda chosen, new, old: jax.tree.map(lambda a, b: pick(chosen, a, b), new, old)))
        self._state = self._fresh()

    def _fresh(self) -> Any:  # noqa: ANN401
        self._key, drawn = self._jax.random.split(self._key)
        return self._init(self._jax.random.split(drawn, self._games))

    def step(self, actions: npt.NDArray[np.int32]) -> None:
        """Take one action in each game."""
        self._state = self._step(self._state, actions)

    def reset(self, chosen: npt.NDArray[np.bool_]) -> None:
        """Begin some games anew."""
        self._state = self._mixed(chosen, self._fresh(), self._state)

    @property
    def player_order(self) -> npt.NDArray[np.int32]:
        """Which player has which colour, (games, 2)."""
        return np.asarray(self._state._player_order)

    def observe(self) -> Row:
        """Return what is compared."""
        names = ("observation", "legal_action_mask", "rewards", "terminated", "truncated", "current_player", "_step_count")
        return {name.lstrip("_"): np.asarray(getattr(self._state, name)) for name in names}


def ours(batch: GoBatch) -> Row:
    """Return the same of a batch of ours."""
    names = ("observation", "legal_action_mask", "rewards", "terminated", "truncated", "current_player", "step_count")
    return {name: getattr(batch, name) for name in names}


def choose(mask: npt.NDArray[np.bool_], over: npt.NDArray[np.bool_], rng: np.random.Generator) -> npt.NDArray[np.int32]:
    """Return an action for each game; row g passes PASS_WEIGHTS[g % 3] times as often as it plays on a point."""
    weights = mask.astype(np.float64)
    weights[:, -1] *= np.resize(PASS_WEIGHTS, len(mask))
    wrong = (rng.random(len(mask)) < ILLEGAL_SHARE) & ~over & ~mask.all(axis=1)
    weights[wrong] = ~mask[wrong]
    sums = np.cumsum(weights, axis=1)
    drawn = rng.random((len(mask), 1)) * sums[:, -1:]
    chosen: npt.NDArray[np.int32] = (sums > drawn).argmax(axis=1).astype(np.int32)
    return chosen


def compare(found: Found, plan: Plan, mine: Row, theirs: Row, step: int) -> None:
    """Count the entries that are not the same bit for bit."""
    for name, array in theirs.items():
        if mine[name].dtype != array.dtype or mine[name].shape != array.shape:
            raise CommandError(f"{name}: {mine[name].dtype} {mine[name].shape} here, {array.dtype} {array.shape} in Pgx")
        if not np.array_equal(mine[name], array):
            rows = (mine[name] != array).reshape(plan.games, -1).any(axis=1)
            found.differences += int(rows.sum())
            found.first = found.first or f"{name} of game {int(rows.argmax())} at step {step}"


def play(plan: Plan, seed: int) -> Found:
    """Play a run to its end."""
    found, rng = Found(), np.random.default_rng(seed)
    pgx = Pgx(plan, seed)
    batch = GoBatch(games=plan.games, **plan.options())
    batch.reset(player_order=pgx.player_order)
    compare(found, plan, ours(batch), pgx.observe(), 0)
    while found.steps < plan.steps:
        over = batch.terminated.copy()
        renewed = over & (rng.random(plan.games) < RENEWED_SHARE)
        if renewed.any():
            pgx.reset(renewed)
            batch.reset(renewed, pgx.player_order)
        actions = choose(batch.legal_action_mask, batch.terminated, rng)
        found.stopped += int(batch.terminated.sum())
        before = batch.terminated.copy()
        pgx.step(actions)
        batch.step(actions)
        found.steps += plan.games
        compare(found, plan, ours(batch), pgx.observe(), found.steps // plan.games)
        found.endings.update(ending for g in np.flatnonzero(batch.terminated & ~before) if (ending := batch.why_over(g)))
    return found


def record(path: Path) -> int:
    """Write actions and a checksum of everything shown after each of them, as Pgx plays; return how many bytes."""
    arrays: Row = {}
    for number, plan in enumerate(RECORDED):
        rng, pgx = np.random.default_rng(number), Pgx(plan, number)
        actions, sums = [], [checksums(pgx.observe(), plan.games)]
        for _ in range(plan.steps // plan.games):
            shown = pgx.observe()
            actions.append(choose(shown["legal_action_mask"], shown["terminated"], rng))
            pgx.step(actions[-1])
            sums.append(checksums(pgx.observe(), plan.games))
        limit = plan.max_terminal_steps or 0
        arrays[f"kind{number}"] = np.array([plan.size, plan.komi, plan.history_length, limit], dtype=np.float64)
        arrays[f"order{number}"] = pgx.player_order.astype(np.int8)
        arrays[f"actions{number}"] = np.array(actions, dtype=np.int16)
        arrays[f"sums{number}"] = np.array(sums, dtype=np.uint32)
    with open_beside(path) as file:
        np.savez_compressed(file, allow_pickle=False, **arrays)
    return path.stat().st_size


def checksums(shown: Row, games: int) -> list[int]:
    """Return the CRC-32 of each game's bytes, the arrays in the order of their names; see `ours`."""
    return [zlib.crc32(b"".join(shown[name][g].tobytes() for name in sorted(shown))) for g in range(games)]


def main() -> int:
    """Play all runs, print a table."""
    parser = parser_of("pgx_parity", "Our batches beside Pgx's Go.")
    percentage, size = whole_number(1, 100, "a percentage"), whole_number(2, 19, "a size")
    parser.add_argument("--part", type=percentage, default=100, metavar="PERCENT", help="of the steps (default 100)")
    parser.add_argument("--sizes", type=size, nargs="*", help="only these boards")
    parser.add_argument("--record", type=Path, metavar="FILE.npz", help="write games as Pgx plays them, and stop")
    arguments = parser.parse_args()
    if arguments.record is not None:
        print(f"{arguments.record}: {record(arguments.record):,} bytes")
        return DONE
    rows, wrong = [], 0
    for number, plan in enumerate(PLANS):
        if arguments.sizes and plan.size not in arguments.sizes:
            continue
        begun = time.monotonic()
        found = play(replace(plan, steps=plan.steps * arguments.part // 100), number)
        wrong += found.differences
        kind = f"{plan.size}x{plan.size}, komi {plan.komi:g}, {plan.history_length} frames"
        ends = [found.endings[e] for e in (Ending.TWO_PASSES, Ending.REPETITION, Ending.MOVE_LIMIT, Ending.ILLEGAL_MOVE)]
        rows.append([kind, f"{found.steps:,}", f"{found.stopped:,}", *ends, found.differences, found.first])
        print(f"{kind}: {found.differences} differences, {time.monotonic() - begun:.0f} s", file=sys.stderr)
    heads = ["games", "steps", "after the end", "two passes", "repetition", "limit", "illegal", "differences", "first"]
    print(tabulate(rows, heads, disable_numparse=True))
    return LEFT if wrong else DONE


if __name__ == "__main__":
    sys.exit(run("pgx_parity", main))
