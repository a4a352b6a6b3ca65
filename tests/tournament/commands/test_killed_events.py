"""An event killed at random moments (runner, lanes, sandboxes, all at once) exports what an undisturbed one does, and nothing
is left. See `benchmarks.kills`, which says what it looks at; as many kills as one likes can be had there."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.submissions import tiers

ROOT = Path(__file__).parents[3]
pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")]


def killed(*arguments):
    done = subprocess.run([sys.executable, "-m", "benchmarks.kills", *arguments], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_an_event_killed_a_few_times_ends_like_one_that_was_not():
    assert " 0 faults" in killed("5", "--jobs=2", "--seed=3", "--games=2")


@pytest.mark.long
@tiers()
def test_an_event_killed_often_ends_like_one_that_was_not(tier):
    assert " 0 faults" in killed("60", f"--tier={tier}")
