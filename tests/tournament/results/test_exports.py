"""Exports: the same games give the same bytes, and no text of a stranger becomes anything but text."""

import csv
import io
import json
import os
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goban.common.excerpts import as_written
from goban.rulesets import ruleset
from goban.states import new_game
from gojudge.errors import JudgeError
from gojudge.records import Entrant, GameResult, GameSpec, Spent, Termination, Turn
from tests.support.sgf_files import mill_games, mill_moves, told
from tournament.results.exports import Extras, cell, check_list, csv_line, from_cell, write_csv, write_json, write_sgfs

ALL = Extras(times=True, machine=True, logs=True)
SCORED = GameResult(
    GameSpec("ann-bob-001", "ann", "bob", (7, 0)),
    2,
    1.0,
    3.5,
    Termination.SCORE,
    turns=(Turn("C3", Spent(0.01, 0.009)), Turn("B2", Spent(0.02, 0.01))),
    tier="T3",
)
CRASHED = GameResult(
    GameSpec("ann-bob-002", "bob", "ann", (8, 0)),
    2,
    1.0,
    2.5,
    Termination.CRASH,
    1,
    'white (ann) wins: =cmd|"/c calc"!A1\n\x1b[2J',
    "Traceback\nZeroDivisionError: <script>",
    (Turn("C3", Spent(0.01, 0.009)),),
    Turn("", Spent(0.3, 0.2)),
    "hello\n@SUM(1)\x00",
    "",
    "T2",
    1,
    ("replayed: 0.3 s late",),
)
OTHER = replace(SCORED, spec=GameSpec("ann-cy-001", "cy", "ann", (9, 0)))


def read_csv(path):
    return list(csv.DictReader(io.StringIO(path.read_text())))


def test_csv_has_a_line_per_game(tmp_path):
    assert write_csv([SCORED, CRASHED], tmp_path / "a.csv", Extras()) == 2
    first, second = read_csv(tmp_path / "a.csv")
    assert first == {
        "id": "ann-bob-001", "black": "ann", "white": "bob", "winner": "white", "black_score": "1.0",
        "white_score": "3.5", "termination": "score", "forfeited_by": "", "detail": "", "n_moves": "2", "moves": "C3 B2",
    }  # fmt: skip
    assert (second["termination"], second["forfeited_by"]) == ("crash", "black")


def test_json_has_an_object_per_game(tmp_path):
    assert write_json([SCORED, CRASHED], tmp_path / "a.json", ALL, {"name": "cup"}) == 2
    found = json.loads((tmp_path / "a.json").read_text())
    assert found["event"] == {"name": "cup"}
    first, second = found["games"]
    assert (first["moves"], first["wall_seconds"], first["tier"]) == (["C3", "B2"], [0.01, 0.02], "T3")
    assert second["black_log"] == ["hello", "@SUM(1)\\x00"]
    assert (second["last_wall_seconds"], second["replays"], second["notes"]) == (0.3, 1, ["replayed: 0.3 s late"])


ROSTER = [
    Entrant("ann", fields=(("email", "ann@example.org"), ("section", "=A"))),
    Entrant("bob", fields=(("id", "7"),)),
    Entrant("cy"),
]


def test_what_a_roster_says_besides_stands_behind_each_game(tmp_path):
    write_csv([SCORED, OTHER], tmp_path / "a.csv", Extras(), ROSTER)
    first, second = read_csv(tmp_path / "a.csv")
    assert list(first)[11:] == ["black_email", "black_section", "black_id", "white_email", "white_section", "white_id"]
    assert list(first.values())[11:] == ["ann@example.org", "'=A", "", "", "", "7"]
    assert list(second.values())[11:] == ["", "", "", "ann@example.org", "'=A", ""]


