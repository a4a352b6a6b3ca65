"""Ctrl-C, SIGTERM and a kill leave no process behind, tried with real processes of players that never answer.

This process adopts whatever would otherwise be adopted by init, so nothing that is left can hide.
"""

import ctypes
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gojudge.sandbox.sweeping import sweep
from tests.support.waiting import wait_until

ROOT = Path(__file__).parents[3]
_PR_SET_CHILD_SUBREAPER = 36

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")]

HANGS = """class MyPlayer:
    def get_input(self, go, piece_type):
        while True:
            pass
"""
SETUP = {
    "hw/hangs.py": HANGS,
    "programs/hangs/my_player3.py": "open('input.txt')\nwhile True: pass\n",
    "long.toml": 'require_tier = "T0"\n[limits]\nmove_seconds = 10000\n',
    "shelf/hangs/my_player.py": HANGS,
    "shelf/hangs/expected.toml": 'says = "Hangs"\nexpected = "time-out"\n[limits]\nmove_seconds = 10000\n',
}
LONG = "--event long.toml"
COMMANDS = {
    "grade": f"grade hw {LONG} --jobs 2",
    "round-robin": f"round-robin hw random {LONG}",
    "gauntlet": f"gauntlet hw/hangs.py random {LONG}",
    "check": f"check hw {LONG}",
    "check-in-the-open": "check hw --no-sandbox --move-seconds 10000",
    "play": f"play hw/hangs.py random {LONG}",
    "program-in-the-open": "check programs --rules littlego --no-sandbox --move-seconds 10000",
    "probe": f"probe hw/hangs.py {LONG}",
    "doctor": "doctor --shelf shelf",
}
PLAYED_AS_A_GRADE = ("round-robin", "gauntlet")


@pytest.fixture(autouse=True)
def adopting():
    """Have this process adopt those whose parents have ended. Of what a killed command has made, nothing stays for other tests
    to find."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    before = children(os.getpid())
    yield
    for left in set(children(os.getpid())) - set(before):
        os.kill(left, signal.SIGKILL)
    libc.prctl(_PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
    sweep()


@pytest.fixture
def folder(tmp_path):
    for name, text in SETUP.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def parents():
    """Return process -> parent, of all that have not ended."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if words[0] not in "ZX":
            found[int(stat.parent.name)] = int(words[1])
    return found


def children(process):
    return [child for child, parent in parents().items() if parent == process]


def plays(process):
    """Tell whether a player below a process has used some CPU: the one that never answers."""
    above = parents()
    for each in above:
        parent = each
        while parent not in (0, process):
            parent = above.get(parent, 0)
        if parent == process and each != process and cpu_seconds(each) > 0.5 and not has_python_main(each):
            return True
    return False


def has_python_main(process):
    """Whether a process is a worker or a command of ours, rather than a player."""
    try:
        line = Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:
        return True
    return b"spawn_main" in line or b"resource_tracker" in line


def cpu_seconds(process):
    try:
        words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.parametrize(
    "how", ["SIGINT", "SIGKILL", *(pytest.param(each, marks=pytest.mark.long) for each in ("Ctrl-C", "SIGTERM"))]
)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name in PLAYED_AS_A_GRADE)) for name in COMMANDS]
)
def test_a_command_that_is_stopped_leaves_no_process(folder, name, how):
    before = set(children(os.getpid()))
    command = [sys.executable, "-m", "tournament", *COMMANDS[name].split()]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with (folder / "said").open("wb") as said:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=said, stderr=said, start_new_session=True)
    wait_until(lambda: plays(process.pid) or process.poll() is not None)
    assert process.poll() is None, (folder / "said").read_text()
    if how == "Ctrl-C":
        # As a terminal does it: everybody in the foreground is told.
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.send_signal(signal.Signals[how])
    status = process.wait(300)
    wait_until(lambda: not set(children(os.getpid())) - before)
    if how in ("Ctrl-C", "SIGINT"):
        assert status == 130, (folder / "said").read_text()
    assert "Traceback" not in (folder / "said").read_text()
