"""The engine under Sabaki's own controller, a second opinion on the protocol."""

import json
import random
import subprocess
import sys
from dataclasses import replace

import pytest

from goban.diagrams import diagram
from goban.points import parse_vertex, vertex
from goban.rulesets import ruleset
from goban.sgf import sgf_of, write_sgf
from goban.solver.sgf_files import read_game
from goban.solver.solver import Solver
from goban.states import new_game
from players.gtp_engine.seats import Seats
from tests.support.gtp import ROOT
from tests.support.missing import no_clone, no_node_module, no_package, node_environment, skip_if
from tests.support.sgf_files import LETTERS, random_game
from tests.support.waiting import PATIENCE

POSITIONS = 50


@pytest.fixture(scope="module", autouse=True)
def sabaki():
    skip_if(no_node_module("@sabaki/gtp"))


def positions(rules, seed, sizes=(5, 9, 13)):
    """Positions of random games as files hold them, some one after the other in the same game, backwards too."""
    rng = random.Random(seed)
    found = []
    while len(found) < POSITIONS:
        size = rng.choice(sizes)
        record = random_game(rules, size, rng.randrange(10**9))
        game = read_game(write_sgf(sgf_of(record, "a", "b")).encode())
        for _ in range(rng.randint(1, 4)):
            found.append((size, game.moves[: rng.randint(0, min(len(game.moves), 80))]))
    return found[:POSITIONS]


def under_sabaki(asked, *arguments, script="sabaki.js"):
    words = ["node", ROOT / "tests/players/gtp_engine" / script, sys.executable, "-m", "players.gtp_engine", *arguments]
    environment = {**node_environment(), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, input=json.dumps(asked), env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def reached(rules, size, moves):
    state = new_game(ruleset(rules) if isinstance(rules, str) else rules, size)
    for move in moves:
        state = state.play(move.move)
    return state


def asked_for(size, moves):
    history = [[LETTERS[move.colour].upper(), vertex(move.move, size)] for move in moves]
    return {"size": size, "komi": size / 2, "colour": "bw"[len(moves) % 2], "history": history}


@pytest.mark.parametrize("rules", ["aga", "littlego"])
def test_fifty_positions_of_random_games(rules):
    given = positions(rules, 20)
    asked = [asked_for(size, moves) for size, moves in given]
    told = under_sabaki(asked, "random", "--rules", rules, "--seed=1")
    assert told["begun"][:3:2] == ["random", "2"]
    assert "undo" in told["sent"]
    for (size, moves), answer in zip(given, told["found"], strict=True):
        state = reached(rules, size, moves)
        assert answer["board"].strip() == diagram(state.rows(), state.last_point).strip()
        if not state.is_over:
            assert state.why_illegal(parse_vertex(answer["move"], size)) is None
    if rules == "littlego" and not no_package("numba"):
        *lines, stopped = told["info"]
        assert lines
        assert stopped == "2"


# What Sabaki shows of an analysis: variations with their win rates, and as the position's win rate the highest of them


@pytest.fixture
def parser():
    skip_if(no_node_module("@sabaki/go-board"))
    skip_if(no_clone("SABAKI", "src/modules/analysis.js", "https://github.com/SabakiHQ/Sabaki"))
    skip_if(no_package("numba"))


def percents(share, command):
    """A win rate as Sabaki keeps it, as exactly as the dialect tells it."""
    return pytest.approx(100 * share, abs=0.0001 if command.startswith("kata") else 0.01)


@pytest.mark.parametrize("command", ["lz-genmove_analyze", "kata-genmove_analyze"])
def test_fifty_positions_that_were_searched(parser, command):
    name = "montecarlo:simulations=300,reuse=no,resign=no"
    given = [(size, moves) for size, moves in positions("aga", 21, (5, 9, 13, 19)) if not reached("aga", size, moves).is_over]
    asked = [{**asked_for(size, moves), "moves": 999} for size, moves in given]
    told = under_sabaki({"command": command, "positions": asked}, name, "--rules=aga", "--seed=1", script="sabaki_analysis.js")
    seats = Seats(name, 1)
    for (size, moves), answer in zip(given, told, strict=True):
        state = reached(replace(ruleset("aga"), fixed_komi=size / 2), size, moves)
        best = seats.ask(state)
        found = seats.found(state.to_move)
        searched = {vertex(one.move, size): one for one in found if one.move is not None}
        enough = max(2, max(one.visits for one in found) / 100)
        assert parse_vertex(answer["play"], size) == best
        # The wins that are proven, too.
        shown = {one["vertex"] for one in answer["variations"]}
        known = {name for name, one in searched.items() if one.visits >= enough or one.least is None}
        # A line ends before 4 KB: then the least visited are left out.
        visits = {name: one.visits for name, one in searched.items()}
        assert shown <= known
        assert all(len(shown) > 30 and visits[name] <= min(map(visits.get, shown)) for name in known - shown)
        for one in answer["variations"]:
            known = searched[one["vertex"]]
            assert (one["visits"], one["winrate"]) == (known.visits, percents(known.winrate, command))
            assert one["scoreLead"] == (known.lead if command.startswith("kata") else None)
        if best is not None:
            assert answer["graph"] == pytest.approx(100 * searched[vertex(best, size)].winrate, abs=10)


@pytest.mark.parametrize("command", ["analyze", "kata-analyze"])
def test_fifty_positions_that_are_solved(parser, command):
    given = [(size, moves[:6]) for size, moves in positions("littlego", 22, (3,))]
    given = [(size, moves) for size, moves in given if not reached("littlego", size, moves).is_over]
    states = [reached("littlego", size, moves) for size, moves in given]
    asked = [{**asked_for(*one), "moves": len(state.legal_moves())} for one, state in zip(given, states, strict=True)]
    shown = under_sabaki({"command": command, "positions": asked}, "random", "--rules=littlego", script="sabaki_analysis.js")
    solver = Solver(16)
    for state, answer in zip(states, shown, strict=True):
        rates = {state.to_move: 100, 0: 50}
        truth = {vertex(move, 3): rates.get(solver.winner(state.after(move)).winner, 0) for move in state.legal_moves() if move}
        assert {one["vertex"]: one["winrate"] for one in answer["variations"]} == truth
        assert answer["graph"] == max(truth.values())
