"""Learning weights: games that are read, what a run finds, and bad input in one line."""

import numpy as np
import pytest

from goban.montecarlo.pattern_sets import read_factors
from goban.rulesets import ruleset
from golearn.errors import PatternTrainingError
from golearn.patterns import training
from golearn.patterns.__main__ import main
from golearn.patterns.training import Plan, Training, error_of, games_of
from tests.support.missing import needs, no_package
from tests.support.scripts import run_uncompiled

pytestmark = needs(no_package("numba"))

RULES = ruleset("aga")
GAME = "(;GM[1]SZ[5]KM[7.5]RE[{}];B[cc];W[bb];B[cb];W[])"


def write(path, *results, game=GAME):
    path.write_text("\n".join(game.format(result) for result in results))
    return path


def bad(tmp_path, game, result="B+1"):
    with pytest.raises(PatternTrainingError) as error:
        games_of([write(tmp_path / "bad.sgf", "W+1", result, game=game)], RULES)
    return str(error.value).partition("bad.sgf': ")[2]


def test_a_game_is_its_positions_and_what_black_got(tmp_path):
    games = games_of([write(tmp_path / "a.sgf", "B+12.5", "W+R", "0", "Draw", "Void", "?", "")], RULES)
    assert [game.black for game in games] == [1.0, 0.0, 0.5, 0.5]
    assert [state.n_move for state in games[0].states] == [0, 1, 2, 3]
    assert games[0].states[3].last_point == (1, 2)


def test_a_game_that_cannot_be_one_of_these_is_named(tmp_path):
    assert bad(tmp_path, GAME.replace("7.5", "5.5")) == "game 1: expected komi 7.5 as in aga, got 5.5"
    assert bad(tmp_path, GAME.replace("W[bb]", "W[cc]")).startswith("game 1: move 2 (C3): the point is occupied")


def test_stones_may_be_set_up_and_players_need_not_take_turns(tmp_path):
    game = GAME.replace("SZ[5]", "SZ[5]AB[aa]").replace("W[bb]", "B[bb];AE[aa]AW[ee];W[dd]")
    (found,) = games_of([write(tmp_path / "a.sgf", "B+1", game=game)], RULES)
    assert [(state.to_move, state.rows()[0][0], state.rows()[4][4]) for state in found.states] == [
        (1, 1, 0), (1, 1, 0), (2, 0, 2), (1, 0, 2), (2, 0, 2)
    ]  # fmt: skip


def learned(games, threads=1, **options):
    learning = Training(games, Plan(**{"steps": 3, "playouts": 8, **options}), threads)
    assert [*learning.steps()] == [1, 2, 3] or options
    return learning.factors()


@pytest.mark.slow
def test_the_same_games_and_plan_give_the_same_factors_with_any_number_of_threads(tmp_path):
    games = games_of([write(tmp_path / "a.sgf", *["B+1", "W+1"] * 3)], RULES)
    assert learned(games).text() == learned(games, threads=3).text()
    assert learned(games).text() != learned(games, seed=2).text()


def test_a_first_step_moves_each_factor_against_its_slope_by_the_rate_however_steep_it_is():
    """As Adam's does; the rate has begun to fall."""
    learning = Training([], Plan(steps=10, rate=0.1), 1)
    slope = np.resize([2.0, -40.0, 0.0], training.FACTORS)
    learning._step(slope, 1)
    moved = learning.factors()
    np.testing.assert_allclose([*moved.classes, *moved.combinations], -0.091 * np.sign(slope), rtol=0.01)


def test_all_steps_are_adams_with_a_rate_that_falls_evenly_to_a_tenth():
    """As in its paper: Kingma and Ba, 2015, algorithm 1."""
    learning, rng = Training([], Plan(steps=5, rate=0.1), 1), np.random.default_rng(1)
    mean = square = known = np.zeros(training.FACTORS)
    for number in range(1, 6):
        slope = rng.normal(size=training.FACTORS)
        learning._step(slope, number)
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        step = mean / (1 - 0.9**number) / (np.sqrt(square / (1 - 0.999**number)) + 0.005)
        known = known - (0.082, 0.064, 0.046, 0.028, 0.01)[number - 1] * step
        np.testing.assert_allclose(learning._logarithms, known)


def test_what_is_learned_is_the_mean_of_the_second_half_of_all_steps():
    learning, known = Training([], Plan(steps=4, rate=0.1), 1), []
    for number in range(1, 5):
        learning._step(np.ones(training.FACTORS), number)
        known.append(learning._logarithms[0])
    np.testing.assert_allclose(learning.factors().classes, np.mean(known[2:]))


@pytest.mark.slow
def test_results_that_playouts_tell_badly_are_told_better(tmp_path):
    # White wins all games from an empty board with two stones each, which playouts do not expect.
    games = games_of([write(tmp_path / "a.sgf", *["W+1"] * 12)], ruleset("tromp-taylor-strict"))
    before = learned(games, steps=1, rate=1e-9)
    after = learned(games, steps=60, playouts=64, rate=0.1)
    assert error_of(after, games, 400, 0) < 0.8 * error_of(before, games, 400, 0)
    assert np.abs(after.classes).max() > 0.5


def run(capsys, *words):
    try:
        status = main([str(word) for word in words])
    except SystemExit as end:
        status = end.code
    return (status, *capsys.readouterr())


@pytest.mark.slow
def test_the_command_writes_a_set_that_can_be_played_by(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(training, "_PLAYOUTS", 4)
    games, out = write(tmp_path / "a.sgf", *["B+1", "W+1"] * 10), tmp_path / "mine.json"
    most = ("--seed", 2**31, "--workers", 1)
    status, said, err = run(capsys, games, "--rules", "aga", "--steps", 2, "--playouts", 2, "--out", out, *most)
    assert (status, err) == (0, "")
    first, last = said.splitlines()
    assert first.startswith("20 games, 2 of them kept back: squared distance 0.")
    assert last.endswith(f" after 2 steps: {out}")
    assert read_factors(out).base == "montegnu_classic"


@pytest.mark.slow
def test_the_command_learns_uncompiled():
    run_uncompiled(f"{__file__}::test_the_command_writes_a_set_that_can_be_played_by")


BAD = {
    "no file": (["nowhere.sgf"], "nowhere.sgf: No such file or directory"),
    "no games": (["a.sgf"], "expected 10 games with a result or more, got 2"),
    "an ending": (["a.sgf", "--out", "a.npz"], "--out: expected a name that ends in .json, got 'a.npz'"),
    "odd": (["a.sgf", "--playouts", "3"], "--playouts: expected an even number, got 3"),
    "a rate": (["a.sgf", "--rate", "2"], "--rate: expected more than 0 and at most 1, got 2"),
    "no rate": (["a.sgf", "--rate", "nan"], "--rate: expected more than 0 and at most 1, got nan"),
    "flat": (["a.sgf", "--base", "uniform"], "argument --base: invalid choice: 'uniform'"),
    "a seed": (["a.sgf", "--seed", "2147483649"], "argument --seed: expected a seed from 0 to 2147483648, got '2147483649'"),
    "steps": (["a.sgf", "--steps", "0"], "argument --steps: expected a number from 1 to 1000000, got '0'"),
}


@pytest.mark.parametrize(("words", "reason"), BAD.values(), ids=BAD)
def test_bad_input_is_one_line(tmp_path, capsys, monkeypatch, words, reason):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "a.sgf", "B+1", "W+1")
    status, out, err = run(capsys, *words, *([] if "--rules" in words else ["--rules", "aga"]))
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert reason in err
