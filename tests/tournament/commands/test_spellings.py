"""What there is to type: how many commands and options, their help, hints to type them, and what was typed before."""

import argparse
import importlib
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from goban.common.command_lines import Subcommands, command_line
from gojudge.records import Tier
from gojudge.sandbox import tiers
from tests.support.documents import commands
from tests.support.sources import FIRST_LEGAL
from tournament.__main__ import ALSO, COMMANDS, HIDDEN, OLD_COMMANDS, OLD_OPTIONS, VALUES, main, refuse_old_spelling
from tournament.errors import BadEventError
from tournament.events.event_files import event_file_of
from tournament.events.events import LIMIT_CHECKS

ROOT = Path(__file__).parents[3]
ALL = Subcommands("python3 -m tournament", "Competitions.", COMMANDS, HIDDEN, "check my_player.py", also=ALSO)


def options_of(command):
    """The options of a command that its help shows, but for -h."""
    actions = [one for one in ALL.parser(command)._actions if one.help != argparse.SUPPRESS]
    return [word for action in actions for word in action.option_strings[:1] if "-h" not in action.option_strings]


def said_by(capsys, *arguments):
    """The one line of a command that is refused."""
    assert main(list(arguments)) == 2
    output, errors = capsys.readouterr()
    assert output == ""
    assert errors.count("\n") == 1
    return errors


def test_there_are_at_most_14_commands_and_100_pairs_of_command_and_option():
    """Of those with a line in the overview; the four others, called by programs or once, have two pairs more."""
    pairs = [(command, option) for command in COMMANDS for option in options_of(command)]
    assert len(COMMANDS) <= 14
    assert len(pairs) <= 100, len(pairs)
    others = [(command, option) for command in HIDDEN for option in options_of(command)]
    assert others == [("autograder-run", "--root"), ("sample", "--site")]


def test_help_names_every_command_that_people_type():
    overview = ALL.overview().format_help()
    typed = {one.line.partition(" -m tournament ")[2].partition(" ")[0] for one in commands()} - {""}
    assert typed >= {"sample", "key", "course"}
    # What the autograders call is tried by hand in one document.
    assert [name for name in sorted(typed) if not re.search(rf"(?m)^  (also: .*)?\b{name}\b", overview)] == ["autograder-run"]


@pytest.mark.parametrize("command", ["", *COMMANDS, *HIDDEN])
def test_help_fits_a_screen_and_begins_with_an_example_that_the_command_takes(command):
    parser = ALL.parser(command) if command else ALL.overview()
    lines = parser.format_help().splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 100
    example = re.fullmatch(rf"example: {re.escape(ALL.program)} ?{command} (.+)", lines[0])
    assert example, lines[0]
    if command:
        ALL.parser(command).parse_intermixed_args(example[1].split())


def test_one_option_means_one_thing():
    meanings = {"--out": "writ", "--submissions": "copies", "--rubric": "worth", "--jobs": "at the same time"}
    for option, means in meanings.items():
        for command in (*COMMANDS, *HIDDEN):
            found = [one.help for one in ALL.parser(command)._actions if option in one.option_strings]
            assert all(means in text for text in found), (command, option, found)


def test_limits_are_two_options():
    words = {word for command in (*COMMANDS, *HIDDEN) for word in options_of(command)}
    assert {word for word in words if re.search("-(seconds|mib|kib)$|processes", word)} == {"--move-seconds", "--memory-mib"}


# What was typed before


@pytest.mark.parametrize("command", OLD_COMMANDS)
def test_a_command_of_before_answers_with_the_one_now(command, capsys):
    now, end = OLD_COMMANDS[command]
    line = said_by(capsys, command, "cup.db", "--jobs=2")
    assert line == (
        f"python3 -m tournament: `{command}` is now `{now}{end}`: python3 -m tournament {now} cup.db{end} ...\n"
    )
    name, *_ = now.split()
    assert name in {**COMMANDS, **HIDDEN}
    assert not end or end.strip() in options_of(name)


def test_the_answer_can_be_typed(capsys):
    line = said_by(capsys, "match", "random", "my player.py")
    assert line.endswith("`match` is now `gauntlet`: python3 -m tournament gauntlet random 'my player.py'\n")


@pytest.mark.parametrize(("command", "option"), OLD_OPTIONS)
@pytest.mark.parametrize("way", ["{}=1", "{} 1"])
def test_an_option_of_before_answers_with_what_there_is_now(command, option, way, capsys):
    assert option not in options_of(command), "it is an option again"
    line = said_by(capsys, command, "x", *way.format(option).split())
    assert line.startswith(f"{command}: `{option}` is ")
    for named in re.findall(r"`--[a-z-]+", line)[1:]:
        assert named.strip("`") in options_of(command) or "autograder" in line
    key = re.search(r"key of the event file now: `(\w+) = (.+)`( under \[limits\])? in FILE\.toml, and --event FILE", line)
    if key:
        assert "--event" in options_of(command)
        value = {"true": True, '"1"': "1"}.get(key[2], 1)
        table = {key[1]: value if key[1] not in ("roster", "store", "python") else "x"}
        event_file_of({"limits": table} if key[3] else table, "FILE.toml", Path())


