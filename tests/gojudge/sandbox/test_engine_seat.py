"""The seat of an engine, at every tier: what it is sent, may see and may keep, and how long it lives. Its faults are on the
shelf."""

import os
import shlex
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from goban.moves import RESIGN, read_answer
from goban.rulesets import AGA, COURSE
from goban.states import new_game
from gojudge.records import MATCH, Engine, PlayerFaultError, Termination, engine_entrant
from gojudge.sandbox import tiers as sandbox
from tests.support.engines import shelved, with_gnugo, written
from tests.support.submissions import LIMITS, spec, tiers


@pytest.fixture
def open_engine(tier):
    """Open seats of engines at one tier, and close them after the test."""
    seats = []

    def open_(engine, rules=AGA, size=5):
        seats.append(sandbox.open_seat(engine_entrant("alice", engine), rules, size, LIMITS, tier=tier))
        return seats[-1]

    yield open_
    for seat in seats:
        seat.close()


def asked(seat, *moves, rules=AGA, seed=1, colour=1):
    """Begin a game, play the moves of both, and return what the engine answers then."""
    seat.begin(spec(seed), colour)
    state = new_game(rules, 5)
    for move in moves:
        state = state.play(move)
    return seat.answer(state, "").answer


def fault(call, *arguments):
    with pytest.raises(PlayerFaultError) as caught:
        call(*arguments)
    return caught.value.fault


@tiers()
def test_a_game_is_played_on_our_board(open_engine):
    seat = open_engine(shelved("plain"))
    seat.begin(spec(), 1)
    state = new_game(AGA, 5)
    for point in ((4, 4), (4, 2), (4, 0)):
        state = state.play(read_answer(seat.answer(state, "").answer, 5)).play(point)
    assert [state.rows()[0], state.rows()[4]] == [[1, 1, 1, 0, 0], [2, 0, 2, 0, 2]]
    assert seat.answer(state.play((0, 3)).play(None), "").answer != "PASS"
    assert seat.introduction == "plain 1"
    assert seat.end() == ""


@tiers()
def test_what_it_is_sent_and_what_it_writes_to_standard_error(open_engine, tmp_path):
    body = """
    def obey(self, command, *words):
        print(command, *words, file=sys.stderr, flush=True)
        return super().obey(command, *words)

    def do_set_random_seed(self, seed):
        pass

    def do_time_settings(self, *times):
        pass
"""
    engine = written(tmp_path / "engine", body)
    seat = open_engine(replace(engine, startup=("komi {komi}", "boardsize {size}")))
    asked(seat, (2, 2), (3, 3), seed=7)
    seed = str(spec(7).seeds[0] % 2**31)
    lines = [
        "name", "version", "list_commands", "komi 7.5", "boardsize 5", "boardsize 5", "clear_board", "komi 7.5",
        "time_settings 0 5 1", f"set_random_seed {seed}", "[move 3]", "play w D2", "genmove b", "quit",
    ]  # fmt: skip
    assert seat.end().splitlines() == lines
    seat = open_engine(replace(engine, startup=("frobnicate 5",)))
    assert fault(seat.begin, spec(), 1).detail == "it answers 'frobnicate 5' with '? unknown command'"
    seat = open_engine(replace(engine, clock=False))
    seat.begin(spec(), 1)
    assert "time_settings" not in seat.end()


@tiers()
def test_the_command_line_has_seed_size_and_komi(open_engine, tmp_path):
    engine = written(tmp_path / "engine", "    def do_name(self):\n        return ' '.join(sys.argv[1:])")
    seat = open_engine(replace(engine, command=(*engine.command, "{seed}", "--n={size}", "{komi}", "{other}")))
    for seed in (1, 2):
        seat.begin(spec(seed), 2)
        assert seat.introduction == f"{spec(seed).seeds[1] % 2**31} --n=5 7.5 {{other}} 1"
        seat.end()


@tiers()
def test_one_process_plays_a_game_or_all_of_them(open_engine, tmp_path):
    for restart, same in ((MATCH, True), ("game", False)):
        body = "    count = 0\n\n    def choose(self, colour):\n        Mine.count += 1\n        return 0, Mine.count"
        seat = open_engine(written(tmp_path / restart, body, restart=restart))
        assert asked(seat) == (0, 1)
        seat.end()
        assert asked(seat) == ((0, 2) if same else (0, 1))
        # After a fault there is a new one in any case.
        assert fault(seat.answer, new_game(AGA, 5), "illegal move A5").termination is Termination.ILLEGAL_MOVE
        seat.end()
        assert asked(seat) == (0, 1)


