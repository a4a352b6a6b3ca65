"""Tiers of sandbox: the rights a submission has in one, that nothing is left of it afterwards, and which tier is chosen."""

import gc
import os
import signal
import socket
import subprocess
import sys
import warnings
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from goban.rulesets import LITTLEGO
from gojudge.errors import HarnessFaultError, SandboxError
from gojudge.inside.protocol import Channel
from gojudge.records import PlayerFaultError, Tier
from gojudge.sandbox import cgroups, sweeping
from gojudge.sandbox import tiers as sandbox
from gojudge.sandbox.handles import Sandbox
from gojudge.sandbox.supervisor import Supervisor
from tests.support.submissions import answers, get_input, seat_for, spec, submission, tiers
from tests.support.waiting import wait_until

ROOT = Path(__file__).resolve().parents[3]


@tiers("T3", "T2")
def test_a_sandbox_has_a_user_of_its_own_and_no_rights(open_seat):
    seat = open_seat(get_input("""
        status = dict(line.split(":", 1) for line in open("/proc/self/status"))
        rights = [int(status[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")]
        return sum(rights), int(status["NoNewPrivs"]) + int(status["Seccomp"])
    """))  # fmt: skip
    assert answers(seat) == [(0, 3)]


@tiers()
def test_a_closed_seat_leaves_nothing_behind(open_seat):
    seat = open_seat(get_input("return 0, 0"))
    before = set(sweeping.leftovers())
    answers(seat)
    seat.close()
    seat.close()
    assert set(sweeping.leftovers()) <= before
    assert answers(seat) == [(0, 0)]


# What is called, again and again, from the opening of a seat to its end.
STEPS = [
    (socket, "socketpair"), (cgroups, "new_group"), (sandbox, "_start"), (sandbox, "_hand_over"), (os, "set_inheritable"),
    (Channel, "send"), (Channel, "receive"), (Channel, "fill"), (Sandbox, "drain"), (Sandbox, "_believe"),
    (Sandbox, "count_from_now"), (Supervisor, "wait"), (Supervisor, "reap"),
]  # fmt: skip


