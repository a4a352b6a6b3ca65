"""Programs that read input.txt: what they find, what counts, and who is to blame."""

import errno
import os
import signal
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from goban.rulesets import LITTLEGO
from goban.states import new_game
from gojudge.inside.system_calls import numbers_of
from gojudge.records import PlayerFaultError, Termination, charge_seconds
from gojudge.refereeing.open_seats import Conditions, open_entrant
from gojudge.sandbox import compilers, leftovers
from gojudge.sandbox.transcripts import presentable, split
from tests.support.missing import skip_if
from tests.support.programs import LIMITS, game, program, seat_for
from tests.support.submissions import spec, tiers

WRITE = "open('output.txt', 'w').write('2,2')\n"


@pytest.fixture
def open_seat(tmp_path, tier):
    """Open seats of one tier, and close them after the test."""
    seats = []

    def open_(source, limits=LIMITS, real_starts=False, entry="my_player3.py", **files):
        entrant = program(tmp_path / f"submission{len(seats)}", source, entry, **files)
        seats.append(seat_for(entrant, tier, limits, real_starts))
        return seats[-1]

    yield open_
    for seat in seats:
        seat.close()


def said(seat, moves=1):
    """Ask for some answers to the empty board; return what was printed."""
    seat.begin(spec(), 1)
    try:
        for _ in range(moves):
            seat.answer(new_game(LITTLEGO, 5), "")
    finally:
        log = seat.end()
    return "".join(split(log).values())


def fault(seat):
    with pytest.raises(PlayerFaultError) as caught:
        said(seat)
    return caught.value.fault


LOOKS_ROUND = """
import atexit, os, sys, time
started = time.process_time()
print(sys.argv, __name__, os.path.basename(__file__), os.getcwd() == os.path.dirname(__file__) == sys.path[0])
print(sys.stdout.encoding, sys.stdout.errors, sys.stdout.line_buffering, sys.stderr.line_buffering, sys.stdout.name)
print(__doc__, __package__, __spec__, type(__loader__).__name__, sorted(k for k in globals() if k.startswith("__")))
print(sorted(m for m in sys.modules if m.split(".")[0] in ("gojudge", "goban", "go", "read")), sys.gettrace())
print(started < 1, os.environ.get("HOME"), sys.dont_write_bytecode, sorted(os.listdir(".")))
print(open(0).read() == "", sys.getrecursionlimit(), callable(exit), len(os.listdir("/proc/self/fd")))
atexit.register(print, "the end")
print("an error", file=sys.stderr)
open("output.txt", "w").write("2,2")
"""


@tiers("T3", "T2")
def test_a_fork_finds_what_a_real_start_finds(open_seat):
    fork, real = (said(open_seat(LOOKS_ROUND, real_starts=real)) for real in (False, True))
    assert fork == real
    assert "['my_player3.py'] __main__ my_player3.py True\n" in fork
    assert fork.endswith("the end\n")


@tiers("T3", "T2")
def test_programs_start_as_forks_where_that_is_no_difference(open_seat):
    seat = open_seat("import numpy\n" + WRITE)
    said(seat)
    assert not seat._real
    shadowing = open_seat("import socket\nassert socket.OWN\n" + WRITE, socket__py="OWN = True")
    said(shadowing)
    assert shadowing._real


@tiers()
def test_a_games_folder_lasts_for_the_game(open_seat):
    seat = open_seat("open('log', 'a').write('x')\nprint(len(open('log').read()), open('data.txt').read())\n" + WRITE,
                     data__txt="of its own")  # fmt: skip
    assert said(seat, 3) == "1 of its own\n2 of its own\n3 of its own\n"
    assert said(seat, 2) == "1 of its own\n2 of its own\n"


@tiers("T3")
def test_module_state_is_fresh_at_every_move(open_seat):
    seat = open_seat("import read\nprint(getattr(read, 'count', 0))\nread.count = 1\n" + WRITE)
    assert said(seat, 3) == "0\n0\n0\n"


@tiers()
@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize(("name", "path"), [("common", "common.py"), ("gojudge.parts", "gojudge/parts.py"),
                                            ("gojudge", "gojudge.py")])  # fmt: skip
