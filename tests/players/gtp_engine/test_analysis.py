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
from goban.rulesets import ruleset
from goban.solver.candidates import Candidate
from goban.states import new_game, state_from_rows
from players.gtp_engine import move_commands
from players.gtp_engine.move_commands import Analysis, Wanted, info_line, read_wanted
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
    ("b 50 ownership true minmoves 2 rootInfo true", Wanted(BLACK, 0.5, least_moves=2, ownership=True)),
    ("b 10 avoid b c3,D4 1", Wanted(BLACK, 0.1, never=frozenset({(2, 2), (1, 3)}))),
    ("avoid b A1 1 allow w A1,pass 9 allow w B2 1 10", None),
    ("10 avoid b A1 1 allow w A1,pass 9 allow w B2 1", Wanted(WHITE, 0.1, only=frozenset({(4, 0), None, (3, 1)}))),
]


@pytest.mark.parametrize(("words", "wanted"), WANTED)
def test_what_an_analysis_is_asked(words, wanted):
    if wanted is None:
        with pytest.raises(GtpError):
            read_wanted(tuple(words.split()), WHITE, 5)
    else:
        assert read_wanted(tuple(words.split()), WHITE, 5) == wanted


NEVER = ["c", "b b", "b -1", "b x 1", "b 10 ownership", "avoid b A1,A2", "avoid b Z9 1", "interval x", "²"]


@pytest.mark.parametrize("words", NEVER)
def test_what_no_analysis_can_be_asked(words):
    with pytest.raises(GtpError, match=r"^syntax error: expected "):
        read_wanted(tuple(words.split()), BLACK, 5)


FOUND = (
    Candidate((2, 2), 900, 0.75, 3.5, line=((0, 0), None), least=0.7),
    Candidate(None, 100, 0.1234567),
)
ALL = Wanted(BLACK)


def test_the_lines_of_leela_zero_and_of_katago():
    assert info_line(FOUND, 5, ALL, whole=True) == (
        "info move C3 visits 900 winrate 7500 prior 5000 lcb 7000 order 0 pv C3 A5 pass "
        "info move pass visits 100 winrate 1235 prior 5000 lcb 1235 order 1 pv pass"
    )
    assert info_line(FOUND, 5, replace(ALL, most_moves=1), whole=False) == (
        "info move C3 visits 900 winrate 0.750000 scoreMean 3.5 scoreLead 3.5 prior 0.500000 lcb 0.700000 order 0 pv C3 A5 pass"
    )


def test_who_owns_the_points_ends_the_line():
    line = info_line((replace(FOUND[0], move=(1, 1)),), 2, ALL, whole=False, owners=[1.0, -0.5, 0.0, 0.254])
    assert line.endswith(" order 0 pv B1 A2 pass ownership 1.00 -0.50 0.00 0.25")


def moves_of(visits, **options):
    """What is listed of moves with so many visits: their places."""
    found = tuple(Candidate((0, place), count, 0.5, least=0.1) for place, count in enumerate(visits))
    listed = replace(ALL, **options).list_moves(found)
    assert [order for order, _ in listed] == list(range(len(listed)))
    return [one.move[1] for _, one in listed]


def test_listed_are_moves_that_were_searched():
    assert moves_of([5000, 50, 49, 1]) == [0, 1]
    assert moves_of([100, 2, 1, 1]) == [0, 1]
    assert moves_of([1, 0, 0]) == []
    assert moves_of([5000, 50, 49, 1], least_moves=3) == [0, 1, 2]
    assert moves_of([5000, 50, 49, 1], least_moves=9, most_moves=3) == [0, 1, 2]

def test_a_move_that_wins_at_once_is_listed():
    assert info_line((Candidate(None, 0, 1.0),), 5, ALL, whole=True).startswith("info move pass visits 0 winrate 10000 ")


LOOKED_AT = [
    ({}, None),
    ({"never": {(0, 0)}}, {(0, 1), (1, 0), None}),
    ({"only": {(0, 0), (1, 1), None}}, {(0, 0), None}),
    ({"only": {(0, 0), None}, "never": {None}}, {(0, 0)}),
]


@pytest.mark.parametrize(("options", "moves"), LOOKED_AT)
def test_avoid_and_allow_leave_legal_moves(options, moves):
    position = state_from_rows(ruleset("aga"), parse_diagram(".. .X".replace(" ", "\n")), WHITE)
    assert replace(ALL, **options).moves(position) == moves


