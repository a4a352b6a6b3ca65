"""A network with a search against montecarlo in equal time, or against GNU Go: who plays, and what is refused."""

import runpy
import sys
from pathlib import Path

import pytest

from benchmarks.kept_games import play
from lab.network_strength import pairing_of, parser
from tests.support.missing import needs, no_package

ROOT = Path(__file__).parents[1]
SHIPPED = "golearn/alphazero/networks/go5.npz"


def pairing(*arguments):
    return pairing_of(parser().parse_args(arguments))


def test_the_board_is_the_networks_and_time_is_equal(monkeypatch):
    monkeypatch.chdir(ROOT)
    made = pairing(SHIPPED, "--rules", "course", "--simulations", "3", "--games", "2", "--seed", "7")
    assert (made.size, made.rules, made.games, made.seed, made.equal) == (5, "course", 2, 7, True)
    assert made.second == f"zero:network={SHIPPED},simulations=3"


def test_gnu_go_is_given_simulations_and_no_time(monkeypatch):
    monkeypatch.chdir(ROOT)
    made = pairing(SHIPPED, "--rules", "course", "--gnugo", "80000")
    assert made.first.startswith("gtp:")
    assert made.first.endswith("--monte-carlo --mc-games-per-level 8000")
    assert not made.equal


@pytest.mark.slow
@needs(no_package("numba"))
def test_both_play_and_their_time_is_counted(monkeypatch):
    monkeypatch.chdir(ROOT)
    game = play(pairing(SHIPPED, "--rules", "course", "--simulations", "2"), 1)
    assert game.black == 2
    assert sum(game.answers) == len(game.moves) == 24
    assert min(game.seconds) > 0


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("none.npz", "network_strength: none.npz: No such file or directory"),
        ("README.md", "network_strength: README.md: no network, or a damaged one"),
    ],
)
def test_what_is_no_network_is_told_in_one_line(name, said, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "argv", ["network_strength", name])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path("lab/network_strength.py", run_name="__main__")
    told = capsys.readouterr().err
    assert ended.value.code == 2
    assert said in told
    assert told.count("\n") == 1
