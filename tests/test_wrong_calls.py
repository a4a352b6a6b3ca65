"""Wrong calls of the facades, as in a Python prompt: one line of the library's own says what was expected and what came.

So it is with numbers of options, whose ends are told.
"""

import dataclasses
import importlib
import json
import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import goban
import gojudge
import golearn
import tournament
from goban.grids import BLACK
from gojudge.records import Termination
from gojudge.shelf.doctor import read_shelf
from tournament.results.ratings import Tally

NAN = float("nan")
GAME = golearn.find_game("tictactoe")
STATE = goban.new_game("course", 5)
RECORD = goban.record_of(STATE, ["C3"])
MATCH = golearn.Match(1, 2, 3)
GRADE = tournament.read_event({"name": "hw", "kind": "grade"})
EVERYONE = tournament.read_event({"name": "all"})
INTAKE = gojudge.Intake((), ())


def conditions(**changes):
    return gojudge.Conditions(**{"rules": "course", "size": 5, "limits": gojudge.Limits()} | changes)


# A call; its error; what it says.
WRONG = [
    (lambda: goban.opponent(0), goban.GobanError, "expected a colour, 1 for Black or 2 for White, got 0"),
    (lambda: goban.opponent("X"), goban.GobanError, "expected a colour, 1 for Black or 2 for White, got 'X'"),
    (lambda: goban.parse_vertex("C3", "5"), goban.BadBoardError, "expected a board size from 2 to 19, got '5'"),
    (lambda: goban.move_name((1, 1), "9"), goban.BadBoardError, "expected a board size from 2 to 19, got '9'"),
    (lambda: goban.new_game("aga", [9]), goban.BadBoardError, "expected a board size from 2 to 19, got [9]"),
    (lambda: goban.record_of("aga", []), goban.GobanError, "expected a position (goban.State), got 'aga'"),
    (lambda: goban.analyse(5, "course", 3), goban.GobanError, "expected the moves of a game, got 5"),
    (lambda: goban.analyse([], "course", seconds="1"), goban.GobanError, "expected limits of 0 or more, got nodes=None"),
    (lambda: goban.analyse([], "course", solver="x"), goban.GobanError, "expected a solver (goban.Solver), got 'x'"),
    (lambda: goban.Solver().winner(STATE, "9"), goban.GobanError, "expected limits of 0 or more, got nodes='9'"),
    (lambda: goban.parse_vertex(None, 5), goban.BadPointError, "expected a vertex like 'B4' or 'pass', got None"),
    (lambda: goban.parse_move(3, 5), goban.BadPointError, "expected a vertex like 'B4' or 'pass', got 3"),
    (lambda: goban.vertex(7, 5), goban.BadPointError, "expected a point like (1, 3) or 'B4', got 7"),
    (lambda: goban.move_name(1.5, 5), goban.BadPointError, "expected a point like (1, 3) or 'B4', got 1.5"),
    (lambda: goban.diagram(None), goban.BadBoardError, "expected the rows of a board, such as state.rows(), got None"),
    (lambda: goban.diagram("X."), goban.BadBoardError, "expected the rows of a board, such as state.rows(), got 'X.'"),
    (lambda: goban.read_sgf(5), goban.GobanError, "expected a file's name, an open file or the text of a game, got 5"),
    (lambda: goban.read_sgf("(;SZ[5])", "x"), goban.SgfError, "expected the number of a game, got 'x'"),
    (lambda: goban.replay(goban.SgfGame(5), "chess"), goban.UnknownRuleSetError, "expected one of course, "),
    (lambda: goban.new_game("aga", 9, "6.5"), goban.BadBoardError, "expected a komi, such as 7.5, got '6.5'"),
    (lambda: STATE.with_(komi=float("nan")), goban.BadBoardError, "expected a komi, such as 7.5, got nan"),
    (lambda: goban.diagram([["0", 0], [0, 0]]), goban.BadBoardError, "expected rows of 2 numbers 0, 1 or 2, got ['0', 0]"),
    (lambda: goban.diagram(np.zeros((3, 2), int)), goban.BadBoardError, "expected rows of 3 numbers 0, 1 or 2, got array"),
    (lambda: goban.diagram(np.zeros((2, 2, 2), int)), goban.BadBoardError, "expected rows of 2 numbers 0, 1 or 2, got array"),
    (lambda: goban.diagram(STATE.rows(), "Z9"), goban.BadPointError, "expected a vertex like 'B4' or 'pass', got 'Z9'"),
    (lambda: goban.record_of(STATE, None), goban.GobanError, "expected the moves of a game, got None"),
    (lambda: STATE.svg(width="x"), goban.GobanError, "expected a width in pixels, such as 350, got 'x'"),
    (lambda: STATE.svg(width=0), goban.GobanError, "expected a width in pixels, such as 350, got 0"),
    (lambda: STATE.svg(labels=["C3"]), goban.GobanError, "expected texts by their points, such as {"),
    (lambda: STATE.with_(n_move=-1), goban.BadBoardError, "expected a number of moves, got -1"),
    (lambda: STATE.with_(black="x"), goban.BadBoardError, "expected a mask of the board as `black`, got 'x'"),
    (lambda: STATE.with_(white=1 << 80), goban.BadBoardError, "expected a mask of the board as `white`, got 1208925819614"),
    (lambda: STATE.with_(black=1), goban.BadBoardError, "expected masks without a common point as `black`, `white` and"),
    (lambda: STATE.with_(previous=(0, "x")), goban.BadBoardError, "expected a mask of the board as `previous`, got 'x'"),
    (lambda: STATE.with_(history=5), goban.BadBoardError, "expected the `history` of a state, got 5"),
    (lambda: STATE.with_(last_point="Z9"), goban.BadPointError, "expected a vertex like 'B4' or 'pass', got 'Z9'"),
    (lambda: goban.state_from_rows("aga", None), goban.BadBoardError, "expected the rows of a board, such as"),
    (lambda: goban.state_from_rows("aga", [1, 2]), goban.BadBoardError, "expected rows of 0, 1 and 2, got 1"),
    (lambda: goban.state_from_rows("aga", [[0]], 1, "x"), goban.BadBoardError, "expected a number of moves, got 'x'"),
    (lambda: goban.state_from_diagram("aga", ["..", ".."]), goban.BadBoardError, "expected a drawn board, such as"),
    (lambda: goban.play_game("course", max, max), goban.GobanError, "expected a position (goban.State), got 'course'"),
    (lambda: goban.sgf_of("x"), goban.GobanError, "expected a finished game (goban.GameRecord), got 'x'"),
    (lambda: goban.replay(None), goban.GobanError, "expected a game (goban.GameRecord or goban.SgfGame), got None"),
    (lambda: goban.replay_page("x"), goban.GobanError, "expected a finished game (goban.GameRecord), got 'x'"),
    (lambda: goban.Solver(memory_mib="64"), goban.GobanError, "expected 16 to 262144 MiB of memory, got '64'"),
    (lambda: goban.Solver(threads="2"), goban.GobanError, "expected 1 to 1024 threads, got '2'"),
    (lambda: goban.Solver().winner("x"), goban.GobanError, "expected a position (goban.State), got 'x'"),
    (lambda: goban.MonteCarlo(simulations="500"), goban.GobanError, "expected 1 simulation or more, got '500'"),
    (lambda: goban.MonteCarlo(simulations=float("nan")), goban.GobanError, "expected 1 simulation or more, got nan"),
    (lambda: goban.MonteCarlo(simulations=1.5), goban.GobanError, "expected 1 simulation or more, got 1.5"),
    (lambda: goban.MonteCarlo(seconds="2"), goban.GobanError, "expected more than 0 seconds, got '2'"),
    (lambda: goban.MonteCarlo(memory="256"), goban.GobanError, "expected 1 to 1048576 MiB of memory, got '256'"),
    (lambda: goban.MonteCarlo(threads=True), goban.GobanError, "expected 1 to 64 threads, got True"),
    (lambda: goban.MonteCarlo(seed="x"), goban.GobanError, "expected a whole number as seed, got 'x'"),
    (lambda: goban.MonteCarlo(patterns=Path("nix")), goban.GobanError, "expected a file of patterns or one of"),
    (lambda: goban.MonteCarlo(10).candidates(None), goban.GobanError, "expected a position (goban.State), got None"),
    (lambda: goban.Engine(5), goban.EngineError, "expected the command of an engine, got '5'"),
    (lambda: goban.Engine([5]), goban.EngineError, "expected the command of an engine, got '[5]'"),
    (lambda: goban.GoBatch(games="4"), goban.GobanError, "games: expected a whole number from 1 to 2147483647, got '4'"),
    (lambda: goban.GoBatch().sample(1), goban.GobanError, "rng: expected a generator, such as numpy.random.default_rng(1)"),
    (lambda: goban.GoBatch().sample(random.Random(1)), goban.GobanError, "rng: expected a generator, such as numpy.random."),
    (lambda: goban.sgf_of(RECORD, None), goban.GobanError, "expected texts as names, comment and info, got None"),
    (lambda: goban.sgf_of(RECORD, info={"DT": 5}), goban.GobanError, "expected texts as names, comment and info, got 5"),
    (lambda: goban.replay_page(RECORD, None), goban.GobanError, "expected texts as names, got None"),
    (lambda: gojudge.Runner(conditions(), ["ann"], print), gojudge.JudgeError, "expected entrants (gojudge.Entrant), got 'a"),
    (lambda: gojudge.Runner(conditions(), None, print), gojudge.JudgeError, "expected entrants (gojudge.Entrant), got None"),
    (lambda: gojudge.Runner(conditions(), (), print).run(None), gojudge.JudgeError, "expected lists of games as `batches`, "),
    (lambda: gojudge.Runner(conditions(), (), print).run(["x"]), gojudge.JudgeError, "expected lists of games as `batches`, "),
    (lambda: tournament.read_event({5: 1}), gojudge.JudgeError, "event: expected one of name, kind, "),
    (lambda: gojudge.take_in(None, "copies"), gojudge.JudgeError, "expected folders, files and archives, got None"),
    (lambda: gojudge.Limits(move_seconds="5"), gojudge.JudgeError, "expected more than 0 as `move_seconds`, got '5'"),
    (lambda: conditions(limits=None), gojudge.JudgeError, "expected limits (gojudge.Limits), got None"),
    (lambda: conditions(tier="T9"), gojudge.JudgeError, "expected one of T0, T1, T2, T3 as `tier`, got 'T9'"),
    (lambda: gojudge.doctor(tier="T9"), gojudge.JudgeError, "expected one of T0, T1, T2, T3 as `tier`, got 'T9'"),
    (lambda: gojudge.doctor(["pain"]), gojudge.JudgeError, "expected names of attacks of "),
    (lambda: gojudge.doctor("plain deep"), gojudge.JudgeError, "expected names of attacks of "),
    (lambda: gojudge.open_seat("smart", conditions()).__enter__(), gojudge.JudgeError, "expected an entrant (gojudge.Entrant)"),
    (lambda: tournament.RunSettings(jobs="2"), gojudge.JudgeError, "jobs: expected a whole number from 1 to 1000, got '2'"),
    (lambda: tournament.grade(None, None, "z.db"), gojudge.JudgeError, "expected a plan of tournament.read_event, got None"),
    (lambda: tournament.read_event(5), gojudge.JudgeError, "expected the path of an event file, or a dictionary, got 5"),
    (lambda: tournament.read_event({"gmaes": 2}), gojudge.JudgeError, "event: expected one of name, kind, "),
    (lambda: tournament.take_in(None, "x", "z.db"), gojudge.JudgeError, "expected a plan of tournament.read_event, got None"),
    (lambda: tournament.grade(GRADE, "x", "z.db"), gojudge.JudgeError, "expected an intake of tournament.take_in, got 'x'"),
    (lambda: tournament.grade(GRADE, INTAKE, "z.db", {"jobs": 2}), gojudge.JudgeError, "expected settings (tourn"),
    (lambda: golearn.find_game(None), golearn.LearningError, "expected the name of a game, got None"),
    (lambda: golearn.find_player("smart", "go5"), golearn.LearningError, "expected a game of golearn.find_game, got 'go5'"),
    (lambda: golearn.evaluate(None, "tictactoe"), golearn.LearningError, "expected the name of a player, got None"),
    (lambda: goban.write_sgf(goban.SgfGame(5, moves=((1, 1),))), goban.SgfError, "expected goban.SgfMove as move 1, got"),
    (lambda: goban.write_sgf(goban.SgfGame(5, moves=(goban.SgfMove(1, "Z9"),))), goban.SgfError, "move 1: expected a vertex"),
    (lambda: goban.write_sgf(STATE), goban.SgfError, "expected a game (goban.SgfGame), got <State course 5x5 after 0 moves>"),
    (lambda: STATE.with_(rules="chess"), goban.UnknownRuleSetError, "expected one of course, "),
    (lambda: golearn.play_match("go5", (), 2, 1), golearn.LearningError, "expected a game of golearn.find_game, got 'go5'"),
    (lambda: golearn.play_match(GAME, "ab", 2, 1), golearn.LearningError, "expected a player of golearn.find_player, got 'a'"),
    (lambda: golearn.play_match(GAME, [list] * 2, 2, 1), golearn.LearningError, "expected golearn.Answers, with an action"),
    (lambda: golearn.check_game("nim"), golearn.LearningError, "expected a game with action_size, board_shape, num_planes,"),
    (lambda: golearn.read_plan(Path("nix.toml")), golearn.LearningError, "nix.toml: No such file or directory"),
    (lambda: golearn.read_plan({"games": 2}), golearn.LearningError, "expected the name of a plan or of its file, got {"),
    (lambda: golearn.train("tictactoe", "x.run"), golearn.LearningError, "expected a plan of golearn.read_plan, got"),
    (lambda: golearn.play_match(GAME, (), -4, 1), golearn.LearningError, "games: expected a whole number of 0 or more, got -4"),
    (lambda: golearn.Match(0, 0, 0).score, golearn.LearningError, "expected a match of one game or more: without games there"),
    (lambda: golearn.Match(0, 0, 0).interval, golearn.LearningError, "expected a match of one game or more: without games"),
    (lambda: golearn.play_match(GAME, [max], 2, 1), golearn.LearningError, "expected two players, as (one, other), got 1"),
    (lambda: golearn.play_match(GAME, iter("ab"), 2, 1), golearn.LearningError, "expected two players, as (one, other), got <"),
    (lambda: golearn.play_match(GAME, (), 2, "1"), golearn.LearningError, "expected a whole number as seed, got '1'"),
    (lambda: golearn.play_match(GAME, (), 2, 1, 1.0), golearn.LearningError, "opening: expected a whole number of 0 or more"),
    (lambda: golearn.rate_players({"ab": MATCH}), golearn.LearningError, "expected matches by their players, such as {('a', "),
    (lambda: golearn.rate_players({("a", "b"): 3}), golearn.LearningError, "expected matches by their players, such as {("),
    (lambda: golearn.rate_players([]), golearn.LearningError, "expected matches by their players, such as {('a', 'b'): match}"),
    (lambda: golearn.newest_network("nix"), golearn.LearningError, "nix: expected the folder of a run"),
    (lambda: golearn.write_weights("x.npz", None), golearn.LearningError, "expected a network (golearn.Weights), got None"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "said"), WRONG, ids=[said for _, _, said in WRONG])
