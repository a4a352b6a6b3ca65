"""Settings every test shares."""

import gc
import os
import signal
import sys

import pytest
from hypothesis import HealthCheck, settings

from tests.support.missing import last_line

# The same examples on every machine and in every run, half as many as usual; a slow machine is no failure.
settings.register_profile(
    "same-everywhere", derandomize=True, max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("same-everywhere")

# The tests start thousands of processes: what one of them has compiled the others load.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A run in the background begins with Ctrl-C ignored, and so would every program that a test starts and interrupts.
signal.signal(signal.SIGINT, signal.default_int_handler)


# Tests of what a fork is for: its limits, and that it takes what it has done along.
READ_APART = {"test_reading", "test_hostile_submissions"}


@pytest.fixture(autouse=True, scope="module")
def _look_at_new_only():
    """Have no collection of garbage look at what the files before have left: a test that collects once for each call it makes
    fail would look at all modules of the run a hundred times."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="module")
def _read_here(request):
    """Have what was handed in read in this process, as where there is no fork: it holds all tests, and a fork of it takes
    longer than ten submissions to read."""
    from gojudge.sandbox import reading

    with pytest.MonkeyPatch.context() as patch:
        if request.path.stem not in READ_APART:
            patch.setattr(reading, "forks", lambda: False)
        yield


@pytest.fixture
def as_terminal(monkeypatch):
    """Return a function that makes a stream a terminal, for as long as the test lasts."""

    def make(stream):
        monkeypatch.setenv("TERM", "xterm")
        monkeypatch.setattr(os, "isatty", lambda number: True)
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
        monkeypatch.setattr(stream, "fileno", lambda: 2, raising=False)
        return stream

    return make


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers():
    """Take one process more than there are processors: tests wait for browsers, for sandboxes and for what hangs."""
    processors = yield
    return processors + ("PYTEST_XDIST_AUTO_NUM_WORKERS" not in os.environ)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes():
    """Find out which sandboxes work here once, for all processes of a parallel run."""
    from tests.support.submissions import tell_processes

    tell_processes()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection():
    """Have what stays to the end, thousands of tests with their modules, looked at by no garbage collection.

    A process that is forked would copy all of it when it collects its own.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        # Each one looks at all that tests have imported and kept since: as often as usual, a twentieth of the time.
        gc.set_threshold(10_000)
        gc.enable()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session):
    """Say last of all, below pytest's own count, what this machine lacks."""
    status = yield
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    # The processes of a parallel run have none: what they skip is reported to the first.
    if terminal is not None and (line := last_line(terminal.stats.get("skipped", []))):
        terminal.write_line(line)
    return status
