"""How a supervisor judges processes that say nothing, end, or use too much. A fake sandbox stands in for a real one."""

import os
import socket

import pytest

from gojudge.errors import HarnessFaultError, SpoiltSandboxError
from gojudge.inside.protocol import Channel
from gojudge.records import PlayerFaultError, Termination
from gojudge.sandbox import supervisor as supervising
from gojudge.sandbox.handles import Usage
from gojudge.sandbox.supervisor import Phase, SupervisedSeat, Supervisor
from gojudge.seats import Limits
from tests.support.waiting import PATIENCE

LIMITS = Limits(game_cpu_seconds=10.0, memory_mib=64)
START_UP = Termination.START_UP_FAILURE


class Paper:
    """A fake sandbox, in which nothing runs. used: what its processes have used; killed: whether the kernel killed one."""

    pipe, flooded = -1, False

    def __init__(self):
        self.used, self.killed, self.stopped = Usage(), False, 0
        self.ours, self.theirs = socket.socketpair()

    def start(self):
        return Channel(self.ours)

    def count_from_now(self):
        pass

    def usage(self):
        return self.used

    def stop(self):
        self.stopped += 1
        return self.used

    def check(self):
        pass

    def ran_out_of_memory(self):
        return self.killed

    def drain(self):
        pass

    def close(self):
        self.ours.close()
        self.theirs.close()


@pytest.fixture
def paper():
    sandbox = Paper()
    yield sandbox
    sandbox.close()


@pytest.fixture
def supervisor(paper):
    made = Supervisor(LIMITS, lambda: paper, move_cpu_seconds=2.0, evidence=lambda sandbox: "its last words")
    made.start()
    return made


def fault(call, *arguments):
    with pytest.raises(PlayerFaultError) as caught:
        call(*arguments)
    return caught.value.fault


def test_whoever_loads_a_submission_begins_in_a_sandbox_of_its_own():
    """The keeper of an earlier game knows what that has used, and the new process begins as a copy of it."""
    papers = []

    def launch():
        papers.append(Paper())
        return papers[-1]

    def load(sandbox, zygote):
        if len(papers) == 1:  # it cannot be copied, and is loaded again
            supervisor.start()

    supervisor = Supervisor(LIMITS, launch)
    for number, stays in ((2, True), (2, False), (3, True)):
        sandbox, zygote = supervisor.load(load)
        assert (sandbox, len(papers)) == (papers[-1], number)
        assert [each.ours.fileno() for each in papers].count(-1) == number - 1
        assert zygote.fileno() == papers[-1].ours.fileno()
        if not stays:
            supervisor.drop_zygote()
    supervisor.close()


def test_a_message_is_returned(supervisor, paper):
    paper.theirs.send(b'{"loaded": true}\n')
    assert supervisor.wait(supervisor.zygote, PATIENCE, "nothing") == {"loaded": True}
    assert paper.stopped == 0


@pytest.mark.parametrize(
    ("phase", "kind", "evidence"),
    [
        (Phase.LOADING, START_UP, ""),
        (Phase.STARTING, START_UP, ""),
        (Phase.PLAYING, Termination.TIME_OUT, "its last words"),
    ],
)
def test_silence_is_a_failure_to_start_until_the_player_is_asked(supervisor, paper, phase, kind, evidence):
    supervisor.phase = phase
    found = fault(supervisor.wait, supervisor.zygote, 0.05, "no answer")
    assert (found.termination, found.detail) == (kind, "no answer within 0.05 s")
    assert found.evidence == evidence
    assert paper.stopped == 1
    # Who has failed to load is of no use for the next game.
    assert (supervisor.zygote is None) == (phase is Phase.LOADING)


@pytest.mark.parametrize(("phase", "kind"), [(Phase.LOADING, START_UP), (Phase.PLAYING, Termination.CRASH)])
@pytest.mark.parametrize("killed", [False, True])
def test_an_end_is_a_crash_unless_the_kernel_says_it_was_the_memory(supervisor, paper, phase, kind, killed):
    supervisor.phase, paper.killed = phase, killed
    paper.theirs.close()
    found = fault(supervisor.wait, supervisor.zygote, PATIENCE, "no answer")
    assert found.termination is (Termination.OUT_OF_MEMORY if killed else kind)
    assert found.detail == ("it took more than 64 MiB of memory" if killed else "its process ended")


@pytest.mark.parametrize(
    ("phase", "kind", "moment"),
    [(Phase.LOADING, START_UP, "before its first move"), (Phase.PLAYING, Termination.CRASH, "in one move")],
)
def test_a_flood_is_a_fault_however_long_reading_it_takes(supervisor, paper, phase, kind, moment):
    supervisor.phase = phase
    paper.pipe, paper.flooded = os.open("/dev/null", os.O_RDONLY), True
    found = fault(supervisor.wait, supervisor.zygote, 1000.0, "nothing")
    os.close(paper.pipe)
    assert (found.termination, found.detail) == (kind, f"it printed more than 16 MiB {moment}")