def test_a_wrong_call_is_told_in_one_line(call, error, said):
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


SPEC = gojudge.GameSpec("one", "ann", "bob", (1, 2))
MARKS = tournament.Grade("ann", (), Fraction(1, 2), Fraction(2), (), Tally(forfeits={Termination.CRASH: 3}), False)
# One of each kind that the facades show.
RECORDS = [
    goban.Breach("ko"), goban.Candidate((0, 0), 1, 0.5), RECORD, goban.Outcome(1, 2.0, 1.0, goban.Ending.TWO_PASSES),
    goban.RULES["aga"], goban.SgfGame(5), goban.SgfMove(BLACK, (0, 0)), goban.Solution(), gojudge.Limits(), conditions(),
    gojudge.Entrant("ann"), gojudge.Finding(read_shelf()[0], gojudge.Tier.T1, "crash", True, True, 1.0), SPEC, INTAKE,
    gojudge.GameResult(SPEC, 1, 2.0, 1.0, Termination.SCORE), golearn.Estimate(0.5, 0.1, 0.9, 8), golearn.Evaluation({}),
    golearn.Match(1, 2, 3), golearn.read_plan("tictactoe"), golearn.Rating("ann", 1.0, 0.0, 2.0), tournament.CourseRun(0),
    GRADE, tournament.EventRun(Path("hw.db"), GRADE, (), 0), MARKS, tournament.RunSettings(),
]  # fmt: skip
NONSENSE = [object(), (object(),), [1], {1: 2}, b"x"]
# What is checked where it is used, so that names and lists will do.
CHECKED_LATER = {("SgfMove", "move"), ("SgfMove", "extra"), ("SgfMove", "after"), ("SgfGame", "moves"), ("SgfGame", "extra"),
                 ("SgfGame", "after")}


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: type(record).__name__)
def test_a_record_with_nonsense_in_any_field_is_refused_in_one_line(record):
    for field in (field for field in dataclasses.fields(record) if field.init):
        for value in NONSENSE:
            mappings = isinstance(getattr(record, field.name), dict) and isinstance(value, dict)
            tuples = isinstance(getattr(record, field.name), tuple) and isinstance(value, tuple)
            if mappings or ((tuples or value == [1]) and (type(record).__name__, field.name) in CHECKED_LATER):
                continue
            with pytest.raises((goban.GobanError, gojudge.JudgeError, golearn.LearningError)) as caught:
                use(dataclasses.replace(record, **{field.name: value}))
            assert "\n" not in str(caught.value)


