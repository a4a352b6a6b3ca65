"""Real `dask scheduler` and `dask worker` processes on 127.0.0.1; without dask these tests are skipped."""

import http.server
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from gojudge.cluster.kits import make_kit
from lab.dask_processes import DaskProcesses, kill
from tests.support.event_files import kept_in
from tests.support.missing import needs
from tests.support.page_events import small_store
from tests.support.waiting import PATIENCE, wait_until
from tournament.__main__ import main
from tournament.pages.truths import game_key, read_truths, truth_path
from tournament.store.store import read_store

ROOT = Path(__file__).parents[3]
pytestmark = needs("" if find_spec("distributed") else "dask is not installed (make test-cluster)")

PLAYER = """
import random
class MyPlayer:
    def get_input(self, go, piece_type):
        free = [(i, j) for i in range(3) for j in range(3) if go.valid_place_check(i, j, piece_type, test_check=True)]
        return random.choice(free)
"""
MATCH = ["gauntlet", "alice.py", "random", "--size=3", "--seed=1", "--require-tier=T0"]


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    Path("alice.py").write_text(PLAYER)


@pytest.fixture
def cluster(tmp_path):
    cluster = DaskProcesses(tmp_path, 2)
    yield cluster
    cluster.close()


@pytest.fixture(scope="module")
def shared_cluster(tmp_path_factory):
    """For tests that do its processes no harm."""
    cluster = DaskProcesses(tmp_path_factory.mktemp("cluster"), 2)
    yield cluster
    cluster.close()


def exported(store):
    assert main(["export", store, "json", "--with=logs", "--out", f"{store}.json"]) == 0
    return Path(f"{store}.json").read_bytes()


@cache
def exported_here(games):
    """What the match exports that is played on this machine: the same in every test."""
    assert main([*MATCH, f"--games={games}", kept_in("near"), "--jobs=1"]) == 0
    return exported("near.db")


@contextmanager
def running(cluster, *words, at=ROOT):
    """A run in a process of its own. at: a folder whose modules come before ours."""
    command = [sys.executable, "-m", "tournament", *MATCH, f"--cluster={cluster.address}", *words]
    with Path("run.txt").open("wb") as said:
        process = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": f"{at}:{ROOT}"}, stdout=said, stderr=said)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def wait_for_games(path, number, process):
    while process.poll() is None:
        if Path(path).exists() and Path(path).stat().st_size:
            with read_store(Path(path)) as store:
                if len(store.rows()) >= number:
                    return
        time.sleep(0.05)
    raise AssertionError(Path("run.txt").read_text())


def test_a_cluster_and_one_machine_export_the_same(shared_cluster, capsys):
    assert main([*MATCH, "--games=10", kept_in("far"), f"--cluster={shared_cluster.address}"]) == 0
    assert main([*MATCH, "--games=10", kept_in("near"), "--jobs=1"]) == 0
    assert exported("far.db") == exported("near.db")
    assert main(["verify", "near.db", f"--cluster={shared_cluster.address}"]) == 0
    assert "10 of 10 games came out the same" in capsys.readouterr().out


def test_what_moves_were_worth_is_computed_by_a_cluster(shared_cluster, capsys):
    from distributed import Client

    small_store(Path("cup.db"), ("ann", "bob"), games=4)
    # Whoever joins later is one more, and is not told of.
    with Client(shared_cluster.address) as client:
        client.wait_for_workers(2, timeout=PATIENCE)
    assert main(["report", "cup.db", "--truth=0.05", f"--cluster={shared_cluster.address}"]) == 0
    with read_store(Path("cup.db")) as store:
        games = {game_key("course", 5, result.turns) for result in store.results() if result.turns}
    truths = read_truths(truth_path(Path("cup.db")))
    assert set(truths) == games
    # The ends of games are known at once, whoever looks at them.
    assert any(truth.winners[-1] is not None for truth in truths.values())
    assert "2 workers on 1 machine" in capsys.readouterr().err


