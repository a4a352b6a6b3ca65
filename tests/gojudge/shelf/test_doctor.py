"""The shelf of bad submissions, the examination that plays it, and the command that reports it."""

import ast
import io
import shutil
import sys
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace

import pytest

from goban.rulesets import AGA, COURSE, LITTLEGO
from gojudge.errors import JudgeError, SandboxError
from gojudge.records import CLASS, ENGINE, PROGRAM, Termination, Tier
from gojudge.sandbox import compilers, sweeping
from gojudge.sandbox import tiers as sandbox
from gojudge.shelf.doctor import (
    LIMITS,
    PROGRAM_LIMITS,
    SHELF,
    Attack,
    Examination,
    Finding,
    examine_all,
    plain_player,
    read_shelf,
    secret_in_environment,
)
from tests.support.programs import program
from tests.support.submissions import best_tier, get_input, shelf, submission, tiers
from tournament.__main__ import main
from tournament.commands import machines as command

ATTACKS = shelf()
CLASSES = [attack for attack in ATTACKS if attack.kind == CLASS]
PROGRAMS = [attack for attack in ATTACKS if attack.kind == PROGRAM]
ENGINES = [attack for attack in ATTACKS if attack.kind == ENGINE]

# Players of every kind, whose end a sandbox decides and not the referee. At the best tier `make doctor` plays the whole shelf.
SAMPLE = (
    "plain", "busy_loop", "leaves_files", "heap_bomb", "import_leaves_thread", "fork_bomb", "kills_everybody",
    "reads_submissions", "littlego/hangs_after_answer", "littlego/kills_everybody", "engines/floods_stdout",
    "engines/leaves_children", "engines/kills_everybody",
)  # fmt: skip


@pytest.fixture(autouse=True)
def secret():
    """What attacks look for in our environment."""
    with secret_in_environment():
        yield


WRITE = "open('output.txt', 'w').write('2,2')\n"


def test_the_shelf_has_sixty_classes_and_more():
    assert len(CLASSES) >= 60


def test_engines_play_under_rules_that_know_passing_unless_they_say_otherwise():
    assert len(ENGINES) >= 18
    by_rules = {rules: [attack.folder.name for attack in ENGINES if attack.rules == rules] for rules in (AGA, COURSE)}
    assert sorted(by_rules[COURSE]) == ["occupied_point_course", "passes_under_course", "resigns_under_course"]
    assert len(by_rules[AGA]) + 3 == len(ENGINES)


def test_all_kinds_are_read_under_names_of_their_own():
    assert len(PROGRAMS) >= 25
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)
    for attack in PROGRAMS:
        assert attack.name == f"littlego/{attack.folder.name}"
        assert attack.rules.name == "littlego"
        assert (attack.folder / attack.entry).is_file()


def test_every_attack_says_what_it_does_and_carries_its_name():
    for attack in ATTACKS:
        assert attack.says
        assert attack.name.removeprefix("littlego/").removeprefix("engines/").replace("_", "").isalnum()
        assert "T3" in attack.tiers
        assert "T2" in attack.tiers


def test_every_verdict_has_an_attack():
    by_players = {each for each in Termination if each.is_forfeit} | {Termination.SCORE, Termination.RESIGNATION}
    assert {ending for attack in ATTACKS for ending in attack.expected} == by_players


def test_attacks_that_hurt_the_machine_are_not_run_without_a_sandbox():
    """A call to one of these without a sandbox may fill a disk or a process table, or do worse."""
    for attack in ATTACKS:
        try:
            tree = ast.parse((attack.folder / attack.entry).read_bytes())
        except (SyntaxError, ValueError):
            continue
        calls = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        if any(call.startswith(("os.kill(-1", "os.kill(1,")) for call in calls):
            assert set(attack.tiers) <= {"T3", "T2"}, attack.name


