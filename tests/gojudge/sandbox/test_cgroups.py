"""Where control groups may be made, and what they report."""

import os
import re
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from gojudge.sandbox import cgroups
from gojudge.sandbox.cgroups import Group, find_layout, new_group
from gojudge.sandbox.leftovers import owned_name
from tests.support.missing import needs
from tests.support.waiting import PATIENCE, wait_until

REAL = find_layout()
needs_groups = needs("" if REAL else "no control groups that this user may make (run as root)")


def test_version_1_has_a_hierarchy_for_each_resource(tmp_path):
    for name in ("memory/outer", "pids", "cpu", "cpuacct", "freezer"):
        (tmp_path / name).mkdir(parents=True)
    layout = find_layout(tmp_path, "4:memory:/outer\n3:pids:/\n2:cpuacct:/\n1:freezer:/gone\n0::/\n")
    assert layout.version == 1
    assert layout.folders == {
        "memory": tmp_path / "memory/outer",
        "pids": tmp_path / "pids",
        "cpu": tmp_path / "cpu",
        "cpuacct": tmp_path / "cpuacct",
        "freezer": tmp_path / "freezer",
    }


def version_2(folder, controllers="cpu memory pids", enabled=""):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "cgroup.controllers").write_text(controllers)
    (folder / "cgroup.subtree_control").write_text(enabled)
    return folder


def test_version_2_has_one_for_all(tmp_path):
    folder = version_2(tmp_path)
    layout = find_layout(tmp_path, "0::/\n")
    assert (layout.version, set(layout.folders.values())) == (2, {folder})
    assert (folder / "cgroup.subtree_control").read_text() == "+cpu +memory +pids"


def test_version_2_without_the_controllers_will_not_do(tmp_path):
    version_2(tmp_path, controllers="memory pids io")
    assert find_layout(tmp_path, "0::/\n") is None


def test_nothing_mounted_will_not_do(tmp_path):
    assert find_layout(tmp_path, "0::/\n") is None
    assert find_layout(tmp_path, "") is None


def test_the_files_of_version_2(tmp_path, monkeypatch):
    layout = find_layout(version_2(tmp_path), "0::/\n")
    name = tmp_path / "go"
    make = os.mkdir

    def mkdir(path, mode=0o777):
        make(path, mode)
        (name / "cgroup.freeze").write_text("0")
        (name / "cpu.stat").write_text("usage_usec 2500000\nuser_usec 1\n")
        (name / "cgroup.events").write_text("populated 1\nfrozen 1\n")
        (name / "memory.events").write_text("low 0\noom 3\noom_kill 2\n")
        (name / "cgroup.procs").write_text("")
        (name / "cgroup.threads").write_text("7\n8\n")

    monkeypatch.setattr(os, "mkdir", mkdir)
    group = Group(layout, "go", memory_mib=3, processes=7)
    assert (name / "memory.max").read_text() == str(3 << 20)
    assert (name / "pids.max").read_text() == "7"
    assert group.cpu() == 2.5
    assert group.out_of_memory_kills() == 2
    assert group.tasks() == [7, 8]
    assert group.freeze(1)
    assert (name / "cgroup.freeze").read_text() == "1"
    group.thaw()
    assert (name / "cgroup.freeze").read_text() == "0"
    monkeypatch.setattr(os, "mkdir", make)
    group.add(123)
    assert (name / "cgroup.procs").read_text() == "123"
    assert (name / "game/cgroup.procs").read_text() == "123"
    assert (name / "game/cgroup.type").read_text() == "threaded"
    assert (name / "cgroup.subtree_control").read_text() == "+cpu"
    (name / "game/cgroup.threads").write_text("9\n")
    assert group.tasks() == [7, 8, 9]