def what_is_open():
    """The files that this process has open, by what they are, and its children."""
    numbers = {number: Path(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")}
    files = Counter(os.readlink(path) for path in numbers.values() if path.is_symlink())
    return files, _family(os.getpid())


def fail_at(patch, owner, name, at, error):
    """Have one call of a function fail; return the numbers of those that come."""
    original, calls = getattr(owner, name), []

    def failing(*arguments, **options):
        calls.append(len(calls))
        if len(calls) == at + 1:
            raise error
        return original(*arguments, **options)

    patch.setattr(owner, name, failing)
    return calls


def begin_and_end(seat):
    """Begin a game and end it, as the referee does whatever happens."""
    with suppress(OSError, HarnessFaultError, PlayerFaultError):
        try:
            seat.begin(spec(), 1)
        finally:
            seat.end()


@pytest.mark.slow
@tiers("T3", "T0")
@pytest.mark.parametrize("error", [OSError(24, "Too many open files"), KeyboardInterrupt()], ids=repr)
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step[1])
def test_wherever_the_opening_of_a_seat_fails_nothing_of_it_stays_open(tier, step, error, tmp_path, monkeypatch):
    entrant = submission(tmp_path / "alice", get_input("return 0, 0"))
    with closing(seat_for(entrant, tier)) as seat:
        answers(seat)
    gc.collect()
    before, at, calls = what_is_open(), 0, [0]
    # Without a control group it is the opening that differs, which comes first.
    while len(calls) > at < (12 if tier == "T3" else 4):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            with monkeypatch.context() as patch, suppress(type(error), Exception):
                calls = fail_at(patch, *step, at, error)
                with closing(seat_for(entrant, tier)) as seat:
                    begin_and_end(seat)
                    begin_and_end(seat)
            error.__traceback__ = None  # it holds what was open
            gc.collect()
        assert not [str(warning.message) for warning in told], at
        assert what_is_open() == before, at
        at += 1


@tiers()
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_harness_takes_its_sandboxes_along(tier, tmp_path, how):
    source = get_input("if not os.fork():\n    os.setsid()\nwhile True:\n    time.sleep(0.01)", "import os, time")
    submission(tmp_path / "alice", source)
    code = (
        "import sys; from pathlib import Path; from tests.support.submissions import *\n"
        f"seat = seat_for(Entrant('alice', folder=Path({str(tmp_path / 'alice')!r})), {tier!r}, move_seconds=60.0)\n"
        "seat.begin(spec(), 1); print(seat._supervisor.sandbox._process.pid, flush=True); seat.answer(new_game(COURSE, 5), '')"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True) as harness:
        keeper = int(harness.stdout.readline())
        wait_until(lambda: _is_complete(_family(keeper)))
        family = _family(keeper)
        harness.send_signal(how)
        harness.wait()
    wait_until(lambda: not any(_lives(pid) for pid in family))
    sweeping.sweep()
    # What a sweep of another test's is just removing goes when that has come to its end.
    wait_until(lambda: not [path for path in sweeping.all_leftovers() if f"-{harness.pid}-" in path])


def _family(pid):
    children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return [pid, *(each for child in children for each in _family(child))]


def _is_complete(family):
    """Whether the player's child is there: behind keeper, zygote and player, and in a session of its own."""
    return len(family) >= 4 and os.getsid(family[-1]) == family[-1]


def _lives(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


# Which tier


def test_a_tier_that_does_not_exist_is_refused_with_the_choices():
    with pytest.raises(SandboxError, match="expected one of T3, T2, T1, T0 as a tier, got 'T9'"):
        sandbox.require("T9")


def test_the_best_tier_is_the_first_that_works():
    assert sandbox.require("T0") == sandbox.best_tier() == next(r.tier for r in sandbox.probe() if r.works)


def test_too_weak_a_sandbox_is_refused_with_what_the_required_one_needs_and_what_to_do_meanwhile(monkeypatch):
    monkeypatch.setattr(sandbox, "best_tier", lambda: "T1")
    monkeypatch.setattr(sandbox, "_try", lambda tier: sandbox.TierReport(tier, False, f"{tier} needs this"))
    with pytest.raises(SandboxError) as caught:
        sandbox.require("T2")
    assert str(caught.value) == (
        "submissions must be run at tier T2, but T1 is all there is here: T2 needs this; "
        "to try it, without marks: --require-tier T1"
    )


@pytest.fixture
def launches(monkeypatch):
    """Fails as many sandboxes as the test says, and lists the tiers that were tried; no pauses, nothing remembered."""
    tried = []

    def launch(submission, limits, tier, python):
        tried.append(str(tier))
        if len(tried) <= launch.fail:
            raise HarnessFaultError("a sandbox broke down")
        return real(submission, limits, tier, python)

    real, launch.fail = sandbox._launch, 0
    monkeypatch.setattr(sandbox, "_launch", launch)
    monkeypatch.setattr(sandbox, "_PAUSES", (0, 0))
    sandbox._try.cache_clear()
    yield launch, tried
    sandbox._try.cache_clear()


@pytest.mark.parametrize("failures", [0, 1, 2])
def test_a_tier_that_fails_now_and_then_is_tried_again(launches, failures):
    launch, tried = launches
    launch.fail = failures
    assert sandbox._try(Tier.T0).works
    assert tried == ["T0"] * (failures + 1)


def test_a_tier_that_fails_every_time_is_given_up(launches):
    launch, tried = launches
    launch.fail = 1000
    assert sandbox._try(Tier.T0) == sandbox.TierReport(Tier.T0, False, "a sandbox broke down")
    assert tried == ["T0"] * 3


def test_a_seat_never_chooses_its_tier(tmp_path):
    with pytest.raises(SandboxError, match="expected one of T3, T2, T1, T0 as a tier, got ''"):
        sandbox.open_seat(submission(tmp_path, ""), LITTLEGO, 5, sandbox.Limits(), "")


def test_an_interpreter_that_is_none_is_refused(tmp_path):
    with pytest.raises(SandboxError, match="expected a Python interpreter"):
        sandbox.open_seat(submission(tmp_path, ""), LITTLEGO, 5, sandbox.Limits(), tier="T0", python="/bin/false")


def test_a_folder_that_cannot_be_handed_over_is_our_fault(tmp_path, monkeypatch):
    def refuse(path, *_, **__):
        raise PermissionError(1, "Operation not permitted", str(path))

    monkeypatch.setattr(sandbox.os, "chown", refuse)
    plan = SimpleNamespace(settings={"confinement": {}}, folder=tmp_path)
    with pytest.raises(HarnessFaultError, match=r"^a folder for a submission could not be handed over: .*not permitted"):
        sandbox._hand_over(plan, 12345)
