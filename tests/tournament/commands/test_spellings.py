"""What there is to type: how many commands and options, their help, hints to type them, and what was typed before."""

import argparse
import re
import subprocess
import sys
from pathlib import Path

import pytest

from common.command_lines import command_line
from common.subcommands import Subcommands
from tournament.__main__ import COMMANDS, HIDDEN, main
from tournament.commands.old_spellings import COMMANDS as OLD_COMMANDS
from tournament.commands.old_spellings import OPTIONS, VALUES, refuse_old_spelling
from tournament.events.event_files import event_file_of

ROOT = Path(__file__).parents[3]
ALL = Subcommands("python3 -m tournament", "Competitions.", COMMANDS, HIDDEN, "check my_player.py")


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
    pairs = [(command, option) for command in COMMANDS for option in options_of(command)]
    assert len(COMMANDS) <= 14
    assert len(pairs) <= 100, len(pairs)


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


@pytest.mark.parametrize(("command", "option"), OPTIONS)
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


@pytest.mark.parametrize(("command", "option", "value"), VALUES)
def test_a_value_of_before_answers_with_what_there_is_now(command, option, value, capsys):
    for words in ([option, value], [f"{option}={value}"]):
        assert said_by(capsys, command, "x", *words).startswith(f"{command}: `{option} {value}` is now ")


def test_what_stands_behind_two_dashes_is_no_option():
    refuse_old_spelling("grade", ["--", "--rerun"])


# Hints


@pytest.mark.parametrize(("started", "module", "line"), [
    ("/usr/bin/go-tournament", "tournament", "go-tournament"),
    ("/x/go-tournament.exe", "tournament", "go-tournament"),
    ("/usr/bin/go-play", "tournament", "go-tournament"),
    ("/usr/bin/go-tournament", "go_play", "go-play"),
    ("/usr/bin/go-tournament", "players.littlego", "python3 -m players.littlego"),
    ("/clone/tournament/__main__.py", "tournament", "python3 -m tournament"),
    ("-c", "go_play", "python3 go_play.py"),
    ("", "search.truth", "python3 -m search.truth"),
])  # fmt: skip
def test_hints_name_what_was_started(monkeypatch, started, module, line):
    monkeypatch.setattr(sys, "argv", [started])
    assert command_line(module) == line


@pytest.mark.parametrize(("started", "program"), [
    ("/usr/bin/go-tournament", "go-tournament"), ("/clone/tournament/__main__.py", "python3 -m tournament"),
])  # fmt: skip
def test_every_hint_to_type_a_command_is_one_that_works_there(tmp_path, monkeypatch, capsys, started, program):
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


HINT = re.compile(r"^(?!\s*(#|\"\"\"|`)).*[\"'`].*(python3 -m (tournament|search\.truth)|python3 go_play\.py)\b")
# What starts a program, and what tells it that it was started so.
NO_HINT = re.compile(r"prog=|Subcommands\(|return \"python3 go_play.py\"")


def test_no_message_names_a_program_but_by_that_function():
    """Docstrings may: they are read in a clone."""
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    rooms = ("tournament/", "common/", "players/", "search/", "board/", "go_play.py")
    found = []
    for name in listed:
        if name.startswith(rooms) and "/attacks/" not in name and (ROOT / name).is_file():
            text = re.sub(r'"""[\s\S]*?"""', "", (ROOT / name).read_text())
            found += [f"{name}: {line}" for line in text.splitlines() if HINT.search(line) and not NO_HINT.search(line)]
    assert found == []