@tiers()
def test_its_folder_is_a_private_view_and_it_sees_the_machine_s_files(open_engine, tmp_path):
    body = """
    def do_name(self):
        open("log.txt", "a").write("x")
        return " ".join([open("weights.bin").read(), open("log.txt").read(), str("root" in open("/etc/passwd").read())])
"""
    # As root its processes are another user's, who may yet read all that we may.
    (tmp_path / "engine").mkdir(mode=0o700)
    (tmp_path / "engine/weights.bin").write_text("heavy")
    (tmp_path / "engine/weights.bin").chmod(0o600)
    seat = open_engine(written(tmp_path / "engine", body))
    for _ in range(2):
        seat.begin(spec(), 1)
        assert seat.introduction == "heavy x True 1"
        seat.end()
    assert not (tmp_path / "engine/log.txt").exists()


@tiers()
def test_it_may_lie_in_tmp_with_what_it_needs_and_writes_into_a_tmp_of_its_own(open_engine, tier):
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        body = f"""
    def do_name(self):
        with open({folder + "/weights.bin"!r}) as weights, open({folder + ".log"!r}, "a") as log:
            log.write("x")
            return weights.read()
"""
        engine = written(Path(folder) / "engine", body)
        Path(folder, "engine/engine.py").rename(Path(folder, "engine.py"))
        Path(folder, "weights.bin").write_text("heavy")
        command = ("env", f"PYTHONPATH={folder}/engine", *engine.command[:-1], f"{folder}/engine.py")
        seat = open_engine(replace(engine, command=command))
        if tier in ("T2", "T3"):
            seat.begin(spec(), 1)
            assert seat.introduction == "heavy 1"
            assert not os.path.exists(f"{folder}.log")
        elif tier == "T1":
            # It may be read there; nothing may be written outside of what is its own.
            assert "Permission denied" in fault(seat.begin, spec(), 1).evidence


@tiers()
def test_its_home_folder_is_empty_whatever_lies_in_tmp(open_engine, tmp_path):
    body = """
    def do_name(self):
        found = os.listdir(os.path.expanduser("~"))
        os.makedirs(os.path.expanduser("~/.cache/engine"))
        return str(found)
"""
    with tempfile.TemporaryDirectory(dir="/tmp"):
        seat = open_engine(written(tmp_path / "engine", body))
        for _ in range(2):
            seat.begin(spec(), 1)
            assert seat.introduction == "[] 1"
            seat.end()


@tiers()
def test_a_program_that_is_not_there_or_is_none_is_a_start_up_failure(open_engine, tmp_path):
    (tmp_path / "text").write_text("hello")
    for word, said in (("./none", "No such file or directory"), ("./text", "Permission denied")):
        found = fault(open_engine(Engine((word,), folder=tmp_path)).begin, spec(), 1)
        assert found.termination is Termination.START_UP_FAILURE
        assert found.detail == f"'{word}' cannot be started: {said}"


@tiers()
def test_a_crash_shows_the_last_lines_of_standard_error(open_engine):
    seat = open_engine(shelved("crashes_in_game"))
    state = new_game(AGA, 5)
    seat.begin(spec(), 1)
    state = state.play(read_answer(seat.answer(state, "").answer, 5)).play((4, 4))
    found = fault(seat.answer, state, "")
    assert found.termination is Termination.CRASH
    assert found.evidence.splitlines()[-1] == "IndexError: list index out of range"
    assert "IndexError" in seat.end()


@tiers()
def test_it_may_resign_under_every_rule_set(open_engine):
    seat = open_engine(shelved("resigns_under_course"), COURSE)
    assert asked(seat, rules=COURSE) == (0, 0)
    assert seat.answer(new_game(COURSE, 5).play((0, 0)).play((1, 1)), "").answer is RESIGN


@tiers()
def test_an_engine_that_hangs_when_it_is_started_says_what_it_was_asked(open_engine):
    engine = shelved("hangs_at_start", limits=(("start_seconds", 0.5),))
    found = fault(open_engine(engine).begin, spec(), 1)
    assert found.detail == "no answer to 'name' within 0.5 s"


@with_gnugo
@tiers()
def test_gnu_go_plays_the_same_game_for_the_same_seed(open_engine):
    command = tuple(shlex.split("gnugo --mode gtp --level 1 --chinese-rules --seed {seed}"))
    games = []
    for seed in (1, 1):
        seat = open_engine(Engine(command, folder=Path.cwd(), clock=False), AGA, 9)
        seat.begin(spec(seed), 1)
        assert seat.introduction.startswith("GNU Go 3.")
        state = new_game(AGA, 9)
        for _ in range(4):
            state = state.play(read_answer(seat.answer(state, "").answer, 9))
            state = state.play(state.legal_moves()[0])
        games.append(state.rows())
        seat.end()
    assert games[0] == games[1]
