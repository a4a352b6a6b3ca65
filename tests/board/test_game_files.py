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
        assert logs == [0, {str(ply): f"<b> {ply - 1} </script>\n" for ply in (2, 4, 6, 8)}, ""]


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
    assert play("-p1=greedy", "-p2=random", "-n=2", "--seed=1", "--rules=aga", "--html", "games.html", cwd=tmp_path)[2] == ""
