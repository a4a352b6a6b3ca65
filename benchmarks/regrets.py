"""What the moves of `montecarlo` lose on 5x5 under the course's rules, by the exact solver.

Positions come from random placements, from six moves on. The winner is *at stake* where some moves win and some do not: there
a move either keeps the win or throws it away. Elsewhere the winner is decided, whatever is played. A move's regret is the
difference in stones, both sides playing for as many as they can from then on. The search counts wins and no stones, so where
the winner is decided its regret tells nothing about how well it searches.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import as_completed
from dataclasses import dataclass

from benchmarks.pools import processes, progress_of
from go import GO
from goban.common.estimates import wilson_interval
from goban.grids import BLACK
from goban.rulesets import COURSE
from goban.solver.solver import Solver
from goban.states import State, new_game
from players.registry import make_player

BUDGETS = (1_000, 10_000, 100_000)
HEADERS = ("simulations", "winner at stake", "win kept", "95 %", "stones a move", "decided", "stones a move")
_EARLIEST, _LATEST = 6, 20


@dataclass(frozen=True)
class Regret:
    """Of one move. stones: lost. share: of legal moves that win; None where the winner is decided."""

    budget: int
    stones: int
    kept: bool
    share: float | None


def positions(count: int, seed: int) -> Iterator[State]:
    """Yield positions that are not over, each after random placements."""
    rng = random.Random(seed)
    while count:
        state = new_game(COURSE, 5)
        for _ in range(rng.randint(_EARLIEST, _LATEST)):
            if not state.is_over:
                state = state.play(rng.choice(state.legal_moves()))
        if not state.is_over and len(state.legal_moves()) > 1:
            count -= 1
            yield state


def regrets_at(state: State, number: int, seed: int, options: str) -> list[Regret]:
    """Return the regret of the move for each budget."""
    solver, found = Solver(256), []
    winning, before = solver.winning_moves(state).winning_moves, _margin(solver, state)
    share = len(winning) / len(state.legal_moves())
    for budget in BUDGETS:
        name = ",".join(part for part in (f"montecarlo:simulations={budget},exact=0", options) if part)
        view = GO(5, COURSE)
        view.adopt_state(state)
        move = make_player(name, random.Random(f"{seed} {number}")).get_input(view, state.to_move)
        assert isinstance(move, tuple)
        lost = before - _margin(solver, state.play(move))
        stones = lost if state.to_move == BLACK else -lost
        found.append(Regret(budget, stones, move in winning, share if 0 < share < 1 else None))
    return found


def _margin(solver: Solver, state: State) -> int:
    margin = solver.margin(state).margin
    assert margin is not None
    return margin


def regret_rows(count: int, seed: int, options: str) -> list[list[str]]:
    """Measure on all cores; return a row for a legal move at random and one for each budget, as HEADERS say."""
    found: list[Regret] = []
    with processes() as pool, progress_of(count, "positions") as progress:
        work = [pool.submit(regrets_at, state, n, seed, options) for n, state in enumerate(positions(count, seed))]
        for future in as_completed(work):
            found += future.result()
            progress.update()
    shares = [one.share for one in found if one.budget == BUDGETS[0] and one.share is not None]
    chance = ["at random", str(len(shares)), f"{sum(shares) / max(1, len(shares)):.1%}", "", "", str(count - len(shares)), ""]
    return [chance, *(_row(budget, [one for one in found if one.budget == budget]) for budget in BUDGETS)]


def _row(budget: int, regrets: list[Regret]) -> list[str]:
    at_stake = [one for one in regrets if one.share is not None]
    decided = [one for one in regrets if one.share is None]
    kept = sum(one.kept for one in at_stake)
    low, high = wilson_interval(kept, max(1, len(at_stake)))
    return [
        f"{budget:,}", str(len(at_stake)), f"{kept / max(1, len(at_stake)):.1%}", f"{low:.1%} to {high:.1%}",
        _mean(at_stake), str(len(decided)), _mean(decided),
    ]  # fmt: skip


def _mean(regrets: list[Regret]) -> str:
    return f"{sum(one.stones for one in regrets) / max(1, len(regrets)):.2f}"
