"""Games of a benchmark that are kept on disk: seeds, colours, going on after a stop, and what is said of them."""

import json
import shlex
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from benchmarks import kept_games, regrets, strength
from benchmarks.kept_games import HEADERS, GtpProgram, OurSide, Pairing, Played, play, play_all, read_games, row
from goban.common.command_lines import CommandError
from goban.rulesets import ruleset
from goban.states import new_game
from tests.support.missing import needs, no_package

ROOT = Path(__file__).parents[1]
PAIRING = Pairing("some", "random", "greedy", "course", 3, 6, 1)
WON = Played("some", 0, 1, 1, "5-4", ("A1",), (3.0, 2.0), (10, 10))
ENGINE = f"gtp:{shlex.quote(sys.executable)} -m players.gtp_engine random --rules tromp-taylor-strict --seed {{seed}}"


def test_players_take_turns_with_black_and_every_game_has_its_own_seed():
    games = [play(PAIRING, number) for number in range(6)]
    assert [game.black for game in games] == [1, 2] * 3
    assert len({game.moves for game in games}) > 3
    assert play(PAIRING, 4).moves == games[4].moves


def test_two_games_with_colours_changed_begin_with_the_same_stones_at_random():
    pairing = replace(PAIRING, opening=2)
    games = [play(pairing, number) for number in range(4)]
    assert pairing.key != PAIRING.key
    assert games[0].moves[:2] == games[1].moves[:2] != games[2].moves[:2] == games[3].moves[:2]
    assert [game.black for game in games] == [1, 2, 1, 2]


def test_a_program_hears_of_the_stones_that_a_game_begins_with(monkeypatch):
    monkeypatch.chdir(ROOT)
    game = play(Pairing("engine", ENGINE, "naive", "tromp-taylor-strict", 3, 1, 1, opening=3), 0)
    assert len(game.moves) > 3


def test_without_pachi_one_line_says_how_to_come_by_it(monkeypatch):
    monkeypatch.setattr(strength.shutil, "which", lambda name: None)
    monkeypatch.setattr(sys, "argv", ["strength", "pachi"])
    with pytest.raises(CommandError, match=r"^expected the program pachi on the PATH \(docs/measurements.md .*, found none$"):
        strength.main()


def pairings_of_self(monkeypatch, tmp_path, *words):
    asked = []
    monkeypatch.setattr(strength, "play_all", lambda pairings, path: asked.extend(pairings) or [[WON]] * len(pairings))
    monkeypatch.setattr(sys, "argv", ["strength", "self", "--out", str(tmp_path / "games.jsonl"), *words])
    strength.main()
    return asked


def test_any_options_play_any_others(monkeypatch, tmp_path, capsys):
    words = ("rave=300,priors=20", "", "--against", "rave=3000", "--seconds", "0.05", "--opening", "4", "--account")
    first, second = pairings_of_self(monkeypatch, tmp_path, *words)
    assert (first.first, first.second) == ("montecarlo:seconds=0.05,rave=300,priors=20", "montecarlo:seconds=0.05,rave=3000")
    assert (second.label, second.first) == ("all", "montecarlo:seconds=0.05")
    assert (first.opening, first.equal) == (4, True)
    assert "rave=300,priors=20" in capsys.readouterr().out


def test_parts_play_all_of_it_where_no_options_are_named(monkeypatch, tmp_path):
    pairings = pairings_of_self(monkeypatch, tmp_path, "--simulations", "200")
    assert [one.label for one in pairings] == list(strength.PARTS)
    assert {one.second for one in pairings} == {"montecarlo:simulations=200"}
    assert not any(one.equal for one in pairings)


def test_a_run_goes_on_where_it_was_stopped_and_plays_nothing_twice(tmp_path):
    file = tmp_path / "games.jsonl"
    (first,) = play_all([PAIRING], file)
    lines = file.read_text().splitlines()
    whole = [line for line in lines if line]
    file.write_text("\n".join(whole[:3]) + "\n" + whole[3][:20])
    assert len(read_games(file)) == 3
    (again,) = play_all([PAIRING], file)
    assert [game.moves for game in again] == [game.moves for game in first]
    numbers = [json.loads(line)["number"] for line in file.read_text().splitlines() if line.endswith("}")]
    assert sorted(numbers) == list(range(6))


def test_a_row_counts_wins_and_different_games(tmp_path):
    (games,) = play_all([PAIRING], tmp_path / "games.jsonl")
    told = dict(zip(HEADERS, row("some", games), strict=True))
    won = sum(game.winner == 1 for game in games)
    assert (told["games"], told["won"]) == ("6", f"{won / 6:.1%}")
    assert told["different"] == str(len({game.moves for game in games}))


def test_a_row_says_the_ratio_of_times(tmp_path):
    games = [Played("some", n, 1, 1, "5-4", ("A1",), (3.0, 2.0), (10, 10)) for n in range(2)]
    told = dict(zip(HEADERS, row("some", games), strict=True))
    assert (told["s a move"], told["opponent's"], told["ratio"]) == ("0.300", "0.200", "1.50")


