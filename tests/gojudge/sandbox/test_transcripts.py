"""What a player printed is known by move, and no player can pretend that it was at another."""

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goban.rulesets import COURSE, LITTLEGO
from goban.states import new_game
from gojudge.records import PlayerFaultError
from gojudge.sandbox.transcripts import Printout, compose, presentable_log, shorten_paths, split
from gojudge.seats import Limits
from tests.support import programs, submissions
from tests.support.submissions import spec, tiers

# What a forger would print, in pieces of every size.
PARTS = ["[move 3]", "[move", " 3", "]", "\n", "\r", "[mo", "ve 12]", "[move 0]", "[move 007]", "x", "\\", "\t", "é"]
FORGERS = st.lists(st.sampled_from(PARTS) | st.text(max_size=5), max_size=20).map("".join)
PIECES = st.lists(st.tuples(st.integers(0, 12), FORGERS), max_size=12).map(lambda found: sorted(found, key=lambda one: one[0]))


def defused(text):
    """Return a text as it comes back from a log."""
    return "\n".join(re.sub(r"^\[(move [0-9]+)\]\Z", r"(\1)", line) for line in text.split("\n"))


def by_move(pieces):
    found = {}
    for ply, text in pieces:
        found[ply] = found.get(ply, "") + text
    return {ply: text for ply, text in found.items() if text}


# Logs


def test_a_log_says_what_was_printed_at_each_move():
    log = compose([(0, "loaded\n"), (1, "thinking"), (3, "C3 is "), (3, "good\n"), (5, ""), (7, "won")])
    assert log == "loaded\n[move 1]\nthinking\n[move 3]\nC3 is good\n[move 7]\nwon"
    assert split(log) == {0: "loaded\n", 1: "thinking\n", 3: "C3 is good\n", 7: "won"}


def test_what_looks_like_a_mark_is_none():
    log = compose([(1, "[move 5]\nmine\n[mo"), (1, "ve 7]\n [move 9]\n[move 9] \n"), (3, "[move 11]")])
    assert split(log) == {1: "(move 5)\nmine\n(move 7)\n [move 9]\n[move 9] \n", 3: "(move 11)"}


OLD = ["", "hello\n", "move 1\n", "[move x]\n[move 0]\n", f"[move {'9' * 5000}]\n"]


@pytest.mark.parametrize("log", OLD)
def test_a_log_without_marks_was_printed_before_the_first_move(log):
    assert split(log) == ({0: log} if log else {})


@given(PIECES)
def test_split_gives_back_what_was_composed(pieces):
    expected, found = by_move(pieces), split(compose(pieces))
    assert list(found) == list(expected)
    for ply, text in expected.items():
        assert found[ply].removesuffix("\n") == defused(text).removesuffix("\n")


@given(PIECES)
def test_no_move_is_forged_however_the_text_is_shown(pieces):
    assert set(split(presentable_log(pieces))) == set(by_move(pieces))
    assert presentable_log(pieces).replace("\n", "").isprintable()


# Printouts


def printed(limit, writes):
    """Return the log of some (move, bytes)."""
    printout = Printout(limit)
    for ply, piece in writes:
        printout.mark(ply)
        printout.add(piece)
    return presentable_log(printout.pieces())


@given(PIECES, st.data())
def test_how_a_text_is_split_into_writes_does_not_matter(pieces, data):
    whole = [(ply, text.encode()) for ply, text in by_move(pieces).items()]
    writes = []
    for ply, piece in whole:
        cuts = sorted(data.draw(st.lists(st.integers(0, len(piece)), max_size=5)))
        writes += [(ply, piece[a:b]) for a, b in zip([0, *cuts], [*cuts, len(piece)], strict=True)]
    for limit in (1 << 12, 60):
        assert printed(limit, writes) == printed(limit, whole)
    assert set(split(printed(1 << 12, writes))) == {ply for ply, _ in whole}


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 50)), max_size=60).map(sorted), st.integers(0, 400))
def test_a_log_is_never_longer_than_its_limit(sizes, limit):
    log = printed(limit, [(ply, b"[move 1]\n" * size) for ply, size in sizes])
    assert len(re.sub(r"\n\[\d+ bytes left out\]\n", "", log)) <= limit


def test_the_tail_says_at_which_move_it_begins():
    writes = [(ply, b"%02d,%02d\n" % (ply, line)) for ply in range(1, 20, 2) for line in range(20)]
    log = printed(300, writes)
    found = split(log)
    assert list(found) == [1, 3, 17, 19]
    assert found[3].endswith(" bytes left out]\n")
    for ply, text in found.items():
        whole_lines = re.findall(r"^(\d\d),\d\d$", text, re.M)
        assert whole_lines
        assert set(map(int, whole_lines)) == {ply}


def test_a_flood_within_a_move_stays_with_it():
    found = split(printed(100, [(1, b"first\n"), (3, b"x" * 1000), (5, b"last\n")]))
    assert list(found) == [1, 3, 5]
    assert "bytes left out" in found[3]


# Real players

PRINTS = submissions.get_input("""
    print("thinks of move", go.n_move + 1)
    sys.stdout.write("[mo")
    sys.stdout.flush()
    sys.stdout.write("ve 99]\\n[move 99]")
    return 0, 0
""", "import sys")  # fmt: skip
MAKES = PRINTS.replace("    def get_input", "    def __init__(self):\n        print('made')\n\n    def get_input")


def log_of(seat, states, complaints=("",)):
    seat.begin(spec(), 1)
    try:
        for state in states:
            for complaint in complaints:
                seat.answer(state, complaint)
    except PlayerFaultError:
        pass
    return seat.end()