def test_a_module_named_like_one_of_ours_is_the_program_s_own(open_seat, tmp_path, name, path, real):
    seat = open_seat(f"from {name} import OWN\nprint(OWN)\n" + WRITE, real_starts=real)
    (tmp_path / "submission0" / path).parent.mkdir(exist_ok=True)
    (tmp_path / "submission0" / path).write_text("OWN = 7")
    assert said(seat, 2) == "7\n7\n"


@tiers("T3")
def test_chance_depends_on_the_game_and_the_move_alone(open_seat):
    source = "import random\nimport numpy as np\nprint(random.random(), np.random.random())\n" + WRITE
    seat, other = open_seat(source), open_seat(source)
    first = said(seat, 3)
    assert len(set(first.splitlines())) == 3
    assert said(seat, 3) == first == said(other, 3)


SLEEPS = "import os, time\nprint('here', flush=True)\nos.fork()\n\n\ndef think():\n    time.sleep(1000)\n\n\nthink()\n"
SPINS = "print('here', flush=True)\nwhile True: pass\n"
HANGING = [
    (SLEEPS, "it did not end within 1.1 s", " (my_player3.py, line 7)"),
    pytest.param(
        SPINS, "it used more than 0.5 s of CPU time for this move", " (my_player3.py, line 2)", marks=pytest.mark.slow
    ),
]


@tiers()
@pytest.mark.parametrize(("source", "line", "where"), HANGING, ids=["sleeps", "spins"])
def test_a_trial_tells_at_which_line_a_program_does_not_end(tmp_path, tier, source, line, where):
    entrant = program(tmp_path / "hw", source)
    for tells, place in ((True, where), (False, "")):
        conditions = Conditions("littlego", 5, replace(LIMITS, move_seconds=0.5), tier=tier, tells_where=tells)
        with closing(open_entrant(entrant, conditions)) as seat:
            for _ in range(2):
                seat.begin(spec(), 1)
                with pytest.raises(PlayerFaultError) as caught:
                    seat.answer(new_game(LITTLEGO, 5), "")
                assert caught.value.fault.detail == line + place
                assert (caught.value.fault.evidence, seat.end()) == ("here\n", "[move 1]\nhere\n")


@tiers("T3", "T2")
@pytest.mark.parametrize("started", [{"real_starts": True}, {"entry": "my_player.cpp"}])
def test_what_is_started_for_real_is_not_asked(tmp_path, tier, started):
    """It would be ended by the question."""
    skip_if(started.get("entry") and compilers.why_not_here("my_player.cpp"))
    source = "int main() { for (;;); }" if "entry" in started else SPINS
    entrant = program(tmp_path / "hw", source, started.get("entry", "my_player3.py"))
    real = started.get("real_starts", False)
    conditions = Conditions("littlego", 5, replace(LIMITS, move_seconds=0.5), tier=tier, real_starts=real, tells_where=True)
    with closing(open_entrant(entrant, conditions)) as seat:
        seat.begin(spec(), 1)
        with pytest.raises(PlayerFaultError, match=r"it used more than 0\.5 s of CPU time for this move$"):
            seat.answer(new_game(LITTLEGO, 5), "")


@tiers()
def test_the_traceback_is_the_evidence(open_seat):
    found = fault(open_seat("def think():\n    return 1 / 0\n\n\nthink()\n"))
    assert found.termination is Termination.CRASH
    assert found.detail == "ZeroDivisionError: division by zero (my_player3.py, line 2); output.txt was not written"
    assert found.evidence.startswith('Traceback (most recent call last):\n  File "my_player3.py", line 5, in <module>')
    assert "ZeroDivisionError: division by zero" in found.evidence


CAUSES = [
    ("my_player3.py", "import helper\n", {"helper.py": "import json\n\njson.loads('{')\n"},
     "json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1) "
     "(helper.py, line 3)"),
    ("my_player3.py", "import sys\nsys.exit('no idea')\n", {}, "its process ended with status 1"),
    ("my_player.cpp", "#include <stdexcept>\nint main() { throw std::out_of_range(\"beyond\"); }\n", {},
     "std::out_of_range: beyond"),
    ("my_player.java", "class my_player {\n  public static void main(String[] a) {\n    Board.at(5); } }\n",
     {"Board.java": "class Board {\n  static int at(int n) {\n    return new java.util.ArrayList<Integer>().get(n); } }\n",
      "Unused.java": "this does not compile"},
     "java.lang.IndexOutOfBoundsException: Index 5 out of bounds for length 0 (Board.java, line 3)"),
    ("my_player.java", "public class my_player {\n  public static void main() {} }\n", {},
     "Main method not found in class my_player: expected `public static void main(String[] args)`"),
    ("my_player.java", "public class my_player {\n  public void main(String[] a) {} }\n", {},
     "Main method is not static in class my_player: expected `public static void main(String[] args)`"),
]  # fmt: skip