def test_what_fails_in_a_sandbox_that_is_exposed_is_a_forfeit(supervisor, paper):
    for phase, kind in ((Phase.LOADING, START_UP), (Phase.PLAYING, Termination.CRASH)):
        supervisor.phase = phase
        with pytest.raises(PlayerFaultError) as caught, supervisor.blaming():
            raise SpoiltSandboxError("its sandbox broke down: exit status 1")
        assert (caught.value.fault.termination, caught.value.fault.detail) == (kind, "its sandbox broke down: exit status 1")
    with pytest.raises(HarnessFaultError), supervisor.blaming():
        raise HarnessFaultError("a sandbox could not be started")


class BrokenSeat(SupervisedSeat):
    """A seat whose games cannot be ended."""

    error, hung_up = HarnessFaultError("a sandbox does not answer"), 0

    def _hang_up(self):
        self.hung_up += 1

    def _end(self, sandbox):
        raise self.error

    _begin = _ask = None


@pytest.mark.parametrize("ours", [True, False])
def test_a_sandbox_in_which_a_game_cannot_be_ended_is_closed(supervisor, paper, ours):
    seat = BrokenSeat(LIMITS, "T3", supervisor)
    if ours:
        with pytest.raises(HarnessFaultError, match="does not answer"):
            seat.end()
    else:
        seat.error = SpoiltSandboxError("its sandbox broke down")
        assert seat.end() == ""
    assert (supervisor.sandbox, seat.hung_up) == (None, 1)


def test_nonsense_is_an_invalid_answer(supervisor, paper):
    paper.theirs.send(b"nonsense\n")
    assert fault(supervisor.wait, supervisor.zygote, PATIENCE, "no answer").termination is Termination.INVALID_ANSWER


@pytest.mark.parametrize(
    ("used", "kind", "words"),
    [
        (Usage(2.5), Termination.TIME_OUT, "more than 2 s of CPU time for this move"),
        (Usage(11.0), Termination.TIME_OUT, "more than 2 s of CPU time for this move"),
        (Usage(memory=65 << 20), Termination.OUT_OF_MEMORY, "more than 64 MiB of memory"),
    ],
)
def test_what_a_thinking_player_uses_is_looked_at(supervisor, paper, used, kind, words):
    supervisor.phase, paper.used = Phase.PLAYING, used
    found = fault(supervisor.wait, supervisor.zygote, PATIENCE, "no answer")
    assert found.termination is kind
    assert words in found.detail


@pytest.mark.parametrize(("phase", "fair"), [(Phase.STARTING, True), (Phase.PLAYING, False)])
def test_who_thinks_while_the_opponent_is_to_move_forfeits(supervisor, paper, phase, fair):
    supervisor.phase = phase
    if fair:
        supervisor.charge(Usage(0.5, idle=0.4))
    else:
        supervisor.charge(Usage(0.5, idle=0.015))
        found = fault(supervisor.charge, Usage(1.0, idle=0.03))
        assert (found.termination, found.detail) == (Termination.TIME_OUT, "it thinks in the opponent's time")


def answers(supervisor, paper, used):
    """Let the player answer once, when its processes have used so much; return what it is charged with."""
    paper.theirs.send(b"{}\n")
    supervisor.wait(supervisor.zygote, 5.0, "no answer")
    return supervisor.charge(used)


def test_each_answer_is_charged_with_what_was_used_since_the_last(supervisor, paper):
    supervisor.phase = Phase.PLAYING
    assert [answers(supervisor, paper, Usage(cpu)).cpu for cpu in (1.5, 3.0, 3.0, 4.75)] == [1.5, 1.5, 0.0, 1.75]


def test_the_cpu_time_of_a_game_has_a_limit_too(supervisor, paper):
    supervisor.phase = Phase.PLAYING
    for cpu in range(2, 11, 2):
        answers(supervisor, paper, Usage(float(cpu)))
    assert fault(answers, supervisor, paper, Usage(10.5)).detail == "it used more than 10 s of CPU time in this game"


class Waiting(Paper):
    """A fake sandbox whose processes want a core and have none, from one look to the next."""

    def usage(self):
        self.used = Usage(waited=self.used.waited + 3600.0)
        return self.used


def test_who_waits_for_a_core_does_not_run_out_of_time(monkeypatch):
    monkeypatch.setattr(supervising, "_PATIENCE_FACTOR", 0)
    monkeypatch.setattr(supervising, "_PATIENCE_SECONDS", 0.3)
    made = Supervisor(LIMITS, Waiting)
    made.start()
    made.phase = Phase.PLAYING
    # Its time is up 30 times before we give up; that is our own fault then.
    with pytest.raises(HarnessFaultError, match="no answer after 0 s: this machine is too busy"):
        made.wait(made.zygote, 0.01, "no answer")
    made.close()
