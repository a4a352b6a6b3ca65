"""What an answer takes is divided into running, sleeping and waiting for a core."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gojudge.records import Spent
from gojudge.sandbox import supervisor
from gojudge.sandbox.handles import Usage
from gojudge.sandbox.supervisor import Stopwatch

SECONDS = st.floats(0, 100, allow_nan=False)


@pytest.fixture
def clock(monkeypatch):
    """A clock and a count of our own waiting, both set by hand."""
    now = {"time": 100.0, "delay": 7_000_000}
    monkeypatch.setattr(supervisor.time, "monotonic", lambda: now["time"])
    monkeypatch.setattr(supervisor, "run_delay", lambda task: now["delay"])
    return now


@pytest.mark.parametrize(
    ("used", "late", "own", "spent"),
    [
        (Usage(), 0.0, 0.0, Spent(4, 0, 4, 0)),  # it slept
        (Usage(4.0), 0.0, 0.0, Spent(4, 4, 0, 0)),  # it ran
        (Usage(1.0, waited=2.0), 0.0, 0.0, Spent(4, 1, 1, 2)),
        (Usage(8.0), 0.0, 0.0, Spent(4, 8, 0, 0)),  # on two cores at once
        (Usage(1.0, waited=50.0), 0.0, 0.0, Spent(4, 1, 0, 3)),  # many threads waited at the same time
        (Usage(1.0), 2.0, 0.0, Spent(4, 1, 1, 0)),  # we looked too late
        (Usage(1.0), 0.0, 2.0, Spent(4, 1, 1, 0)),  # we had no core ourselves
        (Usage(1.0), 1.5, 2.0, Spent(4, 1, 1, 0)),  # the same waiting, seen from both sides
        (Usage(1.0), 9.0, 0.0, Spent(4, 1, 0, 0)),
    ],
)
def test_a_slice_of_four_seconds(clock, used, late, own, spent):
    watch = Stopwatch()
    watch.start()
    clock["time"] += 4
    clock["delay"] += int(own * 1e9)
    assert watch.read(used, late) == spent


def test_slices_add_up_and_the_next_answer_begins_at_nothing(clock):
    watch = Stopwatch()
    watch.start()
    for cpu in (1.0, 2.0):
        clock["time"] += 2
        watch.read(Usage(cpu, waited=cpu / 2))
    assert watch.spent == Spent(4, 2, 1, 1)
    watch.start()
    clock["time"] += 1
    # CPU used between the answers is charged too.
    assert watch.read(Usage(2.5, waited=1.0)) == Spent(1, 0.5, 0.5, 0)


def test_a_wait_is_counted_when_it_is_over(clock):
    watch = Stopwatch()
    watch.start()
    for _ in range(3):
        clock["time"] += 1
        assert watch.read(Usage(runnable=True)).charge == 0
    clock["time"] += 1
    # It got a core after 3.5 seconds.
    assert watch.read(Usage(0.5, waited=3.5, runnable=True)) == Spent(4, 0.5, 0, 3.5)


def test_what_was_not_waited_was_slept_in_the_end(clock):
    watch = Stopwatch()
    watch.start()
    clock["time"] += 4
    watch.read(Usage(runnable=True))
    clock["time"] += 1
    assert watch.read(Usage(0.5, waited=1.5)) == Spent(5, 0.5, 3, 1.5)


def test_cpu_that_is_counted_late_was_no_sleep(clock):
    watch = Stopwatch()
    watch.start()
    for cpu in (0.75, 2.0):
        clock["time"] += 1
        watch.read(Usage(cpu, runnable=True))
    assert watch.read(Usage(2.0)) == Spent(2, 2, 0, 0)


def test_the_time_after_the_answer_was_noticed_is_not_the_players(clock):
    watch = Stopwatch()
    watch.start()
    noticed = clock["time"] + 1
    clock["time"] += 50
    assert watch.read(Usage(1.0), at=noticed) == Spent(1, 1, 0, 0)


def test_what_a_process_that_has_ended_had_waited_was_not_sleep(clock):
    watch = Stopwatch()
    watch.start()
    clock["time"] += 5
    watch.read(Usage(1.0, waited=1.0))
    assert watch.count_waited(2.5) == Spent(5, 1, 1.5, 2.5)
    assert watch.count_waited(0.5) == Spent(5, 1, 1.5, 2.5)
    assert watch.count_waited(100.0) == Spent(5, 1, 0, 4)


@given(slices=st.lists(st.tuples(SECONDS, SECONDS, SECONDS, SECONDS), max_size=5))
def test_waiting_is_never_saved_up_to_sleep_for_nothing(slices):
    """Whatever was waited in one slice, another one in which the player only slept is charged in full."""
    with pytest.MonkeyPatch.context() as patch:
        now, delay, cpu, waited = 0.0, 0, 0.0, 0.0
        patch.setattr(supervisor.time, "monotonic", lambda: now)
        patch.setattr(supervisor, "run_delay", lambda task: delay)
        watch = Stopwatch()
        watch.start()
        for wall, ran, stood, late in slices:
            now, cpu, waited = now + wall, cpu + ran, waited + stood
            spent = watch.read(Usage(cpu, waited=waited), late)
            assert spent.cpu == pytest.approx(cpu)
            assert spent.slept + spent.waited <= spent.wall + 1e-6
        before = watch.spent.charge
        now += 10
        assert watch.read(Usage(cpu, waited=waited)).charge == pytest.approx(before + 10)