def test_without_threaded_groups_all_games_share_one(tmp_path, monkeypatch):
    folders = {kind: tmp_path / kind for kind in ("memory", "pids", "cpu", "cpuacct", "freezer")}
    for folder in folders.values():
        (folder / "go").mkdir(parents=True)
    (tmp_path / "freezer/go/frozen").mkdir()
    monkeypatch.setattr(Path, "mkdir", lambda path: None)
    monkeypatch.setattr(Group, "_open", lambda *_: os.open(os.devnull, os.O_RDWR))
    group = Group(cgroups.Layout(1, folders), "go", memory_mib=3, processes=7)
    group.add(123)
    group.renew()
    for folder in folders.values():
        assert (folder / "go/cgroup.procs").read_text() == "123"
    assert os.listdir(tmp_path / "cpu/go") == ["cgroup.procs"]
    # Thawed or not, something is frozen: the kernel does not rewrite itself.
    group.thaw()
    assert (tmp_path / "freezer/go/frozen/freezer.state").read_text() == "FROZEN"


@pytest.fixture
def group():
    made = new_group(REAL, memory_mib=64, processes=8)
    yield made
    made.close()


@needs_groups
def test_a_frozen_process_uses_no_time(group):
    with subprocess.Popen(["sh", "-c", "while :; do :; done"]) as busy:
        try:
            group.add(busy.pid)
            wait_until(lambda: group.cpu() > 0)
            assert group.freeze(PATIENCE)
            frozen = group.cpu()
            time.sleep(0.1)
            assert group.cpu() == frozen
            group.thaw()
            wait_until(lambda: group.cpu() > frozen)
        finally:
            busy.kill()


@needs_groups
def test_a_group_has_its_own_share_of_the_cores(group):
    with subprocess.Popen(["sleep", "100"]) as sleeper:
        group.add(sleeper.pid)
        name = group._paths["cpu"].name
        lines = Path(f"/proc/{sleeper.pid}/cgroup").read_text().splitlines()
        # Version 1 has a line for the controller, version 2 one for all.
        own = [line for line in lines if line.split(":")[1] in ("", "cpu", "cpu,cpuacct", "cpuacct,cpu")]
        assert any(line.endswith((name, f"{name}/game")) for line in own)
        sleeper.kill()


@needs_groups
def test_a_new_game_finds_nothing_used_of_the_cores(group):
    with subprocess.Popen(["sh", "-c", "while :; do :; done"]) as busy:
        try:
            os.sched_setaffinity(busy.pid, {min(os.sched_getaffinity(0))})
            group.add(busy.pid)
            wait_until(lambda: group.cpu() > 0.3)
            assert group.freeze(PATIENCE)
            used = group.cpu()
            group.renew()
            group.thaw()
            wait_until(lambda: group.cpu() > used)
            assert group.freeze(PATIENCE)
            assert group.tasks() == [busy.pid]
            assert turn(busy.pid) < 1000 * (group.cpu() - used) + 100
        finally:
            group.thaw()
            busy.kill()


class Unlimited(Group):
    """A group of version 2 where version 1 has all controllers: nothing in it is limited."""

    def _limit(self, *_):
        pass


@pytest.fixture
def hierarchy(tmp_path):
    """A hierarchy of version 2, which can be mounted beside those of version 1."""
    if REAL.version == 2:
        pytest.skip("it is used here anyway")
    if subprocess.run(["mount", "-t", "cgroup2", "none", str(tmp_path)], capture_output=True).returncode:
        pytest.skip("control groups of version 2 cannot be mounted here")
    yield tmp_path
    subprocess.run(["umount", str(tmp_path)], check=True)


@pytest.fixture(params=["as here", "version 2"])
def any_group(request, monkeypatch):
    """A group of the kind that is used here, and one of version 2."""
    if request.param == "as here":
        made = new_group(REAL, memory_mib=64, processes=8)
    else:
        layout = cgroups.Layout(2, dict.fromkeys(REAL.folders, request.getfixturevalue("hierarchy")))
        write = Path.write_text
        # Version 1 divides the cores here; both cannot.
        monkeypatch.setattr(Path, "write_text", lambda path, text: None if text == "+cpu" else write(path, text))
        made = Unlimited(layout, owned_name("go-seat"), memory_mib=64, processes=8)
    yield made
    made.close()


