"""What GO prints: its board, why a placement is refused, and whole games, if it is verbose or a player is manual."""

import pytest

from go import GO
from goban.diagrams import parse_diagram
from tests.support.hosts import fillers, host
from tests.support.scripted import Scripted

# Boards and placements


def test_visualize_board_prints_stones_between_two_rules(capsys):
    host("X.O\n.O.\n...").visualize_board()
    assert capsys.readouterr().out == "------\nX   O \n  O   \n      \n------\n"


@pytest.mark.parametrize(
    ("i", "j", "complaint"),
    [
        (3, 0, "Invalid placement. Row and column should be from 0 to 2, got 3,0."),
        (0, 1, "Illegal placement 0,1: the point is occupied."),
        (0, 0, "Illegal placement 0,0: suicide, the stone would have no liberty."),
    ],
)
def test_a_verbose_go_says_why_a_placement_is_refused(capsys, i, j, complaint):
    go = host(".X.\nX..\n...", verbose=True)
    assert not go.valid_place_check(i, j, 2)
    assert capsys.readouterr().out == complaint + "\n"
    assert not go.valid_place_check(i, j, 2, test_check=True)
    assert capsys.readouterr().out == ""


def test_the_ko_of_two_boards_that_were_read_is_named(capsys):
    before = parse_diagram(".XO.\nXO.O\n.XO.\n....")
    now = parse_diagram(".XO.\nX.XO\n.XO.\n....")
    go = GO(4)
    go.verbose = True
    go.set_board(2, before, now)
    assert not go.valid_place_check(1, 1, 2)
    said = capsys.readouterr().out
    assert said.startswith("Illegal placement 1,1: ko")
    assert "-1" not in said
    go.died_pieces = []
    assert go.valid_place_check(1, 1, 2)


# Games


def test_a_quiet_game_prints_nothing(capsys):
    GO(3).play(Scripted(None, None), Scripted("PASS"))
    assert capsys.readouterr().out == ""


def test_a_verbose_game_prints_every_board_and_the_result(capsys):
    go = GO(3)
    go.play(*fillers(), verbose=True)
    said = capsys.readouterr().out
    assert said.count("   A B C\n") == 2 * (len(go.record.moves) + 1)
    assert said.startswith("   A B C\n 3 . . .  3\n")
    for number in range(1, len(go.record.moves) + 1):
        assert f"Move {number}: {'X' if number % 2 else 'O'} " in said
    last = said.splitlines()[-1]
    assert last.startswith("Game ended: ")
    assert last.endswith(f"The winner is {'?XO'[go.record.outcome.winner]}.")


def test_a_tie_is_called_one(capsys):
    go = GO(2)
    go.play(Scripted((0, 0), (0, 1)), Scripted((1, 1)), verbose=True)
    said = capsys.readouterr().out
    assert go.record.outcome.winner == 0
    assert said.splitlines()[-1].endswith("The game is a tie.")


@pytest.mark.parametrize("side", [0, 1])
def test_a_manual_player_makes_the_game_verbose_and_hears_why_he_is_asked_again(capsys, side):
    players = [Scripted(), Scripted()]
    players[side] = Scripted((9, 9), (1, 1))
    players[side].type = "manual"
    GO(4).play(*players)
    said = capsys.readouterr().out
    assert "invalid answer: expected a row and a column from 0 to 3, got (9, 9)\n" in said
    assert "Move 1: X" in said


def test_a_manual_player_makes_no_later_game_verbose(capsys):
    person = Scripted()
    person.type = "manual"
    go = GO(3)
    go.play(person, Scripted())
    capsys.readouterr()
    go.play(Scripted(), Scripted())
    assert capsys.readouterr().out == ""


def test_a_go_made_verbose_stays_so(capsys):
    go = GO(3)
    go.verbose = True
    for _ in range(2):
        go.play(*fillers())
        assert "Game ended: " in capsys.readouterr().out
