"""Files that games go to: what the page holds, and paths that cannot be written."""

import json
import re

import pytest

from tests.support.go_play_runs import LEGAL, play, write


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
    assert err.splitlines()[0] == "games.html: finding out what each move cost, 5 s at most, and once a minute more to compile"


def test_without_packages_it_says_what_the_page_is_without(tmp_path):
    status, _, err = play("-p1=greedy", "-p2=random", "-n=2", "--seed=1", "-t=2", "--html", "games.html", cwd=tmp_path)
    assert status == 0
    assert err.startswith("games.html: without what moves cost, which needs numpy and numba: make install, then ")
    assert err.count("\n") == 1
    assert told(tmp_path / "games.html")["games"][0][-2] == 0


def test_of_games_that_no_solver_knows_nothing_is_said(tmp_path):
    assert play("-p1=greedy", "-p2=random", "-n=6", "--seed=1", "--rules=aga", "--html", "games.html", cwd=tmp_path)[2] == ""
