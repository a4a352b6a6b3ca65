import pytest

from gojudge.errors import BadRosterError
from gojudge.records import Entrant, GameResult, GameSpec, Termination
from tournament.application.grades import read_points
from tournament.events.event_files import make_event
from tournament.events.schedules import reference_entrants
from tournament.store.store import Run, open_store


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("name,points\nalice,85.5\nbob,-1\n", {"alice": 85.5, "bob": -1}),
        ("\ufeffid,points,name\n1,80,alice\n", {"alice": 80}),
        ("name,points\n", {}),
        ("Points;Name\n7;José\n8;'=1+1\n9;'quoted'\n", {"José": 7, "=1+1": 8, "'quoted'": 9}),
    ],
)
def test_points_are_read_from_a_csv_file(tmp_path, text, points):
    path = tmp_path / "points.csv"
    path.write_text(text)
    assert read_points(path) == points


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "expected columns name and points, got none"),
        (b"name,score\nalice,3\n", "expected columns name and points, got .name, score."),
        (b"name,points\nalice,many\n", "line 2: expected points, got 'many'"),
        (b"name,points\nalice,nan\n", "line 2: expected points, got 'nan'"),
        (b"name,points\nalice\n", "line 2: expected points, got None"),
        (b"points,name\n1\n", "line 2: expected a name, got nothing"),
        (b"name,points\nalice,1\nalice,2\n", "line 3: expected every name once, got 'alice' again"),
        (b"name,points\n\x81,1\n", "line 2: expected UTF-8, .* got the byte 0x81"),
    ],
)
def test_a_csv_file_that_does_not_say_is_refused_by_name(tmp_path, data, said):
    path = tmp_path / "points.csv"
    path.write_bytes(data)
    with pytest.raises(BadRosterError, match=said) as caught:
        read_points(path)
    assert "points.csv" in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(BadRosterError, match=r"points\.csv: expected a grade's results file or a CSV file, found none"):
        read_points(tmp_path / "points.csv")


def graded(path, games, kind="grade"):
    references = reference_entrants(["random", "greedy", "aggressive", "smart"])
    event = make_event({"kind": kind, "games": 2, "rubric": "2019"})
    with open_store(path, event) as store:
        store.begin_run([Entrant("alice", digest="a"), *references], Run("", "", ""))
        for reference in references:
            for number in range(1, games + 1):
                black, white = ("alice", reference.name) if number % 2 else (reference.name, "alice")
                spec = GameSpec(f"alice-{reference.name}-{number:03d}", black, white, (0, 0))
                store.add(GameResult(spec, 1, 13, 12, Termination.SCORE))
    return path


def test_points_are_read_from_a_grades_results(tmp_path):
    # Half of the games won: 0 + 0 + 10 x 0.5 + 10 x 0.5 points.
    assert read_points(graded(tmp_path / "grade.db", 2)) == {"alice": 10}


def test_an_unfinished_grade_gives_no_points(tmp_path):
    with pytest.raises(BadRosterError, match="expected a finished grade, but games of alice are missing"):
        read_points(graded(tmp_path / "grade.db", 1))


def test_a_round_robin_gives_no_points(tmp_path):
    with pytest.raises(BadRosterError, match="expected the results of a grade, got a round-robin"):
        read_points(graded(tmp_path / "grade.db", 2, "round-robin"))
