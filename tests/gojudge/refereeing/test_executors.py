import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest

from gojudge.refereeing.executors import KeptPool, LocalExecutor
from tests.support.documents import ROOT
from tests.support.waiting import PATIENCE, wait_until


def note_leaving():
    Path(os.environ["NOTE"]).write_text("left")


def begin_and_sleep(path):
    Path(path).touch()
    time.sleep(600)


@pytest.fixture
def executor(tmp_path, monkeypatch):
    monkeypatch.setenv("NOTE", str(tmp_path / "note"))
    executor = LocalExecutor(note_leaving)
    yield executor
    executor.interrupt()
    executor.wait_for_end()


def test_tasks_are_done_in_one_other_process(executor):
    pids = {executor.submit(os.getpid).result(PATIENCE) for _ in range(3)}
    assert len(pids) == 1
    assert os.getpid() not in pids


def test_an_error_of_a_task_is_its_result(executor):
    with pytest.raises(FileNotFoundError):
        executor.submit(os.listdir, "/no/such/folder").result(PATIENCE)
    assert executor.submit(abs, -1).result(PATIENCE) == 1


def test_interrupted_in_a_task_it_clears_up_and_is_gone(executor, tmp_path):
    future = executor.submit(begin_and_sleep, tmp_path / "begun")
    wait_until((tmp_path / "begun").exists)
    executor.interrupt()
    executor.wait_for_end()
    assert (tmp_path / "note").read_text() == "left"
    with pytest.raises(BrokenExecutor):
        future.result(PATIENCE)
    wait_until(lambda: not multiprocessing.active_children())


def test_interrupted_without_a_task_it_clears_up_too(executor, tmp_path):
    executor.submit(abs, -1).result(PATIENCE)
    executor.interrupt()
    executor.wait_for_end()
    assert (tmp_path / "note").read_text() == "left"


def test_ctrl_c_at_the_terminal_is_the_parents_to_answer(executor):
    pid = executor.submit(os.getpid).result(PATIENCE)
    os.kill(pid, signal.SIGINT)
    assert executor.submit(os.getpid).result(PATIENCE) == pid


def test_a_process_that_is_killed_breaks_its_executor(executor):
    pid = executor.submit(os.getpid).result(PATIENCE)
    future = executor.submit(time.sleep, 600)
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(BrokenExecutor):
        future.result(PATIENCE)
    with pytest.raises(BrokenExecutor):
        executor.submit(abs, -1)


class UnfitError(Exception):
    """An error that cannot be taken to another process."""

    def __reduce__(self):
        raise TypeError("stays here")


def raise_unfit():
    raise UnfitError("five stones too many")


def test_an_error_that_cannot_be_sent_is_told_in_words(executor):
    with pytest.raises(RuntimeError, match="five stones too many"):
        executor.submit(raise_unfit).result(PATIENCE)
    assert executor.submit(abs, -1).result(PATIENCE) == 1


def wait_for(path):
    wait_until(Path(path).exists)


def test_a_cancelled_task_does_not_shift_the_results(executor, tmp_path):
    executor.submit(wait_for, tmp_path / "go on")
    cancelled = executor.submit(abs, -1)
    assert cancelled.cancel()
    (tmp_path / "go on").touch()
    assert executor.submit(abs, -2).result(PATIENCE) == 2


def named_semaphores(pid):
    """Return the lines of a process's memory map that show something in /dev/shm."""
    return [line for line in Path(f"/proc/{pid}/maps").read_text().splitlines() if "/dev/shm/" in line]


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_no_semaphore_has_a_name_that_a_kill_would_leave(executor):
    pid = executor.submit(os.getpid).result(PATIENCE)
    assert named_semaphores(pid) == []


def test_a_script_is_run_once_and_ends_even_if_it_forgets_to_shut_it_down(tmp_path):
    """Without `if __name__ == "__main__":`, as people write scripts."""
    script = tmp_path / "mine.py"
    code = "from gojudge.refereeing.executors import LocalExecutor\n"
    script.write_text(code + "print(LocalExecutor(int).submit(abs, -1).result(), flush=True)\n")
    paths = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, script], env=paths, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


def test_an_executor_that_was_never_used_ends_at_once():
    executor = LocalExecutor(note_leaving)
    executor.interrupt()
    executor.wait_for_end()


def test_a_kept_pool_plays_the_next_run_in_the_same_process():
    pool = KeptPool(2, lambda: LocalExecutor(int))
    first = pool.hire(0)
    process = first[0].submit(os.getpid).result(PATIENCE)
    pool.dismiss(first, in_peace=True)
    again = pool.hire(0)
    assert list(again) == list(first)
    assert again[0].submit(os.getpid).result(PATIENCE) == process
    # Those of a run that was given up are not kept.
    pool.dismiss(again, in_peace=False)
    fresh = pool.hire(0)
    assert len(fresh) == 2
    assert not {*fresh} & {*first}
    pool.dismiss(fresh, in_peace=True)
    pool.close()
    with pytest.raises(RuntimeError):
        fresh[0].submit(abs, -1).result(PATIENCE)
