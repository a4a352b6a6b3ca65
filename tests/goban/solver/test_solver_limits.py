"""Threads and memory change no answer of a solver; too few nodes or too little time give unknown; and what it refuses."""

import itertools
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from goban.rulesets import ruleset
from goban.solver import engine
from goban.solver.book import no_book
from goban.solver.errors import BadBudgetError, BadPositionError, UnsupportedGameError
from goban.solver.solver import Solution, Solver
from goban.states import new_game, state_from_rows
from tests.support.solving import RULES, black_reaches, random_state

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("rules", RULES)
def test_answers_do_not_depend_on_threads_or_memory(rules, monkeypatch):
    """Of these questions some are answered before the calling thread hands its search on, and some are not."""
    monkeypatch.setattr(engine, "_BRIEF", 1000)
    rng, many, one = random.Random(f"threads {rules}"), Solver(64, threads=2), Solver(16)
    for _ in range(10):
        state = random_state(rules, 5, 13, rng)
        if state is not None:
            assert replace(many.best_moves(state), nodes=0) == replace(one.best_moves(state), nodes=0)


def test_a_solver_asked_about_another_game_forgets_the_last():
    solver = Solver(16)
    for rules, size in [("course", 3), ("littlego", 3), ("course", 4), ("course", 3)]:
        state = new_game(ruleset(rules), size)
        assert solver.margin(state).margin == Solver(16).margin(state).margin


@pytest.mark.parametrize("nodes", [0, 1, 1000])
def test_too_few_nodes_give_unknown(nodes):
    solver = Solver(16, book=no_book)
    for ask in (solver.best_moves, solver.line):
        solver.forget()
        found = ask(new_game(ruleset("course"), 5), nodes=nodes)
        assert replace(found, nodes=0) == Solution()
        assert found.nodes <= nodes + 30
    assert black_reaches(Solver(16, book=no_book), new_game(ruleset("course"), 5), 3, nodes=nodes) is None


@pytest.mark.parametrize("threads", [1, 2])
def test_no_time_gives_unknown(threads):
    ticks = itertools.count()
    solver = Solver(16, threads, clock=lambda: next(ticks), book=no_book)
    found = solver.winner(new_game(ruleset("course"), 5), seconds=3)
    assert (found.winner, found.margin) == (None, None)
    assert solver.winner(new_game(ruleset("course"), 3), seconds=1e9).winner == 2


def test_what_is_found_before_a_limit_is_kept():
    state = new_game(ruleset("course"), 3)
    enough = Solver(16).winner(state).nodes
    for ask in (Solver(16).best_moves, Solver(16).line):
        found = ask(state, nodes=enough + 10)
        assert (found.winner, found.margin, found.best_moves, found.line) == (2, None, (), ())


def test_other_games_are_refused_by_name():
    with pytest.raises(UnsupportedGameError, match="rules course or littlego, got 'mine'"):
        Solver(16).best_moves(new_game(replace(ruleset("course"), name="mine"), 5))
    with pytest.raises(UnsupportedGameError, match="size from 2 to 5, got 6"):
        Solver(16).best_moves(new_game(ruleset("aga"), 6))
    with pytest.raises(UnsupportedGameError, match="size from 2 to 5, got 6"):
        Solver(16).best_moves(new_game(ruleset("course"), 6))
    with pytest.raises(UnsupportedGameError, match=r"a komi of 2\.5 on 5x5, got 6\.5"):
        Solver(16).winner(new_game(replace(ruleset("littlego"), fixed_komi=6.5), 5))


def test_impossible_positions_are_refused():
    with pytest.raises(BadPositionError, match=r"a liberty, got none at \(0, 0\)"):
        Solver(16).best_moves(state_from_rows(ruleset("course"), [[1, 2], [2, 0]]))
    with pytest.raises(BadPositionError, match="empty, black or white"):
        Solver(16).best_moves(new_game(ruleset("course"), 2).with_(empty=0b0111))


def test_limits_that_make_no_sense_are_refused():
    with pytest.raises(BadBudgetError, match="16 to 262144 MiB of memory, got 15"):
        Solver(15)
    with pytest.raises(BadBudgetError, match="1 to 1024 threads, got 0"):
        Solver(16, threads=0)
    for limits in ({"nodes": -1}, {"seconds": -1.0}, {"seconds": float("nan")}):
        with pytest.raises(BadBudgetError, match="limits of 0 or more"):
            Solver(16).winner(new_game(ruleset("course"), 3), **limits)


def test_compiling_is_no_questions_time(monkeypatch):
    """A clock that runs for as long as kernels are compiled, and stands still otherwise, leaves a question all its time."""
    solver = Solver(16, clock=lambda: clock[0], book=no_book)
    clock, compile_kernels = [0.0], solver.engine._compile

    def slowly(state):
        clock[0] += 60
        compile_kernels(state)

    monkeypatch.setattr(solver.engine, "_compile", slowly)
    found = solver.winner(new_game(ruleset("course"), 4), seconds=20)
    assert found.winner is not None
    assert found.nodes > engine._FREE


READY = """
from goban.rulesets import ruleset
from goban.solver import engine
from goban.solver.solver import Solver
from goban.states import state_from_rows

rows = [[1, 0, 0, 0, 0], [0] * 5, [0] * 5, [0] * 5, [0, 0, 0, 0, 2]]
Solver(16).winner(state_from_rows(ruleset("course"), rows, 1, 20), nodes=0)
print(*[name for name, kernel in vars(engine).items() if getattr(kernel, "signatures", None) == []])
"""


def test_a_late_position_readies_the_kernels_for_every_question():
    """What a question in an early position, or for a move, needs is compiled or loaded then, not on that question's time."""
    done = subprocess.run([sys.executable, "-c", READY], cwd=ROOT, capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == {"dump", "value_of", "work_of"}
