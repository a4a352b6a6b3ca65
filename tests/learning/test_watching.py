"""`python3 my_player.py learn`: what it refuses, what it shows, and that Ctrl-C keeps what was learned."""

import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import my_player
from go import GO
from learning.watching import Learner, Milestone, Watch, bars, board_lines, heading, known_positions, live_lines, row_of
from my_player import MyPlayer, QTable, choices, learn
from my_player_table import weights_of, write_weights

ROOT = Path(__file__).parent.parent.parent


def words(*options):
    return [sys.executable, "-S", str(ROOT / "my_player.py"), *map(str, options)]


def learner():
    table = QTable(weights_of(None))
    return Learner(
        lambda *how: learn(table, *how), lambda state: choices(state, table), table.weights,
        lambda path: write_weights(table.weights, path),
    )  # fmt: skip


def test_learn_writes_a_table_that_plays_and_tells_rows(tmp_path):
    done = subprocess.run(
        words("learn", "--games=3", "--against=self", "--table=t.bin"), cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    rows = done.stdout.splitlines()
    assert rows[0].split("  ")[0].strip() == "games"
    assert [row.split()[0] for row in rows[1:-1]] == ["0", "1", "2", "3"]
    assert rows[-1] == "3 games learned from, t.bin written"
    assert MyPlayer(tmp_path / "t.bin").search.learned is not None


@pytest.mark.parametrize(("options", "said"), [
    (["learn", "--against", "nobody"], "--against: expected some of self, random, greedy, aggressive, smart, got 'nobody'"),
    (["learn", "--against", "smart,"], "--against: expected some of self, random, greedy, aggressive, smart, got 'smart,'"),
    (["learn", "--games", "many"], "argument --games: expected a number of games from 1 to 1000000000, got 'many'"),
    (["learn", "--table", "no/such/t.bin"], "--table: 'no/such/t.bin' cannot be written: No such file or directory"),
    (["learn", "--table", "."], "--table: '.' cannot be written: Is a directory"),
    (["play"], "argument learn: invalid choice: 'play' (choose from 'learn')"),
])  # fmt: skip
def test_what_cannot_be_done_is_refused_in_one_line_before_learning(tmp_path, options, said):
    done = subprocess.run(words(*options), cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"my_player.py: {said}\n")


def test_rows_are_the_same_every_time(capsys):
    rows = []
    for _ in range(2):
        watch = Watch(learner(), 5)
        assert list(watch.learner.learn(5, [None], random.Random(1))) == [1, 2, 3, 4, 5]
        rows.append(row_of(watch.look(5)))
    assert rows[0] == rows[1]


def test_the_learner_plays_as_the_player_of_its_table_does(monkeypatch):
    one = learner()
    for _ in one.learn(10, [None], random.Random(1)):
        pass
    monkeypatch.setattr(my_player, "my_player_search", None)
    player = my_player.MyPlayer()
    player.table = QTable(one.entries)
    for moves in ((), ((2, 2),), ((2, 2), (1, 1), (3, 3))):
        go = GO(5)
        for number, move in enumerate(moves):
            go.place_chess(*move, 1 + number % 2)
            go.n_move += 1
        colour = 1 + len(moves) % 2
        assert one.get_input(go, colour) == player.get_input(go, colour)


def test_ctrl_c_keeps_what_was_learned_and_says_so(tmp_path):
    command = words("learn", "--games=100000", "--table=t.bin")
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # The heading and the first row come before the first game: from there on it learns.
    process.stdout.readline(), process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert re.fullmatch(r"stopped: \d+ games learned from, t\.bin written\n", out)
    assert (process.returncode, err) == (130, "")
    assert MyPlayer(tmp_path / "t.bin").search.learned is not None


def test_a_look_is_a_row_under_its_heading():
    look = Milestone(500, [0.25, 0.9, 0.0, 1.0], 0.815, 124441)
    assert heading(True) == " games   greedy X   greedy O    smart X    smart O  kept wins    entries"
    assert row_of(look) == "   500        25%        90%         0%       100%        82%    124,441"
    assert len(heading(False)) == len(row_of(Milestone(500, look.won, None, 124441)))


def test_bars_rise_from_nothing_to_all():
    assert bars([0, 0.5, 0.99, 1]) == "▁▅██"
    assert bars([0, 3, 6], 6) == "▁▅█"


def test_a_board_has_the_value_of_each_placement():
    one = learner()
    state = GO(5).position(1).play((2, 2))
    lines = board_lines(one.choices(state), 5)
    assert lines[0] == "  5   +0   +0   +0   +0   +0"
    assert lines[2] == "  3   +0   +0    .   +0   +0"
    assert lines[-1] == "       A    B    C    D    E"


def test_what_is_shown_on_a_terminal_says_how_long_it_takes():
    watch = Watch(learner(), 100)
    watch.looks += [Milestone(0, [0.0] * 4, None, 0), Milestone(50, [1.0, 0.5, 0.0, 0.0], None, 9)]
    lines = live_lines(watch, 50)
    assert re.fullmatch(r"50/100 games, \d+ s left; Ctrl-C stops and keeps what was learned", lines[0])
    assert lines[1] == "greedy X ▁█  greedy O ▁▅  smart X ▁▁  smart O ▁▁"
    assert len(lines) == 4 + 6


def test_known_positions_are_won_and_can_be_thrown_away():
    known = known_positions()
    assert len(known) == 250
    for state, points in known:
        legal = set(state.grid.points_of(state.placements()))
        assert points < legal


@pytest.mark.slow
def test_in_a_minute_it_learns_to_beat_greedy_and_smart(tmp_path):
    """What the documents promise of the default: over 80 % against greedy, over 50 % against smart, with each colour."""
    done = subprocess.run(words("learn"), cwd=tmp_path, capture_output=True, text=True, check=True)
    first, last = (row.split() for row in (done.stdout.splitlines()[1], done.stdout.splitlines()[-2]))
    assert [int(cell.rstrip("%")) < 50 for cell in first[1:5]] == [True] * 4
    assert all(int(cell.rstrip("%")) >= most for cell, most in zip(last[1:5], (80, 80, 50, 50), strict=True))
