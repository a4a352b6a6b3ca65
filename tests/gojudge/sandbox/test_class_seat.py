"""A game at the seat of a class, at every tier: what the player is given, how its answers come back, what it prints."""

import random

import pytest

from goban.moves import read_answer
from goban.rulesets import AGA, COURSE, PRESETS
from goban.states import new_game
from gojudge.records import PlayerFaultError
from gojudge.sandbox.handles import Sandbox
from gojudge.sandbox.transcripts import presentable
from tests.support.submissions import answers, get_input, spec, tiers

# What a player is given


@tiers()
def test_a_whole_game_is_played_on_one_go_that_shows_every_position(open_seat):
    seat = open_seat(
        get_input("""
            if not hasattr(self, "go"):
                self.go, self.moves = go, 0
            assert self.go is go and go.n_move == self.moves and colour == 1 and go.X_move
            self.moves += 2
            go.board[0][0] = 9
            free = [(i, j) for i in range(5) for j in range(5) if (i or j) and go.valid_place_check(i, j, colour, True)]
            go.died_pieces = go.previous_board = None
            return free[0]
        """)
    )
    rng = random.Random(1)
    seat.begin(spec(), 1)
    state = new_game(COURSE, 5)
    while not state.is_over:
        reply = seat.answer(state, "")
        spent = reply.spent
        assert min(spent.wall, spent.cpu, spent.slept, spent.waited) >= 0
        assert spent.slept + spent.waited <= spent.wall < 60
        assert spent.cpu < 1
        state = state.play(read_answer(reply.answer, 5))
        if not state.is_over:
            state = state.play(rng.choice([move for move in state.legal_moves() if move != (0, 0)] or state.legal_moves()))
    assert state.n_move > 15
    assert seat.end() == ""


@tiers()
def test_names_and_texts_that_are_not_ascii_harm_no_class(open_seat, monkeypatch):
    for name in ("LC_ALL", "LANG"):
        monkeypatch.setenv(name, "POSIX")
    seat = open_seat(
        get_input("""
            open("größe.txt", "w").write(open("notes é 王.txt").read())
            assert open("größe.txt").read() == "é 王"
            print("é 王")
            return 2, 2
        """),
        files={"notes é 王__txt": "é 王"},
    )
    seat.begin(spec(), 1)
    assert seat.answer(new_game(COURSE, 5), "").answer == (2, 2)
    assert presentable("é 王") in seat.end()


@tiers()
@pytest.mark.parametrize("rules", PRESETS.values(), ids=lambda rules: rules.name)
def test_the_go_of_every_rule_set_is_the_host_s(open_seat, rules):
    seat = open_seat(
        get_input("""
            assert (go.size, go.komi, go.rules.name) == (7, KOMI, NAME), vars(go)
            return [go.n_move, int(go.position(colour).passed)]
        """).replace("KOMI", repr(rules.komi(7))).replace("NAME", repr(rules.name)),
        rules, 7,
    )  # fmt: skip
    seat.begin(spec(), 1)
    state = new_game(rules, 7)
    assert seat.answer(state, "").answer == (0, 0)
    state = state.play((1, 1)).play(None if rules.passing else (2, 2))
    assert seat.answer(state, "").answer == (2, int(rules.passing))


IMPORTS = """
from random_player import RandomPlayer
from greedy_player import *
import aggressive_player, smart_player, go_play, host
from read import readInput
from write import writeOutput
from go import GO
"""


@tiers()
def test_the_courses_modules_can_be_imported_and_its_own_come_first(open_seat):
    seat = open_seat(
        get_input("""
            assert go_play.GO is GO is type(go) and host.GO is not GO and OWN
            assert go_play.play_multiple(RandomPlayer(), smart_player.SmartPlayer(), 1, 2) in [(1, 0), (0, 1), (0, 0)]
            return GreedyPlayer().get_input(go, colour)
        """, IMPORTS + "from mine import OWN\n"), files={"mine.py": "OWN = True"},
    )  # fmt: skip
    assert len(answers(seat)) == 1


@tiers()
def test_superko_holds_in_the_player_s_go_as_well(open_seat):
    seat = open_seat(get_input("return [go.valid_place_check(*p, colour, True) for p in [(0, 0), (1, 1)]]"), AGA)
    seat.begin(spec(), 1)
    state = new_game(AGA, 5)
    for move in [(0, 1), (1, 2), (1, 0), (2, 1), (4, 4), (0, 2), (2, 0), (3, 3)]:
        state = state.play(move)
    assert seat.answer(state, "").answer == (1, 1)
    state = state.play((1, 1)).play(None)
    assert seat.answer(state, "").answer == (int(state.why_illegal((0, 0)) is None), 0)