@tiers("T3")
def test_what_starts_a_program_s_moves_stays_in_the_group_of_the_game(open_seat):
    """Where it went, its moves would go too, and the game of that group would find what they have used of the cores."""
    seat = open_seat("print(open('/proc/self/cgroup').read())\n" + WRITE)
    for _ in range(2):
        seat.begin(spec(), 1)
        # What is moved while a game is played has been moved.
        seat._supervisor.sandbox._group._await_mover()
        for _ in range(2):
            seat.answer(new_game(LITTLEGO, 5), "")
        printed = seat.end()
        assert printed.count("/game\n") == 2
        assert "/next" not in printed


@tiers("T3")
@pytest.mark.parametrize(
    ("entry", "source", "others", "why"),
    [*CAUSES[:4], *(pytest.param(*cause, marks=pytest.mark.slow) for cause in CAUSES[4:])],
    ids=["library", "exit", "c++", "java", "no-main", "main-of-objects"],
)
def test_a_crash_has_its_cause_on_its_line(open_seat, tmp_path, monkeypatch, entry, source, others, why):
    skip_if(compilers.why_not_here(entry))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    seat = open_seat(source, entry=entry, **{name.replace(".", "__"): text for name, text in others.items()})
    found = fault(seat)
    assert (found.termination, found.detail) == (Termination.CRASH, f"{why}; output.txt was not written")


@tiers("T3")
def test_an_error_that_was_caught_and_printed_is_told_too(open_seat):
    found = fault(open_seat("import traceback\ntry:\n    {}[5]\nexcept KeyError:\n    traceback.print_exc()\n"))
    assert found.termination is Termination.INVALID_ANSWER
    assert found.detail == "output.txt was not written; it printed KeyError: 5 (my_player3.py, line 3)"


OUT_OF_MEMORY = [
    ("my_player3.py", "held = [0] * 10**14\n"),
    ("my_player3.py", "import numpy\nnumpy.ones(10**14)\n"),
    ("my_player.cpp", "int main() { volatile unsigned long many = 1UL << 60; return *new char[many]; }\n"),
    ("my_player.java", "class my_player { public static void main(String[] a) { long[] held = new long[1 << 30]; } }\n"),
]


@pytest.mark.slow
@tiers("T3", "T0")
@pytest.mark.parametrize(("entry", "source"), OUT_OF_MEMORY, ids=["python", "numpy", "c++", "java"])
def test_a_program_out_of_memory_is_told_so(open_seat, tmp_path, monkeypatch, entry, source):
    skip_if(compilers.why_not_here(entry))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found = fault(open_seat(source, entry=entry))
    assert found.termination is Termination.OUT_OF_MEMORY
    assert found.detail == "it ran out of memory, of which it may take 512 MiB; output.txt was not written"
    assert found.evidence


@pytest.mark.slow
@tiers("T3")
def test_a_program_the_kernel_kills_for_its_memory_is_told_so(open_seat):
    found = fault(open_seat("held = []\nwhile True:\n    held.append(bytearray(1 << 24))\n"))
    assert (found.termination, found.detail) == (Termination.OUT_OF_MEMORY, "it took more than 512 MiB of memory")


@tiers("T3", "T2")
def test_running_and_sleeping_are_told_apart(open_seat):
    seat = open_seat("import time\nwhile time.process_time() < 0.2: pass\ntime.sleep(0.3)\n" + WRITE)
    seat.begin(spec(), 1)
    reply = seat.answer(new_game(LITTLEGO, 5), "")
    seat.end()
    assert 0.15 < reply.spent.cpu < 2.0
    # Other programs may keep it from running and us from noticing, but it has slept for a good part of what it wanted to.
    assert reply.spent.wall > 0.45
    assert reply.spent.cpu + reply.spent.slept + reply.spent.waited <= reply.spent.wall + 0.05


