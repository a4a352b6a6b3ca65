"""An engine in a process of its own, as controllers start it: bursts, hostile input, and nothing but answers on its output."""

import re
import signal
import subprocess
import sys

import pytest

from goban.points import parse_vertex
from goban.rulesets import PRESETS
from tests.support.go_play_runs import play
from tests.support.gtp import ROOT, start, start_in_vain, talk
from tests.support.missing import needs, no_package
from tests.support.waiting import PATIENCE

NUMBA = needs(no_package("numba"))
ANSWER = re.compile(r"(?:[=?][0-9]*(?: [^\n]+)?\n(?:[^\n]+\n)*\n)*")


def split(out):
    """Answers one by one; whatever is no answer fails."""
    assert ANSWER.fullmatch(out), out
    return out.split("\n\n")[:-1]


@pytest.mark.parametrize(
    "rules", [pytest.param(rules, marks=[pytest.mark.slow] * (rules not in ("course", "aga"))) for rules in PRESETS]
)
def test_a_burst_is_answered_in_order(rules):
    """As Sabaki begins: all that it wants to know, a position and its undos, without waiting for a single answer."""
    asked = "1 name\n2 version\n3 protocol_version\n4 list_commands\n5 komi 7.5\n6 boardsize 5\n7 clear_board\n"
    plays = "".join(f"{n} play {'bw'[n % 2]} {'ABCDE'[n % 5]}{1 + n // 5 % 5}\n" for n in range(10, 30))
    undos = "".join(f"{n} undo\n" for n in range(30, 52))
    text = asked + plays + undos + "60 genmove b\n61 genmove b\n62 quit\n63 name\n"
    status, out, err = talk(text, "random", "--rules", rules)
    found = split(out)
    assert (status, err) == (0, "")
    assert [int(re.match(r"[=?](\d+)", answer)[1]) for answer in found] == [*range(1, 8), *range(10, 52), 60, 61, 62]
    assert [answer for answer in found if "cannot undo" in answer] == ["?50 cannot undo", "?51 cannot undo"]


def test_a_player_that_knows_no_such_board_does_not_start():
    """Without --size the board is said later, and then there is no answer but that."""
    said = "player 'perfect': expected a board size from 2 to 5, got 9"
    assert start_in_vain("perfect", "--rules=course", "--size=9") == (2, "", f"gtp_engine: {said}\n")


HOSTILE = [
    b"",
    b"\n\n\n\r\n\r\r\n",
    b"\x00\x00\x00\n\xff\xfe\xfd\n",
    b"play\nplay b\nplay b b b\nplay b " + b"A" * 500 + b"\n",
    b"1" * 5000 + b" name\n",
    b"boardsize\nboardsize -1\nboardsize 99999999999999999999999\nboardsize 1e1\nboardsize \xd9\xa3\n",
    b"komi\nkomi nan\nkomi inf\nkomi 1e308\nkomi -1e308\nkomi " + b"9" * 400 + b"\n",
    b"play b \xe2\x91\xa0\nplay \xef\xbc\xa2 A1\ngenmove\ngenmove x\ngenmove b w\n",
    b"set_free_handicap " + b"A1 " * 5000 + b"\n",
    b"set_free_handicap\nset_free_handicap pass pass\nfixed_handicap -1\nplace_free_handicap 361\n",
    b"loadsgf\nloadsgf /\nloadsgf \xff\xfe\nloadsgf /dev/null\nloadsgf /nowhere/at all 3\nloadsgf a\x00b\n",
    b"loadsgf x 9999999999999\nloadsgf 3\nloadsgf 3 3\nloadsgf " + b"x" * 5000 + b"\n",
    b"time_settings a b c\ntime_left\ntime_left b nan 0\nkgs-time_settings\nset_random_seed -1\nset_random_seed 1e9\nlevel\n",
    b"__init__\n_play b A1\nself\ntable\nlist_commands; quit\n$(quit)\n",
    b"=12 name\n? name\n= C3\n\x1b[2Jname\n",
    b"lz-analyze\nlz-analyze b -1\nkata-analyze b 10 ownership\nanalyze avoid b A1 3\nlz-genmove_analyze \xff\n",
    b"final_status_list\nall_legal\nknown_command\nknown_command a b\nshowboard now\nundo 99\n",
    b"name # \xff\xff quit\n#quit\n # quit\n",
    b"a" * 3_000_000,
    b"name\n" * 3000,
]