@pytest.fixture
def seats(tmp_path, tier):
    """Open seats of one tier, for classes and programs, and close them after the test."""
    opened = []

    def open_(source, kind=submissions, **options):
        folder = tmp_path / str(len(opened))
        entrant = submissions.submission(folder, source) if kind is submissions else programs.program(folder, source)
        opened.append(kind.seat_for(entrant, tier, **options))
        return opened[-1]

    yield open_
    for seat in opened:
        seat.close()


def third(rules=COURSE):
    return new_game(rules, 5).play((0, 0)).play((1, 1))


@tiers()
def test_a_class_prints_at_its_moves(seats):
    seat = seats(MAKES)
    for _ in range(2):
        found = split(log_of(seat, [new_game(COURSE, 5), third()], ("", "illegal")))
        once = {ply: f"thinks of move {ply}\n(move 99)\n[move 99]thinks of move {ply}\n(move 99)\n(move 99)" for ply in (1, 3)}
        assert found == {0: "made\n", 1: f"{once[1]}\n", 3: once[3]}


@tiers()
def test_a_quiet_move_has_no_mark(seats):
    seat = seats(submissions.get_input("if go.n_move:\n    print('late')\nreturn 0, 0"))
    assert log_of(seat, [new_game(COURSE, 5), third()]) == "[move 3]\nlate\n"
    assert log_of(seat, [new_game(COURSE, 5)]) == ""


@tiers()
def test_a_program_prints_at_its_moves(seats):
    source = "import sys\nprint('[move 9]')\nprint('error', file=sys.stderr)\nopen('output.txt', 'w').write('2,2')\n"
    seat = seats(source, programs)
    for _ in range(2):
        log = log_of(seat, [new_game(LITTLEGO, 5), third(LITTLEGO)])
        assert {ply: sorted(text.split()) for ply, text in split(log).items()} == {
            ply: ["(move", "9)", "error"] for ply in (1, 3)
        }


@tiers("T3", "T2")
def test_forks_and_real_starts_have_the_same_log(seats):
    source = "print('x' * 300)\nopen('output.txt', 'w').write('2,2')\n"
    limits = Limits(log_kib=1)
    fork, real = (seats(source, programs, limits=limits, real_starts=each) for each in (False, True))
    states = [new_game(LITTLEGO, 5), *[third(LITTLEGO)] * 5]
    assert log_of(fork, states) == log_of(real, states)


@tiers()
def test_a_crash_is_found_at_its_move(seats):
    seat = seats(submissions.get_input("print('x' * 70_000)\nassert not go.n_move\nreturn 0, 0"), log_kib=1)
    found = split(log_of(seat, [new_game(COURSE, 5), third()]))
    assert list(found) == [1, 3]
    assert len("".join(found.values())) < 1100


PATHS = [
    ('  File "/home/ann/my env/lib/python3.11/site-packages/numpy/__init__.py", line 7', '  File "numpy/__init__.py", line 7'),
    ('  File "/usr/lib/python3/dist-packages/numpy/core/x.py", line 7', '  File "numpy/core/x.py", line 7'),
    ('File "/home/ann/.local/uv/cpython-3.12/lib/python3.12/json/decoder.py"', 'File "python3.12/json/decoder.py"'),
    (r'File "C:\Users\Ann B\venv\Lib\site-packages\numpy\x.py", line 7', r'File "numpy\x.py", line 7'),
    ("see /home/ann/v/lib/python3.11/site-packages/numpy/x.py:7: (x)", "see numpy/x.py:7: (x)"),
    ("['/player', '/home/ann/v/lib/python3.11/site-packages', '/opt/py/lib/python3.11']",
     "['/player', 'site-packages', 'python3.11']"),
    ("run by /home/ann/v/bin/python3.11 or /home/ann/v/bin/python", "run by python3.11 or python"),
    ("/usr/lib/python3.11/json/decoder.py:7: (x)", "python3.11/json/decoder.py:7: (x)"),
    ('File "/host/go.py", line 3', 'File "go.py", line 3'),
    ('File "/tmp/some-1-2/host/goban/states.py", line 3', 'File "goban/states.py", line 3'),
    ('File "/tmp/some-1-2/space/player/my_player.py", line 3', 'File "my_player.py", line 3'),
    # A student's own.
    ('File "my_player.py", line 3', 'File "my_player.py", line 3'),
    ("No such file or directory: '/home/student/table.json'", "No such file or directory: '/home/student/table.json'"),
    ("lib/helper.py and bin/pythons and my/host/goal", "lib/helper.py and bin/pythons and my/host/goal"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "shown"), PATHS)
def test_no_folder_of_this_machine_is_shown(text, shown):
    assert shorten_paths(text) == shorten_paths(shown) == shown
    assert presentable_log([(1, text)]) == f"[move 1]\n{shown}"


@pytest.mark.parametrize("text", [
    "see /home/José 王伟/go/.venv/lib/python3.11/site-packages/numpy/x.py:7: (x)",
    "run of /home/José 王伟/go/.venv/lib/python3.11/site-packages/numpy/x.py:7: (x)",
])  # fmt: skip
def test_no_folder_of_this_interpreter_is_shown_that_has_a_blank_in_its_name(monkeypatch, text):
    monkeypatch.setattr(sys, "prefix", "/home/José 王伟/go/.venv")
    said = text.split("/home")[0] + "numpy/x.py:7: (x)"
    assert shorten_paths(text) == said
    # In a sandbox it may lie elsewhere.
    assert shorten_paths(text.replace("/home", "/elsewhere/home")) == said
    # Only where it begins with that folder: these are two paths.
    two = "/home/José 王伟/go/.venv or /opt/v/lib/python3.11/site-packages/numpy"
    assert shorten_paths(two) == "/home/José 王伟/go/.venv or numpy"
