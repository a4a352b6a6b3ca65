"""Whatever a call of the keeper does costs the player at most its game: `keeper_faults.py`, in a process of its own.

The keepers there are forks of the test's process. It must hold nothing of other tests: files, threads, shared memory.
"""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.gojudge.sandbox import keeper_faults

ROOT = Path(__file__).parents[3]
FILE = "tests/gojudge/sandbox/keeper_faults.py"
EACH = 6
"""Cases for one process."""


def all_cases():
    """The cases of each test, as parameters; those of a test that takes minutes are marked."""
    for name, test in vars(keeper_faults).items():
        if name.startswith("test_"):
            marks = getattr(test, "pytestmark", [])
            values = [value for mark in marks if mark.name == "parametrize" for value in mark.args[1]]
            cases = [f"{name}[{value}]" for value in values] or [name]
            long = [pytest.mark.long] * any(mark.name == "long" for mark in marks)
            yield pytest.param(cases, marks=long, id=name)


@pytest.mark.slow
@pytest.mark.parametrize("cases", [*all_cases()])
def test_no_fault_of_the_keeper_is_void_or_hangs(cases):
    """Processes run beside each other: what takes time is to wait for calls that hang."""
    groups = [cases[first : first + EACH] for first in range(0, len(cases), EACH)]
    with ThreadPoolExecutor(len(groups)) as threads:
        for group, done in zip(groups, threads.map(run, groups), strict=True):
            assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
            assert f"{len(group)} passed" in done.stdout or "skipped" in done.stdout, done.stdout[-5000:]


def run(cases):
    pytest_of_its_own = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *(f"{FILE}::{case}" for case in cases)]
    return subprocess.run(pytest_of_its_own, cwd=ROOT, capture_output=True, text=True)
