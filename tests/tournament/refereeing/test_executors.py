import multiprocessing
import os
import signal
import time
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest

from tournament.refereeing.executors import LocalExecutor


def note_leaving():
    Path(os.environ["NOTE"]).write_text("left")


def begin_and_sleep(path):
    Path(path).touch()
    time.sleep(600)


@pytest.fixture
def lane(tmp_path, monkeypatch):
    monkeypatch.setenv("NOTE", str(tmp_path / "note"))
    executor = LocalExecutor(note_leaving)
    yield executor
    executor.interrupt()
    executor.wait_for_end()


def wait_until(condition):
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_tasks_are_done_in_one_other_process(lane):
    pids = {lane.submit(os.getpid).result(30) for _ in range(3)}
    assert len(pids) == 1
    assert os.getpid() not in pids


def test_an_error_of_a_task_is_its_result(lane):
    with pytest.raises(FileNotFoundError):
        lane.submit(os.listdir, "/no/such/folder").result(30)
    assert lane.submit(abs, -1).result(30) == 1


def test_interrupted_in_a_task_it_clears_up_and_is_gone(lane, tmp_path):
    future = lane.submit(begin_and_sleep, tmp_path / "begun")
    wait_until((tmp_path / "begun").exists)
    lane.interrupt()
    lane.wait_for_end()
    assert (tmp_path / "note").read_text() == "left"
    with pytest.raises(BrokenExecutor):
        future.result(30)
    wait_until(lambda: not multiprocessing.active_children())


def test_interrupted_without_a_task_it_clears_up_too(lane, tmp_path):
    lane.submit(abs, -1).result(30)
    lane.interrupt()
    lane.wait_for_end()
    assert (tmp_path / "note").read_text() == "left"


def test_ctrl_c_at_the_terminal_is_the_parents_to_answer(lane):
    pid = lane.submit(os.getpid).result(30)
    os.kill(pid, signal.SIGINT)
    assert lane.submit(os.getpid).result(30) == pid


def test_a_process_that_is_killed_breaks_its_executor(lane):
    pid = lane.submit(os.getpid).result(30)
    future = lane.submit(time.sleep, 600)
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(BrokenExecutor):
        future.result(30)
    with pytest.raises(BrokenExecutor):
        lane.submit(abs, -1)


def test_an_executor_that_was_never_used_ends_at_once():
    executor = LocalExecutor(note_leaving)
    executor.interrupt()
    executor.wait_for_end()
