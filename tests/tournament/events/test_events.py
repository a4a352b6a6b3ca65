"""What decides results is told apart, and named; what only words them is not."""

import dataclasses
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given

from gojudge.records import MATCH, Engine, engine_entrant
from gojudge.seats import Limits
from tests.tournament.events.test_event_files import EVENTS
from tournament.errors import StoreVersionError
from tournament.events.events import Basis, Event, differences, file_of, mark_changes, name_player, record_of, unknown_record
from tournament.results.rubric_files import parse_rubric, read_rubric
from tournament.results.rubrics import basis_of

RUBRIC = """title = "Ours"
rules = "course"
size = 3
games = 2
seconds = 60
[[opponent]]
name = "random"
bands = [{ from = 0.9, points = 30 }, { from = 0.5, times_rate = 20 }, { from = 0, points = 0 }]
[[opponent]]
name = "ours"
player = "ours.py"
stage = 2
bands = [{ from = 0, points = 10 }]
[deadline]
due = 2026-10-01T23:59:59
zone = "UTC"
"""
RANKS = """title = "Cup"
rules = "course"
size = 3
games = 2
entry = 80
[[rank]]
to = 2
points = 20
[[rank]]
points = 5
"""
GRADE = Event("hw", "grade", references=("random", "ours"))


def record(text, folder=Path()):
    return basis_of(parse_rubric(text.encode(), folder / "ours.toml")).record


@given(EVENTS, EVENTS)
def test_events_differ_in_what_decides_results(one, other):
    same = dataclasses.replace(one, rubric="", references=()) == dataclasses.replace(other, rubric="", references=())
    assert (not differences(one, other)) == (same and {*one.references} == {*other.references})


OTHERS = [
    ({"name": "cup2"}, "name (cup there, cup2 here)"),
    ({"games": 9}, "games (11 there, 9 here)"),
    ({"rules": "littlego"}, "rules (course there, littlego here)"),
    ({"references": ("random", "greedy")}, "references (random there, greedy, random here)"),
    ({"limits": Limits(move_seconds=2.0)}, "limits.move_seconds (5.0 there, 2.0 here)"),
    ({"limits": Limits(memory_mib=512)}, "limits.memory_mib (1024 there, 512 here)"),
    ({"deciding": 4}, "deciding (0 there, 4 here)"),
    ({"rounds": 4}, "rounds (0 there, 4 here)"),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "said"), OTHERS)
def test_every_field_of_an_event_that_decides_is_named_with_both_values(fields, said):
    event = Event("cup", "round-robin", games=11, references=("random",))
    assert ", ".join(differences(event, dataclasses.replace(event, **fields))) == said


def test_how_much_is_kept_of_what_players_print_and_the_order_of_names_decide_nothing():
    event = Event("cup", "round-robin", references=("random", "greedy"))
    same = dataclasses.replace(event, rubric="b.toml", limits=Limits(log_kib=1), references=("greedy", "random"))
    assert differences(event, same) == []


WORDING = [
    ('"Ours"', '"Ours, corrected"'), ("seconds = 60", "seconds = 90"), ("stage = 2", "stage = 1"), ("games = 2", "games = 4"),
    ("2026-10-01", "2026-10-02"), ("0.9,", "0.90,"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), WORDING)
def test_wording_and_what_the_event_has_itself_are_no_part_of_a_rubric(old, new):
    assert RUBRIC.count(old) == 1
    assert record(RUBRIC) == record(RUBRIC.replace(old, new))


def test_who_plays_under_an_opponents_name_decides():
    other = record(RUBRIC.replace('name = "random"', 'name = "random"\nplayer = "greedy"'))
    assert differences(GRADE, GRADE, record(RUBRIC), other) == ["opponent random (random there, greedy here)"]


def test_what_a_players_file_and_its_modules_hold_decides_and_not_where_they_lie(tmp_path):
    found = []
    sources = [("import helper", "one"), ("import helper", "one"), ("import helper", "two"), ("", "one")]
    for number, (player, helper) in enumerate(sources):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "ours.py").write_text(f"{player}\n")
        (folder / "helper.py").write_text(f"{helper}\n")
        (folder / "log.txt").write_text(str(number))
        found.append(record(RUBRIC, folder))
    first, moved, *others = found
    assert first == moved
    for other in others:
        (said,) = differences(GRADE, GRADE, first, other)
        assert said.startswith("opponent ours (ours.py with sources ")
    # A rubric is read where its players are not, to show marks: it says nothing of their sources then.
    assert differences(GRADE, GRADE, first, record(RUBRIC)) == []


def test_another_class_of_the_same_file_plays(tmp_path):
    (tmp_path / "ours.py").touch()
    texts = (RUBRIC.replace("ours.py", f"{tmp_path}/ours.py{ending}") for ending in ("", ":Agent", ":Other"))
    whole, *others = (record(text) for text in texts)
    for other in others:
        assert len(differences(GRADE, GRADE, whole, other)) == 1
    assert differences(GRADE, GRADE, *others)[0].startswith("opponent ours (ours.py:Agent with sources ")


