"""Getting ready: what a player compiles is compiled before its first move, and changes none of its moves."""

import random

import pytest

from go import GO
from go_play import Match, parser
from goban.rulesets import ruleset
from players.gtp_engine.__main__ import Engine
from players.montecarlo_player import MonteCarloPlayer
from players.registry import make_player, prepare_player, tell_compilation
from tests.support.missing import needs, no_package
from tests.support.preparations import assert_prepared

pytestmark = needs(no_package("numba"))
COURSE = ruleset("course")


@pytest.mark.parametrize(
    ("name", "rules", "size"),
    [
        ("perfect", "course", 5),
        pytest.param("perfect", "littlego", 4, marks=pytest.mark.slow),
        pytest.param("championship", "course", 4, marks=pytest.mark.slow),
        pytest.param("montecarlo:simulations=200", "course", 5, marks=pytest.mark.slow),
        ("montecarlo:simulations=200,exact=0,threads=2", "aga", 5),
        pytest.param("montecarlo:simulations=200,uct=gnugo", "tromp-taylor-strict", 5, marks=pytest.mark.slow),
    ],
)
def test_nothing_is_compiled_in_a_move(name, rules, size):
    assert_prepared(name, rules, size)


@pytest.mark.parametrize("name", ["perfect", "championship", "montecarlo:simulations=300,exact=3"])
def test_who_is_ready_plays_the_same_moves(name):
    answers = []
    for ready in (True, False):
        player, shown = make_player(name, random.Random(3)), GO(3, COURSE)
        if ready:
            prepare_player(name, player, COURSE, 3)
        answers.append([])
        while shown.n_move < 6:
            answers[-1].append(player.get_input(shown, 1 + shown.n_move % 2))
            GO.adopt_state(shown, shown.position(1 + shown.n_move % 2).play(answers[-1][-1]))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("name", ["championship", "montecarlo", "perfect"])
def test_games_that_the_solver_does_not_know_need_no_solver(name, monkeypatch):
    monkeypatch.setattr("goban.solver.engine.Engine._compile", None)
    prepare_player(name, make_player(name, random.Random(1)), ruleset("aga"), 5)


class Visitor:
    """A player of somebody who knows nothing of ours."""

    def __getattr__(self, name):
        raise KeyError(name)


@pytest.mark.parametrize("name", ["visitor.py", "visitor:Player", "my", "MY", "gtp:gnugo --mode gtp"])
def test_a_visitor_and_a_students_my_player_are_left_alone(name):
    prepare_player(name, Visitor(), COURSE, 5)


def compiling(*_):
    """Here a kernel has to be compiled, whatever other tests have left in the cache."""
    from numba.core import event

    for _ in range(2):
        event.start_event("numba:compile")
        event.end_event("numba:compile")


def test_compiling_is_said_in_one_line(monkeypatch, capsys):
    player = make_player("perfect", random.Random(1))
    monkeypatch.setattr(player.solver, "prepare", compiling)
    with tell_compilation("outer"):
        prepare_player("perfect", player, COURSE, 5)
        compiling()
    assert capsys.readouterr().err == "perfect: compiling, once for this machine...\n"


def test_the_outer_of_two_says_what_comes_after_the_inner_one(capsys):
    with tell_compilation("outer"):
        with tell_compilation("inner"):
            pass
        compiling()
    assert capsys.readouterr().err == "outer: compiling, once for this machine...\n"


def test_an_engine_gets_its_players_ready_for_every_new_board(monkeypatch):
    prepared = []
    monkeypatch.setattr(MonteCarloPlayer, "prepare", lambda self, rules, size: prepared.append((rules.name, size)))
    engine = Engine("montecarlo", ruleset("aga"), 19, 1, lambda seconds: False)
    for line, boards in (("boardsize 9", 2), ("komi 7", 2), ("clear_board", 4)):
        assert "".join(engine.answer(line)) == "=\n\n"
        # Whoever asks the players waits for what goes on in a thread.
        engine._seats.wait_until_ready()
        assert prepared == [("aga", 9)] * boards


def test_go_play_gets_both_of_its_players_ready(monkeypatch):
    prepared = []
    monkeypatch.setattr(MonteCarloPlayer, "prepare", lambda self, rules, size: prepared.append((rules.name, size)))
    words = ["-p1=montecarlo", "-p2=montecarlo", "--rules=aga", "-n=7"]
    Match(parser().parse_args(words), seed=1)
    assert prepared == [("aga", 7)] * 2