def use(record):
    """Look at what is checked late."""
    if isinstance(record, goban.SgfMove):
        record = goban.SgfGame(5, moves=(record,))
    goban.write_sgf(record)


def test_every_record_of_the_facades_is_tried():
    shown = [getattr(package, name) for package in (goban, gojudge, golearn, tournament) for name in package.__all__]
    classes = {one for one in shown if isinstance(one, type) and dataclasses.is_dataclass(one)}
    assert classes - {*map(type, RECORDS)} == {golearn.Weights}


@pytest.mark.parametrize(("record", "field", "value"), [
    (RECORDS[4], "repetition", "positional superko"), (RECORDS[4], "default_size", 99), (RECORDS[4], "fixed_komi", NAN),
    (golearn.read_plan("tictactoe"), "games", -5), (golearn.Match(1, 2, 3), "wins", -1), (SPEC, "seeds", (1, -2)),
    (tournament.RunSettings(), "verify", 2), (gojudge.Limits(), "memory_mib", -1), (gojudge.Entrant("ann"), "kind", "robot"),
    (RECORDS[14], "winner", 3), (GRADE, "machine", None), (conditions(), "size", 1), (RECORDS[3], "winner", -1),
])  # fmt: skip
def test_a_record_with_a_value_out_of_range_is_refused(record, field, value):
    with pytest.raises((goban.GobanError, gojudge.JudgeError, golearn.LearningError)) as caught:
        dataclasses.replace(record, **{field: value})
    assert "\n" not in str(caught.value)


