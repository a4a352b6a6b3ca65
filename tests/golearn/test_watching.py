"""`python3 my_player.py learn`: what it refuses, what it shows and tells a page, and that it keeps what was learned."""

import io
import json
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest

import my_player
from go import GO
from goban.board.games import GameError
from goban.board.play_server import PlayServer
from goban.grids import BLACK, WHITE
from goban.points import parse_vertex
from golearn import watching
from golearn.watching import (
    RIVALS,
    Learner,
    Live,
    Milestone,
    PageDesk,
    Watch,
    bars,
    board_lines,
    cells_of,
    heading,
    known_positions,
    learn_and_show,
    live_lines,
    row_of,
)
from my_player import PIECES, MyPlayer, QTable, choices, learn
from my_player_table import PackedTable, weights_of, write_weights
from tests.support.waiting import PATIENCE

ROOT = Path(__file__).parent.parent.parent
CELLS = [("greedy", 1), ("greedy", 2)]
# A shell that runs tests in the background may have them ignore Ctrl-C; a user's does not.
HEEDS = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}


@pytest.fixture(autouse=True)
def quick_looks(monkeypatch):
    """In this process two games a look are enough."""
    monkeypatch.setattr(watching, "GAMES", 2)


def words(*options):
    return [sys.executable, "-S", str(ROOT / "my_player.py"), *map(str, options)]


def learner():
    table = QTable(weights_of(None))
    return Learner(
        lambda *how: learn(table, *how), lambda state: choices(state, table), table.weights, PIECES, write_weights
    )


@pytest.mark.slow
def test_learn_writes_a_table_that_plays_and_tells_rows(tmp_path):
    done = subprocess.run(
        words("learn", "--games=3", "--against=self", "--table=t.bin"), cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    _, *rows = done.stdout.splitlines()
    assert rows[0].split("  ")[0].strip() == "games"
    assert [row.split()[0] for row in rows[1:-1]] == ["0", "1", "2", "3"]
    assert rows[-1] == "3 games learned from, t.bin written"
    assert MyPlayer(tmp_path / "t.bin").search.learned is not None


@pytest.mark.parametrize(("options", "said"), [
    (["learn", "--against", "nobody"], "--against: expected some of self, random, greedy, aggressive, smart, got 'nobody'"),
    (["learn", "--against", "smart,"], "--against: expected some of self, random, greedy, aggressive, smart, got 'smart,'"),
    (["learn", "--games", "many"], "argument --games: expected a number of games from 1 to 1000000000, got 'many'"),
    (["learn", "--table", "no/such/t.bin"], "--table: 'no/such/t.bin' cannot be written: No such file or directory"),
    (["learn", "--table", "."], "--table: '.' cannot be written: expected a file, or none yet"),
    (["learn", "--table", "/dev/full"], "--table: '/dev/full' cannot be written: expected a file, or none yet"),
    (["learn", "--table", "/proc/t.bin"], "--table: '/proc/t.bin' cannot be written: No such file or directory"),
    (["play"], "argument learn: invalid choice: 'play' (choose from learn)"),
])  # fmt: skip
def test_what_cannot_be_done_is_refused_in_one_line_before_learning(tmp_path, options, said):
    done = subprocess.run(words(*options), cwd=tmp_path, capture_output=True, text=True, check=False)
    # Whether choices are quoted differs from one Python to the next.
    err = done.stderr.replace("from 'learn'", "from learn")
    assert (done.returncode, done.stdout, err) == (2, "", f"my_player.py: {said}\n")


def test_rows_are_the_same_every_time(capsys):
    rows = []
    for _ in range(2):
        watch = Watch(learner(), 5, CELLS)
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
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **HEEDS)
    # The heading and the first row come before the first game: from there on it learns.
    for _ in range(3):
        process.stdout.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert re.fullmatch(r"stopped: \d+ games learned from, t\.bin written\n", out)
    assert (process.returncode, err) == (130, "")
    assert MyPlayer(tmp_path / "t.bin").search.learned is not None


def test_a_look_is_a_row_under_its_heading():
    look = Milestone(500, [0.25, 0.9, 0.0, 1.0], 0.815, 124441)
    cells = cells_of(["self"])
    assert heading(cells, True).splitlines() == [
        "            greedy       smart",
        " games     X     O     X     O  kept wins   entries",
    ]
    assert row_of(look) == "   500   25%   90%    0%  100%        82%   124,441"
    assert len(heading(cells, False).splitlines()[1]) == len(row_of(Milestone(500, look.won, None, 124441)))


def test_rows_against_all_opponents_fit_into_80_columns():
    cells = cells_of(RIVALS)
    assert len(cells) == 8
    assert len(heading(cells, True).splitlines()[1]) == len(row_of(Milestone(500, [1.0] * 8, 1.0, 999_999))) <= 80


