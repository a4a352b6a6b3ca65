"""Compiles what the tests need and an installation does not compile, before processes of tests begin.

    python3 -m tests.support.kernels_ahead

Else the first test that needs a kernel would compile it, and tests in other processes would wait for that; and each process
would write the assertions of all tests anew, and look through all modules for what Hypothesis might try.
"""

import io
import random
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import redirect_stdout

import pytest

from goban.kernels.numba_tools.compile import HAVE_NUMBA


class FewTests:
    """A plugin of pytest by which files of tests are read and nothing in them is a test, but for those of Hypothesis."""

    @staticmethod
    def pytest_pycollect_makeitem(obj):
        # By then pytest has had its say about how it is imported.
        from hypothesis import is_hypothesis_test

        return None if is_hypothesis_test(obj) else []


def assertions():
    """Have pytest keep the tests with their assertions as it writes them, and Hypothesis the numbers and texts of all modules,
    once it has seen a test of its own. A file that cannot be read is told of later."""
    with redirect_stdout(io.StringIO()):
        pytest.main(["--collect-only", "--quiet", "--quiet", "-p", "no:cacheprovider"], plugins=[FewTests()])


def proofs():
    """Prove how games on the smallest board end: no other kernels are compiled for so long.

    And have the tests make such a table themselves.
    """
    from goban.grids import BLACK
    from goban.rulesets import COURSE
    from goban.solver.alphabeta.course_proofs import CourseClaim, proof_of_course_claim
    from goban.solver.area.prover import Claim, Prover
    from goban.solver.area.solver import empty_board
    from goban.solver.area.strategies import pieces_of_proof
    from goban.solver.solver import Solver
    from goban.states import new_game
    from tests.support.area_retrograde import all_values

    all_values(2, 2)
    proof_of_course_claim(Solver(16).engine, CourseClaim(new_game(COURSE, 2), BLACK, 1))
    list(pieces_of_proof(Prover(Claim(empty_board(2, 2), BLACK, -4), 1)))


def environments():
    """Step a batch on bitboards and one on array boards, and have the compiled opponents choose."""
    from golearn.environments import GoBatch, baseline

    for size, rules in ((5, "course"), (9, "tromp-taylor-pgx")):
        batch = GoBatch(size, 4, rules=rules, seed=1)
        for name in ("random", "naive", "greedy", "aggressive", "smart"):
            batch.step(baseline(name, seed=1)(batch))
        batch.reset(batch.terminated)


def learning():
    """Learn from some games by either rule."""
    from golearn.qlearning.training import MINIMAX, RIVAL, Plan, Training

    with ThreadPoolExecutor(1) as workers:
        for rule in (MINIMAX, RIVAL):
            Training(Plan(rule, 10, 1, {"self": 1.0, "smart": 1.0}, (0.1, 0.01), (0.2, 0.0), 0.5, 0.5)).step(workers)


def search():
    """Make a player ready that searches with a network."""
    from goban.rulesets import COURSE
    from players.registry import make_player

    make_player("zero:simulations=20", random.Random(1)).prepare(COURSE, 5)


if __name__ == "__main__":
    # In this order two processes end at about the same time.
    parts = (environments, proofs, search, learning, assertions) if HAVE_NUMBA else (assertions,)
    with ProcessPoolExecutor(2) as processes:
        for done in [processes.submit(part) for part in parts]:
            done.result()
