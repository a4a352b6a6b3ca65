"""`truth dataset` and `truth explorer`: the rows, that they come out the same again, and the page of openings."""

import errno
import gzip
import hashlib
import json
import os
import shutil

import pytest

from goban.common.command_lines import CommandError
from goban.points import parse_vertex
from goban.rulesets import COLOUR_NAMES
from goban.solver import dataset
from goban.solver.dataset import (
    PARQUET,
    SHEET,
    SHIPPED,
    SUMS,
    TABLE,
    DatasetOptions,
    draw_from_game,
    game_positions,
    key_of,
    make,
    opening_positions,
    openings,
    page_of,
    read,
    row_of,
)  # fmt: skip
from goban.solver.positions import rules_by_name
from goban.solver.solver import Solver
from goban.solver.truth import main
from goban.states import new_game
from lab.browsing import DESKTOP, PATIENCE, PHONE, chromium, why_not
from tests.support.missing import needs, no_package

SMALL = DatasetOptions(plies=1, games=1, nodes=2_000)
SMALL_PARTS = (("course", 3), ("littlego", 3), ("area", 3))


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(dataset, "PARTS", SMALL_PARTS)


def positions(settings):
    return [*opening_positions(settings), *game_positions(settings)]


def state_of(row):
    state = new_game(rules_by_name(row["rules"]), row["size"])
    for name in row["moves"]:
        state = state.play(parse_vertex(name, row["size"]))
    return state


def test_openings_are_all_positions_and_symmetric_ones_once():
    ways = list(openings("course", 3, 2))
    # The empty board; a corner, a side, the centre; and then 5, 5, 2 points that are not symmetric.
    assert len(ways) == 1 + 3 + 12
    keys = set()
    for moves in ways:
        state = new_game("course", 3)
        for move in moves:
            state = state.play(move)
        keys.add(key_of(state))
    everything = {key_of(new_game("course", 3).play(one).play(two)) for one in points(3) for two in points(3) if one != two}
    assert len(keys) == len(ways)
    assert everything <= keys


def points(size):
    return [(i, j) for i in range(size) for j in range(size)]


def test_a_position_of_a_game_follows_from_its_seed_and_is_not_over():
    for number in range(30):
        moves = draw_from_game("littlego", 3, str(number))
        assert moves == draw_from_game("littlego", 3, str(number))
        state = new_game("littlego", 3)
        for move in moves:
            state = state.play(move)
        assert not state.is_over


def test_games_take_turns_and_those_that_are_done_are_left_out():
    settings = DatasetOptions(games=3, rules=("course", "littlego"))
    everything = list(game_positions(settings))
    ids = [f"{rules}-5-game-{number}" for number in (1, 2, 3) for rules in settings.rules]
    assert [name for name, *_ in everything] == ids
    for done in range(7):
        assert list(game_positions(settings, done)) == everything[done:]


def test_a_dataset_may_be_of_some_rules_only(small, tmp_path, capsys):
    few = ["--plies", "1", "--games", "2", "--nodes", "100"]
    assert main(["dataset", "-o", str(tmp_path), "--rules", "littlego", "course", *few]) == 0
    rows = read(tmp_path)
    assert {row["rules"] for row in rows} == {"course", "littlego"}
    assert capsys.readouterr().out == f"{tmp_path / TABLE}: {len(rows)} positions\n"
    sheet = (tmp_path / SHEET).read_text()
    assert f"What it is: {len(rows)} positions" in sheet
    assert "--plies 1 --games 2 --nodes 100 --seed 1 --rules course littlego`" in sheet
    assert "area" not in sheet.split("Rules:")[0]


def test_a_second_command_leaves_the_folder_to_the_first(small, tmp_path, monkeypatch):
    refused = []

    def disturbed(*arguments, **options):
        # The same process asks for its own lock: SQLite's are held by connections.
        with pytest.raises(CommandError) as error:
            make(tmp_path, SMALL)
        refused.append(str(error.value))
        return row_of(*arguments, **options)

    monkeypatch.setattr(dataset, "row_of", disturbed)
    number = make(tmp_path, SMALL)
    assert refused == [f"{tmp_path}: another command is making a dataset there; wait for it"] * number
    assert len(read(tmp_path)) == number
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([TABLE, SHEET, SUMS])