def test_what_is_compiled_before_a_game_is_in_nobodys_time(monkeypatch):
    """A player that needs an hour of the clock to get ready, and none to move."""
    clock = [0.0]

    class Compiled:
        type = "montecarlo"

        def __init__(self, rng, clock=None):
            pass

        def prepare(self, rules, size):
            clock[0] += 3600

        def get_input(self, go, piece_type):
            return 0, 0

    monkeypatch.setattr(kept_games, "MonteCarloPlayer", Compiled)
    monkeypatch.setattr(kept_games.time, "process_time", lambda: clock[0])
    side, state = OurSide("montecarlo", 1), new_game(ruleset("course"), 3)
    side.begin(state)
    assert clock == [3600]
    assert side.answer(state) == (0, 0)
    assert side.seconds == 0


def test_montecarlo_thinks_for_seconds_of_the_processor_however_busy_it_is(monkeypatch):
    made = []

    class Recorded:
        type = "montecarlo"

        def __init__(self, rng, seconds: float = 1.0, clock=None):
            made.append((seconds, clock))

    monkeypatch.setattr(kept_games, "MonteCarloPlayer", Recorded)
    OurSide("montecarlo:seconds=2.5", 1)
    assert made == [(2.5, time.process_time)]


class _Clocked(OurSide):
    """A side whose answers take what a list says, the first side's what it has been allowed, and more if `over` says so."""

    took: ClassVar[list[float]]
    over: ClassVar[float]
    allowed: ClassVar[list[float]]

    def answer(self, state):
        before = self.seconds
        move = super().answer(state)
        if self._name == "greedy":
            self.seconds = before + self.took.pop(0)
        else:
            self.seconds = before + (self.allowed[-1] if self.allowed else 3.0) + self.over
        return move

    def allow(self, seconds):
        self.allowed.append(seconds)


@pytest.fixture
def clocked(monkeypatch):
    """A function that plays a game of the two and returns what the first was allowed for each of its moves."""

    def played(took, over, equal=True):
        _Clocked.took, _Clocked.over, _Clocked.allowed = list(took), over, []
        monkeypatch.setattr(kept_games, "OurSide", _Clocked)
        game = play(replace(PAIRING, equal=equal), 1)
        assert game.black == 2
        return _Clocked.allowed

    return played


def test_in_equal_time_the_first_may_spend_what_the_second_has_spent(clocked):
    """The second moves first, and its answers take less and less: the first's take as much, one by one."""
    assert clocked([4.0, 2.0, 1.0, 0.5], over=0) == pytest.approx([4.0, 2.0, 1.0, 0.5])


def test_in_equal_time_what_was_overspent_is_taken_off(clocked):
    assert clocked([4.0, 4.0, 4.0, 4.0], over=1.5) == pytest.approx([4.0, 2.5, 2.5, 2.5])


def test_in_equal_time_a_tenth_of_the_average_is_allowed_at_any_rate(clocked):
    assert clocked([4.0, 4.0, 4.0, 4.0], over=9.0) == pytest.approx([4.0, 0.4, 0.4, 0.4])


def test_without_equal_time_nothing_is_allowed(clocked):
    assert clocked([4.0] * 4, over=0, equal=False) == []


def test_montecarlo_is_what_can_be_given_seconds(monkeypatch):
    given = []

    class Recorded:
        type = "montecarlo"

        def __init__(self, rng, clock=None):
            pass

        def set_seconds(self, seconds):
            given.append(seconds)

    monkeypatch.setattr(kept_games, "MonteCarloPlayer", Recorded)
    OurSide("montecarlo", 1).allow(0.3)
    assert given == [0.3]


def test_games_in_equal_time_are_others_on_disk():
    assert replace(PAIRING, equal=True).key != PAIRING.key


def test_a_program_that_speaks_gtp_plays_and_its_time_is_counted(monkeypatch):
    monkeypatch.chdir(ROOT)
    game = play(Pairing("engine", ENGINE, "naive", "tromp-taylor-strict", 3, 1, 1), 1)
    assert game.black == 2
    assert game.answers[0] > 0
    assert game.seconds[0] >= 0.0


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("no-such-program", "cannot be started"), (shlex.join([sys.executable, "-c", "0"]), "has ended"),
        ("cat", "answered 'boardsize 3'"),
    ],
)
def test_a_program_that_is_no_engine_is_told_in_one_line(command, reason):
    with pytest.raises(CommandError, match=reason):
        begun(command)


def begun(command):
    program = GtpProgram(command, 1)
    try:
        program.begin(new_game(ruleset("aga"), 3))
    finally:
        program.close()


@needs(no_package("numba"))
def test_a_regret_says_whether_a_win_is_at_stake_and_whether_it_is_kept(monkeypatch):
    from goban.solver.solver import Solver

    monkeypatch.setattr(regrets, "BUDGETS", (100,))
    # Late positions, since an early one takes the solver half a minute.
    monkeypatch.setattr(regrets, "_EARLIEST", 12)
    kinds = set()
    for number, state in enumerate(regrets.positions(14, 1)):
        (one,) = regrets.regrets_at(state, number, 1, "memory=1")
        won = Solver(16).winner(state).winner == state.to_move
        assert one.stones >= 0
        assert won >= one.kept
        kinds.add((won, one.share))
    assert {won for won, share in kinds if share is None} == {False, True}
    assert {won for won, share in kinds if share is not None} == {True}
