"""Who takes too long plays last: nobody waits for them, and every game is played all the same."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gojudge.refereeing.probation import Budgets, Pace, in_words
from gojudge.refereeing.runner import Runner
from lab.slow_players import ANSWERS, FAST, LIMIT, simulate
from tests.support.stub_runs import Inline, people, schedule
from tests.support.stubs import conditions
from tournament.application.plans import read_event

GAME = ANSWERS * LIMIT
"""Seconds of a game of somebody who takes the whole limit for each answer."""


@st.composite
def days(draw):
    """A class, in which one or two are slow: name -> seconds for an answer; who they are; kind, games, workers."""
    names = [f"s{number}" for number in range(draw(st.integers(3, 8)))]
    slow = draw(st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True))
    seconds = dict.fromkeys(names, FAST) | dict.fromkeys(slow, LIMIT)
    return seconds, slow, draw(st.sampled_from(["grade", "round-robin"])), 2 * draw(st.integers(1, 10)), draw(st.integers(1, 5))


@pytest.mark.slow
@given(days())
@settings(max_examples=25, deadline=None)
def test_others_are_done_as_if_the_slow_were_not_there_but_for_their_first_games(day):
    seconds, slow, kind, games, lanes = day
    without = simulate(kind, games, {name: seconds[name] for name in seconds if name not in slow}, (), lanes, None)
    found = simulate(kind, games, seconds, slow, lanes, GAME / 2)
    # In a round robin each of the others may have its first game with one of them.
    first = len(slow) * (3 + (len(seconds) if kind == "round-robin" else 0))
    assert found.others <= without.all + 2 * GAME * first


@pytest.mark.slow
@given(days())
@settings(max_examples=10, deadline=None)
def test_all_games_are_played_whoever_is_slow(day):
    seconds, slow, kind, games, lanes = day
    assert sorted(simulate(kind, games, seconds, slow, lanes, GAME / 2).ids) == sorted(
        simulate(kind, games, seconds, slow, lanes, None).ids
    )


def test_the_slow_who_are_first_by_name_hold_nobody_up():
    seconds = {"a": LIMIT, "b": FAST, "c": FAST, "d": FAST}
    before, after = (simulate("grade", 20, seconds, "a", 2, budget) for budget in (None, 60.0))
    assert before.others > 10 * GAME
    assert after.others < 3 * GAME
    assert after.all <= before.all + GAME
    # Those that were put off come after all others.
    last = max(place for place, id in enumerate(after.ids) if not id.startswith("a-"))
    assert sum(id.startswith("a-") for id in after.ids[:last]) <= 3


def played_by(budgets, late=lambda games: True):
    kept = []
    runner = Runner(conditions(), people(*"abc"), kept.extend, executor=Inline, budgets=budgets, only_slow_left=late)
    account = runner.run(schedule("abc"))
    return [result.spec.id for result in kept], account


def test_who_was_slow_in_earlier_runs_plays_no_game_before_the_others_but_where_those_are_new():
    budgets = Budgets({"b": 100}, 60.0)
    budgets.count("b", 60.0)
    ids, _ = played_by(budgets)
    everything, _ = played_by(None)
    assert sorted(ids) == sorted(everything)
    of_slow = [id for id in ids if "b" in id.split("-")[:2]]
    assert len(of_slow) == 8
    assert ids[-5:] == [id for id in ids if id in of_slow][-5:]


def test_games_that_are_put_off_can_be_left_out():
    budgets, said = Budgets({"b": 100}, 60.0), []
    budgets.count("b", 60.0)
    ids, account = played_by(budgets, late=lambda games: said.append(games))
    everything, _ = played_by(None)
    assert not account.stopped
    assert len(ids) + said[0] == len(everything)
    assert {id for id in everything if id.startswith("a-c")} <= set(ids)


@given(st.floats(0, 1000), st.integers(1, 400), st.integers(1, 400), st.floats(1, 1000))
def test_slow_is_whose_games_will_take_more_than_the_budget(spent, played, games, budget):
    pace = Pace("bob", spent, played, games, budget)
    assert pace.expected >= spent
    assert pace.is_slow == (pace.expected > budget and spent >= budget / 20)
    if played >= games:
        assert pace.is_slow == (spent > budget)


def test_who_has_no_budget_is_never_slow():
    budgets = Budgets({"bob": 10}, None)
    budgets.count("bob", 1e6)
    budgets.count("random", 1e6)
    assert not budgets.is_slow("bob")
    assert budgets.slow() == []


def test_what_was_used_is_said_in_words():
    assert Pace("bob", 61, 1, 400, 1200).words == "slow: bob used 61 s of 20 min in 1 of 400 games, at this rate 6.8 h"
    assert Pace("bob", 24000, 400, 400, 1200).words == "slow: bob used 6.7 h of 20 min in 400 games"
    assert [in_words(seconds) for seconds in (0, 99.4, 100, 5999, 6000)] == ["0 s", "99 s", "2 min", "100 min", "1.7 h"]


BUDGETS = [
    ('kind = "grade"', 400, 1200), ('kind = "grade"\nsubmission_seconds = 90', 400, 90),
    ('kind = "grade"\nsubmission_seconds = 0', 400, None), ("games = 4", 80, 240), ('rules = "littlego"', 10, 900),
    ('rules = "tromp-taylor-strict"', 10, None), ('rubric = "2019-second"', 11, 33),
]  # fmt: skip


@pytest.mark.parametrize(("text", "games", "seconds"), BUDGETS)
def test_the_budget_is_the_events_or_the_rubrics_or_as_much_a_game_as_rubrics_allow(text, games, seconds, tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(text + "\n")
    assert read_event(path).budget(games) == seconds