def test_the_same_options_make_the_same_files_however_often_they_are_stopped(small, tmp_path, monkeypatch):
    make(tmp_path / "whole", SMALL)
    calls = 0

    def stopping(*arguments, **options):
        nonlocal calls
        calls += 1
        if calls == 4:
            raise KeyboardInterrupt
        return row_of(*arguments, **options)

    monkeypatch.setattr(dataset, "row_of", stopping)
    with pytest.raises(KeyboardInterrupt):
        make(tmp_path / "parts", SMALL)
    # A line that was cut off is written anew.
    with (tmp_path / "parts" / "rows.partial").open("a") as file:
        file.write('{"id": "cut')
    make(tmp_path / "parts", SMALL)
    for name in (TABLE, SHEET, SUMS):
        assert (tmp_path / "whole" / name).read_bytes() == (tmp_path / "parts" / name).read_bytes()
    assert sorted(path.name for path in (tmp_path / "parts").iterdir()) == sorted([TABLE, SHEET, SUMS])


def test_every_row_says_what_a_search_without_limits_says(small, tmp_path):
    make(tmp_path, SMALL)
    solver = Solver(16)
    rows = read(tmp_path)
    assert [row["id"] for row in rows] == [name for name, *_ in positions(SMALL)]
    for row in rows:
        state = state_of(row)
        assert ("/".join("".join(".XO"[stone] for stone in line) for line in state.rows())) == row["board"]
        assert COLOUR_NAMES[state.to_move] == row["to_move"]
        found = solver.best_moves(state)
        assert row["least"] <= (row["least"] if found.margin is None else found.margin) <= row["most"]
        for name, true in (("winner", {0: "tie", **COLOUR_NAMES}.get(found.winner)), ("margin", found.margin)):
            assert row[name] in (None, true), row
        if row["best_moves"] is not None:
            assert [parse_vertex(name, row["size"]) for name in row["best_moves"]] == list(found.best_moves)
    assert sum(row["margin"] is not None for row in rows) > len(rows) / 2


def test_another_dataset_is_not_gone_on_with(small, tmp_path, capsys):
    (tmp_path / "settings.json").write_text('{"plies": 1}')
    assert main(["dataset", "-o", str(tmp_path)]) == 2
    assert "expected the options it was begun with, {\"plies\": 1}, got {" in capsys.readouterr().err


def test_of_a_full_disk_one_line_says_where_and_nothing_is_lost(small, tmp_path, monkeypatch, capsys):
    asked = ["dataset", "-o", str(tmp_path), "--plies", "1", "--games", "1", "--nodes", "100"]
    rows = tmp_path / "rows.partial"

    def fill_disk(*arguments, **options):
        if rows.read_bytes().count(b"\n") == 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return row_of(*arguments, **options)

    monkeypatch.setattr(dataset, "row_of", fill_disk)
    assert main(asked) == 2
    assert capsys.readouterr().err == f"truth dataset: {tmp_path}: {os.strerror(errno.ENOSPC)}\n"
    kept = rows.read_bytes()
    monkeypatch.setattr(dataset, "row_of", row_of)
    assert main(asked) == 0
    assert gzip.decompress((tmp_path / TABLE).read_bytes()).startswith(kept)


def test_a_damaged_table_is_told(tmp_path, capsys):
    shutil.copytree(SHIPPED, tmp_path / "data")
    (tmp_path / "data" / TABLE).write_bytes(gzip.compress(b"{}"))
    assert main(["explorer", "-o", str(tmp_path / "page.html"), "--data", str(tmp_path / "data")]) == 2
    assert f"expected the digest in {SUMS}, got another one" in capsys.readouterr().err


