"""The name of a folder or group tells whether the process that made it is still there."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from gojudge.sandbox import leftovers
from gojudge.sandbox.leftovers import PREFIX, USER_IDS_FROM, is_stale, owned_name, sweep_folder, user_id
from tests.support.missing import needs
from tests.support.stale_names import stale_name

ROOT = Path(__file__).parents[3]


def test_our_own_things_are_not_stale():
    assert not is_stale(owned_name("thing"))


def test_no_name_is_given_twice():
    assert owned_name("thing") != owned_name("thing")


def test_things_of_an_ended_process_are_stale():
    code = "from gojudge.sandbox.leftovers import owned_name; print(owned_name('thing'))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert is_stale(done.stdout.strip())


def test_names_do_not_count_what_was_made():
    """A submission sees the name of its own group, and could tell how many sandboxes there were before."""
    first, second, third = (int(owned_name("thing").rpartition("-")[2]) for _ in range(3))
    assert min(abs(second - first), abs(third - second)) > 1


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no abstract sockets")
def test_no_user_id_is_given_twice_until_it_is_free(monkeypatch):
    drawn = iter([7, 7, 7, 9, 9])
    monkeypatch.setattr(leftovers.secrets, "randbelow", lambda most: next(drawn))
    with user_id() as first, user_id() as second:
        assert (first, second) == (USER_IDS_FROM + 7, USER_IDS_FROM + 9)
    with user_id() as third:
        assert third == second


def test_a_zombie_owns_nothing_any_more():
    """In a container without a reaper a killed harness stays one for ever."""
    code = "from gojudge.sandbox.leftovers import owned_name; print(owned_name('thing'), flush=True)"
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        name = process.stdout.read().strip()
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert is_stale(name)


def test_a_machine_leaves_alone_what_another_one_has_made_in_a_shared_folder(monkeypatch):
    name = owned_name("thing")
    monkeypatch.setattr(platform, "node", lambda: "another")
    world, pid, started, number = name.split("-")[1:]
    assert not is_stale(f"thing-{world}-{pid}-{int(started) + 1}-{number}")


@pytest.mark.parametrize("name", ["thing", "thing-1-2", "thing-a-b-c-d", "thing-1-2-3-²", "go-seat-x-1-2-3"])
def test_other_names_are_left_alone(name):
    assert not is_stale(name)


def test_things_of_another_container_are_left_alone():
    world, pid, started, number = owned_name("thing").split("-")[1:]
    assert not is_stale(f"thing-{int(world) + 1}-{pid}-{int(started) + 1}-{number}")
    assert is_stale(f"thing-{world}-{pid}-{int(started) + 1}-{number}")


@needs("only root can give a folder away" if os.geteuid() else "")
@pytest.mark.parametrize(("owner", "stays"), [(0, False), (USER_IDS_FROM + 7, False), (12345, True)])
def test_root_removes_what_its_sandboxes_users_have_left_but_nobody_elses(tmp_path, owner, stays):
    folder = tmp_path / stale_name()
    folder.mkdir()
    os.chown(folder, owner, owner)
    sweep_folder(tmp_path, PREFIX)
    assert folder.exists() == stays


def temporary_in(environment):
    """Where a new process would put temporary files by our own function and by Python's, and what ours opens to find it out."""
    code = """
import os, sys, tempfile
from gojudge.sandbox.leftovers import temporary_folder
opened = []
sys.addaudithook(lambda event, arguments: opened.append(arguments[0]) if event == "open" else None)
ours = temporary_folder()
print(len(opened), ours, tempfile.gettempdir())
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.parametrize("name", ["TMPDIR", "TEMP", "TMP"])
def test_temporary_files_lie_where_python_puts_them_and_none_is_made_to_find_out(name, tmp_path):
    there, gone = tmp_path / "there", tmp_path / "gone"
    there.mkdir()
    none = dict.fromkeys(("TMPDIR", "TEMP", "TMP"), "")
    assert temporary_in({**none, name: str(there)}) == ["0", str(there), str(there)]
    opened, ours, pythons = temporary_in({**none, name: str(gone)})
    assert (opened, ours) == ("0", pythons)
