"""The shelf of bad submissions, and the examination that plays it."""

import ast
from dataclasses import replace

import pytest

from tests.tournament.submissions import get_input, submission, tiers
from tournament import sandbox
from tournament.doctor import LIMITS, SHELF, Attack, Examination, read_shelf
from tournament.errors import TournamentError
from tournament.verdicts import Termination

ATTACKS = read_shelf()

# Players of every kind; `python3 -m tournament doctor` plays them all.
SAMPLE = (
    "plain", "busy_loop", "exits_hard", "no_class", "occupied_point", "forged_line", "leaves_files", "heap_bomb",
    "import_leaves_thread", "fork_bomb", "kills_everybody", "namespaces",
)  # fmt: skip


def test_the_shelf_has_sixty_classes_and_more():
    assert len(ATTACKS) >= 60


def test_every_attack_says_what_it_does_and_carries_its_name():
    for attack in ATTACKS:
        assert attack.says
        assert attack.name.replace("_", "").isalnum()
        assert "T3" in attack.tiers
        assert "T2" in attack.tiers


def test_every_verdict_has_an_attack():
    by_players = {each for each in Termination if each.is_forfeit} | {Termination.SCORE}
    assert {ending for attack in ATTACKS for ending in attack.expected} == by_players


def test_attacks_that_hurt_the_machine_are_not_run_without_a_sandbox():
    """A call to one of these with nobody to contain it may fill a disk, a process table or worse."""
    for attack in ATTACKS:
        try:
            tree = ast.parse((attack.folder / "my_player.py").read_bytes())
        except (SyntaxError, ValueError):
            continue
        calls = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        if any(call.startswith(("os.kill(-1", "os.kill(1,")) for call in calls):
            assert set(attack.tiers) <= {"T3", "T2"}, attack.name


def test_only_players_that_must_not_be_interrupted_end_by_score():
    for attack in ATTACKS:
        source = (attack.folder / "my_player.py").read_bytes()
        if b"BREACH" in source:
            assert attack.expected == (Termination.SCORE,), attack.name


@tiers()
@pytest.mark.parametrize("attack", [each for each in ATTACKS if each.name in SAMPLE], ids=lambda attack: attack.name)
def test_a_sample_of_the_shelf_comes_to_its_end_alone(tier, attack):
    if tier not in attack.tiers:
        pytest.skip(f"not contained at {tier}")
    with Examination(tier) as examination:
        finding = examination.examine(attack)
    assert finding.holds, finding


@pytest.mark.slow
@tiers()
def test_the_whole_shelf_holds(tier):
    with Examination(tier) as examination:
        findings = [examination.examine(attack) for attack in ATTACKS if tier in attack.tiers]
    assert [finding for finding in findings if not finding.holds] == []
    assert sandbox.leftovers() == []


def test_an_attack_that_succeeds_is_reported(tmp_path):
    submission(tmp_path / "breach", get_input("raise RuntimeError('BREACH: it reads your mail')"))
    (tmp_path / "breach/expected.toml").write_text('says = "Reads mail"\nexpected = "crash"\n')
    (attack,) = read_shelf(tmp_path)
    with Examination(sandbox.best_tier()) as examination:
        finding = examination.examine(attack)
    assert not finding.as_expected
    assert finding.untouched
    assert not finding.holds
    assert "BREACH: it reads your mail" in finding.actual


def test_an_unexpected_end_is_reported():
    attack = next(each for each in ATTACKS if each.name == "raises")
    wrong = replace(attack, expected=(Termination.TIME_OUT,))
    with Examination(sandbox.best_tier()) as examination:
        assert not examination.examine(wrong).holds
        assert examination.examine(attack).holds


BAD_FILES = ["", "says = 5", 'says = "x"\nexpected = "boredom"', 'says = "x"\nexpected = "score"\n[limits]\nluck = 3']


@pytest.mark.parametrize("text", BAD_FILES)
def test_a_bad_description_is_refused_with_its_path(tmp_path, text):
    (tmp_path / "attack").mkdir()
    (tmp_path / "attack/expected.toml").write_text(text)
    with pytest.raises(TournamentError, match=r"attack/expected\.toml"):
        read_shelf(tmp_path)


def test_an_empty_shelf_is_refused(tmp_path):
    with pytest.raises(TournamentError, match="found none"):
        read_shelf(tmp_path)


def test_limits_of_an_attack_replace_those_of_the_doctor(tmp_path):
    (tmp_path / "attack").mkdir()
    (tmp_path / "attack/expected.toml").write_text('says = "x"\nexpected = "crash|time-out"\n[limits]\nmove_seconds = 5\n')
    assert read_shelf(tmp_path) == [
        Attack(
            "attack", tmp_path / "attack", "x", (Termination.CRASH, Termination.TIME_OUT), sandbox.TIERS, "", 0.0,
            replace(LIMITS, move_seconds=5),
        )
    ]  # fmt: skip


def test_the_shelf_is_where_the_tests_are():
    assert SHELF.parts[-2:] == ("tests", "submissions")
