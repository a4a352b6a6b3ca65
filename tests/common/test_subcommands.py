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


@pytest.mark.parametrize("arguments", [["halve"], ["--twice"]])
def test_what_is_no_command_is_refused_by_the_program(commands, arguments, capsys):
    with pytest.raises(SystemExit, match="2"):
        Subcommands(commands.program, commands.description, {"double": "doubling"}).main(arguments)
    error = capsys.readouterr().err
    assert error.startswith("python3 -m some.numbers: ")
    assert error.count("\n") == 1


def test_without_arguments_the_commands_are_listed(commands, capsys):
    with pytest.raises(SystemExit, match="0"):
        Subcommands(commands.program, commands.description, {"double": "doubling"}).main([])
    assert "  double                 prints twice a number" in capsys.readouterr().out


def test_what_is_called_otherwise_now_is_answered_with_the_new_way(commands, capsys):
    moved = {"twice": "it is double NUMBER", "double --by": "it is always 2"}
    program = Subcommands(commands.program, commands.description, {"double": "doubling"}, moved)
    for given, said in (("twice 3", "twice is gone: it is double"), ("double 3 --by=2", "double --by is gone: it is")):
        assert program.main(given.split()) == 2
        error = capsys.readouterr().err
        assert error.startswith(f"numbers: {said}")
        assert error.count("\n") == 1
