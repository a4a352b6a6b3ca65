"""gtp:COMMAND in go_play.py: whole games, what goes wrong in one line, and nothing left behind."""

import random
import shlex
import subprocess
import sys

import pytest

from go import GO
from goban.moves import RESIGN
from goban.rulesets import AGA, COURSE, LITTLEGO
from players.errors import BadPlayerError
from players.registry import make_player
from tests.support.engines import PYTHON, ROOT, SHELVED, with_gnugo


def command(name):
    return "gtp:" + shlex.join([PYTHON, "-S", "-B", str(SHELVED / name / "engine.py")])


@pytest.fixture
def player_of(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(SHELVED))
    made = []

    def make(name):
        made.append(make_player(command(name), random.Random(1)))
        return made[-1]

    yield make
    for player in made:
        player.close()


class Noted:
    """Plays the first legal point from the end, and passes after some moves where it may."""

    def get_input(self, go, piece_type):
        points = [(i, j) for i in range(go.size) for j in range(go.size)]
        return next((p for p in reversed(points) if go.valid_place_check(*p, piece_type, test_check=True)), "PASS")


@pytest.mark.parametrize("rules", [AGA, LITTLEGO, COURSE], ids=lambda rules: rules.name)
@pytest.mark.parametrize("engine_first", [True, False])
def test_an_engine_plays_whole_games_on_one_process(player_of, rules, engine_first):
    engine, other = player_of("plain"), Noted()
    for _ in range(2):
        go = GO(5, rules)
        go.play(*((engine, other) if engine_first else (other, engine)))
        assert not go.record.outcome.ending.is_forfeit, go.record.outcome.detail
        assert len(go.record.moves) > 15


def test_an_engine_is_told_a_position_that_it_has_not_seen(player_of):
    engine = player_of("plain")
    go = GO(5, AGA)
    for move in ((0, 0), (0, 1), (4, 4), (0, 2)):
        go.adopt_state(go.position(1 + go.n_move % 2).play(move))
    assert engine.get_input(go, 1) == (0, 3)
    # Its own move was not made, and another stone is there: all is told anew.
    go.adopt_state(go.position(1).play((0, 4)).play((0, 3)))
    assert engine.get_input(go, 1) == (1, 0)


def test_an_engine_may_resign_where_the_rules_know_no_resigning(player_of):
    go = GO(5, COURSE)
    assert go.play(player_of("resigns_under_course"), Noted()) == 2
    assert go.record.moves[-1] is RESIGN


FAULTS = [
    ("refuses_size", "it answers 'boardsize 5' with '? unacceptable size'"),
    ("crashes_in_game", "the engine has ended, without an answer to 'genmove b'"),
    ("fails_to_move", "it answers genmove b with '? out of ideas'"),
    ("unreadable_vertex", "expected a vertex like 'B4' or 'pass', got 'I9'"),
    ("wrong_id", "'genmove b', with id"),
    ("refuses_legal_move", "which aga allows, with '? illegal move': is its ko rule another"),
    ("floods_stdout", "wrote 1001 lines and no answer"),
    ("occupied_point", "illegal move A5: the point is occupied"),
]


@pytest.mark.parametrize(("name", "said"), FAULTS)
def test_an_engine_that_fails_in_a_game_forfeits_it_and_the_reason_is_said(player_of, name, said):
    go = GO(5, AGA)
    assert go.play(player_of(name), Noted()) == 2
    assert said in go.record.outcome.detail


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gtp:", "expected an engine as gtp:COMMAND, got 'gtp:'"),
        ("gtp:'a", "expected an engine as gtp:COMMAND"),
        ("gtp:no-such-engine --x", "engine 'no-such-engine' cannot be started: No such file or directory"),
        (f"gtp:{PYTHON} -c ''", "has ended, without an answer to 'list_commands'"),
    ],
)
def test_what_is_no_engine_is_said_in_one_line(name, said):
    with pytest.raises(BadPlayerError, match=said) as caught:
        make_player(name, random.Random(1))
    assert "\n" not in str(caught.value)


def go_play(*words):
    return subprocess.run([sys.executable, "-S", "go_play.py", *words], cwd=ROOT, capture_output=True, text=True)


def test_our_own_engine_plays_in_go_play_with_nothing_installed():
    engine = f"gtp:{shlex.quote(sys.executable)} -S -m players.gtp_engine random --rules aga --size 5"
    done = go_play("-p1", engine, "-p2=greedy", "--rules=aga", "-n=5", "-t=2", "--seed=3")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert done.stdout.startswith("Black player (X) | Wins:")
    assert go_play("-p1", engine, "-p2=greedy", "--rules=aga", "-n=5", "-t=2", "--seed=3").stdout == done.stdout


@pytest.mark.slow
@with_gnugo
def test_gnu_go_plays_and_wins():
    engine = "gtp:gnugo --mode gtp --level 1 --chinese-rules --capture-all-dead --positional-superko"
    done = go_play("-p1", engine, "-p2=random", "--rules=tromp-taylor", "-t=2", "--seed=1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "Black player (X) | Wins:100.0%" in done.stdout