def test_it_is_tried_against_greedy_smart_and_whom_it_learns_from():
    names = ["self", "smart", "random", "random"]
    assert cells_of(names) == [(name, colour) for name in ("greedy", "smart", "random") for colour in (1, 2)]


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


@pytest.mark.parametrize(("games", "left"), [(10, 180), (50, 20), (99, 20 / 99), (100, 0)])
def test_the_rest_takes_as_long_for_each_game_as_those_played(games, left, monkeypatch):
    monkeypatch.setattr(watching, "time", SimpleNamespace(monotonic=lambda: 30.0))
    assert Watch(learner(), 100, CELLS, started=10.0).seconds_left(games) == pytest.approx(left)


def test_what_is_shown_on_a_terminal_says_how_long_it_takes():
    watch = Watch(learner(), 100, cells_of(["smart"]))
    watch.looks += [Milestone(0, [0.0] * 4, None, 0), Milestone(50, [1.0, 0.5, 0.0, 0.0], None, 9)]
    lines = live_lines(watch, 50)
    assert re.fullmatch(r"50/100 games, \d+ s left; Ctrl-C stops and keeps what was learned", lines[0])
    assert lines[1:3] == ["greedy X ▁█  greedy O ▁▅", "smart X ▁▁  smart O ▁▁"]
    assert len(lines) == 5 + 6


def test_lines_that_are_written_over_are_never_wider_than_the_terminal(monkeypatch, as_terminal):
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setattr(sys, "stderr", stderr := as_terminal(io.StringIO()))
    Live().show(Watch(learner(), 100, cells_of(["smart"])), 50)
    written = re.sub(r"\r|\033\[K", "", stderr.getvalue()).splitlines()
    assert max(map(len, written)) == 29


def test_known_positions_are_won_and_can_be_thrown_away():
    known = known_positions()
    assert len(known) == 250
    for state, points in known:
        legal = set(state.grid.points_of(state.placements()))
        assert points < legal


# The page


def test_what_is_learned_and_the_rows_are_the_same_with_a_page_that_hangs_and_without(tmp_path, capsys):
    tables, rows = [], []
    for with_page in (False, True):
        watch = Watch(learner(), 3, CELLS)
        desk = PageDesk(watch) if with_page else None
        if desk:
            with PlayServer(b"", desk) as server, socket.create_connection(server.server_address) as hanging:
                thread = threading.Thread(target=server.serve_forever, args=(0.02,))
                thread.start()
                # It announces a request and never sends it.
                where = urlsplit(server.address)
                head = f"POST {where.path}ask HTTP/1.1\r\nHost: {where.netloc}\r\nOrigin: http://{where.netloc}\r\n"
                hanging.sendall(f"{head}Content-Length: 10\r\n\r\n".encode())
                assert learn_and_show(watch, [None], desk) == 3
                server.shutdown()
                thread.join()
        else:
            assert learn_and_show(watch, [None]) == 3
        write_weights(watch.learner.entries, tmp_path / "t.bin")
        tables.append((tmp_path / "t.bin").read_bytes())
        rows.append(capsys.readouterr().out)
    assert tables[0] == tables[1]
    assert rows[0] == rows[1]


def told(games=3):
    """A desk after so many games, and what a page is told that has just been opened."""
    watch = Watch(learner(), games, CELLS, known_positions()[:5])
    desk = PageDesk(watch)
    assert learn_and_show(watch, [None], desk) == games
    return desk, desk.answer({"do": "wait", "version": -1})


def test_a_page_is_told_what_the_looks_have_found_out():
    _, answer = told()
    assert [look[0] for look in answer["looks"]] == [0, 1, 2, 3]
    assert all(len(look[1]) == 2 and 0 <= look[2] <= 1 for look in answer["looks"])
    assert sum(answer["met"]) == answer["looks"][-1][3]
    assert (answer["games"], answer["ending"], len(answer["met"])) == (3, "", 23)
    titles = [board["title"] for board in answer["boards"]]
    assert titles[0] == "The empty board"
    assert [re.sub("won|lost", "", title) for title in titles[1:]] == [
        f"Its last game as {colour} against greedy, " for colour in ("Black", "White")
    ]


def test_a_board_of_the_page_has_the_values_and_the_looks_that_were_learned_from():
    desk, answer = told()
    first = answer["boards"][0]["positions"][0]
    assert (first["cells"], first["last"], first["move"], first["to_move"], len(first["moves"])) == ("0" * 25, "", 0, 1, 25)
    one = desk._watch.learner
    values = {choice.point: choice.value for choice in one.choices(GO(5).position(1))}
    assert first["moves"]["C3"][0] == round(values[2, 2], 3)
    assert first["moves"][first["chosen"]][0] == round(max(values.values()), 3)
    # Three games began on three points at most: there all looks were met, on the others some.
    met = [looks for _, looks in first["moves"].values()]
    assert 18 in met
    assert 0 < min(met) < 18
    for board, colour in zip(answer["boards"][1:], (1, 2), strict=True):
        assert {position["to_move"] for position in board["positions"]} == {colour}
        assert [position["move"] for position in board["positions"]][:2] == [colour - 1, colour + 1]
        for position in board["positions"][1:]:
            row, column = parse_vertex(position["last"], 5)
            assert position["cells"][5 * row + column] == str(3 - colour)


