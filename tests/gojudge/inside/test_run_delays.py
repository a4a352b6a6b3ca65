"""How long tasks waited for a core, as the kernel counts it."""

import os
import subprocess

import pytest

from gojudge.inside import run_delays
from gojudge.inside.run_delays import RunDelays, are_counted, run_delay

needs_counts = pytest.mark.skipif(not are_counted(), reason="this kernel does not count run delays")


@pytest.fixture
def told(monkeypatch):
    """What the kernel tells of each task, in seconds, set by hand."""
    delays = {}
    monkeypatch.setattr(run_delays, "run_delay", lambda task, table: int(delays.get(task, 0) * 1e9))
    return delays


def test_what_tasks_waited_adds_up_and_stays_when_they_end(told):
    delays = RunDelays()
    told |= {1: 2.0, 2: 1.0}
    assert delays.total([1, 2]) == 3.0
    told |= {1: 2.5, 3: 4.0}
    assert delays.total([1, 3]) == 7.5
    assert delays.total([]) == 7.5


def test_an_id_that_is_given_again_begins_anew(told):
    delays = RunDelays()
    told[1] = 5.0
    delays.total([1])
    told[1] = 2.0
    assert delays.total([1]) == 7.0
    delays.total([])
    assert delays.total([1]) == 9.0


def test_who_is_gone_has_no_delay():
    assert run_delay(2**22 + 1) == 0


@needs_counts
def test_two_processes_on_one_core_wait_for_each_other():
    core = min(os.sched_getaffinity(0))
    spin = f"import os; os.sched_setaffinity(0, {{{core}}})\nwhile True: pass"
    busy = [subprocess.Popen(["python3", "-c", spin]) for _ in range(2)]
    try:
        delays = RunDelays()
        while delays.total([process.pid for process in busy]) < 0.05:
            assert all(process.poll() is None for process in busy)
    finally:
        for process in busy:
            process.kill()
            process.wait()