@needs_groups
def test_what_lasts_is_moved_while_a_game_is_played_and_nothing_is_lost(any_group):
    group = any_group
    place = group._paths["cpu"]

    def listed(name):
        # In version 2 a smaller group lists threads only.
        return (place / name / ("cgroup.procs" if group._v1 else "cgroup.threads")).read_text().split()

    with subprocess.Popen(["sleep", "100"]) as lasting, subprocess.Popen(["sleep", "100"]) as late:
        group.add(lasting.pid)
        for playing in (False, True):
            group.renew()
            group.prepare()
            group._await_mover()
            if group._v1:
                assert (listed("game"), listed("next")) == ([], [str(lasting.pid)])
            if playing:  # a process that nobody knew of is moved, too
                (place / "game/cgroup.procs" if group._v1 else place / "cgroup.procs").write_text(str(late.pid))
            assert group.freeze(PATIENCE)  # as a game leaves it
            group.renew()
            group.thaw()
            assert not (place / "next").exists()
        assert set(listed("game")) == {str(lasting.pid), str(late.pid)}
        # In version 1 the late one is in the group for the cores only.
        assert set(group.tasks()) == {lasting.pid, *([] if group._v1 else [late.pid])}
        assert (lasting.poll(), late.poll()) == (None, None)
        group.add(lasting.pid)  # as if it were loaded anew
        assert str(lasting.pid) in listed("game")
        lasting.kill()
        late.kill()


def turn(pid):
    """Milliseconds that have been used of a process's core in its group."""
    return float(re.search(r"^se.vruntime +: +(\S+)$", Path(f"/proc/{pid}/sched").read_text(), re.M)[1])


@needs_groups
def test_closing_a_group_kills_what_is_in_it_even_frozen():
    group = new_group(REAL, memory_mib=64, processes=8)
    with subprocess.Popen(["sleep", "100"]) as sleeper:
        group.add(sleeper.pid)
        group.freeze(PATIENCE)
        threading.Thread(target=sleeper.wait).start()
        group.close()
        assert sleeper.wait(PATIENCE) == -9
    assert not any(path.exists() for path in group._paths.values())


@needs_groups
def test_groups_of_an_ended_harness_are_swept():
    name = re.sub(r"-\d+-\d+$", "-1-1", owned_name("go-seat"))
    Group(REAL, name, memory_mib=64, processes=8)
    cgroups.sweep(REAL)
    assert not any((folder / name).exists() for folder in REAL.folders.values())


@needs_groups
def test_what_a_killed_harness_has_frozen_can_die():
    dies = (
        "import os, signal, sys; from gojudge.sandbox.cgroups import find_layout, new_group\n"
        "group = new_group(find_layout(), memory_mib=64, processes=8)\n"
        "group.add(int(sys.argv[1])); assert group.freeze(60)\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    with subprocess.Popen(["sleep", "1000"]) as sleeper:
        assert subprocess.run([sys.executable, "-c", dies, str(sleeper.pid)], timeout=PATIENCE).returncode == -9
        sleeper.kill()
        assert sleeper.wait(PATIENCE) == -9
    cgroups.sweep(REAL)


def open_files():
    """Return the names of the files that this process has open."""
    for number in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):
            yield os.readlink(f"/proc/self/fd/{number}")


@needs_groups
@pytest.mark.parametrize("step", range(10 if REAL and REAL.version == 1 else 6))
def test_a_group_that_cannot_be_made_leaves_nothing(monkeypatch, step):
    """Each call that makes, limits or opens it fails in turn."""
    left = [step]

    def failing(call):
        def fails(*arguments, **named):
            left[0] -= 1
            if left[0] < 0:
                raise OSError("no more")
            return call(*arguments, **named)

        return fails

    with monkeypatch.context() as patched:
        patched.setattr(Path, "mkdir", failing(Path.mkdir))
        patched.setattr(Group, "_write", failing(Group._write))
        patched.setattr(Group, "_open", failing(Group._open))
        name = owned_name("go-seat")
        with pytest.raises(OSError, match="no more"):
            Group(REAL, name, memory_mib=64, processes=8)
    assert not any((folder / name).exists() for folder in REAL.folders.values())
    # Others may open and close files meanwhile: objects of other tests that are collected now.
    assert not any(name in target for target in open_files())
