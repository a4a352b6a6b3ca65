"""Analysis: what it is asked, what it prints, and what ends it."""

import re
import time
from dataclasses import replace
from itertools import count

import pytest

from goban.diagrams import parse_diagram
from goban.errors import GtpError
from goban.grids import BLACK, WHITE
from goban.points import parse_vertex
from players.gtp_engine import move_commands
from players.gtp_engine.analysis import Analysis
from players.gtp_engine.info import Wanted, info_line, read_wanted
from search.candidates import Candidate
from tests.support.gtp import answers, engine_of
from tests.support.missing import needs, no_package
from tests.support.waiting import PATIENCE

NUMBA = needs(no_package("numba"))

WANTED = [
    ("", Wanted(WHITE, 0.5)),
    ("b", Wanted(BLACK, 0.5)),
    ("Black 10", Wanted(BLACK, 0.1)),
    ("25", Wanted(WHITE, 0.25)),
    ("b 0", Wanted(BLACK, 0.01)),
    ("interval 50 maxmoves 3", Wanted(WHITE, 0.5, 3)),
    ("b 50 ownership true minmoves 2 rootInfo true", Wanted(BLACK, 0.5)),
]


@pytest.mark.parametrize(("words", "wanted"), WANTED)
def test_what_an_analysis_is_asked(words, wanted):
    assert read_wanted(tuple(words.split()), WHITE) == wanted


@pytest.mark.parametrize("words", ["c", "b b", "b -1", "b x 1", "b 10 ownership", "avoid b A1,A2 5", "interval x", "²"])
def test_what_no_analysis_can_be_asked(words):
    with pytest.raises(GtpError, match=r"^syntax error: expected "):
        read_wanted(tuple(words.split()), BLACK)


FOUND = (
    Candidate((2, 2), 900, 0.75, 3.5, line=((0, 0), None)),
    Candidate(None, 100, 0.1234567),
)


def test_the_lines_of_leela_zero_and_of_katago():
    assert info_line(FOUND, 5, 10, whole=True) == (
        "info move C3 visits 900 winrate 7500 prior 5000 lcb 7500 order 0 pv C3 A5 pass "
        "info move pass visits 100 winrate 1235 prior 5000 lcb 1235 order 1 pv pass"
    )
    assert info_line(FOUND, 5, 1, whole=False) == (
        "info move C3 visits 900 winrate 0.750000 scoreLead 3.5 prior 0.500000 lcb 0.750000 order 0 pv C3 A5 pass"
    )


class Searcher:
    """Finds something new whenever it is asked, until it is stopped."""

    def candidates(self, state, stopped):
        def found():
            for number in count(1):
                if stopped():
                    return
                yield (replace(FOUND[0], visits=number),)
                time.sleep(0.001)

        return found()


def test_a_search_runs_within_its_block_only():
    analysis = Analysis(Searcher(), None)
    with analysis:
        while not analysis.found or analysis.found[0].visits < 3:
            pass
    last = analysis.found
    assert not analysis._thread.is_alive()
    assert analysis.found is last


# Through the engine
LATE = "play b B3\nplay w B2\nplay b A2"


@pytest.fixture
def patience(monkeypatch):
    """All is found out that there is, on however busy a machine."""
    monkeypatch.setattr(move_commands, "_SECONDS_BESIDE_A_MOVE", PATIENCE)


@NUMBA
@pytest.mark.parametrize("command", ["lz-analyze", "kata-analyze", "analyze"])
def test_an_analysis_prints_lines_until_there_is_input(command):
    parts = []
    # How many lines there are depends on how fast the machine is: all may be known before the first.
    polls = count()
    waits = lambda seconds: time.sleep(0.001) or (len(parts) > 1 and next(polls) > 100)  # noqa: E731
    engine = engine_of("random", "littlego", 3, input_waits=waits)
    answers(engine, LATE)
    before = engine.game.state
    for part in engine.answer(f"4 {command} w 1"):
        parts.append(part)
    head, *lines, end, last = "".join(parts).split("\n")
    assert (head, end, last) == ("=4", "", "")
    assert lines
    for line in lines:
        moves = re.findall(r"info move (\w+) visits \d+ winrate ([\d.]+) .*?order (\d+) pv (\w+)", line)
        assert len(moves) == line.count("info ")
        assert [int(order) for *_, order, _ in moves] == list(range(len(moves)))
        assert all(("." in rate) == (command != "lz-analyze") and move == first for move, rate, _, first in moves)
        assert all(before.why_illegal(parse_vertex(move, 3)) is None for move, *_ in moves)
    assert engine.game.state is before


@NUMBA
@pytest.mark.parametrize("command", ["lz-genmove_analyze", "kata-genmove_analyze", "genmove_analyze"])
def test_a_move_with_its_analysis_is_played(command, patience):
    engine = engine_of("perfect", "littlego", 3)
    answers(engine, "play b A1")
    head, info, played, end, last = "".join(engine.answer(f"8 {command} w 10")).split("\n")
    assert (head, end, last) == ("=8", "", "")
    rates = dict(re.findall(r"info move (\w+) visits \d+ winrate (\S+)", info))
    vertex = played.removeprefix("play ")
    assert float(rates[vertex]) == max(map(float, rates.values())) > 0
    assert engine.game.state.last_point == parse_vertex(vertex, 3)
    assert answers(engine, "gomill-explain_last_move\ngenmove b\ngomill-explain_last_move")[::2] == [info, "ok"]


@NUMBA
def test_what_cannot_be_analysed_is_a_failure_of_one_line():
    engine = engine_of("random", "littlego", 9)
    size = "? expected a board size from 2 to 5, got 9"
    komi = "? expected a komi of 2.5 on 5x5, got 6.5"
    over = "? the game is over"
    assert answers(engine, "lz-analyze b 10\nboardsize 5\nkomi 6.5\nkata-analyze b") == [size, "ok", "ok", komi]
    assert re.fullmatch("play [A-E][1-5]", answers(engine, "kata-genmove_analyze b")[0])
    engine = engine_of("random", "course", 2)
    answers(engine, "play b A1\nplay w B2\nplay b A2")
    assert answers(engine, "analyze w 5\ngenmove_analyze w") == [over, "play pass"]


@NUMBA
def test_komi_that_the_solver_does_not_count_with_stops_perfect_in_one_line():
    engine = engine_of("perfect", "littlego", 5)
    said = "? perfect: UnsupportedGameError: expected a komi of 2.5 on 5x5, got 6.5"
    assert answers(engine, "komi 6.5\ngenmove b\nkomi 2.5\ngenmove b") == ["ok", said, "ok", "C3"]


@NUMBA
def test_stones_without_a_past_are_analysed_too(patience):
    """Set up by plays of one colour after the other, as programs that show boards do."""
    rows = parse_diagram("XX..\nOO..\n....\n....")
    engine = engine_of("random", "littlego", 4)
    answers(engine, "play b A4\nplay b B4\nplay w A3\nplay w B3")
    assert engine.game.state.rows() == rows
    info, played = answers(engine, "kata-genmove_analyze b 10")[0].split("\n")
    assert info.startswith("info move ")
    assert played.startswith("play ")
