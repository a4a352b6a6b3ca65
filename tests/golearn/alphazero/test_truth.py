"""Answers against exact values: what each metric says of answers whose worth is plain."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from golearn.alphazero.answers import Answers
from golearn.alphazero.go_positions import ACTIONS, ILLEGAL, MOST_MOVES, NO_MOVE, UNKNOWN, KnownPositions
from golearn.alphazero.truth import by_bucket, metrics


def known(*positions):
    """Positions, each as (moves made, {action: Black's margin after it, or 'B', 'W' where only the winner is known})."""
    count = len(positions)
    moves = np.full((count, MOST_MOVES), NO_MOVE, np.uint8)
    winners, margins = np.full((count, ACTIONS), ILLEGAL, np.int8), np.full((count, ACTIONS), UNKNOWN, np.int8)
    for k, (made, after) in enumerate(positions):
        moves[k, :made] = 0
        for action, margin in after.items():
            if isinstance(margin, str):
                winners[k, action] = "BW".index(margin) + 1
            else:
                winners[k, action], margins[k, action] = (1 if margin > 2 else 2), margin
    return KnownPositions("course", moves, np.zeros(count, np.bool_), winners, margins)


def answers(*actions, values=None, margins=None, policies=None):
    columns = (None if column is None else np.array(column, np.float64) for column in (policies, values, margins))
    return Answers(np.array(actions), *columns)


# Black, to move, wins by action 3 only; White, to move, loses whatever is played, with action 1 by least.
TWO = known((8, {3: 5, 4: 1}), (9, {1: 4, 2: 9, 7: 4}))


def test_perfect_answers_have_no_error_and_the_worst_have_all():
    best = metrics(TWO, answers(3, 1, values=[1, -1], margins=[5, -4]))
    worst = metrics(TWO, answers(4, 2, values=[-1, 1], margins=[0, -9]))
    figures = {"winner": (1, 0), "value error": (0, 2), "Brier": (0, 1), "calibration": (0, 1), "kept wins": (1, 0)}
    figures |= {"best moves": (1, 0), "regret": (0, (4 + 5) / 2), "margin error": (0, 5)}
    assert {name: (best[name].value, worst[name].value) for name in best} == figures
    assert {name: one.count for name, one in best.items()} == {**dict.fromkeys(figures, 2), "kept wins": 1}


def test_who_only_moves_is_measured_by_moves_only():
    assert list(metrics(TWO, answers(3, 7))) == ["kept wins", "best moves", "regret"]


def test_mass_on_best_is_what_the_policy_gives_to_all_best_actions():
    policies = np.zeros((2, ACTIONS))
    policies[0, [3, 4]] = 0.25, 0.75
    policies[1, [1, 2, 7]] = 0.5, 0.3, 0.2
    assert metrics(TWO, answers(3, 7, policies=policies))["mass on best"].value == pytest.approx((0.25 + 0.7) / 2)


def test_where_nothing_can_go_wrong_nothing_is_counted():
    """All actions win by as much, or lose; margins nobody knows are no margins."""
    found = metrics(known((6, {0: 5, 1: 5}), (8, {0: -3, 1: -3}), (4, {0: "W", 1: "W"})), answers(0, 1, 1))
    assert found == {}


def test_early_positions_count_by_who_wins_alone():
    found = metrics(known((3, {0: "B", 1: "W"}), (3, {0: "B", 1: "W"})), answers(1, 0))
    assert {name: (one.value, one.count) for name, one in found.items()} == {"kept wins": (0.5, 2)}


def test_a_value_of_nought_is_not_the_winner():
    assert metrics(TWO, answers(3, 1, values=[0, 0]))["winner"].value == 0


def plain_calibration(chances, won):
    """The definition, bin by bin."""
    total = 0.0
    for low in range(10):
        inside = [k for k, chance in enumerate(chances) if low <= chance * 10 < low + 1 or (low == 9 and chance == 1)]
        if inside:
            total += abs(sum(chances[k] for k in inside) - sum(won[k] for k in inside)) / len(chances)
    return total


@given(st.lists(st.tuples(st.sampled_from([-1.0, -0.9, -0.33, 0.0, 0.125, 0.6, 1.0]), st.booleans()), min_size=1, max_size=30))
def test_calibration_is_the_mean_gap_between_what_was_said_and_what_came(said):
    positions = known(*((8, {0: 5 if won else 1}) for _, won in said))
    found = metrics(positions, answers(*[0] * len(said), values=[value for value, _ in said]))["calibration"]
    assert found.value == pytest.approx(plain_calibration([(value + 1) / 2 for value, _ in said], [won for _, won in said]))
    assert 0 <= found.low <= found.high <= 1


def test_what_is_well_calibrated_though_it_knows_little():
    """Of positions said to be won three times in four, three in four are."""
    positions = known(*((8, {0: 5 if k % 4 else 1}) for k in range(400)))
    found = metrics(positions, answers(*[0] * 400, values=[0.5] * 400))
    assert found["calibration"].value == pytest.approx(0)
    assert found["Brier"].value == pytest.approx(3 / 16)
    assert found["winner"].value == 0.75


def test_intervals_hold_the_figure_and_narrow_with_more_positions():
    rng = np.random.default_rng(3)
    widths = []
    for count in (100, 1600):
        positions = known(*((8, {0: int(rng.integers(3, 9)), 1: int(rng.integers(-9, 9))}) for _ in range(count)))
        found = metrics(positions, answers(*rng.integers(0, 2, count), values=rng.uniform(-1, 1, count)))
        assert all(one.low <= one.value <= one.high for one in found.values())
        widths.append({name: one.high - one.low for name, one in found.items()})
    assert all(wide > 2.5 * widths[1][name] for name, wide in widths[0].items() if name != "calibration")


def test_parts_are_by_moves_made_and_together_make_all():
    positions = known((0, {0: "B", 1: "W"}), (5, {0: "B", 1: "W"}), (6, {0: 5, 1: 1}), (23, {0: 5, 1: 1}))
    found = by_bucket(positions, answers(0, 0, 0, 1))
    counts = {name: one["kept wins"].count for name, one in found.items() if one}
    assert counts == {"all": 4, "0-5": 2, "6-11": 1, "18-23": 1}
    # White to move after an odd number of moves.
    assert {name: one["kept wins"].value for name, one in found.items() if one} == {
        "all": 0.75, "0-5": 0.5, "6-11": 1, "18-23": 1,
    }  # fmt: skip
