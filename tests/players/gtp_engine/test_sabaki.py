"""The engine under Sabaki's own controller, a second opinion on the protocol."""

import json
import random
import subprocess
import sys

import pytest

from goban.diagrams import diagram
from goban.points import parse_vertex, vertex
from goban.rulesets import ruleset
from goban.sgf import sgf_of, write_sgf
from goban.states import new_game
from search.sgf_files import read_game
from tests.support.gtp import ROOT
from tests.support.missing import no_node_module, no_package, node_environment, skip_if
from tests.support.sgf_files import LETTERS, random_game
from tests.support.waiting import PATIENCE

POSITIONS = 50


@pytest.fixture(scope="module", autouse=True)
def sabaki():
    skip_if(no_node_module("@sabaki/gtp"))


def positions(rules, seed):
    """Positions of random games as files hold them, some one after the other in the same game, backwards too."""
    rng = random.Random(seed)
    found = []
    while len(found) < POSITIONS:
        size = rng.choice((5, 9, 13))
        record = random_game(rules, size, rng.randrange(10**9))
        game = read_game(write_sgf(sgf_of(record, "a", "b")).encode())
        for _ in range(rng.randint(1, 4)):
            found.append((size, game.moves[: rng.randint(0, min(len(game.moves), 80))]))
    return found[:POSITIONS]


def under_sabaki(asked, *arguments):
    words = ["node", ROOT / "tests/players/gtp_engine/sabaki.js", sys.executable, "-m", "players.gtp_engine", *arguments]
    environment = {**node_environment(), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, input=json.dumps(asked), env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("rules", ["aga", "littlego"])
def test_fifty_positions_of_random_games(rules):
    given = positions(rules, 20)
    asked = [
        {"size": size, "komi": size / 2, "colour": "bw"[len(moves) % 2],
         "history": [[LETTERS[move.colour].upper(), vertex(move.move, size)] for move in moves]}
        for size, moves in given
    ]  # fmt: skip
    told = under_sabaki(asked, "random", "--rules", rules, "--seed=1")
    assert told["begun"][:3:2] == ["random", "2"]
    assert "undo" in told["sent"]
    for (size, moves), answer in zip(given, told["found"], strict=True):
        state = new_game(ruleset(rules), size)
        for move in moves:
            state = state.play(move.move)
        assert answer["board"].strip() == diagram(state.rows(), state.last_point).strip()
        if not state.is_over:
            assert state.why_illegal(parse_vertex(answer["move"], size)) is None
    if rules == "littlego" and not no_package("numba"):
        *lines, stopped = told["info"]
        assert lines
        assert stopped == "2"
