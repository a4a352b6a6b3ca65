import math

import pytest

from goban.common.estimates import mean_interval, wilson_interval

# Published examples: Newcombe 1998, table I, method 3.
EXAMPLES = [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]


@pytest.mark.parametrize(("successes", "trials", "low", "high"), EXAMPLES)
def test_wilson_interval_as_published(successes, trials, low, high):
    assert wilson_interval(successes, trials) == pytest.approx((low, high), abs=5e-5)


def test_a_share_of_one_ends_at_one():
    assert wilson_interval(1000, 1000)[1] == 1.0


@pytest.mark.parametrize("trials", [1, 2, 3, 7, 20, 100, 999, 100_000])
def test_both_ends_lie_on_either_side_of_the_share(trials):
    for successes in {0, 1, trials // 2, trials - 1, trials}:
        low, high = wilson_interval(successes, trials)
        assert 0 <= low <= successes / trials <= high <= 1
    assert wilson_interval(0, trials)[0] == 0.0
    assert wilson_interval(trials, trials)[1] == 1.0


def test_the_interval_of_a_mean():
    """Of 1, 2, 3 the variance is 1, so the standard error is the root of 1 / 3."""
    assert mean_interval([1, 2, 3]) == pytest.approx((2 - 1.96 / 3**0.5, 2 + 1.96 / 3**0.5))
    assert mean_interval([4.0] * 7) == (4, 4)
    assert mean_interval([4.0]) == (-math.inf, math.inf)
