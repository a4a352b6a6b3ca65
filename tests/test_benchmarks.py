"""What the documents say of benchmarks, and how these end. The figures themselves are no matter of tests."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.missing import needs, no_package

ROOT = Path(__file__).parents[1]


def test_make_runs_every_measurement_that_documents_quote():
    documents = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    quoted = {name for path in documents for name in re.findall(r"-m\s+((?:benchmarks|lab)\.\w+)", path.read_text())}
    run = re.findall(r"-m ((?:benchmarks|lab)\.\w+)", (ROOT / "Makefile").read_text())
    assert quoted <= set(run)
    assert all((ROOT / f"{name.replace('.', '/')}.py").is_file() for name in run)


def test_a_number_that_is_none_is_refused_in_one_line():
    command = [sys.executable, "-m", "benchmarks.judge", "many"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "judge: argument games: expected a number of games from 2 to 1000000000, got 'many'\n"


def test_a_folder_without_the_books_code_is_refused_in_one_line(tmp_path):
    command = [sys.executable, "-m", "benchmarks.large_boards", "--book", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"large_boards: expected the folder `code` of the book's repository, got {tmp_path}: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@needs(no_package("numba") or no_package("pettingzoo", extra="env"))
def test_our_own_environment_is_measured_beside_those_of_others():
    """`benchmarks/` has files that are called like packages, such as `coverage`, which numba imports."""
    from benchmarks.environments import Other

    ours = Other("ours", 3, sys.executable)
    try:
        assert ours.name, ours.why_not()
    finally:
        ours.process.kill()
        ours.process.communicate()


LONG = """
import time
from benchmarks.pools import processes
from goban.common.command_lines import run

def main():
    with processes() as pool:
        assert list(pool.map(abs, range(9))) == list(range(9))
        parts = [pool.submit(time.sleep, 1000) for _ in range(100)]
        print("begun", flush=True)
        return parts[-1].result()

raise SystemExit(run("long", main))
"""


@pytest.mark.slow
@pytest.mark.parametrize("to_all", [True, False])
def test_ctrl_c_is_one_line_however_many_processes_there_are(to_all):
    """On a terminal it goes to all of them; `kill -INT` reaches the first alone, and then what has been begun is finished."""
    code = LONG if to_all else LONG.replace("sleep, 1000", "sleep, 0.1").replace("range(100)", "range(100_000)")
    options = {"cwd": ROOT, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "start_new_session": True}
    with subprocess.Popen([sys.executable, "-c", code], **options) as process:
        assert process.stdout.readline() == "begun\n"
        if to_all:
            os.killpg(process.pid, signal.SIGINT)
        else:
            process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=300)
    assert (process.returncode, said) == (130, ("", "long: stopped\n"))
