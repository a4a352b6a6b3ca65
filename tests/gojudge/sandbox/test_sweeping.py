"""What killed harnesses leave behind is removed by the next one, and nothing else is."""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from benchmarks.kills import descendants_of
from goban.rulesets import COURSE
from goban.states import new_game
from gojudge.errors import HarnessFaultError
from gojudge.records import PlayerFaultError
from gojudge.sandbox import launching, sweeping
from gojudge.sandbox.leftovers import owned_folder, owned_name, sweep_folder
from gojudge.seats import Limits
from tests.support.stale_names import stale_name
from tests.support.submissions import get_input, spec, submission, tiers
from tests.support.waiting import PATIENCE, wait_until

ROOT = Path(__file__).parents[3]
FORKS = get_input("if not os.fork():\n    os.setsid()\nwhile True:\n    time.sleep(0.01)", "import os, time")
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The folder for temporary files, of this test's own."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_folders_of_a_killed_harness_are_swept(temporary):
    (temporary / stale_name() / "space/player").mkdir(parents=True)
    sweeping.sweep()
    assert list(temporary.iterdir()) == []


def test_what_is_anybody_elses_stays(temporary):
    for name in (owned_name("go-seat"), stale_name("my-seat"), "go-seat-1-2-3", "go-seat-notes"):
        (temporary / name).mkdir()
    sweeping.sweep()
    assert len(list(temporary.iterdir())) == 4


def test_a_link_in_a_stale_name_is_removed_and_not_followed(temporary):
    (temporary / "precious").mkdir()
    (temporary / stale_name()).symlink_to(temporary / "precious")
    sweeping.sweep()
    assert [path.name for path in temporary.iterdir()] == ["precious"]


def test_an_owned_folder_is_private_and_goes_with_its_block(temporary):
    with owned_folder() as folder:
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "full").mkdir()
    assert list(temporary.iterdir()) == []


def test_harnesses_that_start_at_once_may_sweep_at_once(temporary):
    for _ in range(50):
        (temporary / stale_name() / "a/b/c").mkdir(parents=True)
    code = "from gojudge.sandbox.sweeping import sweep; sweep()"
    environment = {**os.environ, "TMPDIR": str(temporary)}
    sweepers = [subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, env=environment) for _ in range(4)]
    assert [sweeper.wait() for sweeper in sweepers] == [0] * 4
    assert list(temporary.iterdir()) == []


def test_only_the_prefix_that_is_meant_is_swept(tmp_path):
    (tmp_path / stale_name(".alice")).mkdir()
    (tmp_path / stale_name("alice")).mkdir()
    sweep_folder(tmp_path, ".")
    assert [path.name.split("-")[0] for path in tmp_path.iterdir()] == ["alice"]


# Processes


def stray(name):
    """Start a process as a sandbox without namespaces would, in a session of its own."""
    environment = {"TMPDIR": f"/tmp/{name}/space/tmp"}
    program = [sys.executable, "-c", "import time; time.sleep(1000)"]
    process = subprocess.Popen(program, env=environment, start_new_session=True)
    # For a moment after it was started it shows no environment, and nobody could know it.
    wait_until(lambda: name in Path(f"/proc/{process.pid}/environ").read_text())
    return process


@pytest.fixture
def stale(monkeypatch):
    """The name of a sandbox whose maker is taken to be gone, by this process alone: others sweep at the same time."""
    name = owned_name("go-seat")
    monkeypatch.setattr(sweeping, "is_stale", lambda other: other == name)
    return name


@linux_only
def test_a_process_whose_harness_and_keeper_are_gone_is_ended(temporary, stale):
    mine = owned_name("go-seat")
    gone, ours = stray(stale), stray(mine)
    sweeping.sweep()
    assert gone.wait() == -signal.SIGKILL
    assert ours.poll() is None
    sweeping.end_strays(lambda name: name == mine)
    assert ours.wait() == -signal.SIGKILL


@linux_only
def test_no_other_process_is_even_asked_about(temporary):
    """A process of this user that has nothing to do with a sandbox is never among those that may be killed."""
    mine, asked = owned_name("go-seat"), set()
    with stray(mine) as ours:
        sweeping.end_strays(lambda name: asked.add(name) or name == mine)
    assert ours.returncode == -signal.SIGKILL
    assert all(name.startswith("go-seat-") for name in asked)


def half_made(name):
    """Start a bubblewrap as a sandbox does, and kill it once it has made a process that waits to be in its namespaces."""
    ours, theirs = socket.socketpair()
    with ours, theirs, TemporaryDirectory() as folder, open(os.devnull, "wb") as nowhere:
        plan = launching.plan_for(Path(folder), Limits(), "T2", launching.interpreter())
        # It does not go on before it has read a byte.
        waiting = ["--unshare-user", "--userns-block-fd", str(theirs.fileno()), "--info-fd", str(nowhere.fileno())]
        command = [plan.command[0], *plan.arguments, *waiting, *plan.command[1:]]
        environment = dict.fromkeys(plan.environment, name)
        outer = subprocess.Popen(command, env=environment, pass_fds=(theirs.fileno(), nowhere.fileno()))
        wait_until(lambda: descendants_of(outer.pid))
        family = living(descendants_of(outer.pid))
        outer.kill()
        outer.wait()
    return family