def test_where_avoid_and_allow_leave_nothing_there_is_a_line():
    with pytest.raises(GtpError, match=r"^expected a legal move that avoid and allow leave, got none$"):
        replace(ALL, only=frozenset()).moves(new_game(ruleset("aga"), 5))


def test_a_line_of_a_large_board_has_less_than_4_kb():
    found = tuple(Candidate((i, j), 1000, 0.123456, -12.25, ((18, 18),) * 200) for i in range(19) for j in range(19))
    for owners in ((), [-1.0] * 361):
        line = info_line(found, 19, ALL, whole=False, owners=owners)
        assert len(line) < 4096
        assert line.count("info move") >= 8


class Searcher:
    """Finds something new whenever it is asked, until it is stopped."""

    def candidates(self, state, stopped, only=None):
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
        assert all(("." in rate) == (command == "kata-analyze") and move == first for move, rate, _, first in moves)
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
def test_avoided_moves_are_not_looked_at():
    def found(asked):
        parts = []
        engine = engine_of("random", "littlego", 3, input_waits=lambda seconds: time.sleep(0.001) or len(parts) > 1)
        for part in engine.answer(f"kata-analyze b 1 {asked}"):
            parts.append(part)
        return set(re.findall(r"info move (\w+)", parts[1]))

    assert found("allow b B2,pass 1 avoid b pass 1") == {"B2"}
    assert found("allow b B2,pass 1 avoid w pass 1") <= {"B2", "pass"}


def listed(engine, command):
    """What a command lists, as {move: (visits, win rate, prior, lcb)}, and the move that is played."""
    info, played = answers(engine, command)[0].split("\n")
    assert len(info) < 4096
    numbers = re.findall(r"info move (\w+) visits (\d+) winrate (\d+) prior (\d+) lcb (\d+)", info)
    return {move: tuple(map(int, rest)) for move, *rest in numbers}, played.removeprefix("play ")


@NUMBA
@pytest.mark.parametrize(("size", "simulations"), [(9, 300), (9, 60), pytest.param(19, 300, marks=pytest.mark.long)])
def test_the_best_of_a_line_has_about_the_highest_win_rate(size, simulations):
    """Clients take the highest for the position's: a move of two games, both won, must not say 100 %. Nor where there are fewer
    games than moves. A board of 19 lines is compiled apart, for most of a minute."""
    engine = engine_of(f"montecarlo:simulations={simulations}", "aga", size)
    moves, played = listed(engine, "lz-genmove_analyze b 10")
    assert next(iter(moves)) == played
    highest = max(rate for _, rate, *_ in moves.values())
    assert highest - moves[played][1] < 500
    assert min(visits for visits, *_ in moves.values()) <= 3
    assert all(least < rate for _, rate, _, least in moves.values())


@NUMBA
def test_what_the_search_expects_is_in_the_priors():
    engine = engine_of("montecarlo:simulations=3000", "aga", 5)
    answers(engine, "play b C3\nplay w A1\nplay b B4\nplay w E1\nplay b D4\nplay w C4")
    moves, _ = listed(engine, "lz-genmove_analyze b 10 minmoves 30")
    priors = {move: prior for move, (_, _, prior, _) in moves.items()}
    assert max(priors, key=priors.get) == "C5"
    assert 9_990 <= sum(priors.values()) <= 10_010
    plain, _ = listed(engine_of("montecarlo:simulations=300,priors=0", "aga", 5), "lz-genmove_analyze b 10 minmoves 30")
    assert len({prior for _, _, prior, _ in plain.values()}) == 1


@NUMBA
def test_a_player_that_searches_chooses_from_what_is_allowed():
    engine = engine_of("montecarlo:simulations=300", "aga", 5)
    moves, played = listed(engine, "lz-genmove_analyze b 10 avoid b C3 1 minmoves 99")
    assert "C3" not in moves
    assert played in moves
    moves, played = listed(engine, "lz-genmove_analyze w 10 allow w A1,B1,pass 1 avoid b pass 1")
    assert played in moves
    assert set(moves) <= {"A1", "B1", "pass"}
    assert sum(visits for visits, *_ in moves.values()) == 300
    said = "? expected no avoid or allow: random chooses from all moves"
    assert answers(engine_of("random", "littlego", 3), "lz-genmove_analyze b 10 avoid b C3 1") == [said]


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