@pytest.mark.slow
@pytest.mark.parametrize("data", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_input_gets_answers_and_nothing_else(data):
    status, out, err = talk(data + b"\n77 protocol_version", "random", "--rules=littlego")
    assert split(out)[-1] == "=77 2"
    assert (status, err.replace("gtp_engine: compiling, once for this machine...\n", "")) == (0, "")


def test_a_line_is_answered_before_the_next_one_is_sent():
    with start("random", flags=("-S",)) as engine:
        for _ in range(3):
            engine.stdin.write(b"protocol_version\r\n")
            engine.stdin.flush()
            assert [engine.stdout.readline(), engine.stdout.readline()] == [b"= 2\n", b"\n"]
        engine.stdin.close()
        assert engine.wait(PATIENCE) == 0


def test_the_simple_players_need_the_standard_library_alone():
    for name in ("random", "greedy", "naive", "my"):
        status, out, _ = talk("list_commands\ngenmove b\nloadsgf nowhere\n", name, "--rules=littlego", flags=("-S",))
        assert status == 0
        answers = split(out)
        assert re.fullmatch("= [A-E][1-5]", answers[1])
        assert answers[2].startswith("? cannot load file: ")
        assert not {"analyze", "lz-analyze", "kata-analyze"} & {*answers[0].split()}


@NUMBA
def test_what_analyses_is_loaded_when_it_is_asked():
    """A controller starts engines by the dozen; numba alone takes five times as long as the rest."""
    code = (
        "import sys; from goban.rulesets import ruleset; from players.gtp_engine.__main__ import Engine\n"
        "engine = Engine('greedy', ruleset('course'), 5, 1, lambda seconds: True)\n"
        "print('lz-analyze' in ''.join(engine.answer('list_commands')), ''.join(engine.answer('genmove b'))[0])\n"
        "print(sorted({'numba', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["True =", "[]"]


LOUD = """
import os, sys, subprocess
print("loading")
class MyPlayer:
    def get_input(self, go, piece_type):
        print("thinking")
        os.write(1, b"= C3\\n\\n")
        sys.__stdout__.write("= A1\\n\\n")
        sys.__stdout__.flush()
        subprocess.run([sys.executable, "-c", "print('= D4')"], check=True)
        assert sys.stdin.read() == "" and os.read(0, 10) == b""
        return 0, 1
"""


def test_what_a_player_prints_is_no_answer_and_commands_are_not_its_to_read(tmp_path):
    (tmp_path / "loud.py").write_text(LOUD)
    status, out, err = talk("1 genmove b\n2 name\n", "loud.py", folder=tmp_path)
    assert (status, out) == (0, "=1 B9\n\n=2 loud.py\n\n")
    # What comes through Python's own streams and what does not may change places.
    # It is loaded to be looked at, and for each colour.
    assert sorted(err.split()) == sorted(["loading"] * 3 + ["thinking", "=", "C3", "=", "A1", "=", "D4"])


def test_the_same_seed_gives_the_games_of_go_play(tmp_path):
    play("-p1=smart", "-p2=smart", "-t=1", "--rules=littlego", "--seed=9", f"--sgf={tmp_path}/g.sgf")
    moves = [point for _, point in re.findall(r";([BW])\[(\w*)\]", (tmp_path / "g.sgf").read_text())]
    _, out, _ = talk("genmove b\ngenmove w\n" * (len(moves) // 2), "smart", "--rules=littlego", "--seed=9")
    points = [parse_vertex(answer[2:], 5) for answer in split(out)]
    assert ["" if point is None else "abcde"[point[1]] + "abcde"[point[0]] for point in points] == moves


def test_the_end_of_the_input_ends_the_engine_once_all_is_answered():
    status, out, err = talk("genmove b\ngenmove w", "random")
    assert (status, err) == (0, "")
    assert len(split(out)) == 2


def test_nobody_reads_the_answers():
    engine = start("random")
    engine.stdout.close()
    with engine:
        _, err = engine.communicate(b"name\n" * 100, timeout=PATIENCE)
    assert b"Traceback" not in err
    assert b"Exception" not in err


def test_ctrl_c_ends_the_engine_without_a_traceback():
    with start("random") as engine:
        engine.stdin.write(b"name\n")
        engine.stdin.flush()
        assert engine.stdout.readline() == b"= random\n"
        engine.send_signal(signal.SIGINT)
        _, err = engine.communicate(timeout=PATIENCE)
    assert (engine.returncode, err) == (130, b"gtp_engine: stopped\n")


WRONG = [
    (("nobody",), "gtp_engine: expected a player (random, greedy"),
    (("manual",), "gtp_engine: expected a program, got manual"),
    (("random", "--size=20"), "gtp_engine: argument --size: expected a size from 2 to 19, got '20'"),
    (("random", "--rules=chess"), "gtp_engine: argument --rules: invalid choice: 'chess'"),
    (("nowhere.py",), "gtp_engine: player file 'nowhere.py' cannot be read: No such file or directory"),
    ((), "gtp_engine: the following arguments are required: PLAYER"),
]


@pytest.mark.parametrize(("arguments", "said"), WRONG)
def test_what_cannot_be_started_is_said_in_one_line(arguments, said):
    status, out, err = start_in_vain(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith(said)
    assert err.count("\n") == 1


# Analysis


def line_of(engine):
    return engine.stdout.readline().decode()


def send(engine, text):
    engine.stdin.write(text.encode())
    engine.stdin.flush()


@NUMBA
def test_an_analysis_ends_with_any_input_and_that_is_answered_next():
    with start("random", "--rules=littlego", "--size=3") as engine:
        for stop in ("7 protocol_version\n", "\n7 protocol_version\n", "# stop\n7 protocol_version\n"):
            send(engine, "5 lz-analyze b 1\n")
            assert line_of(engine) == "=5\n"
            assert line_of(engine).startswith("info move ")
            send(engine, stop)
            rest = []
            while (line := line_of(engine)) != "\n":
                rest.append(line)
            assert all(line.startswith("info move ") for line in rest)
            assert [line_of(engine), line_of(engine)] == ["=7 2\n", "\n"]
        send(engine, "6 kata-analyze 1\n")
        assert line_of(engine) == "=6\n"
        engine.stdin.close()
        assert engine.wait(PATIENCE) == 0


@pytest.mark.slow
@NUMBA
def test_a_hard_analysis_is_stopped_too():
    """The margins of the first moves on 5x5 take minutes."""
    _, out, _ = talk("kata-analyze b 1\nname\nlz-analyze w 1\nquit\n", "random", "--rules=littlego")
    assert [answer.partition("\n")[0] for answer in split(out)] == ["=", "= random", "=", "="]
