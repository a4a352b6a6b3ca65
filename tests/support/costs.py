"""A plugin of pytest that says at the end what the tests of each room cost, and which cost most, in one process.

    python3 -m pytest -p tests.support.costs -m "not slow and not long" tests/goban

What counts is seconds of processors, of this process and of those it has started and waited for, so that other work on the
machine hardly matters.
"""

import os
from collections import Counter
from pathlib import Path

import pytest

MOST = 20
_costs = Counter()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item):
    before = sum(os.times()[:4])
    result = yield
    _costs[item.nodeid] += sum(os.times()[:4]) - before
    return result


def pytest_terminal_summary(terminalreporter):
    """Write a line for each room, then those of single tests, the dearest first."""
    rooms, tests = Counter(), Counter()
    for test, seconds in _costs.items():
        room = "/".join(Path(test.partition("::")[0]).parent.parts[:3])
        rooms[room] += seconds
        tests[room] += 1
    terminalreporter.section("seconds of processors")
    for room, seconds in rooms.most_common():
        terminalreporter.write_line(f"{seconds:7.1f}  {tests[room]:5}  {room}")
    for test, seconds in _costs.most_common(MOST):
        terminalreporter.write_line(f"{seconds:7.2f}  {test}")