ANSWERS = [
    ("2, 3", (2, 3)),
    ("[2, 3]", (2, 3)),
    ("(True, 2)", (1, 2)),
    ("'PASS'", "PASS"),
    ("'RESIGN'", "RESIGN"),
    ("Number(), 3", (2, 3)),
    ("-1, 5", "(-1, 5)"),
    ("(1.0, 2)", "(1.0, 2)"),
    ("'C3'", "'C3'"),
    ("None", "None"),
    ("10**30, 0", "(1000000000000000000000000000000, 0)"),
    ("'\\x1b[2J\\u202e'", "'\\x1b[2J\\u202e'"),
]


@tiers()
def test_answers_come_as_plain_data_and_what_is_none_as_its_text(open_seat):
    seat = open_seat(
        get_input(
            "self.asked = getattr(self, 'asked', -1) + 1\nreturn eval(ANSWERS[self.asked])",
            f"class Number:\n    def __index__(self):\n        return 2\n\n\nANSWERS = {[text for text, _ in ANSWERS]!r}",
        )
    )
    for (_, expected), answer in zip(ANSWERS, answers(seat, len(ANSWERS)), strict=True):
        assert (answer if isinstance(answer, tuple) or expected in ("PASS", "RESIGN") else repr(answer)) == expected


@tiers()
def test_numpy_integers_are_an_answer_and_numpy_is_seeded(open_seat):
    pytest.importorskip("numpy")
    seat = open_seat(get_input("import numpy as np\nreturn np.random.randint(0, 1000, 2)"))
    assert answers(seat, 3, seed=5) == answers(seat, 3, seed=5) != answers(seat, 3, seed=6)


@tiers()
def test_the_same_seed_gives_the_same_game_in_any_sandbox_and_any_order(open_seat):
    source = get_input("""
        return random.randrange(1000), next(iter({"a", "b", "c", "d", "e", str(random.random())})) == "a" or TABLE
    """, "import random\nTABLE = random.randrange(1000)")  # fmt: skip
    first, second = open_seat(source), open_seat(source)
    games = {seed: answers(first, 4, seed) for seed in (1, 2, 3)}
    assert {seed: answers(second, 4, seed) for seed in (3, 2, 1)} == games
    assert games[1] != games[2]
    assert answers(first, 4, 1, colour=2) != games[1]


# What it prints


@tiers()
def test_what_a_player_prints_is_returned_per_game_and_what_its_import_prints_is_not(open_seat):
    seat = open_seat(
        get_input("""
            print("move", go.n_move)
            os.write(2, b"\\x1b[2J caf\\xc3\\xa9\\n")
            return 0, 0
        """, "import os\nprint('import')"))  # fmt: skip
    for _ in range(2):
        seat.begin(spec(), 1)
        seat.answer(new_game(COURSE, 5), "")
        assert seat.end() == "[move 1]\nmove 0\n\\x1b[2J café\n"


@tiers()
@pytest.mark.parametrize("load_each_game", [False, True])
def test_a_class_is_loaded_once_or_for_each_game(open_seat, load_each_game):
    seat = open_seat(
        get_input("print(LOADED)\nreturn 2, 2", "import os, time\nLOADED = time.monotonic_ns()\nopen('left', 'a').write('x')"),
        load_each_game=load_each_game,
    )
    logs = []
    for _ in range(3):
        seat.begin(spec(), 1)
        assert seat.answer(new_game(COURSE, 5), "").answer == (2, 2)
        logs.append(seat.end())
    assert len(set(logs)) == (3 if load_each_game else 1)


@tiers("T3", "T2")
def test_a_class_that_cannot_be_copied_once_is_loaded_alone_for_every_game(open_seat, monkeypatch):
    """The first game as well: one that was to be copied would find the traces of the attempt, and no later one would."""
    loads = []
    settle = Sandbox.settle
    monkeypatch.setattr(Sandbox, "settle", lambda sandbox, alone=False: loads.append(alone) or settle(sandbox, alone))
    seat = open_seat(get_input("return 2, 2", "import threading, time\nthreading.Thread(target=time.sleep, args=[9]).start()"))
    for _ in range(2):
        seat.begin(spec(), 1)
        assert seat.answer(new_game(COURSE, 5), "").answer == (2, 2)
        seat.end()
    assert loads == [False, True, True]


@tiers()
def test_what_a_failing_import_prints_is_returned(open_seat):
    seat = open_seat("print('no table', end='')\nraise ValueError")
    with pytest.raises(PlayerFaultError):
        seat.begin(spec(), 1)
    assert seat.end() == "no table"


@tiers()
def test_of_a_flood_head_and_tail_are_kept(open_seat):
    seat = open_seat(get_input("print('first')\nfor _ in range(100):\n    print('x' * 65536)\nprint('last')\nreturn 0, 0"))
    seat.begin(spec(), 1)
    seat.answer(new_game(COURSE, 5), "")
    log = seat.end()
    assert log.startswith("[move 1]\nfirst\n")
    assert log.endswith("last\n")
    assert "bytes left out" in log
    assert len(log) < 3 << 12
