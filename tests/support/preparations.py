"""Whether a player that is prepared compiles nothing more in its moves."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# In a process of its own, where no other test has compiled anything.
_GAME = """
import gc, random, sys
from numba.core.registry import CPUDispatcher
from go import GO
from goban.game import judge_answer
from goban.rulesets import ruleset
from goban.states import new_game
from players.registry import prepare_player
from players.registry import make_player

def compiled():
    kernels = [one for one in gc.get_objects() if isinstance(one, CPUDispatcher)]
    return {(one.py_func.__qualname__, signature) for one in kernels for signature in one.signatures}

name, rules, size, rng = sys.argv[1], ruleset(sys.argv[2]), int(sys.argv[3]), random.Random(1)
player, state, shown = make_player(name, random.Random(1)), new_game(rules, size), GO(size, rules)
prepare_player(name, player, rules, size)
before = compiled()
assert len(before) > 5
while not state.is_over and state.n_move < size * size:
    GO.adopt_state(shown, state)
    move, complaint, _ = judge_answer(player.get_input(shown, state.to_move), state)
    assert not complaint, complaint
    # Its opponent plays at random, so that it meets games that are won and games that are lost.
    state = state.play(move)
    if not state.is_over:
        state = state.play(rng.choice(state.legal_moves()))
assert compiled() == before, compiled() - before
"""


def assert_prepared(name: str, rules: str, size: int) -> None:
    """Check, in a game against chance, that a player compiles all before its first move, and says so once or not at all."""
    game = [sys.executable, "-c", _GAME, name, rules, str(size)]
    done = subprocess.run(game, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"(\w+: compiling, once for this machine\.\.\.\n)?", done.stderr)