def test_in_json_it_stands_before_the_games(tmp_path):
    write_json([SCORED], tmp_path / "a.json", Extras(), {}, ROSTER)
    found = json.loads((tmp_path / "a.json").read_text())
    assert found["roster"] == {"ann": {"email": "ann@example.org", "section": "=A"}, "bob": {"id": "7"}}


def test_no_games_are_a_header_or_an_empty_list(tmp_path):
    assert write_csv([], tmp_path / "a.csv", Extras()) == 0
    assert (tmp_path / "a.csv").read_text().startswith("id,black,white,")
    write_json([], tmp_path / "a.json", Extras(), {})
    assert json.loads((tmp_path / "a.json").read_text()) == {"event": {}, "games": []}


def test_times_machine_and_logs_are_left_out_unless_asked_for(tmp_path):
    later = replace(
        CRASHED, turns=(Turn("C3", Spent(9.0, 9.0)),), last=None, tier="T0", replays=3, notes=(), evidence="", black_log="0x7f"
    )
    for number, game in enumerate((CRASHED, later)):
        write_csv([game], tmp_path / f"{number}.csv", Extras())
        write_json([game], tmp_path / f"{number}.json", Extras(), {})
        write_sgfs([game], tmp_path / f"{number}", "course", 5, Extras())
    for ending in (".csv", ".json", "/ann-bob.sgf"):
        assert (tmp_path / f"0{ending}").read_bytes() == (tmp_path / f"1{ending}").read_bytes()


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", " =1", "\t=1", "\r=1", "=cmd|'/c calc'!A1", "\n@x", "＝1+1"]
# What is not seen before a sign.
UNSEEN = ["\u3000=1", "\ufeff=1", "\u200b＠x"]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_spreadsheet_sees_no_formula(text):
    (found,) = next(csv.reader([csv_line([text])]))
    assert not found.startswith(("=", "+", "-", "@", " ", "\t", "\r", "\n"))
    assert found.isprintable()


IN_BETWEEN = ["x;=1", "x; =1;", "x;＝1", 'x;"=1;', "=1;+2;x;-3", "a, \"b\";\t@x"]


@pytest.mark.parametrize("text", IN_BETWEEN)
def test_nor_does_one_that_separates_cells_by_semicolons(text):
    line = csv_line(["ann", text, 3])
    # As Excel reads it there: no quotation begins within a cell.
    parts = [part.lstrip(' "') for part in line.split(";")]
    assert not [part for part in parts if part.startswith(("=", "+", "-", "@", "＝"))]
    (cells,) = csv.reader([line])
    assert from_cell(cells[1]) == as_written(text)


@pytest.mark.parametrize("text", UNSEEN)
def test_what_is_not_seen_makes_no_formula(text):
    assert cell(text) == f"'{text}"


@given(st.text())
def test_any_text_is_one_harmless_cell(text):
    line = csv_line(["before", text, "after"])
    assert line.count("\n") == 1
    (cells,) = csv.reader([line])
    assert (cells[0], cells[2], len(cells)) == ("before", "after", 3)
    assert not cells[1].lstrip().startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠"))
    assert cells[1] == cell(text)
    assert from_cell(cells[1]) == as_written(text) or "'" in text


WRITTEN = ["José Núñez", "王小明", "نرگس\u200cخانم", "👩\u200d💻", "Übung 3", "josé@example.org", "x" * 9000, "a\u00a0b"]


@pytest.mark.parametrize("text", WRITTEN)
def test_what_an_instructor_writes_is_written_as_it_is(text):
    assert cell(text) == text


@pytest.mark.parametrize("number", [-1.5, 0, 3])
def test_numbers_stay_numbers(number):
    assert cell(number) == number


def test_hostile_texts_stay_on_their_line(tmp_path):
    write_csv([CRASHED], tmp_path / "a.csv", ALL)
    write_json([CRASHED], tmp_path / "a.json", ALL, {})
    write_sgfs([CRASHED], tmp_path, "course", 5, ALL)
    assert len(read_csv(tmp_path / "a.csv")) == 1
    for path in tmp_path.iterdir():
        assert path.read_text().replace("\n", "").isprintable(), path
        assert path.read_text().isascii()


