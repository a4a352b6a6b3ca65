"""Whatever a call of the keeper does costs the player at most its game: `keeper_faults.py`, in a process of its own.

The keepers there are forks of the test's process. It must hold nothing of other tests: files, threads, shared memory.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.gojudge.sandbox import keeper_faults

ROOT = Path(__file__).parents[3]
CASES = "tests/gojudge/sandbox/keeper_faults.py"
TESTS = {name: test for name, test in vars(keeper_faults).items() if name.startswith("test_")}
LONG = {name for name, test in TESTS.items() if any(mark.name == "long" for mark in getattr(test, "pytestmark", []))}


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.long] * (name in LONG)) for name in TESTS])
def test_no_fault_of_the_keeper_is_void_or_hangs(name):
    pytest_of_its_own = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", f"{CASES}::{name}"]
    done = subprocess.run(pytest_of_its_own, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
