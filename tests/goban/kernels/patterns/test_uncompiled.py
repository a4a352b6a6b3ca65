"""Promises of kernels that take long to compile, kept by the same kernels as plain Python."""

from pathlib import Path

import pytest

from tests.support.missing import needs, no_package
from tests.support.scripts import run_uncompiled

HERE = Path(__file__).parent

pytestmark = needs(no_package("numba"))

GRADIENTS = [
    "test_playouts_are_those_that_are_played_elsewhere", "test_a_move_changes_its_factors_less_what_all_moves_have_of_them",
    "test_a_factor_of_all_moves_changes_nothing", "test_the_same_seed_gives_the_same_gradient",
]  # fmt: skip


@pytest.mark.slow
def test_replies_are_given_and_learned_uncompiled():
    run_uncompiled(str(HERE / "test_replies.py"))


@pytest.mark.slow
def test_gradients_and_ownership_are_those_of_the_playouts_uncompiled():
    owned = HERE / "test_ownership.py"
    run_uncompiled(
        *(f"{HERE / 'test_gradients.py'}::{name}" for name in GRADIENTS),
        f"{owned}::test_a_settled_point_is_its_owners_in_every_playout_even_at_the_move_limit",
        *(f"{owned}::test_it_adds_up_to_the_mean_score[{case}]" for case in ("2-1", "5-2")),
    )
