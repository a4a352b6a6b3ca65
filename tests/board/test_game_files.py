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