def test_the_answer_has_the_value_that_was_typed(capsys):
    assert "`until_decided = 0.05` in FILE.toml" in said_by(capsys, "grade", "hw", "--until-decided", "0.05")
    assert "`disk_mib = 8` under [limits] in" in said_by(capsys, "gauntlet", "random", "--disk-mib=8")
    assert '`python = "env/bin/python"` in' in said_by(capsys, "check", "hw", "--python", "env/bin/python")
    assert "`python = ...` in" in said_by(capsys, "check", "hw", "--python")
    assert "`python = ...` in" in said_by(capsys, "check", "hw", "--python", "--verbose")


@pytest.mark.parametrize(("command", "option", "value"), VALUES)
def test_a_value_of_before_answers_with_what_there_is_now(command, option, value, capsys):
    for words in ([option, value], [f"{option}={value}"]):
        assert said_by(capsys, command, "x", *words).startswith(f"{command}: `{option} {value}` is now ")


def test_what_stands_behind_two_dashes_is_no_option():
    refuse_old_spelling("grade", ["--", "--rerun"])


TYPED = [one for one in commands() if re.match(r"(python3 -m tournament|go-tournament) [a-z]", one.line)]


@pytest.mark.parametrize("command", TYPED, ids=lambda command: command.where)
def test_documents_type_what_there_is(command):
    """All of them are run, too, which takes long."""
    _, name, *words = shlex.split(command.line.replace("python3 -m tournament", "go-tournament"), comments=True)
    refuse_old_spelling(name, words)
    ends = [number for number, word in enumerate(words) if word in ("|", "||", "&&", ">", ";")]
    ALL.parser(name).parse_intermixed_args(words[: min(ends, default=len(words))])


# What a key of the event file does where there is no option


def test_the_page_lists_every_key_of_an_event_file():
    with pytest.raises(BadEventError, match="expected one of ") as caught:
        event_file_of({"what": 1}, "FILE.toml", Path())
    keys = set(re.search("expected one of (.*);", str(caught.value))[1].split(", "))
    page = (ROOT / "docs/running-a-course.md").read_text()
    table = re.search(r"\| key \| what it says \| option \|\n\|---\|---\|---\|\n((?:\|.*\n)+)", page)[1]
    listed = {key.strip("[]") for line in table.splitlines() for key in re.findall(r"`([\w\[\]]+)`", line.split(" | ")[0])}
    assert listed == keys
    limits = re.search(r"\| \| default \| key \|\n\|---\|---\|---\|\n((?:\|.*\n)+)", page)[1]
    assert {re.findall(r"`(\w+)` \|$", line)[0] for line in limits.splitlines()} == set(LIMIT_CHECKS)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("ann.py").write_text(FIRST_LEGAL)
    Path("hw").mkdir()
    Path("hw/ann.py").write_text(FIRST_LEGAL)
    monkeypatch.setattr(tiers, "best_tier", lambda: Tier.T0)


TRYING = [["check", "ann.py"], ["play", "ann.py", "random"], ["probe", "ann.py"]]
PLAYING = [["grade", "hw", "--games=2"], ["round-robin", "hw", "random"], ["gauntlet", "ann.py", "random"]]
WRONG = [
    ("require_tier = 'T3'", "submissions must be run at tier T3, but T0 is all there is here"),
    ("require_tier = 'T0'\npython = 'none/python'", "none/python"),
    ("size = 20", "FILE.toml: size: expected a whole number from 2 to 19, got 20"),
    ("rules = 'japanese'", "FILE.toml: rules: expected one of course"),
    ("start_each_move = 1", "FILE.toml: start_each_move: expected true or false, got 1"),
    ("load_each_game = 'no'", "FILE.toml: load_each_game: expected true or false, got 'no'"),
    *((f"[limits]\n{limit} = 0", f"FILE.toml: limits.{limit}: expected a") for limit in LIMIT_CHECKS),
]


@pytest.mark.parametrize("command", [*TRYING, *PLAYING], ids=lambda command: command[0])
@pytest.mark.parametrize(("text", "said"), WRONG, ids=lambda text: text.split(" =")[0])
def test_every_command_takes_these_keys(here, command, text, said, capsys):
    Path("FILE.toml").write_text(f"{text}\n")
    assert main([*command, "--event=FILE.toml"]) == 2
    assert said in capsys.readouterr().err.splitlines()[-1]


