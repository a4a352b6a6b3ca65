"""A command line of several commands: one module each, imported when it is asked for."""

import sys
from types import ModuleType

import pytest

from common.command_lines import CommandError
from common.subcommands import Subcommands


@pytest.fixture
def commands(monkeypatch):
    """A program with two commands; `double` prints twice its number, the other cannot be imported."""
    module = ModuleType("doubling")
    module.SUMMARY = "prints twice a number"
    module.add_arguments = lambda parser: parser.add_argument("number", type=int)

    def run(options):
        if options.number < 0:
            raise CommandError("expected a number of 0 or more")
        print(2 * options.number)
        return 0

    module.run = run
    monkeypatch.setitem(sys.modules, "doubling", module)
    return Subcommands("python3 -m some.numbers", "Numbers.", {"double": "doubling", "lost": "no_such_module_here"})


def test_a_command_is_run_with_its_own_options(commands, capsys):
    assert commands.main(["double", "21"]) == 0
    assert capsys.readouterr().out == "42\n"


def test_errors_are_one_line_under_the_name_of_the_command(commands, capsys):
    assert commands.main(["double", "--", "-1"]) == 2
    assert capsys.readouterr().err == "double: expected a number of 0 or more\n"


def test_what_is_no_command_is_refused_by_the_program(commands, capsys):
    assert commands.main(["duoble"]) == 2
    assert capsys.readouterr().err == (
        "python3 -m some.numbers: expected a command (double, lost), got 'duoble'; did you mean double?\n"
    )
    with pytest.raises(SystemExit, match="2"):
        Subcommands(commands.program, commands.description, {"double": "doubling"}).main(["--twice"])
    error = capsys.readouterr().err
    assert error.startswith("python3 -m some.numbers: ")
    assert error.count("\n") == 1


def test_a_mistyped_option_has_a_suggestion(commands, capsys):
    sys.modules["doubling"].add_arguments = lambda parser: parser.add_argument("--number", type=int)
    with pytest.raises(SystemExit, match="2"):
        commands.main(["double", "--nubmer=2"])
    assert capsys.readouterr().err == (
        "python3 -m some.numbers double: unrecognized arguments: --nubmer=2; did you mean --number?\n"
    )


def test_a_hidden_command_runs_and_is_not_listed(commands, capsys):
    hiding = Subcommands("numbers", "Numbers.", {}, {"double": "doubling"}, "double 21")
    assert hiding.main(["double", "4"]) == 0
    assert capsys.readouterr().out == "8\n"


def test_spellings_of_before_are_looked_for_first(commands, capsys):
    def old(command, arguments):
        raise CommandError(f"{command} {arguments} is old")

    assert Subcommands("numbers", "Numbers.", {}, old=old).main(["twice", "4"]) == 2
    assert capsys.readouterr().err == "numbers: twice ['4'] is old\n"


def test_help_begins_with_the_example_of_the_command(commands, capsys):
    sys.modules["doubling"].EXAMPLE = "21"
    with pytest.raises(SystemExit, match="0"):
        commands.main(["double", "-h"])
    assert capsys.readouterr().out == (
        "example: python3 -m some.numbers double 21\n\nPrints twice a number.\n\n  number\n"
    )


def test_without_arguments_the_commands_are_listed(commands, capsys):
    with pytest.raises(SystemExit, match="0"):
        Subcommands(commands.program, commands.description, {"double": "doubling"}).main([])
    assert "\n  double  prints twice a number\n" in capsys.readouterr().out
