import json
from dataclasses import asdict, replace

import pytest

from goban.errors import UnknownRuleSetError
from goban.rulesets import PRESETS, Ending, OnRepeat, Outcome, Repetition, Scoring, result_text, ruleset

SIMPLE, POSITIONAL, SITUATIONAL = Repetition.SIMPLE_KO, Repetition.POSITIONAL, Repetition.SITUATIONAL
STONES, AREA = Scoring.STONES, Scoring.AREA

# name, size: passing, resigning, repetition, a board again, score, komi, moves
TABLE = [
    ("course", 5, False, False, SIMPLE, OnRepeat.NOTHING, STONES, 2.5, 24),
    ("course", 7, False, False, SIMPLE, OnRepeat.NOTHING, STONES, 3.5, 48),
    ("littlego", 5, True, False, SIMPLE, OnRepeat.NOTHING, STONES, 2.5, 24),
    ("tromp-taylor-strict", 9, True, False, POSITIONAL, OnRepeat.NOTHING, AREA, 7.5, 162),
    ("tromp-taylor-suicide", 9, True, False, POSITIONAL, OnRepeat.NOTHING, AREA, 7.5, 162),
    ("tromp-taylor-pgx", 9, True, False, SIMPLE, OnRepeat.MOVER_LOSES, AREA, 7.5, 162),
    ("tromp-taylor-openspiel", 9, True, False, SITUATIONAL, OnRepeat.TIE, AREA, 7.5, 162),
    ("tromp-taylor-pettingzoo", 19, True, False, SITUATIONAL, OnRepeat.NOTHING, AREA, 7.5, 722),
    ("aga", 19, True, True, SITUATIONAL, OnRepeat.NOTHING, AREA, 7.5, None),
    ("alphago7", 7, True, False, SIMPLE, OnRepeat.NOTHING, AREA, 7.5, None),
]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"{row[0]}-{row[1]}")
def test_presets(row):
    name, size, *facts = row
    rules = ruleset(name)
    assert [
        rules.passing, rules.resigning, rules.repetition, rules.on_repeat, rules.scoring,
        rules.komi(size), rules.max_move(size),
    ] == facts  # fmt: skip


def test_every_preset_is_in_the_table_above():
    assert set(PRESETS) == {row[0] for row in TABLE}


def test_tromp_taylor_alone_is_the_strict_one():
    assert ruleset("tromp-taylor") is PRESETS["tromp-taylor-strict"]


def test_an_unknown_name_lists_the_choices():
    with pytest.raises(UnknownRuleSetError) as caught:
        ruleset("japanese")
    assert all(name in str(caught.value) for name in (*PRESETS, "'japanese'"))


def test_suicide_needs_a_superko():
    with pytest.raises(ValueError, match="expected a superko where suicide is allowed, got simple ko"):
        replace(PRESETS["alphago7"], suicide=True)


RESULTS = [
    (Outcome(1, 13, 12.5, Ending.MOVE_LIMIT), "B+0.5"),
    (Outcome(2, 3, 24.5, Ending.TWO_PASSES), "W+21.5"),
    (Outcome(1, 14, 4, Ending.NO_PLACEMENT), "B+10"),
    (Outcome(0, 6, 6, Ending.MOVE_LIMIT), "0"),
    (Outcome(2, 9, 8.5, Ending.RESIGNATION), "W+R"),
    (Outcome(1, 2, 8.5, Ending.CRASH), "B+F"),
    (Outcome(2, 9, 8.5, Ending.REPETITION), "W+F"),
    (Outcome(0, 9, 8.5, Ending.REPETITION), "0"),
]


@pytest.mark.parametrize(("outcome", "text"), RESULTS, ids=[text for _, text in RESULTS])
def test_results_as_sgf_writes_them(outcome, text):
    assert outcome.result() == text


def test_a_result_can_be_written_without_an_outcome():
    assert (result_text(2, -1.0), result_text(1, None, resigned=True), result_text(0, None)) == ("W+1", "B+R", "0")


def test_forfeits_are_faults_of_a_player():
    forfeits = {ending for ending in Ending if ending.is_forfeit}
    assert forfeits == {Ending.ILLEGAL_MOVE, Ending.INVALID_ANSWER, Ending.CRASH}


def test_rules_and_results_can_be_written_as_json():
    outcome = Outcome(2, 3, 5.5, Ending.MOVE_LIMIT)
    assert json.loads(json.dumps(asdict(outcome)))["ending"] == "move limit" == f"{outcome.ending}"
    for rules in PRESETS.values():
        assert json.loads(json.dumps(asdict(rules)))["repetition"] == rules.repetition.value