def test_each_tier_contains_attacks_that_a_weaker_one_does_not():
    by_tier = {tier: {attack.name for attack in ATTACKS if tier in attack.tiers} for tier in Tier}
    assert by_tier[Tier.T2] - by_tier[Tier.T1]
    # What makes T1 worth having: files of others, the network, memory.
    assert {"reads_submissions", "network_tcp", "heap_bomb"} <= by_tier[Tier.T1] - by_tier[Tier.T0]


def test_only_players_that_must_not_be_interrupted_end_by_score():
    for attack in ATTACKS:
        source = (attack.folder / attack.entry).read_bytes()
        if b"BREACH" in source:
            assert attack.expected == (Termination.SCORE,), attack.name


def not_held(attacks, tier):
    """What did not hold of the attacks that can be tried at a tier, one after the other against the same opponents."""
    with Examination(Tier(tier)) as examination:
        here = [attack for attack in attacks if tier in attack.tiers and not attack.why_not_here]
        assert here
        return [finding for finding in map(examination.examine, here) if not finding.holds]


@pytest.mark.slow
@tiers(*[tier.value for tier in reversed(Tier) if tier != best_tier()])
def test_a_sample_of_the_shelf_holds_at_weaker_tiers(tier):
    assert not_held([attack for attack in ATTACKS if attack.name in SAMPLE], tier) == []


@pytest.mark.slow
def test_attacks_beside_each_other_hold_as_well(capsys):
    names = ["reads_environment", "busy_loop", "raises", "plain", "sleep"]
    # More than there are cores, on most machines.
    assert main(["doctor", "--tier", sandbox.best_tier(), "--jobs", "5", *names]) == (sandbox.best_tier() < Tier.T2)
    first_words = [line.partition(" ")[0] for line in capsys.readouterr().out.splitlines()]
    assert [word for word in first_words if word in names] == sorted(names)


@pytest.mark.long
@tiers()
def test_the_whole_shelf_holds(tier):
    assert not_held(ATTACKS, tier) == []
    assert sweeping.leftovers() == []


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
    played_on = replace(plain_player(CLASS, LITTLEGO), expected=(Termination.CRASH,))
    with Examination(sandbox.best_tier()) as examination:
        assert not examination.examine(wrong).holds
        assert not examination.examine(played_on).holds
        assert examination.examine(attack).holds


@pytest.mark.parametrize("lanes", [1, 3])
def test_what_came_of_attacks_has_their_order_and_a_fault_of_ours_is_no_finding(monkeypatch, lanes):
    def examine(attack):
        if attack.name in broken:
            raise SandboxError(f"no sandbox for {attack.name}")
        return finding(attack, True)

    monkeypatch.setattr("gojudge.shelf.doctor.Examination", lambda *_: nullcontext(SimpleNamespace(examine=examine)))
    attacks, told, broken = [*ATTACKS[:5]], [], set()
    findings = examine_all(attacks[::-1], Tier.T2, sys.executable, lanes, told.append)
    assert [one.attack for one in findings] == attacks[::-1]
    assert sorted(one.attack.name for one in told) == sorted(attack.name for attack in attacks)
    broken.add(attacks[-1].name)
    with pytest.raises(SandboxError, match=f"^no sandbox for {attacks[-1].name}$"):
        examine_all(attacks, Tier.T2, sys.executable, lanes, told.append)


def test_a_plain_player_that_fails_is_no_game_as_ever(monkeypatch):
    broken = next(attack for attack in PROGRAMS if attack.folder.name == "traceback")
    broken = replace(broken, expected=(Termination.SCORE,))
    monkeypatch.setattr("gojudge.shelf.doctor.plain_player", lambda kind, rules: broken)
    with Examination(sandbox.best_tier()) as examination:
        assert not examination.examine(plain_player(PROGRAM, LITTLEGO)).untouched


BAD_FILES = ["", "says = 5", 'says = "x"\nexpected = "boredom"', 'says = "x"\nexpected = "score"\n[limits]\nluck = 3']