def test_a_grade_is_json_as_its_class_says():
    said = json.loads(json.dumps(dataclasses.asdict(MARKS), default=str))
    assert (said["points"], said["whole"]["forfeits"]) == ("1/2", {"crash": 3})


# A call without a function where one belongs.
FUNCTIONS = [
    (lambda: goban.play_game(STATE, None, max), goban.GobanError, "black"),
    (lambda: goban.play_game(STATE, max, "smart"), goban.GobanError, "white"),
    (lambda: goban.play_game(STATE, max, max, watch=1), goban.GobanError, "watch"),
    (lambda: goban.read_games("(;SZ[5])", 1), goban.GobanError, "tell"),
    (lambda: goban.Solver(clock=None), goban.GobanError, "clock"),
    (lambda: goban.MonteCarlo(10, clock=None), goban.GobanError, "clock"),
    (lambda: goban.analyse([], "course", progress=1), goban.GobanError, "progress"),
    (lambda: gojudge.Runner(conditions(), (), None), gojudge.JudgeError, "keep"),
    (lambda: gojudge.Runner(conditions(), (), print, stopped=None), gojudge.JudgeError, "stopped"),
    (lambda: gojudge.Runner(conditions(), (), print, executor=1), gojudge.JudgeError, "executor"),
    (lambda: gojudge.Runner(conditions(), (), print, only_slow_left=1), gojudge.JudgeError, "only_slow_left"),
    (lambda: gojudge.doctor(["plain"], told=None), gojudge.JudgeError, "told"),
    (lambda: golearn.train(golearn.read_plan("tictactoe"), "x.run", tell=None), golearn.LearningError, "tell"),
    (lambda: golearn.resume("x.run", tell=None), golearn.LearningError, "tell"),
    (lambda: golearn.newest_network("x.run", None), golearn.LearningError, "tell"),
    (lambda: golearn.check_game(GAME, told=None), golearn.LearningError, "told"),
    (lambda: golearn.evaluate("random", "tictactoe", progress=None), golearn.LearningError, "progress"),
    (lambda: golearn.play_match(GAME, (max, max), 0, 1, progress=None), golearn.LearningError, "progress"),
    (lambda: tournament.take_in(GRADE, "x", "z.db", tell=None), gojudge.JudgeError, "tell"),
    (lambda: tournament.grade(GRADE, INTAKE, "z.db", tell=None), gojudge.JudgeError, "tell"),
    (lambda: tournament.grade(GRADE, INTAKE, "z.db", watch=None), gojudge.JudgeError, "watch"),
    (lambda: tournament.round_robin(EVERYONE, INTAKE, "z.db", tell=None), gojudge.JudgeError, "tell"),
    (lambda: tournament.report("z.db", "x", tell=None), gojudge.JudgeError, "tell"),
    (lambda: object.__new__(tournament.Course).do_due(tell=None), gojudge.JudgeError, "tell"),
    (lambda: object.__new__(tournament.Course).do_due(show=1), gojudge.JudgeError, "show"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "error", "name"), FUNCTIONS)
