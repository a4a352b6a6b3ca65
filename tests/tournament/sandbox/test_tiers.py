"""Seats of submissions, at every tier that works on this machine."""

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from goban.moves import read_answer
from goban.rulesets import AGA, COURSE, LITTLEGO, PRESETS
from goban.states import new_game
from tests.support.submissions import LIMITS, answers, get_input, seat_for, spec, submission, tiers
from tournament.errors import SandboxError
from tournament.sandbox import tiers as sandbox
from tournament.verdicts import PlayerFaultError, Termination

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def open_seat(tmp_path, tier):
    """Open seats of one tier, and close them after the test."""
    seats = []

    def open_(source, rules=COURSE, size=5, files=None, **limits):
        entrant = submission(tmp_path / f"submission{len(seats)}", source, **(files or {}))
        seats.append(seat_for(entrant, tier, rules, size, **limits))
        return seats[-1]

    yield open_
    for seat in seats:
        seat.close()


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


# What a player is given


@tiers()
def test_a_whole_game_is_played_on_one_go_that_shows_every_position(open_seat):
    seat = open_seat(
        get_input("""
            if not hasattr(self, "go"):
                self.go, self.moves = go, 0
            assert self.go is go and go.n_move == self.moves and colour == 1 and go.X_move
            self.moves += 2
            go.board[0][0] = 9
            free = [(i, j) for i in range(5) for j in range(5) if (i or j) and go.valid_place_check(i, j, colour, True)]
            go.died_pieces = go.previous_board = None
            return free[0]
        """)
    )
    rng = random.Random(1)
    seat.begin(spec(), 1)
    state = new_game(COURSE, 5)
    while not state.is_over:
        reply = seat.answer(state, "")
        assert 0 <= reply.lag <= reply.wall < 5
        assert 0 <= reply.cpu < 1
        state = state.play(read_answer(reply.answer, 5))
        if not state.is_over:
            state = state.play(rng.choice([move for move in state.legal_moves() if move != (0, 0)] or state.legal_moves()))
    assert state.n_move > 15
    assert seat.end() == ""


@tiers()
@pytest.mark.parametrize("rules", PRESETS.values(), ids=lambda rules: rules.name)
def test_the_go_of_every_rule_set_is_the_host_s(open_seat, rules):
    seat = open_seat(
        get_input("""
            assert (go.size, go.komi, go.rules.name) == (7, KOMI, NAME), vars(go)
            return [go.n_move, int(go.position(colour).passed)]
        """).replace("KOMI", repr(rules.komi(7))).replace("NAME", repr(rules.name)),
        rules, 7,
    )  # fmt: skip
    seat.begin(spec(), 1)
    state = new_game(rules, 7)
    assert seat.answer(state, "").answer == (0, 0)
    state = state.play((1, 1)).play(None if rules.passing else (2, 2))
    assert seat.answer(state, "").answer == (2, int(rules.passing))


@tiers()
def test_superko_holds_in_the_player_s_go_as_well(open_seat):
    seat = open_seat(get_input("return [go.valid_place_check(*p, colour, True) for p in [(0, 0), (1, 1)]]"), AGA)
    seat.begin(spec(), 1)
    state = new_game(AGA, 5)
    for move in [(0, 1), (1, 2), (1, 0), (2, 1), (4, 4), (0, 2), (2, 0), (3, 3)]:
        state = state.play(move)
    assert seat.answer(state, "").answer == (1, 1)
    state = state.play((1, 1)).play(None)
    assert seat.answer(state, "").answer == (int(state.why_illegal((0, 0)) is None), 0)


ANSWERS = [
    ("2, 3", (2, 3)),
    ("[2, 3]", (2, 3)),
    ("(True, 2)", (1, 2)),
    ("'PASS'", "PASS"),
    ("'RESIGN'", "RESIGN"),
    ("Number(), 3", (2, 3)),
    ("-1, 5", "(-1, 5)"),
    ("(1.0, 2)", "(1.0, 2)"),
    ("'C3'", "'C3'"),
    ("None", "None"),
    ("10**30, 0", "(1000000000000000000000000000000, 0)"),
    ("'\\x1b[2J\\u202e'", "'\\x1b[2J\\u202e'"),
]