@pytest.mark.skipif(launching.bubblewrap_program() is None, reason="needs bubblewrap")
def test_a_bubblewrap_that_waits_for_one_that_was_killed_is_ended(temporary, stale):
    mine = owned_name("go-seat")
    gone, ours = half_made(stale), half_made(mine)
    assert gone == living(pid for pid, _ in gone) != set()
    sweeping.sweep()
    assert gone_soon(gone) == set()
    assert ours == living(pid for pid, _ in ours) != set()
    sweeping.end_strays(lambda name: name == mine)
    assert gone_soon(ours) == set()


@pytest.mark.skipif(launching.bubblewrap_program() is None, reason="needs bubblewrap")
@tiers("T3", "T2")
def test_a_submission_does_not_see_the_name_of_its_sandbox(open_seat):
    seat = open_seat(get_input("raise ValueError([name for name in os.environ if 'SEAT' in name])", "import os"))
    seat.begin(spec(), 1)
    with pytest.raises(PlayerFaultError, match=re.escape("ValueError: []")):
        seat.answer(new_game(COURSE, 5), "")


def living(pids):
    """Return those that run, with when they began: a number may be given again."""
    found = set()
    for pid in pids:
        try:
            state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if state not in "ZX":
            found.add((pid, fields[18]))
    return found


def gone_soon(processes):
    """Wait until processes are gone, however busy the machine is; return those that stay."""
    deadline = time.monotonic() + PATIENCE
    while (left := processes & living(pid for pid, _ in processes)) and time.monotonic() < deadline:
        time.sleep(0.01)
    return left


def keepers_of(pid):
    """Return the processes of a sandbox that are ours: the one that was started, and the keeper where that is another."""
    inner = descendants_of(pid)[:1] if b"bwrap" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0] else []
    return [pid, *inner]


def keep_asking(seat):
    """Ask until something goes wrong: a killed process takes a moment to be gone."""
    while True:
        seat.answer(new_game(COURSE, 5), "")


@tiers()
@pytest.mark.parametrize("which", [0, -1])
def test_a_killed_keeper_is_no_fault_of_the_player_and_takes_all_along(open_seat, which):
    seat = open_seat(get_input(
        "if go.n_move == 0 and not hasattr(self, 'child'):\n    self.child = os.fork() or os.setsid() or time.sleep(1000)\n"
        "return 0, 0", "import os, time"
    ))  # fmt: skip
    seat.begin(spec(), 1)
    seat.answer(new_game(COURSE, 5), "")
    outer = seat._supervisor.sandbox._process.pid
    family = living([outer, *descendants_of(outer)])
    assert len(family) >= 4
    os.kill(keepers_of(outer)[which], signal.SIGKILL)
    with pytest.raises(HarnessFaultError):
        keep_asking(seat)
    with pytest.raises(HarnessFaultError):
        seat.end()
    seat.close()
    assert gone_soon(family) == set()


@tiers()
def test_a_keeper_that_is_killed_after_the_last_answer_may_have_cost_the_log(open_seat):
    """So the game is void; the next one has a sandbox of its own."""
    seat = open_seat(get_input("print('hello')\nreturn 0, 0"))
    for kill in (True, False):
        seat.begin(spec(), 1)
        seat.answer(new_game(COURSE, 5), "")
        if kill:
            os.kill(seat._supervisor.sandbox._process.pid, signal.SIGKILL)
            seat._supervisor.sandbox._process.wait()
            with pytest.raises(HarnessFaultError):
                seat.end()
        else:
            assert "hello" in seat.end()
    seat.close()


@tiers()
def test_harness_and_keepers_killed_at_once_leave_nothing_after_the_next_sweep(tier, tmp_path):
    submission(tmp_path / "alice", FORKS)
    code = (
        "import sys; from pathlib import Path; from tests.support.submissions import *\n"
        f"seat = seat_for(Entrant('alice', folder=Path({str(tmp_path / 'alice')!r})), {tier!r}, move_seconds=600.0)\n"
        "seat.begin(spec(), 1); print(seat._supervisor.sandbox._process.pid, flush=True); seat.answer(new_game(COURSE, 5), '')"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True) as harness:
        try:
            outer = int(harness.stdout.readline())
            ours = keepers_of(outer)
            while len(family := living([outer, *descendants_of(outer)])) < len(ours) + 3:
                time.sleep(0.01)
        finally:
            harness.kill()
        # Some end with their harness, and may be gone already.
        for pid in ours:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    sweeping.sweep()
    assert gone_soon(family) == set()
    # What a sweep of another test's is just removing goes when that has come to its end.
    wait_until(lambda: not [path for path in sweeping.all_leftovers() if f"-{harness.pid}-" in path])
