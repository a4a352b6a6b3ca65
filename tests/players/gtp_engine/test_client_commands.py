"""What clients ask for besides the game: rules by name, the game so far, set-up stones, what they offer in their menus."""

import json
import re

import pytest

from goban.sgf import SgfMove
from goban.solver.sgf_files import read_game
from tests.support.gtp import answers, engine_of
from tests.support.missing import needs, no_package

NUMBA = needs(no_package("numba"))

RULES = [
    ("kgs-rules japanese", "aga"),
    ("kgs-rules new_zealand", "tromp-taylor-suicide"),
    ("kata-set-rules tromp-taylor", "tromp-taylor-strict"),
    ("kata-set-rules littlego", "littlego"),
    ("kata-set-rules koPOSITIONALscoreAREAtaxNONEsui0", "tromp-taylor-strict"),
    ("kata-set-rules koPOSITIONALscoreAREAtaxNONEsui1", "tromp-taylor-suicide"),
    ("kata-set-rules tromp-taylor-suicide", "tromp-taylor-suicide"),
    ('kata-set-rules {"ko":"SIMPLE","scoring":"AREA","suicide":false}', "alphago7"),
    ('kata-set-rules {"ko":"SIMPLE","score":"AREA","tax":"NONE","suicide":false}', "alphago7"),
    ('kata-set-rules {"ko":"POSITIONAL","scoring":"AREA","suicide":true}', "tromp-taylor-suicide"),
    ('kata-set-rules {"ko":"SITUATIONAL","scoring":"AREA","suicide":true}', "aga"),
]


@pytest.mark.parametrize(("command", "name"), RULES)
def test_rules_are_the_nearest_of_ours_and_komi_and_moves_stay(command, name):
    engine = engine_of("random", "aga", 5)
    answers(engine, "komi 3.5\nplay b C3\nplay b D3")
    assert answers(engine, f"{command}\nget_komi\nmove_history")[0::2] == ["ok", "black D3\nblack C3"]
    assert (engine.game.rules.name, engine.game.komi) == (name, 3.5)
    said = json.loads(answers(engine, "kata-get-rules")[0])
    assert (said["name"], said["suicide"]) == (name, name == "tromp-taylor-suicide")


NO_RULES = ["kgs-rules mine", "kata-set-rules {}", "kata-set-rules {", 'kata-set-rules {"ko":' + "[" * 60_000, "kgs-rules"]


@pytest.mark.parametrize("command", NO_RULES, ids=range(len(NO_RULES)))
def test_rules_that_are_none_are_refused_with_those_that_are(command):
    engine = engine_of("random", "aga", 5)
    (answer,) = answers(engine, command)
    assert re.match(r"\? (expected one of course, .*Chinese|syntax error: expected )", answer)
    assert engine.game.rules.name == "aga"


GAME = """
    play b C3                       -> ok
    play w B1                       -> ok
    last_move                       -> white B1
    move_history                    -> white B1\nblack C3
    list_stones b                   -> C3
    list_stones white               -> B1
    countlib B1                     -> 3
    countlib A1                     -> ? expected a vertex with a stone, got 'A1'
    countlib pass                   -> ? expected a vertex with a stone, got 'pass'
    is_legal b B1                   -> 0
    is_legal w pass                 -> 1
    stop                            -> ok
    clear_cache                     -> ok
    gogui-setup b A1 e B1           -> ok
    list_stones b                   -> A1 C3
    list_stones w                   -> ok
    last_move                       -> ? no previous move known
    gogui-setup_player w            -> ok
    gogui-setup b                   -> ? syntax error: expected colours with a vertex each, got 'b'
    gogui-setup x A1                -> ? syntax error: expected b, w or e and a vertex, got 'x A1'
"""


def test_the_game_so_far_and_stones_without_a_past():
    engine = engine_of("random", "aga", 5)
    for line in GAME.strip().split("\n    "):
        command, _, answer = line.strip().partition(" -> ")
        if not answer:
            continue
        (said,) = answers(engine, command.strip())
        assert sorted(said.split()) == sorted(answer.replace("\\n", "\n").split()), command
    assert engine.game.state.to_move == 2


def test_a_game_is_printed_as_sgf_and_kept_in_a_file(tmp_path):
    engine = engine_of("random", "aga", 5)
    answers(engine, "komi 0.5\nplay b C3\nplay b A1\nplay w pass")
    (text,) = answers(engine, "printsgf")
    assert "\n\n" not in text
    game = read_game(text.encode())
    assert (game.komi, game.rules, game.moves) == (0.5, "aga", (SgfMove(1, (2, 2)), SgfMove(1, (4, 0)), SgfMove(2, None)))
    path = tmp_path / "a game.sgf"
    assert answers(engine, f"printsgf {path}") == ["ok"]
    assert path.read_text().strip() == text
    answers(engine, "gogui-setup w E5")
    assert read_game(answers(engine, "printsgf")[0].encode()).setup[0][4] == 2
    assert answers(engine, f"printsgf {tmp_path}/nowhere/x.sgf")[0].startswith("? cannot write file: ")


def test_territory_is_what_one_colour_alone_reaches():
    engine = engine_of("random", "littlego", 3)
    answers(engine, "gogui-setup b B1 b B2 b B3 w C2")
    assert sorted(answers(engine, "final_status_list black_territory")[0].split()) == ["A1", "A2", "A3"]
    assert answers(engine, "final_status_list white_territory") == ["ok"]


@NUMBA
def test_what_is_offered_in_menus_is_answered():
    engine = engine_of("random", "aga", 5)
    answers(engine, "play b C3")
    for line in answers(engine, "gogui-analyze_commands")[0].split("\n"):
        kind, _, command = line.split("/")
        (said,) = answers(engine, command.replace("%c", "b"))
        assert not said.startswith("?"), command
        if kind == "dboard":
            assert [len(row.split()) for row in said.split("\n")] == [5] * 5


class Hopeless:
    """Would resign from its second move on."""

    def __init__(self):
        self.asked = 0

    def get_input(self, go, piece_type):
        self.asked += 1
        return next((i, j) for i in range(5) for j in range(5) if go.board[i][j] == 0)

    def resigns(self):
        return self.asked > 1


def test_a_player_that_has_lost_hope_resigns():
    engine = engine_of(f"{__name__}:Hopeless", "aga", 5)
    assert answers(engine, "genmove b\ngenmove b\nmove_history\nreg_genmove b") == ["A5", "resign", "black A5", "B5"]


@NUMBA
def test_monte_carlo_resigns_after_three_hopeless_searches_unless_it_is_told_not_to():
    # White has nothing left but two stones in the corner.
    stones = " ".join(f"b {column}{row}" for column in "ABCDE" for row in (2, 3, 4)) + " b B1 w A5"
    for option, expected in (("", "resign"), (",resign=no", None)):
        engine = engine_of(f"montecarlo:simulations=300,memory=4{option}", "aga", 5)
        answers(engine, f"gogui-setup {stones}")
        moves = [answers(engine, "genmove w\nplay b pass")[0] for _ in range(4)]
        assert ("resign" in moves) == (expected == "resign"), moves
        assert "resign" not in moves[:2]
