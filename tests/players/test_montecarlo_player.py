"""montecarlo: legal under all rules, the same moves from the same seed, options, and what GTP asks of it."""

import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from go import GO
from goban.diagrams import parse_diagram
from goban.grids import BLACK, WHITE
from goban.moves import PASS
from goban.rulesets import PRESETS, Ending, ruleset
from goban.solver.candidates import Candidate
from goban.states import new_game, state_from_rows
from players import montecarlo_player
from players.errors import BadPlayerError
from players.registry import make_player
from tests.support.missing import needs, no_package
from tests.support.states import play_some

pytestmark = needs(no_package("numba"))
ROOT = Path(__file__).parents[2]


def player(options="simulations=200,memory=8", seed=1):
    return make_player(f"montecarlo:{options}" if options else "montecarlo", random.Random(seed))


def host(state):
    go = GO(state.grid.size, state.rules)
    go.adopt_state(state)
    return go


@pytest.mark.parametrize("size", [2, 4, 5])
@pytest.mark.parametrize("rules", PRESETS)
def test_whole_games_are_legal_and_end_under_all_rules(rules, size):
    for seed in range(3):
        go = GO(size, ruleset(rules))
        players = player("simulations=60,memory=1,exact=4", seed), make_player("random", random.Random(seed))
        go.play(*(players if seed % 2 else players[::-1]))
        assert go.record.outcome.ending not in (Ending.ILLEGAL_MOVE, Ending.INVALID_ANSWER), go.record.outcome.detail


def test_a_ko_is_not_retaken_though_a_host_does_not_say_what_was_played_last():
    go = GO(5, ruleset("course"))
    for seed in range(12):
        go.play(player("simulations=30,memory=1,exact=0", seed), make_player("greedy", random.Random(seed)))
        assert not go.record.outcome.ending.is_forfeit, go.record.outcome.detail


@pytest.mark.parametrize("rules", ["course", "littlego", "tromp-taylor"])
def test_it_beats_those_who_do_not_think(rules):
    for seed, opponent in enumerate(("greedy", "random")):
        go = GO(5, ruleset(rules))
        assert go.play(player("simulations=500,memory=8", seed), make_player(opponent, random.Random(seed))) == BLACK


TIED = """
    . X O . .
    X X O O .
    . X O . .
    X X O O .
    . X O . O
"""


@pytest.mark.parametrize(("to_move", "passes"), [(WHITE, True), (BLACK, False)])
def test_a_tie_that_the_rules_give_to_white_is_taken_by_white_and_left_by_black(to_move, passes):
    """Black has 10 points, White 15."""
    rules = replace(ruleset("tromp-taylor-pgx"), fixed_komi=-5.0)
    state = state_from_rows(rules, parse_diagram(TIED), 3 - to_move).play(PASS)
    assert state.leader() == WHITE
    answer = player("simulations=500,memory=1").get_input(host(state), to_move)
    assert (answer == "PASS") is passes


# The same moves

THREE_MOVES = """
import random
from go import GO
from goban.diagrams import parse_diagram
from goban.rulesets import ruleset
from players.registry import make_player
go = GO(9, ruleset("aga"))
black, white = (make_player("montecarlo:simulations=300,memory=8", random.Random(k)) for k in (1, 2))
state = go.position(1)
for mover in (black, white, black, white):
    go.adopt_state(state)
    state = state.play(mover.get_input(go, state.to_move))
print(state.rows())
"""


@pytest.mark.slow
def test_the_same_seed_gives_the_same_moves_in_any_process():
    run = [sys.executable, "-c", THREE_MOVES]
    once, again = (subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=True).stdout for _ in range(2))
    assert once == again
    assert once.count("1") == once.count("2") == 2


def test_asked_again_it_answers_the_same_and_thinks_no_more():
    state = new_game(ruleset("aga"), 9)
    one = player()
    answer, visits = one.get_input(host(state), BLACK), sum(found.visits for found in one.found())
    assert [one.get_input(host(state), BLACK) for _ in range(3)] == [answer] * 3
    assert sum(found.visits for found in one.found()) == visits == 200


def test_an_analysis_changes_no_move():
    state = new_game(ruleset("aga"), 9)
    plain, asked = player(), player()
    for _ in asked.candidates(state, iter([False] * 5 + [True] * 10).__next__):
        pass
    assert plain.get_input(host(state), BLACK) == asked.get_input(host(state), BLACK)


