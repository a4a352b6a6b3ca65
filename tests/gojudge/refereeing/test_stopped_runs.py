"""Runs that are told to stop, or killed: what was finished is kept, and the run taken up again ends like an undisturbed one."""

import os
import random
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path

import pytest

from gojudge.refereeing.runner import Runner
from tests.support import killed_run
from tests.support.stub_runs import people, schedule
from tests.support.stubs import conditions
from tests.support.waiting import PATIENCE, wait_until
from tournament.results.exports import Extras, write_json
from tournament.store.store import read_store

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("fresh_process")]

ROOT = Path(__file__).parents[3]


def test_a_run_that_is_told_to_stop_keeps_what_was_finished():
    kept = []
    runner = Runner(conditions(), people("a", "b", "slow"), kept.extend, jobs=2, stopped=lambda: len(kept) >= 3)
    account = runner.run(schedule(["a", "b", "slow"], games=20))
    assert account.stopped
    assert 3 <= len(kept) < 60


def exported(path):
    with read_store(path) as store:
        write_json(store.results(), path.with_suffix(".json"), Extras(logs=True), {})
    return path.with_suffix(".json").read_bytes()


def finished(path):
    """Return the ids of the games in a results file."""
    with read_store(path) as store:
        return set(store.finished())


def killed_again_and_again(tmp_path, games, kills):
    """Return the export of a run that was killed so often at random moments, after checking that nothing was lost."""
    path, rng = tmp_path / "killed.db", random.Random(20260501)
    marker = uuid.uuid4().hex
    environment = {**os.environ, "RUN_MARKER": marker}
    command = [sys.executable, "-m", "tests.support.killed_run", str(path), str(games)]
    for turn in range(kills):
        process = subprocess.Popen(
            [*command, str(rng.randint(1, 3)), str(turn)],
            cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        # Every other time while it starts, or soon after; else after so many games, however long they take.
        said, games_before = b"", rng.randint(1, 50) if turn % 2 else 0
        while said.count(b"\n") < games_before:
            said += os.read(process.stdout.fileno(), 100)
        time.sleep(0.0 if turn % 2 else rng.uniform(0.0, 0.5))
        # A run that is already over has been killed for nothing.
        os.kill(process.pid, signal.SIGKILL)
        said += process.communicate(timeout=PATIENCE)[0]
        # A run may be killed before there is a results file; but there never is one that cannot be read.
        if path.exists():
            assert set(said[: said.rfind(b"\n") + 1].decode().split()) <= finished(path)
    subprocess.run([*command, "2", "0"], cwd=ROOT, env=environment, check=True, timeout=PATIENCE, stdout=subprocess.DEVNULL)
    assert_gone(marker)
    return exported(path)


def assert_gone(marker):
    """Nothing that a killed run started may stay for long."""
    wait_until(lambda: not any(marker in _environment(pid) for pid in os.listdir("/proc") if pid.isdigit()))


def _environment(pid):
    try:
        return Path(f"/proc/{pid}/environ").read_text(errors="replace")
    except OSError:
        return ""


def undisturbed(tmp_path, games):
    """Return the export of a run that nobody disturbed, in another results file to which only the key was copied."""
    with read_store(tmp_path / "killed.db") as store:
        key = store.key
    killed_run.main(tmp_path / "calm.db", games, 1, 0, key)
    return exported(tmp_path / "calm.db")


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_run_killed_a_few_times_ends_like_one_that_was_not(tmp_path):
    assert killed_again_and_again(tmp_path, 40, 6) == undisturbed(tmp_path, 40)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_run_killed_a_hundred_times_ends_like_one_that_was_not(tmp_path):
    assert killed_again_and_again(tmp_path, 250, 110) == undisturbed(tmp_path, 250)
