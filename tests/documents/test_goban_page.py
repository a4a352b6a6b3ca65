"""docs/goban.md: its examples run, and the columns of its table, too, ours in no more lines than python-chess takes."""

import re
import sys

import pytest

import goban
from tests.support.documents import ROOT
from tests.support.missing import needs, no_package

PAGE = (ROOT / "docs/goban.md").read_text()
EXAMPLES = re.findall(r"^```python\n(.*?)^```", PAGE, re.S | re.M)
ROW = re.compile(r"^\| (?P<task>[^|]+) \| (?P<ours>`.*`) \| (?P<theirs>`.*`|-) \|$", re.M)
ROWS = [row.groupdict() for row in ROW.finditer(PAGE)]

# An engine that knows one opening, for python-chess to talk to.
UCI = """
import sys
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    said = {"uci": "id name Opening\\nuciok", "isready": "readyok", "go": "bestmove d2d4"}.get(word, "")
    if said:
        print(said, flush=True)
    if word == "quit":
        break
"""


def lines(cell):
    """The lines of a cell of the table, as Python."""
    return [line.strip("`") for line in cell.split("<br>")]


def run(cells, names):
    """Run the cells of a column one after the other; return what each one's last line is worth, None for a statement."""
    values = {}
    for task, cell in cells:
        source = "\n".join(lines(cell))
        try:
            values[task] = eval(source, names)
        except SyntaxError:
            exec(compile(source, task, "exec"), names)
    return values


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The folder of a program, where its engine is found."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


def test_the_table_has_forty_tasks_and_we_need_no_more_lines():
    both = [row for row in ROWS if row["theirs"] != "-"]
    assert len(both) >= 40
    assert PAGE.count("\n|") == len(ROWS) + 2, "a row that this test cannot read"
    longer = [row["task"] for row in both if len(lines(row["ours"])) > len(lines(row["theirs"]))]
    assert longer == []


def test_the_table_names_all_that_the_facade_calls():
    """The whole library is on the page, its types and errors aside."""
    called = {name for name in goban.__all__ if name[0].islower()}
    beside = {"diagram", "opponent", "parse_vertex", "ruleset", "state_from_rows", "vertex"}
    assert {name for name in called if f"goban.{name}(" not in PAGE} == beside


def test_our_column_runs(here, capsys):
    names = {"goban": goban, "command": [sys.executable, "-m", "players.gtp_engine", "random"]}
    exec(EXAMPLES[-1], names)
    values = run([(row["task"], row["ours"]) for row in ROWS], names)
    assert values["the rules there are"][:2] == ["course", "littlego"]
    assert values["how many there are"] == 81 - 4 + 2
    assert values["is a move legal"] is True
    assert names["reason"] == "the point is occupied"
    assert (names["text"][:5], names["move"]) == ("(;FF[", (4, 4))
    assert values["who is to move"] is True
    assert names["turned"].to_move == goban.WHITE
    assert (values["how many moves were made"], values["the last move"]) == (4, (2, 2))
    assert values["what stands on a point"] == goban.BLACK
    assert names["liberties"].bit_count() == 4
    assert "(O)" in names["drawing"]
    assert names["drawing"] + "\n" in capsys.readouterr().out
    assert names["again"].rows() == names["state"].rows()
    assert names["picture"].startswith("<svg ")
    assert ">1</text>" in names["marked"]
    assert values["is it the same position"] is True
    assert (values["is the game over"], values["its outcome"]) == (False, None)
    assert (names["winner"], names["result"], names["why"]) == (goban.WHITE, "W+7.5", goban.Ending.TWO_PASSES)
    assert names["resigned"].outcome.result() == "W+R"
    assert names["names"] == ("ann", "bob")
    assert [state.n_move for state in names["states"]] == [0, 1, 2, 3]
    assert names["states"][-1] == names["record"].final
    assert names["lines"] == [((2, 2), (2, 1), (3, 2))]
    assert b"ann against bob" in names["page"]
    assert names["reply"] in names["state"].legal_moves()
    assert "random" in names["name"]
    assert "genmove" in names["answer"]
    assert names["best"].move in names["state"].legal_moves()
    assert names["truth"].winner in (goban.BLACK, goban.WHITE)
    assert names["rows"][-1].ply == 3
    assert names["played"].outcome.ending in (goban.Ending.MOVE_LIMIT, goban.Ending.NO_PLACEMENT)
    assert names["batch"].observation.shape == (1024, 9, 9, 17)


@needs(no_package("chess"))
def test_their_column_runs(here):
    import chess
    import chess.engine
    import chess.pgn
    import chess.polyglot
    import chess.svg
    import chess.syzygy
    import chess.variant

    (here / "engine.py").write_text(UCI)
    names = {"chess": chess, "command": [sys.executable, str(here / "engine.py")]}
    values = run([(row["task"], row["theirs"]) for row in ROWS if row["theirs"] != "-"], names)
    assert values["is a move legal"] is True
    assert (names["text"][:6], names["result"], names["reply"].uci()) == ("[Event", "0-1", "d2d4")


def test_the_first_example_says_what_it_says(capsys):
    names = {}
    exec(EXAMPLES[0], names)
    assert capsys.readouterr().out.splitlines()[-1] == EXAMPLES[0].split("# ")[2].split("\n")[0]
    assert names["state"].n_move == 1
    assert goban.Solver().winner(names["state"]).winner == goban.BLACK
