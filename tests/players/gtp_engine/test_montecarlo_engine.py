"""montecarlo as a GTP engine: analysis of its own, levels, clocks, and GNU Go's words on the command line."""

import re
import resource
import time

import pytest

from goban.montecarlo.pattern_sets import NAMES
from tests.support.gtp import answers, engine_of, start_in_vain, talk
from tests.support.missing import needs, no_package

pytestmark = needs(no_package("numba"))

PLAYER = "montecarlo:simulations=100,memory=4"
ANALYSIS = {"analyze", "lz-analyze", "kata-analyze", "genmove_analyze", "lz-genmove_analyze", "kata-genmove_analyze"}


def visits(line):
    return sum(map(int, re.findall(r"visits (\d+)", line)))


def test_it_is_its_own_analyst_under_rules_that_cannot_be_solved():
    engine = engine_of(PLAYER, "aga", 9)
    (listed,) = answers(engine, "list_commands")
    assert {*listed.split("\n")} >= ANALYSIS


@pytest.fixture(scope="module")
def started():
    """What an engine that GNU Go's words set up says in a process of its own. What it asks for has a limit of memory, as at T2:
    a course's usual 1 GiB."""
    text = "boardsize 5\n" + "set_random_seed 1\n" * 5 + "genmove b\ngenmove w\nclear_board\n"
    # Compiling takes more.
    answers(engine_of(PLAYER, "aga", 5), "genmove b")
    limit = (1 << 30, resource.getrlimit(resource.RLIMIT_DATA)[1])
    limited = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_DATA, limit)}
    words = ("--mc-patterns", "mc_uniform", "--mc-games-per-level", "7", "--level", "3", "--rules", "aga", "--seed", "1")
    return talk(f"{text}kata-genmove_analyze b minmoves 30\nquit\n", "montecarlo", *words, **limited)


@pytest.mark.slow
def test_players_made_anew_many_times_take_their_memory_once(started):
    status, out, err = started
    assert (status, "MemoryError" in err, "?" in out) == (0, False, False)


def test_a_transcript():
    engine = engine_of(PLAYER, "aga", 9)
    sent = "reg_genmove b,reg_genmove b,genmove b,play w A1,genmove w,undo,level 0,level 5,time_settings 0 0 0,genmove b"
    first, again, played, placed, other, undone, zero, level, times, last = answers(engine, sent.replace(",", "\n"))
    assert first == again == played
    assert (placed, undone, level, times) == ("ok",) * 4
    assert zero == "? syntax error: expected a level from 1 to 1000000, got '0'"
    assert all(re.fullmatch("[A-J][1-9]", vertex) for vertex in (played, other, last))


@pytest.mark.parametrize("command", ["lz-genmove_analyze", "kata-genmove_analyze", "genmove_analyze"])
def test_a_move_comes_with_what_its_own_search_found(command):
    engine = engine_of(PLAYER, "tromp-taylor", 5)
    info, played = answers(engine, f"{command} b 10 minmoves 30")[0].split("\n")
    assert visits(info) == 100
    assert played.removeprefix("play ") == re.match(r"info move (\w+) ", info)[1]
    assert re.search(r"order 0 pv \w+ \w+", info)


def test_an_analysis_goes_on_until_there_is_input():
    parts = []
    engine = engine_of(PLAYER, "aga", 9, input_waits=lambda seconds: time.sleep(0.01) or len(parts) > 3)
    for part in engine.answer("kata-analyze b 1"):
        parts.append(part)
    _, *lines = "".join(parts).split("\n")
    counts = [visits(line) for line in lines if line]
    assert len(counts) == 3
    assert counts == sorted({*counts})
    assert "scoreLead" in lines[0]


def test_who_owns_the_points_is_told_where_it_is_asked():
    engine = engine_of(PLAYER, "aga", 5)
    answers(engine, "play b C3\nplay b C2")
    for colour, sign in (("b", 1), ("w", -1)):
        info = answers(engine, f"kata-genmove_analyze {colour} ownership true\nundo")[0].split("\n")[0]
        owners = [sign * float(word) for word in info.partition(" ownership ")[2].split()]
        assert len(owners) == 25
        assert owners[12] > 0.5
    assert "ownership" not in answers(engine, "lz-genmove_analyze b ownership true")[0]


def test_levels_multiply_the_simulations():
    engine = engine_of(PLAYER, "aga", 5)
    for level, expected in ((10, 100), (5, 50), (20, 200)):
        answers(engine, f"clear_board\nlevel {level}")
        assert visits(answers(engine, "kata-genmove_analyze b minmoves 30")[0]) == expected
    answers(engine, "set_random_seed 3\nclear_board")
    assert visits(answers(engine, "kata-genmove_analyze b minmoves 30")[0]) == 200


# The command line


def test_gnu_gos_words_set_options(started):
    status, out, _ = started
    assert status == 0
    assert visits(out) == 21


def test_the_built_in_sets_are_listed():
    status, out, err = start_in_vain("montecarlo", "--mc-list-patterns")
    assert (status, err) == (0, "")
    assert out.split("\n")[:-1] == [name + " (default)" * (name == "learned") for name in NAMES]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (("smart", "--mc-patterns", "uniform"), "expected montecarlo, for which alone there are --mc-... options, got "),
        (("montecarlo", "--mc-patterns", "zen"), "expected a file of patterns or one of uniform, mogo_classic, "),
        (("montecarlo:rules=9",), "expected one of simulations, seconds, patterns, memory, exact, uct, rave, priors, replies"),
        (("montecarlo", "--level", "0"), "expected a level from 1 to 1000, got '0'"),
    ],
)
def test_a_wrong_word_is_one_line(words, reason):
    status, out, err = start_in_vain(*words)
    assert (status, out) == (2, "")
    assert reason in err
    assert err.count("\n") == 1
