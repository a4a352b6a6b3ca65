"""The frame of command lines: errors are one line instead of a traceback, and every end has its exit status."""

import argparse
import io
import multiprocessing
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from goban.common.command_lines import (
    DONE,
    FAILED,
    INTERRUPTED,
    CommandError,
    MissingExtraError,
    Parser,
    Subcommands,
    complain,
    run,
    say,
    whole_number,
)

ROOT = Path(__file__).parents[3]


class ReaderError(Exception):
    """An error of a command line's own."""


def raising(error):
    def work():
        raise error

    return work


NOT_THERE = FileNotFoundError(2, "No such file or directory", "cup.toml")
COMPLAINTS = [
    (CommandError("expected a file,\n  got none"), FAILED, "expected a file, got none"),
    (ReaderError("line 3: expected a number"), FAILED, "line 3: expected a number"),
    (NOT_THERE, FAILED, "cup.toml: No such file or directory"),
    (OSError(28, "No space left on device"), FAILED, "No space left on device"),
    (OSError("argument --sgf: expected a file"), FAILED, "argument --sgf: expected a file"),
    (MissingExtraError("torch is missing; install it with: make"), FAILED, "torch is missing; install it with: make"),
    (MemoryError(), FAILED, "out of memory"),
    (KeyboardInterrupt(), INTERRUPTED, "stopped"),
    (
        ModuleNotFoundError("No module named 'unheard'", name="unheard.of"), FAILED,
        "this needs unheard: make install, then run .venv/bin/python",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("error", "status", "line"), COMPLAINTS, ids=[type(error).__name__ for error, *_ in COMPLAINTS])
def test_what_goes_wrong_is_one_line(error, status, line, capsys):
    assert run("truth", raising(error), ReaderError) == status
    assert capsys.readouterr() == ("", f"truth: {line}\n")


def test_what_a_python_was_built_without_is_nothing_to_install(monkeypatch, capsys):
    """As pyenv builds it where the system has no headers of SQLite."""
    monkeypatch.setitem(sys.modules, "_sqlite3", None)
    assert run("grade", raising(ModuleNotFoundError("No module named '_sqlite3'", name="_sqlite3"))) == FAILED
    told = "grade: this needs _sqlite3, without which this Python was built: use another one (docs/platforms.md)\n"
    assert capsys.readouterr() == ("", told)


def test_a_folder_that_is_gone_is_told_by_what_it_is(tmp_path, monkeypatch, capsys):
    """As after `rm -r` in another terminal: nothing that is looked for from there is found, and the error names no file."""
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    assert run("check", os.getcwd) == FAILED
    assert run("check", raising(NOT_THERE)) == FAILED
    gone = "check: the folder in which this runs has been removed: change to another\n"
    assert capsys.readouterr().err == f"{gone}check: cup.toml: No such file or directory\n"


def test_where_there_is_no_standard_error_nothing_is_said(monkeypatch, capsys):
    monkeypatch.setattr("sys.stderr", None)
    say("a line")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("terminal", "before"), [(True, "\r\033[K"), (False, "")])
def test_a_line_of_a_worker_is_written_over_a_bar_of_another_process(monkeypatch, as_terminal, terminal, before):
    monkeypatch.setattr(multiprocessing, "parent_process", lambda: "somebody")
    out = io.StringIO()
    if terminal:
        as_terminal(out)
    say("a line", out)
    assert out.getvalue() == f"{before}a line\n"


def test_a_complaint_is_printable_and_has_an_end(capsys):
    complain("truth", "no \x1b[2J\udcff é " + "x" * 100_000)
    assert capsys.readouterr().err == "truth: no \\x1b[2J\\udcff é " + "x" * (1000 - 22) + "...\n"
    assert run("truth", raising(FileNotFoundError(2, "No such file", "y\x1b" * 9000))) == FAILED
    assert capsys.readouterr().err == "truth: " + ("y\\x1b" * 80)[:397] + "...: No such file\n"


def test_the_text_of_a_known_error_wins_over_what_is_said_of_its_kind(capsys):
    assert run("truth", raising(NOT_THERE), OSError) == FAILED
    assert capsys.readouterr().err == "truth: [Errno 2] No such file or directory: 'cup.toml'\n"