@tiers()
def test_answers_come_as_plain_data_and_what_is_none_as_its_text(open_seat):
    seat = open_seat(
        get_input(
            "self.asked = getattr(self, 'asked', -1) + 1\nreturn eval(ANSWERS[self.asked])",
            f"class Number:\n    def __index__(self):\n        return 2\n\n\nANSWERS = {[text for text, _ in ANSWERS]!r}",
        )
    )
    for (_, expected), answer in zip(ANSWERS, answers(seat, len(ANSWERS)), strict=True):
        assert (answer if isinstance(answer, tuple) or expected in ("PASS", "RESIGN") else repr(answer)) == expected


@tiers()
def test_numpy_integers_are_an_answer_and_numpy_is_seeded(open_seat):
    pytest.importorskip("numpy")
    seat = open_seat(get_input("import numpy as np\nreturn np.random.randint(0, 1000, 2)"))
    assert answers(seat, 3, seed=5) == answers(seat, 3, seed=5) != answers(seat, 3, seed=6)


@tiers()
def test_the_same_seed_gives_the_same_game_in_any_sandbox_and_any_order(open_seat):
    source = get_input("""
        return random.randrange(1000), next(iter({"a", "b", "c", "d", "e", str(random.random())})) == "a" or TABLE
    """, "import random\nTABLE = random.randrange(1000)")  # fmt: skip
    first, second = open_seat(source), open_seat(source)
    games = {seed: answers(first, 4, seed) for seed in (1, 2, 3)}
    assert {seed: answers(second, 4, seed) for seed in (3, 2, 1)} == games
    assert games[1] != games[2]
    assert answers(first, 4, 1, colour=2) != games[1]


# The folder


@tiers()
def test_tables_are_found_by_relative_name_at_import_and_later(open_seat):
    seat = open_seat(
        """
        import os
        at_import = int(open("table.txt").read())
        here = os.path.dirname(os.path.abspath(__file__))

        class MyPlayer:
            def __init__(self):
                self.table = int(open("table.txt").read())

            def get_input(self, go, piece_type):
                with open(os.path.join(here, "table.txt")) as table:
                    return at_import + self.table, int(table.read())
        """,
        files={"table__txt": "21"},
    )
    assert answers(seat) == [(42, 21)]


@tiers()
def test_what_a_game_writes_is_gone_in_the_next_and_never_in_the_original(open_seat, tmp_path):
    seat = open_seat(
        get_input("""
            import os, tempfile
            places = ["counter.txt", __file__ + ".txt", os.path.join(tempfile.gettempdir(), "counter.txt")]
            for place in places:
                with open(place, "a") as file:
                    file.write("x")
            return [len(open(places[0]).read()) + len(open(places[1]).read()), len(open(places[2]).read())]
        """)
    )
    for _ in range(3):
        assert answers(seat, 2) == [(2, 1), (4, 2)]
    assert os.listdir(tmp_path / "submission0") == ["my_player.py"]


@tiers()
def test_nothing_of_a_game_is_left_in_memory(open_seat):
    seat = open_seat(
        get_input("""
            COUNT.append(1)
            MyPlayer.games = getattr(MyPlayer, "games", 0) + 1
            return len(COUNT), MyPlayer.games
        """, "COUNT = []"))  # fmt: skip
    for _ in range(3):
        assert answers(seat, 2) == [(1, 1), (2, 2)]


@tiers()
def test_an_import_that_leaves_a_thread_is_repeated_for_every_game(open_seat):
    seat = open_seat(
        get_input("return threading.active_count(), len(COUNT)", """
            import threading
            COUNT = []
            threading.Thread(target=threading.Event().wait, daemon=True).start()
        """))  # fmt: skip
    assert answers(seat) == answers(seat) == [(2, 0)]