def test_ctrl_c_keeps_what_is_finished(shared_cluster):
    with running(shared_cluster, "--games=150", kept_in("far")) as run:
        wait_for_games("far.db", 1, run)
        run.send_signal(signal.SIGINT)
        assert run.wait(PATIENCE) == 130
    assert "the same command goes on from there" in Path("run.txt").read_text()


def test_workers_are_killed_and_others_join_and_nothing_is_lost(cluster):
    rng = random.Random(1)
    with running(cluster, "--games=150", kept_in("far")) as run:
        for games in (1, 40, 80):
            wait_for_games("far.db", games, run)
            lost = cluster.workers.pop(rng.randrange(2))
            kill(lost.process)
            lost.relay.cut()
            cluster.workers.append(cluster.start_worker())
        assert run.wait(PATIENCE) == 0, Path("run.txt").read_text()
    assert exported("far.db") == exported_here(150)


def test_when_the_scheduler_dies_the_run_says_so_and_goes_on_later_without_it(cluster):
    with running(cluster, "--games=150", kept_in("far")) as run:
        wait_for_games("far.db", 1, run)
        kill(cluster.scheduler)
        assert run.wait(PATIENCE) == 2
    last = Path("run.txt").read_text().splitlines()[-1]
    assert last.startswith(f"gauntlet: {cluster.address}: ")
    with read_store(Path("far.db")) as store:
        before = store.finished()
    assert 1 <= len(before) < 150
    assert main([*MATCH, "--games=150", kept_in("far")]) == 0
    assert exported("far.db") == exported_here(150)


def test_workers_that_are_killed_stopped_and_cut_off_change_nothing():
    """A few of the many that `lab.cluster_kills` does."""
    command = [sys.executable, "-m", "lab.cluster_kills", "8", "--games=20", "--workers=3", "--minutes=20"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"8 workers disturbed in \d+ runs: 0 faults", done.stdout.splitlines()[-1])


LIE = """
from gojudge.cluster import at_worker
from gojudge.cluster.replies import record_of as honest

def lie(played):
    found = honest(played)
    return {lie}

at_worker.record_of = lie
"""
LIES = [
    # Who won, where nobody forfeited; a game that ended sooner; another one; as many bytes as no game has.
    "[found[0], 3 - (found[1] or 1), *found[2:]] if found[4] == 'score' else found",
    "[*found[:8], found[8][:-1], found[9][:-1], *found[10:]]",
    "['alice-random-999', *found[1:]]",
    "[*found[:11], 'x' * 100_000_000, *found[12:]]",
]


@pytest.mark.slow
@pytest.mark.parametrize("lie", LIES)
def test_a_real_worker_that_lies_costs_only_its_own_games(lie, tmp_path, capsys):
    cluster = DaskProcesses(tmp_path, 1)
    try:
        (tmp_path / "hostile.py").write_text(LIE.replace("{lie}", lie))
        cluster.workers.append(cluster.start_worker(str(tmp_path / "hostile.py")))
        wait_until(lambda: (tmp_path / "said.txt").read_text().count("Registered to:") == 2)
        assert main([*MATCH, "--games=20", kept_in("far"), f"--cluster={cluster.address}", "--verify=20%"]) == 0
    finally:
        cluster.close()
    said = capsys.readouterr().err
    assert re.search(r"^\S+ is (expelled: game |not used: it has sent something else than was asked for)", said, re.M), said
    assert re.search(r"^tcp://\S+ +\S+ +\d+ .* wrong: ", said, re.M), said
    assert exported("far.db") == exported_here(20)


HUGE = """
from gojudge.cluster import at_worker
from gojudge.cluster.replies import pack_reply as honest

# Memory that nobody has before it is looked at.
at_worker.pack_reply = lambda **fields: bytes({size}) if "games" in fields else honest(**fields)
"""
# The kernel's account of a process that has ended (`ru_maxrss`) begins at the peak of whoever started it.
ACCOUNT = """
import atexit, os
from pathlib import Path

status = Path("/proc/self/status")
atexit.register(lambda: Path(f"{os.getpid()}.status").write_text(status.read_text()))
"""