def test_what_is_no_function_where_one_belongs_is_told_at_once(call, error, name):
    with pytest.raises(error, match=f"^expected a function as `{name}`, got "):
        call()


def test_numbers_of_numpy_and_points_as_names_or_lists_will_do():
    goban.MonteCarlo(simulations=np.int64(10), seconds=np.float32(0.5), seed=np.int64(3), threads=np.int64(1))
    assert goban.vertex([1, 1], 5) == goban.vertex("b4", 5) == goban.vertex(np.array([1, 1]), 5) == "B4"
    assert goban.opponent(np.int64(1)) == 2
    for point in ("B4", [1, 1], np.array([1, 1])):
        assert goban.write_sgf(goban.SgfGame(5, moves=(goban.SgfMove(1, point),))).endswith(";B[bb])\n")
    assert STATE.with_(rules="littlego").rules is goban.RULES["littlego"]
    changed = STATE.with_(black=np.int64(1), empty=STATE.empty ^ 1, n_move=np.int64(3), to_move=np.int8(2), last_point="A5")
    assert (repr(changed), changed.last_point) == ("<State course 5x5 after 3 moves>", (0, 0))
    assert {type(number) for number in (changed.black, changed.n_move, changed.to_move)} == {int}
    assert repr(goban.state_from_rows("aga", STATE.rows(), n_move=np.int64(1))) == "<State aga 5x5 after 1 move>"
    assert goban.diagram(STATE.rows(), "a5") == goban.diagram(STATE.rows(), (0, 0))


