"""input.txt and output.txt, and how many moves were made before."""

import itertools
import random

import pytest

from goban.errors import BadInputError
from goban.inputs import Input, Note, continues, input_text, moves_made, note_text, output_text, read_input, read_note
from goban.moves import PASS
from goban.rulesets import LITTLEGO
from goban.states import new_game

EMPTY = [[0] * 5 for _ in range(5)]
FIRST = "1\n" + "00000\n" * 10
SECOND = "2\n" + "00000\n" * 5 + "00000\n00000\n00100\n00000\n00000\n"


def given_in(state):
    return Input(state.to_move, state.grid.rows(*state.previous), state.rows())


def random_states(seed):
    """The positions of a game of Little-Go in which passes happen, but never two in a row."""
    rng = random.Random(seed)
    state = new_game(LITTLEGO, 5)
    while not state.is_over:
        yield state
        moves = [move for move in state.legal_moves() if move is not PASS]
        passes = state.n_move and not state.passed and (not moves or rng.random() < 0.1)
        if not moves and not passes:
            return
        state = state.after(PASS if passes else rng.choice(moves))


def test_what_is_written_is_read():
    for state in random_states(1):
        assert read_input(input_text(given_in(state))) == given_in(state)


def test_the_first_two_files_of_a_game():
    assert read_input(FIRST) == Input(1, EMPTY, EMPTY)
    assert read_input(SECOND.replace("\n", "\r\n").rstrip()).board[2] == [0, 0, 1, 0, 0]
    assert input_text(read_input(SECOND)) == SECOND.rstrip()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected the colour, 1 or 2, in the first line, got an empty file"),
        ("3\n" + FIRST[2:], "in the first line, got '3'"),
        (FIRST[:-6], "expected a colour and two boards, 11 lines for 5x5, got 10 lines"),
        ("1\n", "got 1 lines"),
        (FIRST[:-6] + "00300\n", "line 11: expected 5 digits 0, 1, 2, got '00300'"),
        (FIRST[:-6] + "0000\n", "line 11: expected 5 digits 0, 1, 2, got '0000'"),
    ],
)
def test_anything_else_is_refused_by_line(text, message):
    with pytest.raises(BadInputError, match=r"^input\.txt") as caught:
        read_input(text)
    assert message in str(caught.value)


def test_output():
    assert [output_text(move) for move in ((2, 3), PASS)] == ["2,3", "PASS"]


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("colour", [1, 2])
def test_with_notes_the_moves_are_counted_exactly(seed, colour):
    """Whatever an earlier game has left behind."""
    note = Note(9, EMPTY)
    states = list(random_states(seed))
    for state, after in itertools.pairwise(states):
        if state.to_move == colour:
            assert moves_made(given_in(state), note) == state.n_move
            note = read_note(note_text(Note(after.n_move, after.rows())))


@pytest.mark.parametrize("seed", range(30))
def test_without_notes_they_are_never_overestimated(seed):
    for state in random_states(seed):
        made = moves_made(given_in(state))
        assert 0 <= made <= state.n_move
        assert made % 2 == state.n_move % 2
        assert made == state.n_move or state.n_move > 1


def test_without_passes_and_captures_the_stones_count_the_moves():
    state = new_game(LITTLEGO, 5)
    for point in [(0, 0), (2, 2), (0, 4), (2, 3), (4, 0), (1, 1)]:
        assert moves_made(given_in(state)) == state.n_move
        state = state.play(point)


def test_a_note_of_another_game_does_not_count():
    state = new_game(LITTLEGO, 5).play((2, 2)).play((1, 1)).play((3, 3))
    before = state.grid.rows(*state.previous)
    assert continues(given_in(state), Note(10, before))
    assert not continues(given_in(state), Note(9, before)), "White's own moves have even numbers"
    assert not continues(given_in(state), Note(2, state.rows()))
    assert not continues(read_input(FIRST), Note(10, EMPTY))


@pytest.mark.parametrize("text", ["", "7", "{}", '{"moves": "x", "board": []}', '{"moves": 1, "board": 3}', "[" * 9999])
def test_a_damaged_note_is_none(text):
    assert read_note(text) is None
