"""Grades as they are printed and written."""

import csv
import io
import json
from dataclasses import replace

import pytest

from gojudge.intake.submissions import Refused
from gojudge.records import Entrant, Termination
from tests.support.game_rows import row, wins
from tournament.events.events import Event
from tournament.results.grade_report import grades_csv, grades_json, write_grade_reports
from tournament.results.grading import class_grades, grades, refused_grade
from tournament.results.rubric_files import read_rubric

RUBRIC = read_rubric("2019")
EVENT = Event("hw2", "grade", games=100, rubric="2019")
ENTRANTS = [
    Entrant("bob", ("Bob Ray",)), Entrant("ann", ("=cmd()", "Ann Lee")), Entrant("fay"), Entrant("random", reference="random"),
]  # fmt: skip
WON = {"random": 95, "greedy": 85, "aggressive": 80, "smart": 65}
ROWS = [game for opponent, won in WON.items() for game in wins("ann", opponent, won, 100)]
CRASH = {"termination": Termination.CRASH, "forfeited_by": 1, "black_moves": 2, "black_seconds": 1.0, "black_worst": 0.75}
ROWS.append(row("bob", "random", "W", **CRASH))
REFUSED = [Refused("eve", ("Eve",), "eve.zip", "eve.py, line 1: SyntaxError: \x1b[2J<b>")]


def written(tmp_path, **options):
    return report(ROWS, EVENT, ENTRANTS, RUBRIC, tmp_path / "out", REFUSED, **options)


def report(rows, event, entrants, rubric, out, refused=(), **options):
    grades = class_grades(rows, rubric, entrants, refused, event.games, event.until_decided)
    return write_grade_reports(grades, rubric, event, out, **options)


def test_the_printed_table(tmp_path):
    assert written(tmp_path).splitlines() == [
        "CSCI-561 competition 2019, first stage: 100 games per opponent, 100 points at most",
        "Open: how likely as many other games would give another band. The fewer games, the more is open, for everybody.",
        "",
        "name      points     random     greedy    aggressive       smart    open  forfeits      s/move    longest",
        "------  --------  ---------  ---------  ------------  ----------  ------  ----------  --------  ---------",
        "ann         65.5  ~30 (95%)  ~17 (85%)      12 (80%)  ~6.5 (65%)    47 %                 0.000      0.000",
        "bob           0*    ~0 (0%)          -             -           -     8 %  1 crash        0.500      0.750",
        "eve            0          -          -             -           -       -  refused",
        "fay           -*          -          -             -           -       -  not played",
        "",
        "~ close to a threshold (the 95 % interval reaches across): other seeds might give other points",
        "",
        "The most open marks:",
        "",
        "name    against       won-lost  band                    points    95 % interval    open",
        "------  ----------  ----------  --------------------  --------  ---------------  ------",
        "ann     smart            65-35  below: 10 x rate           6.5    5.53 to 11.05    25 %",
        "ann     greedy           85-15  from 70 %: 20 x rate        17      15.34 to 30    17 %",
        "bob     random             0-1  below: 0                     0       0 to 15.87     8 %",
        "ann     aggressive       80-20  from 70 %: 15 x rate        12      10.67 to 13     7 %",
        "ann     random            95-5  from 90 %: 30               30      17.76 to 30     7 %",
        "",
        "* games are missing; these points are not final",
        "",
        "eve: eve.py, line 1: SyntaxError: \\x1b[2J<b>",
    ]


def test_points_of_each_stage_where_there_are_two(tmp_path):
    rubric, event = read_rubric("littlego-2023"), Event("hw", "grade", games=20, rubric="littlego-2023")
    won = {"random": 20, "greedy": 20, "aggressive": 20, "alphabeta": 16, "qlearner": 20, "championship": 5}
    rows = [game for opponent, number in won.items() for game in wins("ann", opponent, number, 20)]
    text = report(rows, event, ENTRANTS[1:2], rubric, tmp_path, REFUSED).splitlines()
    assert text[0] == "Little-Go 2023: 20 games per opponent, 90 + 10 points at most"
    assert text[3].split()[:7] == ["name", "points", "stage", "1", "stage", "2", "random"]
    assert text[5].split()[:4] == ["ann", "88.5", "83", "5.5"]
    assert text[6].split()[:4] == ["eve", "0", "-", "-"]
    ann = next(csv.DictReader(io.StringIO((tmp_path / "grades.csv").read_text())))
    assert (ann["points"], ann["stage_1_points"], ann["stage_2_points"]) == ("88.5", "83", "5.5")