@pytest.mark.slow
@tiers("T3", "T2")
def test_cpu_time_is_the_limit_and_the_charge_a_guard(open_seat):
    limits = LIMITS.__class__(**{**vars(LIMITS), "move_seconds": 2.0})
    assert charge_seconds(10.0) == 12.5
    sleeper = open_seat("import time\ntime.sleep(2.1)\n" + WRITE, limits)
    said(sleeper)
    waiter = open_seat(WRITE + "import time\ntime.sleep(100)\n", limits)
    found = fault(waiter)
    assert (found.termination, found.detail) == (Termination.TIME_OUT, "it did not end within 2.9 s")
    # The seat is as good as new.
    again = fault(waiter)
    assert again.termination is Termination.TIME_OUT


@tiers("T3", "T2")
def test_nothing_tells_a_program_which_game_it_plays(open_seat):
    """Signals do not reach what has started it, its files are new in each game, and its ids do not count."""
    seat = open_seat("""
        import fcntl, os, signal
        print(os.getpid(), os.getppid(), os.getpgrp(), [fcntl.fcntl(number, fcntl.F_GETFL) for number in range(3)])
        for number in range(3):
            os.set_blocking(number, False)
        for pid in (os.getppid(), -os.getppid(), -1):
            os.kill(pid, signal.SIGKILL)
        open("output.txt", "w").write("2,2")
    """)
    logs = []
    for _ in range(3):
        seat.begin(spec(), 1)
        for _ in range(2):
            assert seat.answer(new_game(LITTLEGO, 5), "").answer == (2, 2)
        logs.append(seat.end())
    assert logs[0].splitlines()[1].startswith("3 2 3 [")
    assert logs[0] == logs[1] == logs[2]


@tiers("T3", "T2")
def test_what_a_program_makes_a_child_of_its_parent_does_not_last(open_seat):
    """Whether it has ended by itself or is ended: it would keep its process id, and the next games would find it taken."""
    seat = open_seat(f"""
        import ctypes, os, time
        for asleep in (0, 100):
            # CLONE_PARENT | SIGCHLD
            child = ctypes.CDLL(None).syscall({numbers_of(os.uname().machine)["clone"]}, 0x8000 | 17, 0, 0, 0, 0)
            if not child:
                time.sleep(asleep)
                os._exit(0)
            print(child)
        open("output.txt", "w").write("2,2")
    """)
    assert [said(seat, moves=2) for _ in range(2)] == ["4\n5\n" * 2] * 2


@tiers("T3", "T2")
def test_a_game_begins_with_no_signal_waiting_for_the_keeper(open_seat):
    seat = open_seat(WRITE)
    said(seat)
    bubblewrap = seat._supervisor.sandbox._process.pid
    (keeper,) = Path(f"/proc/{bubblewrap}/task/{bubblewrap}/children").read_text().split()
    # As when the last child of the game before has ended. The keeper blocks it.
    os.kill(int(keeper), signal.SIGCHLD)
    seat.begin(spec(), 1)
    assert "\nShdPnd:\t0000000000000000\n" in Path(f"/proc/{keeper}/status").read_text()