def peak_kb(status):
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1])


TOO_LARGE = [
    (8 << 30, "expected a message of at most 256 MiB, got a larger one"),
    (100 << 20, r"expected a reply of at most \d+ bytes, got 104857600"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("size", "reason"), TOO_LARGE)
def test_an_answer_that_is_too_large_fills_nobodys_memory(size, reason, tmp_path):
    """The first is refused by the scheduler before it comes, the second by the head before it is read."""
    cluster = DaskProcesses(tmp_path, 1)
    try:
        (tmp_path / "hostile.py").write_text(HUGE.format(size=size))
        cluster.workers.append(cluster.start_worker(str(tmp_path / "hostile.py")))
        wait_until(lambda: (tmp_path / "said.txt").read_text().count("Registered to:") == 2)
        (tmp_path / "sitecustomize.py").write_text(ACCOUNT)
        with running(cluster, "--games=20", kept_in("far"), at=tmp_path) as run:
            run.wait()
        scheduler = Path(f"/proc/{cluster.scheduler.pid}/status").read_text()
    finally:
        cluster.close()
    said = Path("run.txt").read_text()
    assert re.search(rf"^\S+ is not used: it has sent something else than was asked for: {reason}$", said, re.M), said
    assert run.returncode == 0, said
    assert peak_kb(scheduler) < 1_000_000
    assert peak_kb((tmp_path / f"{run.pid}.status").read_text()) < 1_000_000
    assert exported("far.db") == exported_here(20)


@pytest.mark.slow
def test_only_who_has_the_kit_joins(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    with socket.create_server(("127.0.0.1", 0)) as free:
        address = f"tls://127.0.0.1:{free.getsockname()[1]}"
    run = [*MATCH, "--games=4", kept_in("far"), f"--cluster={address}"]
    kit = make_kit(tmp_path / "kit", address, datetime.now(UTC))
    processes = []
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    dask = [sys.executable, "-m"]
    with (tmp_path / "said.txt").open("wb") as said:
        try:
            for line in (kit.scheduler, kit.worker.removeprefix("env/bin/")):
                command = [*dask, *line.replace("$(nproc)", "1").split(), "--host", "127.0.0.1"]
                where = tmp_path / "kit/worker"
                options = {"cwd": where, "env": environment, "stdout": said, "stderr": said, "start_new_session": True}
                processes.append(subprocess.Popen(command, **options))
            wait_until(lambda: "Registered to:" in (tmp_path / "said.txt").read_text())
            assert main(run) == 0
            # As somebody would who has made a kit of their own, and as one without any.
            make_kit(tmp_path / "other", address, datetime.now(UTC))
            assert main([*run, kept_in("near")]) == 2
            lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("gauntlet: ")]
            assert lines[-1].startswith(f"gauntlet: {address}: expected a dask scheduler: ")
            assert "certificate verify failed" in lines[-1]
            assert main([*run, kept_in("near"), f"--cluster={address.replace('tls', 'tcp')}"]) == 2
            assert "expected a dask scheduler: " in capsys.readouterr().err.splitlines()[-1]
        finally:
            for process in reversed(processes):
                kill(process)


def test_something_else_at_that_port_is_one_line(capsys):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"tcp://127.0.0.1:{server.server_port}"
    assert main([*MATCH, "--games=2", f"--cluster={address}"]) == 2
    server.shutdown()
    server.server_close()
    said = capsys.readouterr().err.splitlines()
    assert said[-1].startswith(f"gauntlet: {address}: expected a dask scheduler: ")
    assert not any("Traceback" in line for line in said)


def test_an_encrypted_cluster_needs_settings(capsys):
    assert main(["gauntlet", "random", "smart", "--size=3", "--seed=1", "--cluster=tls://127.0.0.1:9"]) == 2
    line = capsys.readouterr().err.splitlines()[-1]
    wanted = "expected a kit of this address, which the command cluster makes, or dask's own TLS settings, found neither"
    assert line.endswith(wanted)