NAMED_LIKE_OURS = [
    {"common.py": "OWN = 7"},
    {"common/__init__.py": "from common.deep import OWN", "common/deep.py": "OWN = 7"},
    {"common/parts.py": "OWN = 7"},
    {"tournament.py": "OWN = 7"},
    {"tournament/parts.py": "OWN = 7"},
]


@tiers()
@pytest.mark.parametrize("files", NAMED_LIKE_OURS, ids=lambda files: next(iter(files)))
def test_a_module_named_like_one_of_ours_is_the_submission_s_own(open_seat, tmp_path, files):
    (path, _), *_ = files.items()
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    seat = open_seat(get_input("import goban.inputs\nreturn OWN, go.size", f"import go\nfrom {module} import OWN"))
    for name, text in files.items():
        (tmp_path / "submission0" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "submission0" / name).write_text(text)
    assert answers(seat, 2) == [(7, 5), (7, 5)]
    seat.close()


@tiers()
def test_the_one_file_may_itself_be_named_like_ours(open_seat, tmp_path, tier):
    entrant = submission(tmp_path / "alice", "")
    (entrant.folder / "common.py").write_text(get_input("return len(__name__), go.size"))
    seat = seat_for(replace(entrant, entry="common.py"), tier)
    try:
        assert answers(seat) == [(len("common"), 5)]
    finally:
        seat.close()


# What goes wrong