@pytest.mark.parametrize("text", BAD_FILES)
def test_a_bad_description_is_refused_with_its_path(tmp_path, text):
    (tmp_path / "attack").mkdir()
    (tmp_path / "attack/expected.toml").write_text(text)
    with pytest.raises(JudgeError, match=r"attack/expected\.toml"):
        read_shelf(tmp_path)


def test_a_program_without_an_entry_file_is_refused(tmp_path):
    (tmp_path / "littlego/attack").mkdir(parents=True)
    (tmp_path / "littlego/attack/expected.toml").write_text('says = "x"\nexpected = "score"\n')
    with pytest.raises(JudgeError, match=r"littlego/attack/expected\.toml: .*expected one of my_player\.py, "):
        read_shelf(tmp_path)


def test_an_empty_shelf_is_refused(tmp_path):
    with pytest.raises(JudgeError, match="found none"):
        read_shelf(tmp_path)


def test_limits_of_an_attack_replace_those_of_the_doctor(tmp_path):
    (tmp_path / "attack").mkdir()
    (tmp_path / "attack/expected.toml").write_text('says = "x"\nexpected = "crash|time-out"\n[limits]\nmove_seconds = 5\n')
    assert read_shelf(tmp_path) == [
        Attack(
            "attack", tmp_path / "attack", "x", (Termination.CRASH, Termination.TIME_OUT), tuple(Tier), "", 0.0,
            replace(LIMITS, move_seconds=5),
        )
    ]  # fmt: skip


def test_programs_have_limits_and_an_entry_of_their_own(tmp_path):
    (tmp_path / "littlego").mkdir()
    program(tmp_path / "littlego/attack", WRITE)
    (tmp_path / "littlego/attack/expected.toml").write_text(
        'says = "x"\nexpected = "score"\ntiers = ["T3"]\nchance = true\n[limits]\nmove_seconds = 2\n'
    )
    assert read_shelf(tmp_path) == [
        Attack(
            "littlego/attack", tmp_path / "littlego/attack", "x", (Termination.SCORE,), ("T3",), "", 0.0,
            replace(PROGRAM_LIMITS, move_seconds=2), PROGRAM, "my_player3.py", chance=True, rules=LITTLEGO,
        )
    ]  # fmt: skip


def test_the_shelf_is_where_the_tests_are():
    assert SHELF.parts[-2:] == ("shelf", "attacks")


# The command


@pytest.fixture
def shelf(tmp_path):
    """A small shelf: a class that holds, two programs that hold, one that does not."""
    for name in ("plain", "littlego/trivial"):
        shutil.copytree(SHELF / name, tmp_path / name)
    for name, source, expected in (("wrong", WRITE, "score"), ("late", "import time\ntime.sleep(100)\n", "time-out")):
        program(tmp_path / "littlego" / name, source)
        (tmp_path / "littlego" / name / "expected.toml").write_text(
            f'says = "x"\nexpected = "{expected}"\n[limits]\nmove_seconds = 0.3\n'
        )
    return tmp_path


def doctor(capsys, *arguments):
    """Run the command; return its exit status, the rows of its table by name, and the text below the table."""
    status = main(["doctor", *map(str, arguments)])
    above, _, below = capsys.readouterr().out.partition("\n\n")
    rows = above.split("-\n")[-1].splitlines()
    return status, {row.split()[0]: row for row in rows}, below.splitlines()


# Only the shelf that comes with the project says whether marks may be given.
OTHER_SHELF = "another shelf says nothing about this machine: leave out --shelf to know whether marks may be given here"


def test_the_list_has_classes_and_programs_and_a_program_that_fails(shelf, capsys):
    tier = sandbox.best_tier()
    status, rows, below = doctor(capsys, "--shelf", shelf)
    assert status == 1
    assert list(rows) == ["plain", "littlego/late", "littlego/trivial", "littlego/wrong"]
    assert [name for name, row in rows.items() if row.split()[-1] != "yes"] == ["littlego/wrong"]
    assert rows["littlego/wrong"].endswith(" NO")
    assert "time-out: it did not end within 0.86 s" in rows["littlego/late"]
    counted, failed, said = below
    assert (counted, said) == (f"1 of 1 attacks and 2 of 3 programs hold at {tier}", OTHER_SHELF)
    assert failed.startswith("not held: littlego/wrong: illegal move: ")