@needs(no_package("pyarrow", extra="dataset"))
def test_the_table_for_other_programs_holds_the_same_rows(small, tmp_path):
    import pyarrow.parquet

    make(tmp_path, SMALL, parquet=True)
    assert pyarrow.parquet.read_table(tmp_path / PARQUET).to_pylist() == read(tmp_path)
    sums = dict(line.split("  ")[::-1] for line in (tmp_path / SUMS).read_text().splitlines())
    assert sums[PARQUET] == hashlib.sha256((tmp_path / PARQUET).read_bytes()).hexdigest()


def test_without_pyarrow_one_line_says_how_to_get_it(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(dataset, "find_spec", lambda name: None)
    assert main(["dataset", "-o", str(tmp_path), "--parquet"]) == 2
    assert capsys.readouterr().err.startswith("truth dataset: --parquet: this needs pyarrow: ")


# What comes with the project


@pytest.mark.slow
def test_the_shipped_rows_are_those_of_the_command():
    rows, asked = read(SHIPPED), positions(DatasetOptions())
    assert [row["id"] for row in rows] == [name for name, *_ in asked]
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) <= 5_000_000
    solver = Solver(dataset._MEMORY_MIB)
    # The last rows are of all parts by turns.
    for row, one in zip([*rows[::1000], *rows[-5:]], [*asked[::1000], *asked[-5:]], strict=True):
        assert row_of(solver, *one, nodes=DatasetOptions().nodes) == row


def test_published_values_stand_in_the_shipped_rows():
    start = {(row["rules"], row["size"]): row for row in read(SHIPPED) if not row["moves"]}
    assert (start["course", 5]["winner"], start["course", 5]["margin"]) == ("black", 3)
    assert start["course", 5]["winning_moves"] == ["C3"]
    # E. van der Werf and others, 2003.
    assert (start["area", 3]["winner"], start["area", 3]["margin"]) == ("black", 9)


def test_the_page_holds_all_openings_of_5x5_and_loads_nothing(tmp_path, capsys):
    assert main(["explorer", "-o", str(tmp_path / "page.html")]) == 0
    page = (tmp_path / "page.html").read_bytes()
    assert capsys.readouterr().out == f"{tmp_path / 'page.html'}: {len(page):,} bytes\n"
    assert len(page) <= 2_000_000
    assert page == page_of(read(SHIPPED))
    assert b"src=" not in page
    assert b"default-src 'none'" in page
    data = json.loads(page.partition(b'id="data">')[2].partition(b"</script>")[0])
    openings_of_5x5 = [row for row in read(SHIPPED) if row["size"] == 5 and row["source"] == "opening"]
    assert sum(len(one["values"]) for one in data["rules"]) == len(openings_of_5x5)


@pytest.mark.slow
@needs(why_not())
def test_the_page_is_walked_through_by_mouse_and_keys(tmp_path, capsys):
    page_file = tmp_path / "page.html"
    assert main(["explorer", "-o", str(page_file)]) == 0
    with chromium() as browser:
        page = browser.new_page(viewport=DESKTOP)
        page.set_default_timeout(PATIENCE)
        faults = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(page_file.as_uri())
        assert page.inner_text("#say") == "Black to move. Black wins by 0.5."
        board = page.locator("#board").bounding_box()
        page.mouse.click(board["x"] + board["width"] / 2, board["y"] + board["height"] / 2)
        assert (page.inner_text("#way"), page.inner_text("#say")) == ("Moves: C3", "White to move. Black wins by 0.5.")
        label = page.locator('.point[data-name="D3"]').get_attribute("aria-label")
        assert label == "D3, empty, Black wins by 0.5, none is better"
        page.locator('.point[data-name="B2"]').focus()
        page.keyboard.press("Enter")
        assert page.inner_text("#way") == "Moves: C3 B2"
        page.keyboard.press("Escape")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("b")
        way = page.inner_text("#way")
        assert way.startswith("Moves: C3 ")
        assert way != "Moves: C3 B2"
        page.keyboard.press("Home")
        page.keyboard.press("3")
        assert page.inner_text("#say").startswith("Black to move. Unknown: Black's points less White's lie between ")
        page.locator("#moves-of button", has_text="C3").click()
        assert page.inner_text("#way") == "Moves: C3"
        page.set_viewport_size(PHONE)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert faults == []