@tiers()
def test_an_exception_is_a_crash_with_its_line_and_the_player_s_own_traceback(open_seat):
    seat = open_seat(
        """
        def think():
            return 1 // 0

        class MyPlayer:
            def get_input(self, go, piece_type):
                return think()
        """
    )
    found = fault(seat)
    assert found.termination is Termination.CRASH
    assert found.detail == "ZeroDivisionError: integer division or modulo by zero (my_player.py, line 3)"
    assert found.evidence.startswith('Traceback (most recent call last):\n  File "my_player.py", line 7, in get_input\n')
    assert found.evidence.endswith("ZeroDivisionError: integer division or modulo by zero")


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
        """, "import os, time"), game_cpu_seconds=0.5)  # fmt: skip
    found = fault(seat)
    assert found.termination is Termination.TIME_OUT
    assert "0.5 s of CPU" in found.detail


STARTS = [
    ("raise ValueError('no table')", "ValueError: no table (my_player.py, line 1)"),
    ("import time\ntime.sleep(100)", "the submission was not loaded within 0.8 s"),
    ("class Other:\n    pass", "expected a class MyPlayer in my_player.py, found Other"),
    ("class MyPlayer:\n    pass", "expected a method get_input"),
    ("class MyPlayer:\n    type = 'manual'\n    get_input = print", "nobody is at the keyboard"),
    ("class MyPlayer:\n    get_input = print\n    def __init__(self, name):\n        pass", "missing 1 required"),
    ("class MyPlayer:\n    get_input = print\n    def __init__(self):\n        while 1: pass", "not made within 0.8 s"),
    ("import sys\nsys.exit()", "it calls sys.exit()"),
    ("import os\nos._exit(0)", "its process ended"),
    ("def", "SyntaxError"),
]


@tiers()
@pytest.mark.parametrize(("source", "detail"), STARTS, ids=[case[1][:20] for case in STARTS])
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


# What it prints


@tiers()
def test_what_a_player_prints_is_returned_per_game_and_what_its_import_prints_is_not(open_seat):
    seat = open_seat(
        get_input("""
            print("move", go.n_move)
            os.write(2, b"\\x1b[2J caf\\xc3\\xa9\\n")
            return 0, 0
        """, "import os\nprint('import')"))  # fmt: skip
    for _ in range(2):
        seat.begin(spec(), 1)
        seat.answer(new_game(COURSE, 5), "")
        assert seat.end() == "[move 1]\nmove 0\n\\x1b[2J caf\\xe9\n"


@tiers()
def test_what_a_failing_import_prints_is_returned(open_seat):
    seat = open_seat("print('no table', end='')\nraise ValueError")
    with pytest.raises(PlayerFaultError):
        seat.begin(spec(), 1)
    assert seat.end() == "no table"


@tiers()
def test_of_a_flood_head_and_tail_are_kept(open_seat):
    seat = open_seat(get_input("print('first')\nfor _ in range(100):\n    print('x' * 65536)\nprint('last')\nreturn 0, 0"))
    seat.begin(spec(), 1)
    seat.answer(new_game(COURSE, 5), "")
    log = seat.end()
    assert log.startswith("[move 1]\nfirst\n")
    assert log.endswith("last\n")
    assert "bytes left out" in log
    assert len(log) < 3 << 12


# The seat itself


@tiers("T3", "T2")
def test_a_sandbox_has_a_user_of_its_own_and_no_rights(open_seat):
    seat = open_seat(get_input("""
        status = dict(line.split(":", 1) for line in open("/proc/self/status"))
        rights = [int(status[name], 16) for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")]
        return sum(rights), int(status["NoNewPrivs"]) + int(status["Seccomp"])
    """))  # fmt: skip
    assert answers(seat) == [(0, 3)]


@tiers()
def test_a_closed_seat_leaves_nothing_behind(open_seat):
    seat = open_seat(get_input("return 0, 0"))
    before = set(sandbox.leftovers())
    answers(seat)
    seat.close()
    seat.close()
    assert set(sandbox.leftovers()) <= before
    assert answers(seat) == [(0, 0)]


@tiers()
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_harness_takes_its_sandboxes_along(tier, tmp_path, how):
    source = get_input("if not os.fork():\n    os.setsid()\nwhile True:\n    time.sleep(0.01)", "import os, time")
    submission(tmp_path / "alice", source)
    code = (
        "import sys; from pathlib import Path; from tests.support.submissions import *\n"
        f"seat = seat_for(Entrant('alice', folder=Path({str(tmp_path / 'alice')!r})), {tier!r}, move_seconds=60.0)\n"
        "seat.begin(spec(), 1); print(seat._supervisor.sandbox._process.pid, flush=True); seat.answer(new_game(COURSE, 5), '')"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True) as harness:
        keeper = int(harness.stdout.readline())
        time.sleep(0.3)
        family = [keeper, *_descendants(keeper)]
        assert len(family) >= 4
        harness.send_signal(how)
        harness.wait()
    deadline = time.monotonic() + 100
    while any(_lives(pid) for pid in family) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert [pid for pid in family if _lives(pid)] == []
    sandbox.sweep()
    left = [path for path in sandbox.all_leftovers() if f"-{harness.pid}-" in path]
    assert left == []


def _descendants(pid):
    children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return [each for child in children for each in (child, *_descendants(child))]


def _lives(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def test_a_tier_that_does_not_exist_is_refused_with_the_choices():
    with pytest.raises(SandboxError, match="expected one of T3, T2, T1, T0 as a tier, got 'T9'"):
        sandbox.require("T9")


def test_the_best_tier_is_the_first_that_works():
    assert sandbox.require("T0") == sandbox.best_tier() == next(r.tier for r in sandbox.probe() if r.works)


def test_too_weak_a_sandbox_is_refused_and_says_what_is_missing(monkeypatch):
    monkeypatch.setattr(sandbox, "best_tier", lambda: "T0")
    monkeypatch.setattr(sandbox, "_try", lambda tier: sandbox.TierReport(tier, False, f"no {tier}"))
    with pytest.raises(SandboxError, match=r"at tier T2, but T0 is all there is here \(T3: no T3; T2: no T2; T1: no T1\)"):
        sandbox.require("T2")


def test_an_interpreter_that_is_none_is_refused(tmp_path):
    with pytest.raises(SandboxError, match="expected a Python interpreter"):
        sandbox.open_seat(submission(tmp_path, ""), LITTLEGO, 5, sandbox.Limits(), tier="T0", python="/bin/false")