@tiers("T3")
def test_compiled_programs_are_kept_and_errors_shown(open_seat, tmp_path, monkeypatch):
    skip_if(compilers.why_not_here("my_player.cpp"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    good = '#include <fstream>\nint main() { std::ofstream("output.txt") << "2,2"; }\n'
    assert said(open_seat(good, entry="my_player.cpp")) == ""
    (kept,) = leftovers.cache_folder(compilers.COMPILED).iterdir()
    before = kept.stat().st_mtime_ns
    assert said(open_seat(good, entry="my_player.cpp")) == ""
    assert [path.stat().st_mtime_ns for path in leftovers.cache_folder(compilers.COMPILED).iterdir()] == [before]
    bad = open_seat("int main() {\n    retrun 0;\n}\n", entry="my_player.cpp")
    for _ in range(2):
        found = fault(bad)
        assert found.termination is Termination.START_UP_FAILURE
        assert found.detail.startswith("it does not compile: ./my_player.cpp:2:5: error: 'retrun' was not declared")
        assert "retrun 0;" in found.evidence


@pytest.mark.slow
@tiers("T3", "T1")
@pytest.mark.parametrize("brought", [".built", ".built/my_player", ".built/my_player/x", ".built/x"])
def test_what_a_program_brings_along_in_the_name_of_its_compiler_is_nothing_to_it(open_seat, tmp_path, monkeypatch, brought):
    skip_if(compilers.why_not_here("my_player.cpp"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    seat = open_seat('#include <fstream>\nint main() { std::ofstream("output.txt") << "2,2"; }\n', entry="my_player.cpp")
    path = seat._entrant.folder / brought
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\nexit 1\n")
    assert said(seat) == ""
    (kept,) = leftovers.cache_folder(compilers.COMPILED).iterdir()
    assert [path.name for path in (kept / compilers.BUILT).iterdir()] == ["my_player"]


@pytest.mark.slow
@tiers("T3")
@pytest.mark.parametrize("beside", ["int main() { return 1; }\n", "void search() { missing(); }\n"])
def test_what_lies_beside_and_does_not_belong_to_a_program_does_not_keep_it_from_being_compiled(
    open_seat, tmp_path, monkeypatch, beside
):
    skip_if(compilers.why_not_here("my_player.cpp"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    good = '#include <fstream>\nint main() { std::ofstream("output.txt") << "2,2"; }\n'
    assert said(open_seat(good, entry="my_player.cpp", trial__cpp=beside)) == ""


@tiers("T3")
def test_what_cannot_be_kept_once_its_compiler_has_run_is_its_own_fault(open_seat, tmp_path, monkeypatch):
    skip_if(compilers.why_not_here("my_player.cpp"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def fail(*_):
        raise OSError(errno.ENAMETOOLONG, "File name too long")

    monkeypatch.setattr(compilers, "keep", fail)
    found = fault(open_seat("int main() {}\n", entry="my_player.cpp"))
    assert found.termination is Termination.START_UP_FAILURE
    assert found.detail == "what its compiler wrote cannot be kept: File name too long"


def test_a_missing_compiler_is_one_line(monkeypatch):
    monkeypatch.setattr(compilers.shutil, "which", lambda *arguments, **options: None)
    missing = "Java programs need a JDK, and no javac is installed here (apt-get install default-jdk-headless)"
    assert compilers.why_not_here("my_player.java") == missing
    assert compilers.why_not_here("my_player3.py") == ""


@tiers("T3")
def test_programs_and_reference_players_meet_in_a_game(open_seat):
    seat = open_seat("from read import readInput\nside, previous, board = readInput(5)\nprint(side)\n"
                     "open('output.txt', 'w').write('PASS')\n")  # fmt: skip
    result = game(seat, colour=2)
    assert result.turns[1].move == "pass"
    assert result.termination is Termination.SCORE
    assert set(split(result.white_log)) == set(range(2, len(result.turns) + 1, 2))
    assert set(split(result.white_log).values()) == {"2\n"}


def never_starts(seat):
    """Return the line of a program that cannot be started, in every game."""
    lines = set()
    for _ in range(2):
        found = fault(seat)
        assert found.termination is Termination.START_UP_FAILURE
        lines.add(found.detail)
    (line,) = lines
    return line


MAIN = "public static void main(String[] a) {}"
NONE = "the class must be in no package, since the course runs `java my_player`"
NO_CLASS = "my_player.java: expected a class my_player, since the course runs `java my_player`, found "
UNSTARTABLE = [
    ("my_player.java", f"package x;\npublic class my_player {{ {MAIN} }}", f"my_player.java, line 1: `package x;`: {NONE}"),
    ("my_player.java", f"// mine\n/* package y;\n */ package\n a . b ; class Main {{ {MAIN} }}",
     f"my_player.java, line 3: `package a . b ;`: {NONE}"),
    # What comes of it first, as javac has it, is another error.
    ("my_player.java", f"package x;\nclass my_player {{ Board b; {MAIN} }}", f"my_player.java, line 1: `package x;`: {NONE}"),
    ("my_player.java", f"class Main {{ {MAIN} class Inner {{}} }} class Board {{}}", f"{NO_CLASS}Board, Main"),
    ("my_player.java", f"// package x;\npublic class MyPlayer {{ {MAIN} }}", f"it does not compile: {NO_CLASS}MyPlayer"),
    ("my_player.java", "", f"{NO_CLASS}none"),
    ("my_player.java", "class my_player {\n  int i = 1 / ;\n}",
     "it does not compile: ./my_player.java:2: error: illegal start of expression"),
    ("my_player.cpp", "void run() {}", "it does not compile: undefined reference to `main'"),
    ("my_player.cpp", "int main() {\n  return größe; }",
     "it does not compile: ./my_player.cpp:2:10: error: 'größe' was not declared in this scope"),
]  # fmt: skip


# A compiler of Java takes a second to start.
SHORT = [UNSTARTABLE[0], UNSTARTABLE[3], UNSTARTABLE[7]]


@tiers("T3")
@pytest.mark.parametrize(
    ("entry", "source", "line"), [pytest.param(*one, marks=[pytest.mark.slow] * (one not in SHORT)) for one in UNSTARTABLE]
)
def test_why_a_program_cannot_be_started_is_its_line(open_seat, tmp_path, monkeypatch, entry, source, line):
    skip_if(compilers.why_not_here(entry))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert never_starts(open_seat(source, entry=entry)) == presentable(line)


PACKAGES = {
    "my_player.java": "import boards.Board;\nclass my_player { public static void main(String[] a) throws Exception {\n"
    'java.nio.file.Files.write(java.nio.file.Paths.get("output.txt"), Board.centre().getBytes()); } }\n',
    "boards/Board.java": 'package boards;\npublic class Board { public static String centre() { return "2,2"; } }\n',
}


@pytest.mark.slow
@tiers("T3", "T0")
def test_packages_beside_a_java_program_are_compiled_with_it(open_seat, tmp_path, monkeypatch):
    skip_if(compilers.why_not_here("my_player.java"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "submission0/boards").mkdir(parents=True)
    (tmp_path / "submission0/boards/Board.java").write_text(PACKAGES["boards/Board.java"])
    assert said(open_seat(PACKAGES["my_player.java"], entry="my_player.java")) == ""


# Each reads a file with such a name, writes another, prints such a text, and answers.
FOREIGN = {
    "my_player3.py": "text = open('notes é 王.txt').read()\nopen('größe.txt', 'w').write(text)\n"
    "assert open('größe.txt').read() == text == 'é 王'\nprint('é 王')\n" + WRITE,
    "my_player.cpp": "#include <fstream>\n#include <iostream>\n#include <string>\n"
    'int main() {\n  std::string text; std::getline(std::ifstream("notes é 王.txt"), text);\n'
    '  std::ofstream("größe.txt") << text;\n  std::cout << "é 王" << std::endl;\n'
    '  if (text == "é 王") std::ofstream("output.txt") << "2,2"; }\n',
    "my_player.java": "import java.nio.file.*;\nclass my_player { static class Größe {}\n"
    "  public static void main(String[] a) throws Exception {\n"
    '    java.io.BufferedReader notes = new java.io.BufferedReader(new java.io.FileReader("notes é 王.txt"));\n'
    "    String text = notes.readLine();\n"
    '    try (java.io.FileWriter out = new java.io.FileWriter("größe.txt")) { out.write(text); }\n'
    '    if (!new String(Files.readAllBytes(Paths.get("größe.txt"))).equals("é 王")) throw new Error(text);\n'
    '    System.out.println("é 王"); new Größe();\n    Files.write(Paths.get("output.txt"), "2,2".getBytes()); } }\n',
}


@pytest.mark.slow
@tiers("T3", "T0")
@pytest.mark.parametrize("locale", ["POSIX", "de_DE.ISO-8859-1"])
@pytest.mark.parametrize("entry", FOREIGN)
def test_names_and_texts_that_are_not_ascii_harm_no_program(open_seat, tmp_path, monkeypatch, entry, locale):
    skip_if(compilers.why_not_here(entry))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    # The harness's own is not the program's.
    for name in ("LC_ALL", "LANG"):
        monkeypatch.setenv(name, locale)
    seat = open_seat(FOREIGN[entry], entry=entry, **{"notes é 王__txt": "é 王", "Übung__txt": ""})
    assert said(seat) == presentable("é 王\n")
