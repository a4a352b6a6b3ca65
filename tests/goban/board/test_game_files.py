"""Files of games: pages that games go to, paths that cannot be written, files that are looked at on the board."""

import json
import re
import signal
from base64 import b64encode

import pytest

from tests.support.board_pages import Client, moves_of
from tests.support.go_play_runs import LEGAL, play, start, write
from tests.support.missing import needs, no_package
from tests.support.waiting import PATIENCE


def told(path):
    """The data of a page."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', path.read_text())
    return json.loads(found[1])


def test_a_page_holds_every_game_with_its_times_and_what_was_printed(tmp_path):
    loud = write(tmp_path, LEGAL.replace("        points", "        print('<b>', go.n_move, '</script>')\n        points"))
    page = tmp_path / "games.html"
    status, out, _ = play("-p1=greedy", f"-p2={loud}", "-t=2", "-n=3", "--seed=1", "--html", str(page))
    assert (status, out.count("</script>")) == (0, 8)
    data = told(page)
    assert [row[0] for row in data["games"]] == [1, 2]
    assert (data["size"], data["komi"], data["rules"]) == (3, 1.5, "course")
    assert data["result"].splitlines() == out.splitlines()[-2:]
    for row in data["games"]:
        moves, times, logs = row[6].split(), row[7], row[11]
        assert len(moves) == len(times) == 8
        assert logs[:3] == [0, {str(ply): f"<b> {ply - 1} </script>\n" for ply in (2, 4, 6, 8)}, ""]


BRANCHES = """class MyPlayer:
    def get_input(self, go, piece_type):
        # <b>bold</b>
        if go.n_move < 2:
            return self.middle(go)
        for place in range(go.size ** 2):
            if go.valid_place_check(place // go.size, place % go.size, piece_type, test_check=True):
                return place // go.size, place % go.size

    def middle(self, go):
        point = go.size // 2
        return point, point
"""


def test_a_page_holds_where_each_move_of_a_file_was_returned(tmp_path):
    page = tmp_path / "games.html"
    assert play(f"-p1={write(tmp_path, BRANCHES)}", "-p2=greedy", "-n=3", "--seed=1", "--html", str(page))[0] == 0
    black, white, trace, (moves, places) = told(page)["games"][0][11]
    assert (black, white, trace) == (0, 0, "")
    # Of greedy, which is no file, nothing is said.
    assert {ply: [places[k][:3] for k in found] for ply, found in moves.items()} == {
        "1": [["visitor.py", 5, "get_input"]], "3": [["visitor.py", 8, "get_input"]],
        "5": [["visitor.py", 8, "get_input"]], "7": [["visitor.py", 8, "get_input"]],
    }  # fmt: skip
    assert places[0][3:] == [2, BRANCHES.splitlines()[1:7]]
    assert len(places) == 2


def test_what_is_asked_again_came_from_the_last_answer(tmp_path):
    page = tmp_path / "games.html"
    twice = BRANCHES.replace("if go.n_move < 2:", "self.asked = getattr(self, 'asked', 0) + 1\n        if self.asked < 3:")
    assert play(f"-p1={write(tmp_path, twice)}", "-p2=greedy", "-n=3", "--seed=1", "--html", str(page))[0] == 0
    moves, places = told(page)["games"][0][11][3]
    # The middle is taken when it is asked for again.
    assert [places[k][1] for k in moves["1"] + moves["3"]] == [6, 9]


@pytest.mark.parametrize("path", ["no/such/folder/games.html", "."])
def test_a_page_that_cannot_be_written_is_refused_before_the_first_game(tmp_path, path):
    status, out, err = play("--seed=1", "--html", path, cwd=tmp_path)
    assert (status, out, err.count("\n")) == (2, "", 1)


def test_it_says_what_it_waits_for(tmp_path):
    status, _, err = play("-p1=greedy", "-p2=random", "-n=2", "--seed=1", "--html", "games.html", cwd=tmp_path, flags=())
    assert status == 0
    first, *_, last = err.splitlines()
    assert first == "games.html: finding out what each move cost, 5 s at most, and once a minute more to compile"
    assert last == "games.html is written"


def test_without_packages_it_says_what_the_page_is_without(tmp_path):
    status, _, err = play("-p1=greedy", "-p2=random", "-n=2", "--seed=1", "-t=2", "--html", "games.html", cwd=tmp_path)
    assert status == 0
    assert err.startswith("games.html: without what moves cost, which needs numpy and numba: make install, then ")
    assert err.count("\n") == 1
    assert told(tmp_path / "games.html")["games"][0][-2] == 0


def test_of_games_that_no_solver_knows_nothing_is_said(tmp_path):
    assert play("-p1=greedy", "-p2=random", "-n=6", "--seed=1", "--rules=aga", "--html", "games.html", cwd=tmp_path)[2] == ""


# Looking at files

TREE = "(;SZ[5]PB[Ann]PW[Bo]RE[B+R]C[hello];B[cc](;W[bb]C[why?];B[dd])(;W[cc];B[aa])(;W[dd];B[aa]))"


def look(client, text):
    return client.ask(do="sgf", data=b64encode(text.encode()).decode())


def test_a_file_is_looked_at_from_its_start_and_nobody_plays(client):
    view = look(client, TREE)
    assert (moves_of(view), view["path"], view["over"]) == (["C3", "B4", "D2"], [0, 1, 2, 3], True)
    assert (view["names"], view["record"][4]) == (["Ann", "Bo"], "B+R")
    assert [board.count("1") for board in view["boards"]] == [0, 1, 1, 2]
    nodes = view["file"]["nodes"]
    assert [node[:3] for node in nodes[:3]] == [[-1, "", "hello"], [0, "B C3", ""], [1, "W B4", "why?"]]
    assert nodes[2][4] == {"W": ["bb"], "C": ["why?"]}
    assert client.ask(do="undo")["error"] == "there is no move of yours to take back"
    view = client.ask(do="follow", node=6)
    assert (moves_of(view), view["path"]) == (["C3", "D2", "A5"], [0, 1, 6, 7])
    assert "file" not in view
    assert client.ask(do="follow", node=8)["error"] == "expected a node up to 7, got 8"


def test_a_move_that_is_tried_in_a_file_is_a_variation_of_it(client):
    begun = look(client, TREE)
    view = client.play("E1", 1)
    assert (moves_of(view), view["path"], view["tried"]) == (["C3", "E1"], [0, 1, 8], [8, [[1, "W E1", "", {}, {"W": ["ee"]}]]])
    view = client.play("A1", 2)
    assert (moves_of(view), view["path"], view["tried"][1][1][:2]) == (["C3", "E1", "A1"], [0, 1, 8, 9], [8, "B A1"])
    # What the file has, or was tried before, is no other variation.
    assert client.play("B4", 1)["path"] == [0, 1, 2, 3]
    assert client.play("E1", 1)["path"] == [0, 1, 8, 9]
    assert client.ask(do="wait", version=-1)["file"]["nodes"] == begun["file"]["nodes"] + view["tried"][1]
    view = client.ask(do="undo")
    assert (view["path"], len(view["tried"][1])) == ([0, 1, 8], 1)
    view = client.ask(do="undo")
    assert (view["path"], view["tried"]) == ([0, 1, 2, 3], [8, []])
    assert client.ask(do="undo")["error"] == "there is no move of yours to take back"


@pytest.mark.parametrize(("move", "number", "said"), [
    ("C3", 1, "C3: the point is occupied"),
    ("F9", 1, "vertex 'F9' is off the 5x5 board"),
    ("resign", 1, "resign: nobody resigns in a file"),
    ("pass", 1, "pass: "),
    ("A1", 4, "expected a move up to 3 of the line shown, got 4"),
])  # fmt: skip
def test_what_cannot_be_tried_in_a_file_is_refused(client, move, number, said):
    view = look(client, TREE)
    assert client.play(move, number)["error"].startswith(said)
    assert client.ask(do="wait", version=-1)["path"] == view["path"]


def test_what_was_tried_in_a_file_is_there_in_a_game_that_is_played_from_it(client):
    look(client, TREE)
    client.play("E1", 1)
    client.ask(do="teach", stones=0)
    assert client.play("A1", 2)["lesson"] is None
    view = client.ask(do="branch", players=["", ""], number=2, moves=["B2"])
    assert (moves_of(view), view["lines"][-1]) == (["C3", "E1", "B2"], "C3 E1 A1")
    assert view["file"]["nodes"][9][:2] == [8, "B A1"]


def test_from_a_file_a_game_is_played_on_when_it_is_asked_for(client):
    look(client, TREE)
    view = client.ask(do="branch", players=["", ""], number=2, moves=["E1"])
    assert (moves_of(view), view["lines"]) == (["C3", "B4", "E1"], ["C3 B4 D2", "C3 D2 A5"])
    assert (view["komi"], view["people"], view["over"], view["file"]["node"]) == (2.5, [True, True], False, 0)
    assert moves_of(client.play("A1", 3)) == ["C3", "B4", "E1", "A1"]
    assert client.ask(do="wait", version=-1)["file"]["nodes"][2][2] == "why?"


@pytest.mark.parametrize("rules", ["course", "aga"])
def test_where_stones_are_set_up_a_game_begins_with_them_and_programs_play_it(client, rules):
    text = f"(;SZ[5]RU[{rules}];B[cc];W[bb];AB[aa:ab]AW[ee]AE[bb]PL[W];W[dd])"
    view = look(client, text)
    assert moves_of(view) == ["C3", "B4", "setup", "D2"]
    assert (view["boards"][3], view["turns"]) == ("1000010000001000000000002", [1, 2, 1, 2, 1])
    view = client.ask(do="branch", players=["", "smart"], number=3, moves=[])
    assert (moves_of(view), view["begun"]) == ([], "1000010000001000000000002")
    view = client.until(lambda view: len(moves_of(view)) == 1)
    assert view["to_move"] == 1
    view = client.until(lambda view: view["thinking"] is None)
    assert len(view["turns"]) == 2


@needs(no_package("numba"))
def test_what_moves_are_worth_is_known_of_positions_that_were_set_up(client):
    look(client, "(;SZ[3]RU[course];AB[bb]PL[W];W[bc];B[ab])")
    client.ask(do="values", number=1)
    view = client.until(lambda view: view["values"] and view["values"]["done"])
    assert len(view["values"]["moves"]) == 8
    client.ask(do="game", number=3)
    truth = client.until(lambda view: view["record"][10])["record"][10]
    assert (truth[0][0], truth[1][0], len(truth[0])) == (-1, None, 4)
    assert all(winner in (1, 2) for winner in truth[0][1:])


@needs(no_package("numba"))
def test_what_moves_are_worth_is_known_where_area_counts_with_the_komi_of_the_file(client):
    view = look(client, "(;SZ[3]RU[Chinese]KM[9];B[bb];W[aa])")
    assert view["solvable"]
    client.ask(do="values", number=0)
    view = client.until(lambda view: view["values"] and view["values"]["done"])
    assert view["values"]["moves"]["B2"] == [0.5, 0]


def test_a_file_has_its_own_rules_and_komi(client):
    view = look(client, "(;SZ[6]RU[Chinese]KM[0.5];B[cc];W[bb])")
    assert (view["rules"], view["komi"], view["solvable"]) == ("aga", 0.5, False)
    assert view["why_not"] == "What moves are worth is known up to 5x5 under course, littlego and rules that count area."
    assert look(client, "hello")["error"].startswith("expected a game")
    client.game = ""
    assert client.ask(do="sgf", data=7)["error"] == "data: expected a text, got 7"
    assert client.ask(do="sgf", data="*")["error"].startswith("expected a game")


def test_the_command_line_opens_a_file_to_look_at(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text(TREE)
    process = start("--browser", str(path))
    try:
        address = process.stdout.readline().split()[0]
        client = Client(type("Server", (), {"address": address}))
        status, page = client.send(b"", "GET", client.address.path, Origin=None)
        client.game = re.search(rb'"game":"([\w-]+)"', page)[1].decode()
        view = client.ask(do="wait", version=-1)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert (status, moves_of(view), view["names"]) == (200, ["C3", "B4", "D2"], ["Ann", "Bo"])