def test_the_status_of_the_work_is_handed_on():
    assert [run("truth", lambda status=status: status) for status in (DONE, 1, FAILED)] == [DONE, 1, FAILED]


# Faults of ours: a bug, and a module of ours that is missing where its package is there.
FAULTS = [ReaderError("unknown"), ModuleNotFoundError("No module named 'goban.gone'", name="goban.gone")]


@pytest.mark.parametrize("fault", FAULTS, ids=["unknown", "our module"])
def test_our_own_faults_are_raised(fault):
    with pytest.raises(type(fault)):
        run("truth", raising(fault))


def printing(stdout):
    code = "from goban.common.command_lines import run\nraise SystemExit(run('truth', lambda: print('x' * 100) or 0))"
    return subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, stdout=stdout, stderr=subprocess.PIPE, text=True)


def test_nobody_reads_on():
    reader, writer = os.pipe()
    os.close(reader)
    done = printing(writer)
    os.close(writer)
    assert (done.returncode, done.stderr) == (INTERRUPTED, "")


def test_a_full_disk_is_one_line():
    with open("/dev/full", "w") as full:
        done = printing(full)
    assert (done.returncode, done.stderr) == (FAILED, "truth: No space left on device\n")


def test_an_error_about_a_parameter_is_one_about_the_option_of_that_name():
    parser = Parser()
    parser.add_argument("--move-time")
    messages = ["move_time: expected a number", "games: expected a number", "expected: move_time"]
    assert list(map(parser.name_option, messages)) == ["--move-time: expected a number", *messages[1:]]
    assert parser.name_option("slow: another `move_time`, or `games`") == "slow: another --move-time, or `games`"


def test_a_parser_complains_in_one_line(capsys):
    with pytest.raises(SystemExit) as leaving:
        Parser(prog="python3 -m goban.solver.truth", name="truth").parse_args(["--so\nmany"])
    assert leaving.value.code == FAILED
    assert capsys.readouterr() == ("", "truth: unrecognized arguments: --so many\n")


def test_a_number_is_read():
    assert whole_number(2, 19, "a size")("019") == 19


@pytest.mark.parametrize("text", ["", "1", "20", "-2", "1_0", " 5", "5.0", "٣", "9" * 5000, "five\n"])
def test_a_number_out_of_range_is_refused(text):
    with pytest.raises(argparse.ArgumentTypeError, match=r"^expected a size from 2 to 19, got '") as refusal:
        whole_number(2, 19, "a size")(text)
    assert len(str(refusal.value)) < 100


# What each door needs first of what is not installed.
DOORS = [
    (["golearn.qlearning", "-h"], "qlearning", "tqdm"),
    (["goban.solver.truth", "-h"], "truth", "numpy"),
    (["goban.solver.bookmaking", "-h"], "bookmaking", "numpy"),
    (["tournament", "report", "cup.db"], "report", "jinja2"),
]


@pytest.mark.parametrize(("words", "name", "package"), DOORS, ids=[words[0] for words, *_ in DOORS])
def test_a_command_line_without_its_packages_says_so_in_one_line(words, name, package):
    done = subprocess.run([sys.executable, "-S", "-m", *words], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (FAILED, "")
    assert done.stderr == f"{name}: this needs {package}: make install, then run .venv/bin/python\n"


def test_a_program_that_imports_them_gets_the_usual_error():
    done = subprocess.run([sys.executable, "-S", "-c", "import goban.solver.solver"], cwd=ROOT, capture_output=True, text=True)
    assert "ModuleNotFoundError" in done.stderr


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


def test_help_is_no_wider_than_the_terminal(commands, capsys, monkeypatch, as_terminal):
    monkeypatch.setenv("COLUMNS", "24")
    as_terminal(sys.stdout)
    narrow = Subcommands(commands.program, commands.description, {"double": "doubling"}, also="lost (another)")
    with pytest.raises(SystemExit, match="0"):
        narrow.main([])
    lines = "  double  prints twice a\n          number\n  also: lost (another)\n"
    assert capsys.readouterr().out.endswith(lines)