def test_before_anything_was_learned_no_look_was_met():
    watch = Watch(learner(), 1, CELLS)
    desk = PageDesk(watch)
    desk.tell()
    moves = desk.answer({"do": "wait", "version": -1})["boards"][0]["positions"][0]["moves"]
    assert {tuple(one) for one in moves.values()} == {(0.0, 0)}


def test_who_has_seen_the_news_is_told_only_how_far_it_is():
    desk, answer = told()
    again = desk.answer({"do": "wait", "version": answer["version"]})
    assert set(again) == {"version", "games", "left", "ending"}
    desk.ending = "3 games learned from"
    desk.tell()
    assert desk.answer({"do": "wait", "version": answer["version"]})["ending"] == "3 games learned from"


def test_a_page_may_stop_it_after_a_game():
    watch = Watch(learner(), 100_000, CELLS)
    desk = PageDesk(watch)
    desk.answer({"do": "stop"})
    assert learn_and_show(watch, [None], desk) == 1


@pytest.mark.parametrize("request_", [{}, {"do": "wait"}, {"do": "wait", "version": "1"}, {"do": "play"}, {"do": ["stop"]}])
def test_what_no_page_asks_for_is_refused(request_):
    with pytest.raises(GameError, match="expected to wait after a version or to stop, got"):
        PageDesk(Watch(learner(), 1, CELLS)).answer(request_)


@pytest.mark.slow
def test_who_is_stopped_by_the_page_keeps_what_was_learned_and_serves_until_ctrl_c(tmp_path):
    command = words("learn", "--games=100000", "--against=self", "--table=t.bin", "--browser")
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **HEEDS)
    address = process.stderr.readline().split()[0]
    assert "Watch it learn" in urllib.request.urlopen(address).read().decode()

    def ask(**request):
        where = urlsplit(address)
        headers = {"Origin": f"http://{where.netloc}", "Content-Type": "application/json"}
        asked = urllib.request.Request(f"{address}ask", json.dumps(request).encode(), headers)
        return json.loads(urllib.request.urlopen(asked, timeout=PATIENCE).read())

    assert ask(do="wait", version=-1)["games"] < 100_000
    ask(do="stop")
    for _ in range(3):
        process.stdout.readline()
    said = process.stdout.readline()
    assert re.fullmatch(r"stopped: \d+ games learned from, t\.bin written\n", said)
    answer, deadline = ask(do="wait", version=-1), time.monotonic() + PATIENCE
    while not answer["ending"] and time.monotonic() < deadline:
        answer = ask(do="wait", version=answer["version"])
    assert answer["ending"] == said.strip()
    assert MyPlayer(tmp_path / "t.bin").search.learned is not None
    process.send_signal(signal.SIGINT)
    assert process.communicate() == ("", "")
    assert process.returncode == 130


@pytest.mark.parametrize("colour", [BLACK, WHITE])
def test_games_are_won_by_who_has_the_colour_asked_for(colour, monkeypatch):
    monkeypatch.setattr(watching, "GAMES", 2)
    nobody = SimpleNamespace(get_input=lambda go, piece_type: None)
    assert watching.try_against(nobody, "random", colour)[0] == 0


# Elsewhere


@pytest.mark.parametrize("files", [
    ["my_player.py"], ["my_player.py", "my_player_table.py", "my_player_table.bin", "my_player_search.py", "my_player3.py"],
])  # fmt: skip
def test_where_the_project_is_not_learning_is_refused_in_one_line(tmp_path, files):
    for name in files:
        shutil.copy(ROOT / name, tmp_path)
    for options in (["learn"], ["learn", "--browser"], ["--help"], *([[]] if len(files) == 1 else [])):
        done = subprocess.run(
            [sys.executable, "-S", "my_player.py", *options], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        said = "my_player.py: learning needs the whole project: run it in the project's folder\n"
        assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


@pytest.mark.long
def test_in_a_minute_it_learns_to_beat_greedy_and_smart(tmp_path):
    """What the documents promise: 80 % against greedy, 50 % and more against others, with each colour."""
    done = subprocess.run(words("learn"), cwd=tmp_path, capture_output=True, text=True, check=True)
    first, last = (row.split() for row in (done.stdout.splitlines()[2], done.stdout.splitlines()[-2]))
    assert [int(cell.rstrip("%")) < 50 for cell in first[1:7]] == [True] * 6
    least = (80, 80, 50, 50, 50, 50)
    assert all(int(cell.rstrip("%")) >= each for cell, each in zip(last[1:7], least, strict=True))
    assert [path.name for path in tmp_path.iterdir()] == ["mine.bin"]
    assert PackedTable.read(tmp_path / "mine.bin")
