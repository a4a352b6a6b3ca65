"""Whatever a call of the keeper does costs the player at most its game: `keeper_faults.py`, in a process of its own.

The keepers there are forks of the test's process. It must hold nothing of other tests: files, threads, shared memory.
"""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CASES = "tests/tournament/sandbox/keeper_faults.py"


@pytest.mark.slow
@pytest.mark.parametrize("which", ["not long", pytest.param("long", marks=pytest.mark.long)])
def test_no_fault_of_the_keeper_is_void_or_hangs(which):
    pytest_of_its_own = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-m", which, CASES]
    done = subprocess.run(pytest_of_its_own, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
