"""standings and export on a results file, as an instructor calls them."""

import csv
import io
import json

import pytest

from gojudge.records import Entrant, GameResult, GameSpec, Spent, Turn
from tests.support.game_rows import match
from tournament.__main__ import main
from tournament.application.grades import _tell_absent
from tournament.events.events import Event
from tournament.store.store import Run, open_store, read_store

EVENT = Event("cup", "round-robin", size=7, games=3)
RUN = Run("2026-01-01T00:00:00+00:00", "classroom", "Python 3")
PLAYERS = {"ann": "", "bob": "", "cy": "", "random": "random"}
RESULTS = {"ann bob": "112", "ann cy": "111", "bob cy": "122", "ann random": "111", "bob random": "111"}


@pytest.fixture
def store(tmp_path):
    path = tmp_path / "cup.db"
    with open_store(path, EVENT) as made:
        made.begin_run([Entrant(name, (name,), reference, digest=name) for name, reference in PLAYERS.items()], RUN)
        for pair, results in RESULTS.items():
            for game in match(*pair.split(), results):
                spec = GameSpec(game.id, game.black, game.white, (1, 0))
                turns = (Turn("C3", Spent(0.5, 0.25)), Turn("B2", Spent(0.125, 0.1)))
                made.add(GameResult(spec, game.winner, 5, 3.5, game.termination, turns=turns, tier="T3", black_log="hi"))
    return path