# Module and arguments up to an option; what it is, and from where to where.
OPTIONS = [
    ("goban.solver.truth", "dataset -o out --plies", "a number of moves", 0, 6),
    ("goban.solver.truth", "dataset -o out --games", "a number of games", 0, 10**6),
    ("goban.solver.truth", "dataset -o out --nodes", "positions", 0, 10**12),
    ("goban.solver.truth", "dataset -o out --seed", "a seed", 0, 10**9),
    ("goban.solver.truth", "prove 3x3 --nodes", "positions", 0, 10**15),
    ("goban.solver.truth", "prove 3x3 --memory", "a number of MiB", 1, 2**18),
    ("goban.solver.truth", "prove 3x3 --threads", "threads", 1, 64),
    ("goban.solver.truth", "serve --port", "a port", 0, 2**16 - 1),
    ("goban.solver.bookmaking", "--memory", "a number of MiB", 1, 2**20),
    ("golearn.patterns", "a.sgf --workers", "a number", 1, 1024),
    ("golearn.alphazero", "train out --plan go5 --seed", "a seed", 0, 2**63 - 1),
    ("golearn.alphazero", "train out --plan go5 --workers", "a number of workers", 1, 1024),
    ("golearn.alphazero", "check tictactoe --games", "a number of games", 1, 10**6),
    ("golearn.alphazero", "check tictactoe --seed", "a seed", 0, 2**63 - 1),
    ("golearn.alphazero", "match random --game tictactoe --games", "a number of games", 1, 10**6),
    ("golearn.alphazero", "match random --game tictactoe --opening", "a number of moves", 0, 1000),
    ("golearn.alphazero", "match random --game tictactoe --seed", "a seed", 0, 2**63 - 1),
    ("golearn.alphazero", "evaluate random --game tictactoe --conversion", "a number of games", 0, 10**4),
    ("golearn.alphazero", "truth-set course --positions", "a number", 1, 10**5),
    ("golearn.alphazero", "truth-set course --seed", "a seed", 0, 2**63 - 1),
    ("tournament.probing", "course --seed", "a seed", 0, 2**63 - 1),
    ("players.gtp_engine", "random --size", "a size", 2, 19),
    ("players.gtp_engine", "random --seed", "a seed", 0, 2**64 - 1),
    ("players.gtp_engine", "montecarlo --mc-games-per-level", "a number of games", 1, 10**9),
    ("go_play", "--size", "a size", 2, 19),
    ("go_play", "--seed", "a seed", 0, 2**64 - 1),
]


@pytest.mark.parametrize(("module", "words", "what", "least", "most"), OPTIONS, ids=[" ".join(row[:2]) for row in OPTIONS])
def test_a_number_of_an_option_beyond_its_ends_is_refused_before_anything_is_done(
    tmp_path, monkeypatch, capsys, module, words, what, least, most
):
    monkeypatch.chdir(tmp_path)
    package = importlib.import_module(module)
    main = package.main if hasattr(package, "main") else importlib.import_module(f"{module}.__main__").main
    with pytest.raises(SystemExit) as ended:
        main([*words.split(), str(most + 1)])
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (2, "")
    assert said.err.endswith(f"{words.split()[-1]}: expected {what} from {least} to {most}, got '{most + 1}'\n")
    assert not [*tmp_path.iterdir()]
