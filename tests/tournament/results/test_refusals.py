"""Refused submissions are kept beside the results, and everything that reports a grade names them."""

import pytest

from gojudge.records import Entrant
from tests.support.page_events import REFUSED, grade_store
from tournament.__main__ import main
from tournament.errors import StoreError
from tournament.results.grade_report import everybody, read_refusals, refusals_path, write_refusals


def test_what_is_written_is_read_and_nobody_refused_leaves_no_file(tmp_path):
    store = tmp_path / "grade.db"
    assert read_refusals(store) == []
    write_refusals(store, REFUSED)
    assert read_refusals(store) == list(REFUSED)
    write_refusals(store, [])
    assert not refusals_path(store).exists()


@pytest.mark.parametrize("text", ["", "[]", '{"refused": 1}', '{"refused": [{"name": "ann"}]}', '{"refused": [{"name": 1, '
    '"students": [], "reason": "", "fields": []}]}',
    '{"refused": [{"name": "a", "students": "\\ud800", "reason": 2, "fields": []}]}',
    '{"refused": [{"name": "a", "students": [], "reason": "", "fields": [["email", 1]]}]}'])  # fmt: skip
def test_another_file_of_that_name_is_one_line(tmp_path, text):
    refusals_path(tmp_path / "grade.db").write_text(text)
    with pytest.raises(StoreError, match=r"grade\.db\.refused\.json: expected the refused submissions as grade writes them"):
        read_refusals(tmp_path / "grade.db")


def test_who_played_before_and_is_refused_now_is_named_once():
    found = everybody([Entrant("random", reference="random"), Entrant("quinn", digest="old")], REFUSED)
    assert [one.name for one in found] == ["quinn", "random", "rosa"]
    assert found[0].digest == "old"


def test_standings_of_a_grade_are_its_points_with_reference_players_apart(tmp_path, capsys):
    store = grade_store(tmp_path / "grade.db")
    assert main(["standings", str(store), "--out", str(tmp_path / "points.csv")]) == 0
    out = capsys.readouterr().out
    first, _, rest = out.partition("\n\n")
    assert first == "hw2: grade, course, 5x5, 48 games, 48 different"
    assert rest.startswith("CSCI-561 competition 2019, first stage: 4 games per opponent")
    ranked, worth = out.split("reference player ")
    names = [line.split()[0] for line in ranked.splitlines()[7:12]]
    assert sorted(names[:3]) == ["ann", "bob", "cyra"]
    points = [float(line.split()[1]) for line in ranked.splitlines()[7:10]]
    assert points == sorted(points, reverse=True)
    assert names[3:] == ["quinn", "rosa"]
    assert "quinn: quinn.py, line 8: SyntaxError" in ranked
    assert "rating" not in out
    assert "\nrandom                    30  from 90 %: 30; from 70 %: 20 x rate; below: 0 " in worth
    assert (tmp_path / "points.csv").read_text().startswith("name,students,email,points,of,")


def test_watch_shows_the_points_of_a_grade(tmp_path, capsys):
    assert main(["standings", "--follow", str(grade_store(tmp_path / "grade.db"))]) == 0
    out = capsys.readouterr().out
    assert out.startswith("hw2: grade, course, 5x5: 48 of 48 games, 24 forfeits, 2 submissions refused\n")
    assert "points" in out
    assert "rosa" in out
    assert "WINs" not in out


def test_a_rubric_of_ones_own_is_looked_for_beside_the_results_too(tmp_path, capsys, monkeypatch):
    store = grade_store(tmp_path / "grade.db", rubric="easy.toml")
    (tmp_path / "else").mkdir()
    monkeypatch.chdir(tmp_path / "else")
    assert main(["standings", str(store), "--follow"]) == 2
    assert capsys.readouterr().err.startswith("standings: rubric 'easy.toml' cannot be read")
    (tmp_path / "easy.toml").write_text(
        'title = "Easy"\nrules = "course"\nsize = 5\ngames = 4\n'
        '[[opponent]]\nname = "random"\nbands = [{ from = 0, points = 7 }]\n'
    )
    assert main(["standings", str(store), "--follow"]) == 0
    assert "Easy: 4 games per opponent, 7 points at most" in capsys.readouterr().out