def test_the_csv_has_the_same_columns_for_everybody(tmp_path):
    written(tmp_path)
    text = (tmp_path / "out/grades.csv").read_text()
    ann, bob, eve, fay = csv.DictReader(io.StringIO(text))
    assert (ann["points"], ann["of"], ann["complete"], ann["students"]) == ("65.5", "100", "yes", "'=cmd(); Ann Lee")
    assert (ann["greedy_points"], ann["greedy_black_won"], ann["greedy_white_won"]) == ("17", "43", "42")
    assert (ann["random_close"], ann["random_rate"], ann["random_rate_low"]) == ("yes", "0.95", "0.8882")
    assert (ann["smart_band"], ann["smart_points_low"], ann["smart_points_high"]) == ("below: 10 x rate", "5.53", "11.05")
    assert float(ann["other_band"]) > float(ann["smart_other_band"]) > float(ann["greedy_other_band"]) > 0.1
    assert (bob["complete"], bob["forfeits_crash"]) == ("no", "1")
    assert (bob["seconds_per_move"], bob["longest_seconds"]) == ("0.5", "0.75")
    assert (eve["points"], eve["refused"]) == ("0", "eve.py, line 1: SyntaxError: \\x1b[2J<b>")
    assert None not in ann
    assert text.isascii()
    # Of whom nothing was played there is nothing to say; nor of an opponent that somebody has not met.
    said = {key: text for key, text in fay.items() if text and not key.startswith("forfeits")}
    assert said == {"name": "fay", "of": "100", "complete": "no", "over_time": "no"}
    assert (bob["points"], bob["random_points"], bob["greedy_points"], bob["greedy_rate_high"]) == ("0", "0", "", "")


def test_what_a_roster_says_besides_is_in_both_files():
    fields = (("email", "ann@example.org"), ("points", "12"))
    found = grades([], RUBRIC, [replace(ENTRANTS[0], fields=fields)])
    found.append(refused_grade("eve", (), "no file", RUBRIC, (("section", "B"),)))
    ann, eve = csv.DictReader(io.StringIO(grades_csv(found, RUBRIC)))
    assert list(ann)[:6] == ["name", "students", "email", "roster_points", "section", "points"]
    assert (ann["email"], ann["roster_points"], ann["section"]) == ("ann@example.org", "12", "")
    assert (eve["email"], eve["roster_points"], eve["section"]) == ("", "", "B")
    assert [grade["roster"] for grade in grades_json(found)] == [dict(fields), {"section": "B"}]


def test_the_json_says_what_was_played(tmp_path):
    written(tmp_path)
    found = json.loads((tmp_path / "out/grades.json").read_text())
    assert (found["event"]["name"], found["event"]["limits"]["move_seconds"], found["rubric"]) == ("hw2", 5, RUBRIC.title)
    ann = found["grades"][0]
    assert (ann["points"], [part["points"] for part in ann["opponents"]]) == (65.5, [30, 17, 12, 6.5])
    assert ann["opponents"][0]["black"] == {"won": 48, "lost": 2, "tied": 0}
    eve, fay = found["grades"][2:]
    assert (eve["points"], eve["other_band"], eve["opponents"][0]["points"]) == (0, 0, 0)
    assert (fay["points"], fay["other_band"], fay["opponents"][0]["points"], fay["opponents"][0]["rate"]) == (None,) * 4


def test_the_same_games_give_the_same_files(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        written(tmp_path / folder)
    files = sorted((tmp_path / "a").rglob("*.*"))
    assert len(files) == 2
    assert all(path.read_bytes() == (tmp_path / "b" / path.relative_to(tmp_path / "a")).read_bytes() for path in files)


def test_nothing_is_written_without_a_folder(tmp_path):
    assert report(ROWS, EVENT, ENTRANTS, RUBRIC, None).startswith("CSCI-561")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("games", [2, 100])
def test_the_events_number_of_games_is_what_is_expected(tmp_path, games):
    rows = [game for opponent in WON for game in wins("ann", opponent, 2, 2)]
    text = report(rows, Event("hw2", "grade", games=games), ENTRANTS[1:2], RUBRIC, None)
    assert ("games are missing" in text) == (games == 100)


def test_a_submission_over_the_rubrics_time_is_named():
    rows = [row("ann", "random", "B", black_moves=12, black_seconds=1500.0)]
    text = report(rows, Event("hw2", "grade", games=1), ENTRANTS[1:2], RUBRIC, None)
    assert text.endswith("ann: all games took 1500 s, the rubric allows 1200 s")