# SGF


def games_in(path):
    return mill_games(path.read_bytes())


def test_sgf_has_a_file_per_pair(tmp_path):
    assert write_sgfs([SCORED, OTHER, CRASHED], tmp_path / "sgf", "course", 5, Extras()) == 3
    assert sorted(path.name for path in (tmp_path / "sgf").iterdir()) == ["ann-bob.sgf", "ann-cy.sgf"]
    first, second = games_in(tmp_path / "sgf/ann-bob.sgf")
    assert told(first, "PB", "PW", "RE", "KM", "GN") == ("ann", "bob", "W+2.5", 2.5, "ann-bob-001")
    assert told(second, "RE", "PB") == ("W+F", "bob")
    assert told(second, "GC")[0].startswith("crash: white (ann) wins: =cmd")


def test_sgf_has_a_file_per_game_if_asked_for(tmp_path):
    write_sgfs([SCORED, CRASHED], tmp_path, "course", 5, Extras(), per_game=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ann-bob-001.sgf", "ann-bob-002.sgf"]
    (game,) = games_in(tmp_path / "ann-bob-001.sgf")
    state = new_game(ruleset("course"), game.get_size())
    for colour, move in mill_moves(game):
        assert state.to_move == colour
        state = state.play(move)
    assert state.n_move == 2


def test_sgf_keeps_times_if_asked_for(tmp_path):
    write_sgfs([SCORED], tmp_path, "course", 5, Extras(times=True))
    (game,) = games_in(tmp_path / "ann-bob.sgf")
    assert [node.get("SECONDS") for node in game.get_main_sequence()[1:]] == ["0.009", "0.01"]


def test_passes_and_resignations(tmp_path):
    turns = (Turn("pass", Spent(0, 0)), Turn("A1", Spent(0, 0)), Turn("resign", Spent(0, 0)))
    write_sgfs([replace(SCORED, termination=Termination.RESIGNATION, turns=turns)], tmp_path, "aga", 9, Extras())
    (game,) = games_in(tmp_path / "ann-bob.sgf")
    assert mill_moves(game) == [(1, None), (2, (8, 0))]
    assert told(game, "RE", "KM") == ("W+R", 7.5)


def test_a_tie_and_a_void_game(tmp_path):
    write_sgfs([replace(SCORED, winner=0)], tmp_path / "tie", "course", 4, Extras())
    write_sgfs([replace(SCORED, winner=None, termination=Termination.VOID)], tmp_path / "void", "course", 5, Extras())
    assert games_in(tmp_path / "tie/ann-bob.sgf")[0].get_root().get("RE") == "0"
    assert games_in(tmp_path / "void/ann-bob.sgf")[0].get_root().get("RE") == "Void"


def test_a_move_that_is_none_names_the_game(tmp_path):
    with pytest.raises(JudgeError, match="game ann-bob-001: move 1: "):
        write_sgfs([replace(SCORED, turns=(Turn("Z9", Spent(0, 0)),))], tmp_path, "course", 5, Extras())


def test_a_failure_leaves_the_old_file(tmp_path):
    def games():
        yield SCORED
        raise OSError("disk full")

    write_csv([SCORED], tmp_path / "a.csv", Extras())
    before = (tmp_path / "a.csv").read_bytes()
    with pytest.raises(OSError, match="disk full"):
        write_csv(games(), tmp_path / "a.csv", ALL)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.csv": before}


def test_of_a_list_that_would_be_replaced_only_the_beginning_is_read(tmp_path):
    path = tmp_path / "roster.csv"
    path.write_text("submission,name\n")
    os.truncate(path, 1 << 40)
    with pytest.raises(JudgeError, match="is no list of grades, and is not overwritten"):
        check_list(path, "grades", "name,students,")