def run(capsys, *arguments):
    status = main([str(argument) for argument in arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_standings_show_ranking_crosstable_and_ratings(store, capsys):
    status, out, _ = run(capsys, "standings", store, "--rubric", "2019-second")
    assert status == 0
    lines = out.splitlines()
    assert lines[0] == "cup: round-robin, course, 7x7, 15 games, 10 different"
    assert lines[2].split()[:6] == ["rank", "name", "WINs", "points", "pairs", "games"]
    assert lines[4].split()[:10] == ["1", "ann", "3", "20", "3-0", "8-1", "83.3", "%", "100.0", "%"]
    assert [line.split()[1] for line in lines[4:8]] == ["ann", "bob", "cy", "random"]
    assert "1 ann       .    2-1  3-0  3-0" in out
    assert "do not decide the order of 3 of 3 neighbours" in out


def test_standings_without_reference_players(store, capsys):
    _, out, _ = run(capsys, "standings", store, "--submissions-only")
    assert out.splitlines()[0] == "cup: round-robin, course, 7x7, 9 games"
    assert "random" not in out
    assert "points" not in out


def test_players_may_be_left_out_with_their_games(store, capsys, tmp_path):
    names = tmp_path / "cup.db.without.txt"
    names.write_text("random\n\ncy\n")
    status, out, err = run(capsys, "standings", store)
    assert (status, err) == (0, f"left out, as {names} says: random, cy\n")
    assert out.splitlines()[0] == "cup: round-robin, course, 7x7, 3 games, 2 different"
    assert not {"random", "cy"} & {*out.split()}
    names.write_text("cy")
    run(capsys, "export", store, "csv", "--out", tmp_path / "g.csv")
    assert {row["white"] for row in csv.DictReader(io.StringIO((tmp_path / "g.csv").read_text()))} == {"ann", "bob", "random"}
    run(capsys, "report", store, "--out", tmp_path / "site")
    assert sorted(path.stem for path in (tmp_path / "site").glob("player-*")) == ["player-ann", "player-bob", "player-random"]
    names.write_text("cy\nanna")
    line = f"standings: {names}, line 2: expected the name of a player, got 'anna'; did you mean ann?\n"
    assert run(capsys, "standings", store) == (2, "", line)


def test_who_no_longer_takes_part_is_told_until_they_are_left_out(store, tmp_path):
    told = []
    with read_store(store) as results:
        _tell_absent(results, [Entrant("ann"), Entrant("bob")], told.append)
        _tell_absent(results, [Entrant(name) for name in ("ann", "bob", "cy")], told.append)
        (tmp_path / "cup.db.without.txt").write_text("cy")
        _tell_absent(results, [Entrant("ann"), Entrant("bob")], told.append)
    still = f"standings, pages and exports still have them, unless {tmp_path}/cup.db.without.txt names them"
    assert told == [f"played earlier, and not now: cy; {still}"]


def test_standings_can_be_written_to_a_file(store, capsys, tmp_path):
    run(capsys, "standings", store, "--rubric", "2019-second", "--out", tmp_path / "s.csv")
    first = next(csv.DictReader(io.StringIO((tmp_path / "s.csv").read_text())))
    assert (first["rank"], first["name"], first["wins"], first["points"], first["black_won"]) == ("1", "ann", "3", "20", "5")
    assert int(first["rating_low"]) < int(first["rating"]) < int(first["rating_high"])


def test_standings_of_an_event_without_games(tmp_path, capsys):
    with open_store(tmp_path / "new.db", EVENT) as made:
        made.begin_run([Entrant("ann"), Entrant("bob")], RUN)
    status, out, _ = run(capsys, "standings", tmp_path / "new.db")
    assert status == 0
    assert "1  ann" in out


def test_exports_lie_beside_the_store_unless_told_otherwise(store, capsys, tmp_path):
    for kind, name in [("csv", "cup.csv"), ("json", "cup.json"), ("sgf", "cup.sgf")]:
        status, out, err = run(capsys, "export", store, kind)
        assert (status, out, err) == (0, "", f"15 games written to {tmp_path / name}\n")
    assert sorted(path.name for path in (tmp_path / "cup.sgf").iterdir()) == [
        "ann-bob.sgf", "ann-cy.sgf", "ann-random.sgf", "bob-cy.sgf", "bob-random.sgf",
    ]  # fmt: skip
    run(capsys, "export", store, "sgf-per-game", "--out", tmp_path / "games")
    assert len(list((tmp_path / "games").iterdir())) == 15
    run(capsys, "export", store, "csv", "--out", tmp_path / "other.csv")
    assert (tmp_path / "other.csv").read_bytes() == (tmp_path / "cup.csv").read_bytes()


def test_what_differs_from_run_to_run_is_exported_only_if_asked_for(store, capsys, tmp_path):
    run(capsys, "export", store, "json")
    plain = (tmp_path / "cup.json").read_text()
    assert "classroom" not in plain
    assert "wall" not in plain
    run(capsys, "export", store, "json", "--with", "times,machine,logs")
    found = json.loads((tmp_path / "cup.json").read_text())
    assert found["event"]["runs"] == [{"started": RUN.started, "host": "classroom", "versions": "Python 3"}]
    assert (found["games"][0]["wall_seconds"], found["games"][0]["black_log"]) == ([0.5, 0.125], ["hi"])


def test_course_systems_get_the_points_and_are_told_who_is_left_out(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with open_store(tmp_path / "grade.db", Event("grade", "grade", games=2, rubric="2019")) as made:
        ann = Entrant("ann", ("Ann Lee",), digest="a", fields=(("id", "7"), ("email", "a@example.org"), ("section", "A")))
        made.begin_run([ann, Entrant("bob", ("Bob Ray",), digest="b"), Entrant("random", reference="random", digest="r")], RUN)
        for game in match("ann", "random", "11"):
            made.add(GameResult(GameSpec(game.id, game.black, game.white, (1, 0)), game.winner, 5, 3.5, game.termination))
    missing = "ann: games are missing; these points are not final\nthe points of 1 student written to grade"
    left_out = "bob: left out: the roster has no"
    status, _, err = run(capsys, "export", "grade.db", "canvas", "--assignment", "Go (12)")
    assert (status, err) == (1, f"{left_out} ID or SIS User ID or SIS Login ID for Bob Ray\n{missing}.canvas.csv\n")
    assert (tmp_path / "grade.canvas.csv").read_text().splitlines() == [
        "Student,ID,SIS User ID,SIS Login ID,Section,Go (12)", "    Points Possible,,,,,100", "Ann Lee,7,,,A,30",
    ]  # fmt: skip
    status, _, err = run(capsys, "export", "grade.db", "moodle", "--out=m.csv")
    assert (status, err.splitlines()[0]) == (1, f"{left_out} Email address or ID number or Username for Bob Ray")
    name, who, number, user, title, _ = next(csv.reader(io.StringIO((tmp_path / "m.csv").read_text())))
    assert (name, who, number, user) == ("Name", "Email address", "ID number", "Username")
    assert title == "CSCI-561 competition 2019, first stage"
    assert run(capsys, "export", "grade.db", "vocareum")[0] == 1
    assert (tmp_path / "grade.vocareum/ann/grade.csv").read_text() == "random,30\ngreedy,0\naggressive,0\nsmart,0\n"


BAD = [
    (("standings", "none.db"), "standings: none.db: expected a results file, found nothing"),
    (("standings", "."), "standings: .: expected a results file, found a folder"),
    (("export", "none.db", "csv"), "export: none.db: expected a results file, found nothing"),
    (("export", "notes.txt", "csv"), "export: notes.txt: expected a results file, found something else"),
    (("standings", "cup.db", "--rubric", "2020"), "standings: expected a rubric (2019, "),
    (("standings", "cup.db", "--rubric", "x.toml"), "standings: rubric 'x.toml' cannot be read: No such file or directory"),
    (("export", "cup.db", "csv", "--out", "none/cup.csv"), "export: none/cup.csv: No such file or directory"),
    (("export", "cup.db", "csv"), "export: cup.csv is no list of games, and is not overwritten"),
    (("export", "cup.db", "canvas"), "export: canvas: expected the results of a grade, got those of a round-robin"),
    (("export", "cup.db", "moodle", "--rubric", "2019"), "export: moodle: expected the results of a grade, got those of a rou"),
    (("standings", "cup.db", "--out", "/proc/none/x.csv"), "standings: /proc/none/x.csv: No such file or directory"),
]


@pytest.mark.parametrize(("arguments", "line"), BAD)
def test_bad_input_is_one_line(store, capsys, monkeypatch, arguments, line):
    monkeypatch.chdir(store.parent)
    (store.parent / "notes.txt").write_text("not a database, but long enough to be looked at\n" * 100)
    (store.parent / "cup.csv").write_text("submission,name\nann,ann\n")
    status, out, err = run(capsys, *arguments)
    assert (status, out if arguments[:1] != ("standings",) else "") == (2, "")
    assert err.startswith(line)
    assert err.count("\n") == 1
