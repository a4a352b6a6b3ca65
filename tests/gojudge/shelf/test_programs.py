"""Every program of the shelf comes to its expected end, and the next game is what it would have been without it."""

import pytest

from gojudge.records import PROGRAM
from gojudge.shelf.catalogue import read_shelf
from tests.support.missing import skip_if
from tests.support.programs import game, moves, seat_for
from tests.support.submissions import tiers

pytestmark = pytest.mark.slow

SHELF = [attack for attack in read_shelf() if attack.kind == PROGRAM]
NAMES = [program.name for program in SHELF]
BY_NAME = {program.name: program for program in SHELF}
WELL_BEHAVED = [program.name for program in SHELF if [str(one) for one in program.expected] == ["score"]]


def skip_unless_here(program, tier):
    if tier not in program.tiers:
        pytest.skip(f"not contained at {tier}")
    skip_if(program.why_not_here)


def check(program, result):
    assert program.is_right(result), (result.termination, result.detail, result.evidence)


def test_the_shelf_has_what_real_students_hand_in():
    assert len(SHELF) >= 25


@tiers("T3")
@pytest.mark.parametrize("name", NAMES)
def test_a_program_comes_to_its_expected_end_twice(name, tier):
    program = BY_NAME[name]
    skip_unless_here(program, tier)
    seat = seat_for(program.entrant, tier, program.limits)
    try:
        for number in (1, 2):
            check(program, game(seat, number))
    finally:
        seat.close()


@tiers("T2", "T1")
@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_in_weaker_sandboxes_too(name, tier):
    program = BY_NAME[name]
    skip_unless_here(program, tier)
    seat = seat_for(program.entrant, tier, program.limits)
    try:
        check(program, game(seat))
    finally:
        seat.close()


@tiers("T3")
@pytest.mark.parametrize("name", WELL_BEHAVED)
def test_a_fork_plays_the_very_game_that_real_starts_play(name, tier):
    program = BY_NAME[name]
    skip_unless_here(program, tier)
    if program.entry.endswith((".cpp", ".java")):
        pytest.skip("is always started for real")
    played = []
    for real in (False, True):
        seat = seat_for(program.entrant, tier, program.limits, real_starts=real)
        try:
            played.append(game(seat))
        finally:
            seat.close()
    fork, real = played
    check(program, fork)
    check(program, real)
    if not program.chance:
        assert moves(fork) == moves(real)
        assert (fork.winner, fork.black_log) == (real.winner, real.black_log)
