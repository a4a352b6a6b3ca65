"""Whatever a stranger's process reports of its end, we find words for it."""

import signal
import subprocess
import sys

import pytest

from gojudge.records import Fault, Termination
from gojudge.sandbox.faults import answer_instead, cause, death, fault_of, has_all_calls, ran_out_of_memory, without_calls


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (0, "its process ended with status 0"),
        (7 << 8, "its process ended with status 7"),
        (signal.SIGSEGV, "its process was ended by SIGSEGV"),
        (126, "its process was ended by signal 126"),
        (None, "its process ended"),
        (True, "its process ended"),
        (-9, "its process ended"),
        (1 << 16, "its process ended"),
        ("0", "its process ended"),
    ],
)
def test_how_a_process_ended(status, words):
    assert death(int(status) if isinstance(status, signal.Signals) else status) == words


def test_an_exception_is_a_crash_or_a_failure_to_start():
    message = {"error": {"type": "error", "line": "KeyError: 5", "trace": "Traceback\n  \x1b[31mred"}}
    assert fault_of(message) == Fault(Termination.CRASH, "KeyError: 5", "Traceback\n  \\x1b[31mred")
    assert fault_of(message, starting=True).termination is Termination.START_UP_FAILURE


def test_lack_of_memory_has_a_verdict_of_its_own():
    assert fault_of({"error": {"type": "memory", "line": "", "trace": ""}}) == Fault(
        Termination.OUT_OF_MEMORY, "an exception", ""
    )


@pytest.mark.parametrize("error", [None, 5, [], {}, {"type": "error", "line": 5, "trace": ""}])
def test_nonsense_is_quoted(error):
    fault = fault_of({"error": error, "x": "y" * 1000})
    assert fault.termination is Termination.CRASH
    assert fault.detail.startswith("it answered out of turn: {")
    assert len(fault.detail) < 100


TRACEBACK = 'Traceback (most recent call last):\n  File "my_player3.py", line 5, in <module>\n    think()\n'
LAST_ERRORS = [
    (TRACEBACK + "MemoryError\n", True),
    (TRACEBACK + "MemoryError\nprinted before, flushed after\n", True),
    (TRACEBACK + "numpy._core._exceptions._ArrayMemoryError: Unable to allocate 7.28 TiB for an array\n", True),
    ("terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc\n", True),
    ('Exception in thread "main" java.lang.OutOfMemoryError: Java heap space\n\tat my_player.main(my_player.java)\n', True),
    (TRACEBACK + "MemoryError\n" + TRACEBACK + "KeyError: 5\n", False),
    (TRACEBACK + "ValueError: MemoryError\n", False),
    ("terminate called after throwing an instance of 'std::out_of_range'\n  what():  MemoryError\n", False),
    ("I print MemoryError\n", False),
    ("", False),
]


@pytest.mark.parametrize(("said", "memory"), LAST_ERRORS)
def test_a_program_out_of_memory_is_known_by_its_last_error(said, memory):
    assert ran_out_of_memory(said) is memory


BARE, BESIDE = "; open it by its bare name", "; hand the file in beside yours, and open it by its bare name"
PRINTED = [
    (TRACEBACK + "ZeroDivisionError: division by zero\n", "ZeroDivisionError: division by zero (my_player3.py, line 5)"),
    (TRACEBACK + "KeyError: 5\n\nDuring handling of the above exception\n\n" + TRACEBACK.replace("5", "9") + "mine.Oops\nmore",
     "mine.Oops (my_player3.py, line 9)"),
    (TRACEBACK + '  File "/usr/lib/python3.11/json/decoder.py", line 355, in raw_decode\n    obj, end =\nValueError: x\n',
     "ValueError: x (my_player3.py, line 5)"),
    (TRACEBACK + '  File "/tmp/space/player/helper.py", line 2\n    print 1\nSyntaxError: invalid syntax\n',
     "SyntaxError: invalid syntax (helper.py, line 2)"),
    (TRACEBACK + "EOFError: EOF when reading a line\n",
     "EOFError: EOF when reading a line; it asks for input, and nobody is at the keyboard (my_player3.py, line 5)"),
    *((f"{TRACEBACK}FileNotFoundError: [Errno 2] No such file or directory: '{path}'\n",
       f"FileNotFoundError: [Errno 2] No such file or directory: '{path}'{hint} (my_player3.py, line 5)")
      for path, hint in [("q.json", ""), ("data/q.json", ""), ("/Users/kim/q.json", BESIDE), ("C:/hw/q.json", BESIDE),
                         ("/proc/self/maps", ""),
                         ("init/input.txt", BARE), ("/Users/kim/input.txt", BARE)]),
    (TRACEBACK + "TypeError: no move: <Move object at 0x7f1780b19210>\n",
     "TypeError: no move: <Move object> (my_player3.py, line 5)"),
    (TRACEBACK, ""),
    (TRACEBACK + "E" * 500 + "\n", "E" * 297 + "... (my_player3.py, line 5)"),
    ("java.io.FileNotFoundException: moves.txt (No such file or directory)\n\tat java.base/java.io.FileReader.open(F.java:7)\n"
     "\tat my_player.main(my_player.java:9)\n",
     "java.io.FileNotFoundException: moves.txt (No such file or directory) (my_player.java, line 9)"),
    ("Board: ok\n\tat rest\nscore\n", ""),
    ('Exception in thread "main" java.lang.ArithmeticException: / by zero\n    at my_player.main(my_player.java:3)\n',
     "java.lang.ArithmeticException: / by zero (my_player.java, line 3)"),
    ("terminate called after throwing an instance of 'int'\n", "int"),
    ("I print Error\n", ""),
    ("", ""),
]  # fmt: skip


@pytest.mark.parametrize(("said", "why"), PRINTED)
def test_the_last_error_that_was_printed_is_the_cause(said, why):
    assert cause(said) == why


CALLS = """loading
Stack (most recent call first):
  File "/home/player/my_player.py", line 3 in <module>
  File "<frozen importlib._bootstrap>", line 241 in _call_with_frames_removed
  File "/host/gojudge/inside/worker.py", line 83 in work
  File "/host/gojudge/inside/worker.py", line 104 in <module>
"""


def test_where_a_process_is_comes_in_pieces_and_is_read_to_its_end():
    assert has_all_calls(CALLS)
    assert not any(has_all_calls(CALLS[:end]) for end in range(len(CALLS)))
    assert not has_all_calls(CALLS + CALLS[:-1])
    # Python names a hundred calls at most.
    deep = '  File "/home/player/my_player.py", line 2 in deeper\n' * 100
    assert has_all_calls(f"{CALLS[: CALLS.index('  File')]}{deep}  ...\n")


def test_what_a_timer_has_python_print_is_not_the_players():
    timer = "faulthandler.dump_traceback_later(1e-3, exit=True)"
    lines = ["import faulthandler, sys", "print('loading', file=sys.stderr)", timer, "while True: pass"]
    command = [sys.executable, "-c", "\n".join(lines)]
    printed = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False).stderr
    assert "line 4 in <module>" in printed
    assert without_calls(printed) == "loading\n"
    assert without_calls("Timeout (1 s)!\n") == "Timeout (1 s)!\n"


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("thinking ...\n2,3\n\n", "; it printed '2,3', which belongs into output.txt"),
        ("(0, 4)", "; it printed '(0, 4)', which belongs into output.txt"),
        ("PASS", "; it printed 'PASS', which belongs into output.txt"),
        ("2,3\ndone", ""),
        ("", ""),
    ],
)
def test_an_answer_that_was_printed_is_told(output, words):
    assert answer_instead(output) == words