def test_points_decide_no_game_and_changed_marks_are_named():
    there, here = record(RUBRIC), record(RUBRIC.replace("points = 30", "points = 28").replace("times_rate = 20", "points = 20"))
    assert differences(GRADE, GRADE, there, here) == []
    assert mark_changes(there, here) == [
        "random, from 90 % (30 there, 28 here)", "random, from 50 % (20 x rate there, 20 here)"
    ]  # fmt: skip
    assert mark_changes(there, there) == []
    there, here = record(RANKS), record(RANKS.replace("80", "75").replace("to = 2", "to = 3"))
    assert mark_changes(there, here) == [
        "entry (80 there, 75 here)", "ranks to 2 (20 there, none here)", "ranks to 3 (none there, 20 here)"
    ]  # fmt: skip
    assert mark_changes(None, record(RANKS)) == [
        "entry (none there, 80 here)", "ranks to 2 (none there, 20 here)", "other ranks (none there, 5 here)"
    ]  # fmt: skip


def test_where_bands_end_games_the_rates_at_which_they_begin_decide():
    early = dataclasses.replace(GRADE, until_decided=0.05)
    there = record(RUBRIC)
    assert differences(early, early, there, record(RUBRIC.replace("points = 30", "points = 28"))) == []
    assert differences(early, early, there, record(RUBRIC.replace("0.9", "0.8"))) == [
        "bands of random (from 90 %, from 50 %, from 0 % there, from 80 %, from 50 %, from 0 % here)"
    ]


def test_of_a_digest_only_the_players_are_known():
    there = unknown_record({"random": "random", "ours": "/elsewhere/ours.py"})
    assert differences(GRADE, GRADE, there, record(RUBRIC)) == []
    assert mark_changes(there, record(RUBRIC)) == ["not known in what, for only a digest was kept"]
    assert differences(GRADE, GRADE, unknown_record({"random": "greedy"}), record(RUBRIC)) == [
        "opponent random (greedy there, random here)"
    ]
    early = dataclasses.replace(GRADE, until_decided=0.05)
    assert differences(early, early, unknown_record({"random": "random"}), record(RUBRIC)) == [
        "bands of random (not kept there, from 90 %, from 50 %, from 0 % here)"
    ]


# Canonical texts, which later versions of the classes must not change

TEXTS = {
    RUBRIC: '{"opponents":[{"bands":[["9/10","30",false],["1/2","20",true],["0","0",false]],"name":"random","player":"random"},'
    '{"bands":[["0","10",false]],"name":"ours","player":"ours.py"}],"ranks":[],"version":1}',
    RANKS: '{"entry":"80","opponents":[],"ranks":[[2,"20"],[null,"5"]],"version":1}',
}


@pytest.mark.parametrize("text", TEXTS)
def test_the_text_of_a_rubric_in_results_files_is_what_it_has_always_been(text):
    basis = Basis(parse_rubric(text.encode(), Path("ours.toml")).record)
    assert basis.text == TEXTS[text]
    assert record_of(basis.text) == basis.record


DIGESTS = {
    "2019": "bdcd283c53926c82b268e861b4a746521548af6a1516d59b0ca03b1c1eac9d89",
    "2019-second": "a6231785dd47f777faf9a35fdb7b4c3dea1504ae0a25fc79a7ea69903d0af7c3",
    "littlego-2023": "a238d088fe169cda6b13087d7afd8ff371a5d77d75ef8ffc91eb4b83f2d84cca",
}


@pytest.mark.parametrize("name", DIGESTS)
def test_the_digest_of_before_is_that_of_what_the_class_looked_like(name):
    assert basis_of(read_rubric(name)).digest == DIGESTS[name]


def test_a_record_of_another_version_is_no_guess():
    with pytest.raises(StoreVersionError, match="expected a rubric as version 1 keeps it, found version 2's"):
        record_of('{"version":2}')
    damaged = [TEXTS[RUBRIC].replace('"9/10"', "[]"), TEXTS[RANKS].replace('"20"', '"1/0"')]
    for text in ("[]", "{}", "7", '{"version":1}', *damaged):
        with pytest.raises(ValueError, match=r".*"):
            record_of(text)
    assert record_of("") is None


def test_an_engines_digest_is_what_it_has_always_been():
    plain, full = Engine(("gnugo",)), Engine(("gnugo",), ("a",), MATCH, False, Path("x"), (("move_seconds", 2.0),))
    assert [engine_entrant("gnu", one).digest for one in (plain, full)] == [
        "f75130427ac97c151fde3f22efde242e8eb6b541399945babe6c232d6d356525",
        "104b7942435372dc28a512121156640d6f56ebfe57457c0c8b29632c1e123006",
    ]


def test_points_are_exact_in_the_record():
    assert record(RUBRIC.replace("points = 30", "points = 0.1"))["opponents"][0]["bands"][0][1] == str(Fraction(1, 10))


@pytest.mark.parametrize(
    ("player", "name", "file"),
    [
        ("random", "random", None), ("montecarlo:simulations=5", "montecarlo:simulations=5", None), ("a.b:C", "a.b:C", None),
        ("x/ours.py", "ours.py", "x/ours.py"), ("x/ours.py:Agent", "ours.py:Agent", "x/ours.py"),
        ("zero:network=x/y.npz", "zero:network=x/y.npz", None),
    ],
)  # fmt: skip
def test_a_player_that_is_a_file_is_named_without_its_folder(player, name, file):
    assert (name_player(player), file_of(player)) == (name, file and Path(file))