def test_only_the_attacks_named_are_played(shelf, capsys):
    status, rows, below = doctor(capsys, "--shelf", shelf, "littlego/trivial")
    tier = sandbox.best_tier()
    assert list(rows) == ["littlego/trivial"]
    assert below == [f"1 of 1 programs hold at {tier}", OTHER_SHELF]
    assert status == 0
    assert main(["doctor", "--shelf", str(shelf), "trivial"]) == 2
    assert "expected names of attacks of" in capsys.readouterr().err


@pytest.mark.parametrize("tier", ["T1", "T2"])
@pytest.mark.parametrize("holds", [True, False])
@pytest.mark.parametrize("named", [True, False])
def test_marks_may_be_given_where_the_whole_shelf_of_the_project_holds(capsys, monkeypatch, tier, holds, named):
    monkeypatch.setattr(command, "_try_attacks", lambda attacks, *_: [finding(attack, holds) for attack in attacks])
    monkeypatch.setattr(command, "leftovers", list)
    status, _, below = doctor(capsys, "--tier", tier, *["plain"] * named)
    may_be = holds and tier == "T2"
    assert status == (0 if may_be else 1)
    if may_be and named:
        assert below[-1] == "some attacks do not make a verdict: name none to know whether marks may be given here"
    else:
        assert below[-1] == f"marks {'may' if may_be else 'must not'} be given here at {tier}"


def test_what_the_machine_has_is_told_before_the_attacks_are_played_also_to_a_pipe(shelf, monkeypatch):
    pipe = io.BytesIO()
    told = []

    def examined(attacks, *_):
        told.extend(pipe.getvalue().decode().splitlines())
        return []

    monkeypatch.setattr(command, "_try_attacks", examined)
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(pipe))
    main(["doctor", "--shelf", str(shelf)])
    assert told[0].startswith("this machine: ")
    assert [line[:3] for line in told[1:]] == ["T3:", "T2:", "T1:", "T0:"]


def finding(attack, holds):
    """What came of an attack, in words that do not matter."""
    found = Finding(attack, Tier.T2, "score", as_expected=True, untouched=True, seconds=0.0)
    return found if holds else replace(found, as_expected=False)


@pytest.mark.slow
def test_programs_without_their_compiler_are_skipped_and_counted(shelf, capsys, monkeypatch):
    shutil.copytree(SHELF / "littlego/java", shelf / "littlego/java")
    shutil.copytree(SHELF / "littlego/cpp", shelf / "littlego/cpp")
    shutil.copytree(SHELF / "littlego/cpp_error", shelf / "littlego/cpp_error")
    shutil.rmtree(shelf / "littlego/wrong")
    tier = sandbox.best_tier()
    monkeypatch.setattr(compilers, "why_not_here", lambda entry: "" if entry.endswith(".py") else f"no compiler for {entry}")
    status, rows, below = doctor(capsys, "--shelf", shelf)
    assert list(rows) == ["plain", "littlego/late", "littlego/trivial"]
    assert below == [
        f"1 of 1 attacks and 2 of 2 programs hold at {tier}",
        "not run here: 3 programs (no compiler for my_player.cpp; no compiler for my_player.java)",
        OTHER_SHELF,
    ]
    assert status == 0


def test_programs_are_run_only_at_their_tiers(shelf, capsys):
    (shelf / "littlego/wrong/expected.toml").write_text('says = "x"\nexpected = "score"\ntiers = ["T3", "T2"]\n')
    status, rows, below = doctor(capsys, "--shelf", shelf, "--tier", "T0", "littlego/wrong", "littlego/trivial")
    assert status == 0
    assert list(rows) == ["littlego/trivial"]
    assert below == ["1 of 1 programs hold at T0; 1 are not run at this tier", OTHER_SHELF]
