"""check --no-sandbox: the verdicts of `check`, from plain processes, and nothing that could count as a mark."""

import re

import pytest

from gojudge.sandbox.leftovers import PREFIX
from tests.tournament.commands.test_check import GOOD, HEAD, check
from tournament.__main__ import main
from tournament.application.trials import NO_PROTECTION

pytestmark = pytest.mark.slow

CLASSES = {
    "good": GOOD,
    "crash": f"{HEAD}        print('before')\n        return 1 // 0\n",
    "exits": f"import os\n{HEAD}        os._exit(3)\n",
    "illegal": f"{HEAD}        return 0, 0\n",
    "leaves": f"import sys\nsys.exit()\n{GOOD}",
    "reads": f"{HEAD}        return input()\n",
    "own_names": f"import board, search\n{GOOD}",
    "courses": f"from host import GO\nfrom random_player import RandomPlayer\n{GOOD}",
    "draws": f"import random, go\nDRAWN = random.random()\n{HEAD}        raise ValueError(DRAWN, random.random())\n",
}
PROGRAMS = {
    "good": "open('output.txt', 'w').write('PASS')",
    "silent": "print('nothing')",
    "crash": "import helper, os\nos._exit(3)",
    "nonsense": "open('output.txt', 'w').write('A1')",
    "elsewhere": "import os\nos.makedirs('game_io')\nopen('game_io/output.txt', 'w').write('PASS')",
    "long": "open('output.txt', 'w').write('PASS\\n' + 'x' * 10**6)",
    "foreign": "open('é', 'w').write('王')\nassert len(open('é', 'rb').read()) == 3\nopen('output.txt', 'w').write('PASS')",
    "remembers": "import os\nassert not os.path.exists('x'), 'seen'\nopen('x', 'w')\nopen('output.txt', 'w').write('PASS')",
}


@pytest.fixture
def hw(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    for folder in ("temporary", "hw"):
        (tmp_path / folder).mkdir()
    return tmp_path / "hw"


def hand_in(hw, sources, file="my_player.py"):
    for name, source in sources.items():
        (hw / name).mkdir()
        (hw / name / file).write_text(source)


def verdicts(lines):
    """The lines of a check without the times, and without the last one."""
    return [line.partition(", longest move")[0] for line in lines[:-1]]


@pytest.mark.parametrize(("sources", "file", "rules"), [
    (CLASSES, "my_player.py", "course"), (PROGRAMS, "my_player3.py", "littlego"),
])  # fmt: skip
def test_the_verdicts_are_those_of_the_sandbox(hw, capsys, sources, file, rules):
    hand_in(hw, sources, file)
    for name in ("board", "search", "helper"):
        (hw / ("own_names" if rules == "course" else "crash") / f"{name}.py").touch()
    options = ("--rules", rules, "--move-seconds=60")
    status, lines, err = check(capsys, hw, "--no-sandbox", *options)
    assert (status, err) == (1, f"{NO_PROTECTION}\n")
    assert lines[-1].endswith(f" of {len(sources)} ok, tried without a sandbox: this is no verdict, and gives no mark")
    assert verdicts(lines) == verdicts(check(capsys, hw, *options)[1])


def test_a_player_that_hangs_is_ended_and_what_it_printed_is_shown(hw, capsys):
    hand_in(hw, {"ann": f"print('before')\n{HEAD}        while True:\n            pass\n"})
    status, lines, _ = check(capsys, hw, "--no-sandbox", "--move-seconds=0.5", "--verbose")
    assert status == 1
    assert re.fullmatch(r"ann: black forfeits at move 1: no answer within 0\.5 s \(my_player\.py, line [45]\)", lines[0])
    assert lines[1] == "    before"


def test_a_program_that_hangs_is_ended(hw, capsys):
    hand_in(hw, {"ann": "while True:\n    pass\n"}, "my_player3.py")
    status, lines, _ = check(capsys, hw, "--no-sandbox", "--rules=littlego", "--move-seconds=0.1")
    assert (status, lines[0]) == (1, "ann: black forfeits at move 1: it did not end within 0.62 s")


def test_nothing_is_left_behind(hw, tmp_path, capsys):
    hand_in(hw, {"ann": f"{HEAD}        open('mess', 'w')\n        return 2, 2\n"})
    check(capsys, hw, "--no-sandbox")
    assert [path for path in (tmp_path / "temporary").iterdir() if path.name.startswith(PREFIX)] == []
    assert sorted(path.name for path in (hw / "ann").iterdir()) == ["my_player.py"]


def test_what_has_to_be_compiled_is_no_fault_of_its_own(hw, capsys, monkeypatch):
    monkeypatch.setattr("gojudge.intake.copies.why_not_here", lambda entry: "")
    hand_in(hw, {"ann": "int main() { return 0; }"}, "my_player.cpp")
    status, lines, _ = check(capsys, hw, "--no-sandbox", "--rules=littlego")
    assert status == 1
    assert lines[0].startswith("ann: could not be tried, which is not its fault: game ann-random-001 is void: ")
    assert lines[0].endswith("a program that has to be compiled is tried in a sandbox only")


@pytest.mark.parametrize("option", ["--no-games", "--store=a.db", "--jobs=2"])
def test_options_of_the_sandbox_and_of_results_are_refused(hw, capsys, option):
    wanted = f"check: --no-sandbox: expected without {option.partition('=')[0]}\n"
    assert check(capsys, hw, "--no-sandbox", option) == (2, [], wanted)


def test_engines_are_refused(capsys):
    wanted = "check: --no-sandbox: expected submissions, got the engine 'gnugo_mode_gtp'\n"
    assert check(capsys, "gtp:gnugo --mode gtp", "--no-sandbox") == (2, [], wanted)


@pytest.mark.parametrize("command", ["grade", "play", "round-robin", "gauntlet"])
def test_no_command_that_gives_marks_knows_the_option(command, hw, capsys):
    with pytest.raises(SystemExit) as left:
        main([command, "random", "greedy", "--no-sandbox"])
    assert left.value.code == 2
    assert "--no-sandbox" in capsys.readouterr().err