def test_two_threads_play_the_same_games_from_the_same_seed_and_analyse():
    options, games = "simulations=300,memory=8,threads=2", []
    for _ in range(2):
        go = GO(5, ruleset("littlego"))
        go.play(player(options, 1), player(options, 2))
        games.append(go.record.moves)
    assert games[0] == games[1]
    said = list(player(options).candidates(new_game(ruleset("aga"), 9), iter([False] * 20 + [True]).__next__))
    assert said[-1][0].visits > 0


# Options

WRONG = [
    ("simulations=0", "expected 1 simulation or more, got 0"),
    ("seconds=0", "expected more than 0 seconds, got 0.0"),
    ("memory=0", "expected 1 to 1048576 MiB of memory, got 0"),
    ("uct=best", "expected one of rave, gnugo as uct, got 'best'"),
    ("exact=-1", "expected 0 or more exact moves, got -1"),
    ("rave=-1", "expected rave and priors from 0 to 1000000, got -1 and 10"),
    ("threads=0", "expected 1 to 64 threads, got 0"),
    ("reuse=maybe", "reuse: expected yes or no, got 'maybe'"),
    ("patterns=none", "expected a file of patterns or one of uniform, mogo_classic, montegnu_classic, learned, got 'none'"),
    (
        "clock=1",
        "expected one of simulations, seconds, patterns, memory, exact, uct, rave, priors, replies, mercy, reuse, threads, "
        "resign, got 'clock=1'",
    ),
]


@pytest.mark.parametrize(("options", "reason"), WRONG)
def test_a_wrong_option_is_refused_in_one_line(options, reason):
    with pytest.raises(BadPlayerError) as caught:
        player(options)
    assert str(caught.value) == f"player 'montecarlo:{options}': {reason}"


def test_patterns_may_be_a_file_of_ones_own(tmp_path):
    file = tmp_path / "own.db"
    file.write_text("OOO\nO*O\n???\n:0\n")
    move = player(f"patterns={file},simulations=100").get_input(GO(5), BLACK)
    assert GO(5).valid_place_check(*move, BLACK)
    file.write_text("OOO\n:0\n")
    with pytest.raises(BadPlayerError, match=r"own\.db"):
        player(f"patterns={file}")


def test_without_numba_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr(montecarlo_player, "find_spec", lambda name: None)
    with pytest.raises(BadPlayerError, match=r"^player 'montecarlo': this needs numba: make install"):
        player("")


# The exact end


@pytest.mark.parametrize("rules", ["course", "littlego"])
def test_the_last_moves_are_exact(rules):
    from goban.solver.solver import Solver

    won = 0
    for seed in range(30):
        state = next((one for one in play_some(rules, 5, seed, 24) if one.n_move >= 14 and not one.is_over), None)
        if state is None:
            continue
        winning = Solver(16).winning_moves(state).winning_moves
        if winning:
            won += 1
            answer = player("simulations=1,exact=12,memory=1").get_input(host(state), state.to_move)
            assert (None if answer == "PASS" else answer) in winning
    assert won >= 5


# What a GTP engine asks


class Ticks:
    """A clock on which a millisecond passes from one reading to the next."""

    now = 0.0

    def __call__(self):
        self.now += 0.001
        return self.now


def test_it_keeps_to_the_seconds_it_is_given_and_goes_back_to_simulations():
    clock = Ticks()
    made = montecarlo_player.MonteCarloPlayer(random.Random(1), simulations=150, memory=8, clock=clock)
    state = new_game(ruleset("aga"), 9)
    made.set_seconds(0.5)
    before = clock()
    made.get_input(host(state), BLACK)
    assert clock.now - before <= 0.5
    assert sum(one.visits for one in made.found()) != 150
    made.set_seconds(None)
    made.set_level(20)
    made.get_input(host(state.play((0, 0))), WHITE)
    assert sum(one.visits for one in made.found()) == 300


def test_an_analysis_says_more_and_more_until_it_is_stopped():
    made = montecarlo_player.MonteCarloPlayer(random.Random(1), memory=8, clock=Ticks())
    said = []
    for found in made.candidates(new_game(ruleset("aga"), 9), lambda: len(said) == 3):
        said.append(found)
    assert len(said) == 3
    visits = [sum(one.visits for one in found) for found in said]
    assert visits == sorted({*visits})
    best = said[-1][0]
    assert isinstance(best, Candidate)
    assert best.line
    assert -81 < best.lead < 81
    assert 0 < best.winrate < 1
