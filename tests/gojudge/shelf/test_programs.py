"""Every program of the shelf comes to its expected end, and the next game is what it would have been without it."""

import pytest

from gojudge.records import PROGRAM
from tests.support.missing import skip_if
from tests.support.programs import game, moves, seat_for
from tests.support.submissions import shelf, tiers

pytestmark = pytest.mark.slow

SHELF = [attack for attack in shelf() if attack.kind == PROGRAM]
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


def is_forked(name):
    """Say whether a program plays an honest game, in forks of its interpreter where these are no other than real starts."""
    return name in WELL_BEHAVED and not BY_NAME[name].entry.endswith((".cpp", ".java"))


def played(program, tier, number, begun=0, **options):
    """Play so many games in a sandbox; return the first. begun: see `programs.game`."""
    seat = seat_for(program.entrant, tier, program.limits, **options)
    try:
        games = [game(seat, each, begun=begun) for each in range(1, number + 1)]
    finally:
        seat.close()
    for one in games:
        check(program, one)
    return games[0]


def one_of_each():
    """Of the others the first that comes to each end in each language: `make doctor` plays all of them at the best tier."""
    first = {}
    for name in NAMES:
        if not is_forked(name):
            first.setdefault((BY_NAME[name].expected, BY_NAME[name].entry.partition(".")[2]), name)
    return list(first.values())


@tiers("T3")
@pytest.mark.parametrize("name", one_of_each())
def test_a_program_comes_to_its_expected_end_twice(name, tier):
    skip_unless_here(BY_NAME[name], tier)
    played(BY_NAME[name], tier, 2)


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
@pytest.mark.parametrize("name", [name for name in NAMES if is_forked(name)])
def test_a_fork_plays_the_very_game_that_real_starts_play(name, tier):
    """And both come to their expected end. The forks play twice for `make doctor`, and whole games."""
    program = BY_NAME[name]
    skip_unless_here(program, tier)
    fork, real = (played(program, tier, 1, begun=12, real_starts=real) for real in (False, True))
    if not program.chance:
        assert moves(fork) == moves(real)
        assert (fork.winner, fork.black_log) == (real.winner, real.black_log)