def test_a_rubric_says_what_is_tried(here, capsys):
    Path("FILE.toml").write_text("kind = 'grade'\nrubric = 'littlego-2023'\ngames = 3\n")
    assert main(["play", "random", "greedy", "--event=FILE.toml"]) == 0
    assert capsys.readouterr().out.startswith("random (X) against greedy (O): littlego, 5x5, seed 0\n")


def test_a_seed_of_the_file_is_that_of_the_game(here, capsys):
    Path("FILE.toml").write_text("seed = 7\nsize = 3\n")
    assert main(["play", "random", "greedy", "--event=FILE.toml"]) == 0
    assert capsys.readouterr().out.startswith("random (X) against greedy (O): course, 3x3, seed 7\n")
    assert main(["play", "random", "greedy", "--event=FILE.toml", "--seed=8"]) == 0
    assert "course, 3x3, seed 8\n" in capsys.readouterr().out


# Hints


@pytest.mark.parametrize(("started", "module", "line"), [
    ("/usr/bin/go-tournament", "tournament", "go-tournament"),
    ("/x/go-tournament.exe", "tournament", "go-tournament"),
    ("/usr/bin/go-play", "tournament", "go-tournament"),
    ("/usr/bin/go-tournament", "go_play", "go-play"),
    ("/usr/bin/go-tournament", "players.littlego", "python3 -m players.littlego"),
    ("/clone/tournament/__main__.py", "tournament", "python3 -m tournament"),
    ("-c", "go_play", "python3 go_play.py"),
    ("", "goban.solver.truth", "python3 -m goban.solver.truth"),
])  # fmt: skip
def test_hints_name_what_was_started(monkeypatch, started, module, line):
    monkeypatch.setattr(sys, "argv", [started])
    assert command_line(module) == line


@pytest.mark.parametrize(("started", "program"), [
    ("/usr/bin/go-tournament", "go-tournament"), ("/clone/tournament/__main__.py", "python3 -m tournament"),
])  # fmt: skip
def test_every_hint_to_type_a_command_is_one_that_works_there(tmp_path, monkeypatch, played_here, capsys, started, program):
    monkeypatch.setattr(sys, "argv", [started])
    monkeypatch.chdir(tmp_path)
    assert main(["round-robin", "random", "greedy", "--size=3", "--games=2", "--jobs=1"]) == 0
    assert capsys.readouterr().err.endswith(f"{program} standings round-robin.db\n")
    assert said_by(capsys, "watch", "cup.db") == (
        f"{program}: `watch` is now `standings --follow`: {program} standings cup.db --follow\n"
    )
    twice = said_by(capsys, "gauntlet", "random", "random")
    assert f"{'go-play' if program.startswith('go-') else 'python3 go_play.py'} -p1=random" in twice
    with pytest.raises(SystemExit):
        main(["-h"])
    assert capsys.readouterr().out.startswith(f"example: {program} check ")


@pytest.mark.parametrize(("program", "module"), [
    ("go-truth", "goban.solver.truth"), ("go-gtp", "players.gtp_engine.__main__"), ("go-train", "golearn.qlearning.__main__"),
])  # fmt: skip
@pytest.mark.parametrize("installed", [True, False])
def test_help_of_other_programs_names_them_as_they_were_started(monkeypatch, capsys, program, module, installed):
    monkeypatch.setattr(sys, "argv", [f"/usr/bin/{program}" if installed else "/clone/x.py"])
    run = importlib.import_module(module).main
    with pytest.raises(SystemExit, match="0"):
        run(["-h"])
    line = program if installed else f"python3 -m {re.sub('[.]__main__$', '', module)}"
    assert capsys.readouterr().out.startswith(f"usage: {line} ")


HINT = re.compile(r"^(?!\s*(#|\"\"\"|`)).*[\"'`].*(python3 -m (tournament|goban\.solver\.truth)|python3 go_play\.py)(?!\.)\b")
# That function.
NO_HINT = re.compile(r"return \"python3 go_play.py\"")


def test_no_message_names_a_program_but_by_that_function():
    """Docstrings may: they are read in a clone."""
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    rooms = ("tournament/", "goban/common/", "players/", "goban/solver/", "goban/board/", "go_play.py")
    found = []
    for name in listed:
        if name.startswith(rooms) and "/attacks/" not in name and (ROOT / name).is_file():
            text = re.sub(r'"""[\s\S]*?"""', "", (ROOT / name).read_text())
            found += [f"{name}: {line}" for line in text.splitlines() if HINT.search(line) and not NO_HINT.search(line)]
    assert found == []
