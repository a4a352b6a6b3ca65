"""Objects that threads share answer one at a time: each of them is asked a second time from within an answer's clock."""

import copy
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest

import goban
from goban.common.turns import Turns
from golearn.alphazero.games import CompleteGame
from golearn.alphazero.planners import GumbelPlanner, PuctPlanner, uniform
from golearn.alphazero.small_games import TicTacToe

STATE = goban.new_game("course", 3).play("B2")


def are_taken(turns):
    """Whether another thread would have to wait now."""
    free = turns._lock.acquire(blocking=False)
    if free:
        turns._lock.release()
    return not free


class Seen:
    """Whether others had to wait, each time that the clock was read, or a state was evaluated, within an answer."""

    def __init__(self):
        self.waiting, self.turns = [], None

    def look(self):
        thread = threading.Thread(target=lambda: self.waiting.append(are_taken(self.turns)))
        thread.start()
        thread.join()

    def clock(self):
        self.look()
        return 0.0

    def evaluate(self, states, rows):
        self.look()
        return uniform(CompleteGame(TicTacToe()))(states, rows)


def planned(kind, seen):
    game = CompleteGame(TicTacToe())
    planner = kind(game, seen.evaluate, 4)
    states = game.states(1)
    states.put(0, game.initial_state())
    return planner, lambda: planner.plan(states, np.arange(1))


def asked(name):
    """An object, how to ask it, and what is seen meanwhile."""
    seen = Seen()
    if name in ("gumbel", "puct"):
        shared, ask = planned({"gumbel": GumbelPlanner, "puct": PuctPlanner}[name], seen)
    elif name in ("candidates", "best_move"):
        shared = goban.MonteCarlo(20, memory=1, clock=seen.clock)
        ask = lambda: getattr(shared, name)(STATE)  # noqa: E731
    else:
        shared = goban.Solver(16, clock=seen.clock)
        ask = lambda: getattr(shared, name)(STATE, seconds=1e9)  # noqa: E731
    seen.turns = shared._turns
    return shared, ask, seen


QUESTIONS = [
    "winner", "margin", "winning_moves", "winning_move", "best_moves", "line", "candidates", "best_move", "gumbel", "puct",
]  # fmt: skip


@pytest.mark.parametrize("name", QUESTIONS)
def test_others_wait_while_one_is_answered(name):
    shared, ask, seen = asked(name)
    ask()
    assert seen.waiting
    assert all(seen.waiting)
    assert not are_taken(shared._turns)


def test_a_solver_that_threads_share_answers_all_of_them():
    """The states are of different games, each of which makes it forget the others."""
    solver = goban.Solver(16)
    states = [STATE, goban.new_game("course", 4).play("B2").play("C3"), goban.new_game("littlego", 3).play("B2")]
    wanted, found = [solver.winner(state).winner for state in states], []

    def ask(number):
        found.extend((number, solver.winner(states[number]).winner) for _ in range(10))

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [(number, wanted[number]) for number in range(3) for _ in range(10)]


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda it: pickle.loads(pickle.dumps(it))])
def test_a_copy_is_nobodys_turn(way):
    turns = Turns()
    with turns:
        with turns:  # the same thread goes on
            pass
        assert not are_taken(way(turns))


FORKED = """
import os, threading
from goban.common.turns import Turns

turns, held, over = Turns(), threading.Event(), threading.Event()

def hold():
    with turns:
        held.set()
        over.wait()

thread = threading.Thread(target=hold)
thread.start()
held.wait()
child = os.fork()
if child == 0:
    with turns:
        os._exit(7)
over.set()
thread.join()
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
def test_a_forked_process_does_not_wait_for_a_thread_of_its_parent():
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", FORKED], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("7\n", "")
