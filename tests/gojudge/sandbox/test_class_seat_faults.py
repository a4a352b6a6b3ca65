"""What goes wrong at the seat of a class, at every tier: whose fault it is, in which words, and that the seat recovers."""

import re

import pytest

from goban.rulesets import COURSE
from goban.states import new_game
from gojudge.records import PlayerFaultError, Termination
from tests.support.submissions import LIMITS, get_input, spec, tiers


def fault(seat, begin_only=False):
    """Return the fault of a seat's first answer, or of its beginning."""
    try:
        seat.begin(spec(), 1)
        if not begin_only:
            seat.answer(new_game(COURSE, 5), "")
    except PlayerFaultError as error:
        return error.fault
    finally:
        seat.end()
    pytest.fail("the player did nothing wrong")


@tiers()
def test_an_exception_is_a_crash_with_its_line_and_the_player_s_own_traceback(open_seat):
    seat = open_seat(
        """
        def think():
            return 1 / 0

        class MyPlayer:
            def get_input(self, go, piece_type):
                return think()
        """
    )
    found = fault(seat)
    assert found.termination is Termination.CRASH
    assert found.detail == "ZeroDivisionError: division by zero (my_player.py, line 3)"
    assert found.evidence.startswith('Traceback (most recent call last):\n  File "my_player.py", line 7, in get_input\n')
    assert found.evidence.endswith("ZeroDivisionError: division by zero")


@tiers()
def test_a_traceback_through_packages_and_our_own_modules_shows_no_folder_of_this_machine(open_seat):
    seat = open_seat(
        get_input(
            """
            print(np.__file__, json.__file__, __file__)
            try:
                go.compare_board(None, 7)
            except TypeError:
                traceback.print_exc()
            np.linalg.inv(np.zeros((2, 2)))
            """,
            "import json, traceback\nimport numpy as np",
        ),
        memory_mib=512,
    )
    seat.begin(spec(), 1)
    with pytest.raises(PlayerFaultError) as caught:
        seat.answer(new_game(COURSE, 5), "")
    log, found = seat.end(), caught.value.fault
    assert 'File "numpy/linalg/' in found.evidence
    assert "[move 1]\nnumpy/__init__.py python3." in log
    assert "/json/__init__.py my_player.py\n" in log
    assert 'File "go.py", line ' in log
    assert not re.search(r"(?<![\w.])/", found.detail + found.evidence + log)


FAULTS = [
    ("import time; time.sleep(100)", Termination.TIME_OUT, "no answer within 0.3 s"),
    ("import os; os._exit(3)", Termination.CRASH, "its process ended with status 3"),
    ("import os; os.kill(os.getpid(), 9)", Termination.CRASH, "its process was ended by SIGKILL"),
    ("import sys; sys.exit('bye')", Termination.CRASH, "it calls sys.exit()"),
    ("raise MemoryError", Termination.OUT_OF_MEMORY, "MemoryError"),
]


@tiers()
@pytest.mark.parametrize(("body", "termination", "detail"), FAULTS, ids=[str(case[1]) + case[0][-8:] for case in FAULTS])
def test_faults_in_a_move(open_seat, body, termination, detail):
    seconds = 0.3 if termination is Termination.TIME_OUT else LIMITS.move_seconds
    seat = open_seat(get_input(f"if {body.startswith('raise')!r} or go.n_move == 0:\n    {body}"), move_seconds=seconds)
    found = fault(seat)
    assert found.termination is termination
    assert detail in found.detail


@tiers()
def test_cpu_of_the_whole_tree_is_counted(open_seat):
    seat = open_seat(
        get_input("""
            if not os.fork():
                while True:
                    pass
            time.sleep(100)
        """, "import os, time"), game_cpu_seconds=0.5, move_seconds=60.0)  # fmt: skip
    found = fault(seat)
    assert found.termination is Termination.TIME_OUT
    assert "0.5 s of CPU" in found.detail


ENDLESS = "class MyPlayer:\n    get_input = print\n    def __init__(self):\n        while 1: pass\n\n"
STARTS = [
    ("raise ValueError('no table')", "ValueError: no table (my_player.py, line 1)"),
    ("import time\ntime.sleep(100)", "not loaded within 0.8 s; my_player.py, line 2: loops at module level"),
    ("class Other:\n    pass", "my_player.py: expected a class MyPlayer, found Other"),
    ("class MyPlayer:\n    pass", "expected a method get_input"),
    ("class MyPlayer:\n    type = 'manual'\n    get_input = print", "nobody is at the keyboard"),
    ("class MyPlayer:\n    get_input = print\n    def __init__(self, name):\n        pass", "missing 1 required"),
    (f"{ENDLESS}import os\n", "not made within 0.8 s; my_player.py, line 4: loops in __init__"),
    # Here no game is a copy of what was loaded.
    pytest.param(f"{ENDLESS}import threading\nthreading.Thread(target=threading.Event().wait, daemon=True).start()\n",
                 "not made within 0.8 s; my_player.py, line 4: loops in __init__", marks=pytest.mark.slow),
    ("import sys\nsys.exit()", "it calls sys.exit()"),
    ("import os\nos._exit(0)", "its process ended"),
    ("def", "SyntaxError"),
]


@tiers()
@pytest.mark.parametrize(("source", "detail"), STARTS, ids=map(str, range(len(STARTS))))
def test_start_up_failures(open_seat, source, detail):
    seat = open_seat(source, start_seconds=0.8 if "within 0.8 s" in detail else LIMITS.start_seconds)
    for _ in range(2):
        found = fault(seat, begin_only=True)
        assert found.termination is Termination.START_UP_FAILURE
        assert detail in found.detail


@tiers()
def test_after_any_fault_the_seat_is_ready_for_the_next_game(open_seat):
    seat = open_seat(
        get_input("""
            choice = random.random()
            if choice < 0.25:
                os.kill(os.getppid(), 9)
                time.sleep(9)
            elif choice < 0.5:
                os._exit(1)
            elif choice < 0.75:
                time.sleep(9)
            return 1, 2
        """, "import os, random, time"), move_seconds=0.2)  # fmt: skip
    verdicts = []
    for seed in range(16):
        seat.begin(spec(seed), 1)
        try:
            verdicts.append(seat.answer(new_game(COURSE, 5), "").answer)
        except PlayerFaultError as error:
            verdicts.append(error.fault.termination)
        seat.end()
    assert set(verdicts) == {(1, 2), Termination.CRASH, Termination.TIME_OUT}
