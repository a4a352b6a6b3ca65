"""The book of solved early positions: what it says is true, and a damaged one is refused by name."""

import random

import numpy as np
import pytest

from goban.rulesets import ruleset
from goban.states import State, new_game, state_from_rows
from search.book import Book, book_bytes, read_book, shipped_book, shipped_path
from search.bookmaking import all_positions, costliest, made_book, merged, opening_book
from search.errors import BadBookError
from search.solver import Solver

RULES = ["course", "littlego"]
LARGEST = 5_000_000
SMALL = Book(np.array([3, 70, 2**59 + 1]), np.array([1, 2**17 - 1, 0]))


@pytest.fixture
def path(tmp_path):
    written = tmp_path / "book_course.bin"
    written.write_bytes(book_bytes(SMALL))
    return written


def test_a_book_is_read_as_it_was_written(path):
    book = read_book(path)
    assert book.keys.tolist() == SMALL.keys.tolist()
    assert book.values.tolist() == SMALL.values.tolist()


def test_shipped_books_are_small_enough():
    assert sum(shipped_path(rules).stat().st_size for rules in RULES) <= LARGEST


def test_every_damaged_byte_is_noticed(path):
    data = path.read_bytes()
    for place in range(len(data)):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        with pytest.raises(BadBookError, match=r"book_course\.bin"):
            read_book(path)


@pytest.mark.parametrize("kept", [0, 5, 20, 44, -1])
def test_a_cut_off_book_is_refused_by_name(path, kept):
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(BadBookError, match=r"book_course\.bin"):
        read_book(path)


def test_a_missing_book_is_refused_by_name(tmp_path):
    with pytest.raises(BadBookError, match=r"nowhere\.bin.*No such file"):
        read_book(tmp_path / "nowhere.bin")


def state_of(key, rules):
    """The state of an entry without ko or pass; None for others."""
    own, other, code, left = key & 0x1FFFFFF, key >> 25 & 0x1FFFFFF, key >> 50 & 31, key >> 55
    if code:
        return None
    colour = 1 + (24 - left) % 2
    rows = [[(own >> 5 * i + j & 1) * colour + (other >> 5 * i + j & 1) * (3 - colour) for j in range(5)] for i in range(5)]
    drawn = state_from_rows(ruleset(rules), rows, colour, 24 - left)
    # As if a stone had been placed last: after a pass, another would end a game of Little-Go.
    nothing = (0, 0)
    return State(drawn.rules, drawn.grid, drawn.black, drawn.white, drawn.empty, drawn.to_move, drawn.n_move, nothing)


@pytest.mark.parametrize("rules", RULES)
def test_bounds_of_the_shipped_book_are_true(rules):
    book = shipped_book(rules)
    rng, solver, seen = random.Random(rules), Solver(64, book=False), 0
    late = np.flatnonzero(book.keys >> 55 <= 15)
    while seen < 25:
        place = int(rng.choice(late))
        state = state_of(int(book.keys[place]), rules)
        if state is None:
            continue
        low, high = (int(book.values[place]) >> 11) - 32, (int(book.values[place]) >> 5 & 63) - 32
        sign = 1 if state.to_move == 1 else -1
        if low > -32:
            assert solver.black_reaches(state, sign * low + (sign < 0)) == (sign > 0)
        if high < 31:
            assert solver.black_reaches(state, sign * high + (sign > 0)) == (sign < 0)
        seen += 1


@pytest.mark.parametrize("rules", RULES)
def test_with_the_book_the_opening_takes_no_search(rules):
    solver = Solver(64)
    state = new_game(ruleset(rules), 5)
    found = solver.winning_move(state, nodes=1000)
    assert found.winner == 1
    assert solver.winner(state.play(found.winning_moves[0]), nodes=1000).winner == 1


def value(low, high, move):
    return (low + 32) << 11 | (high + 32) << 5 | move + 1


def test_two_entries_of_a_position_become_one_with_the_bounds_of_both():
    keys = np.array([7, 3, 7, 9])
    values = np.array([value(-32, 3, -1), value(1, 31, 4), value(2, 31, 12), value(-1, -1, 0)])
    found = merged(keys, values, np.array([20, 9, 11, 10]))
    assert [column.tolist() for column in found] == [
        [3, 7, 9], [value(1, 31, 4), value(2, 3, 12), value(-1, -1, 0)], [9, 20, 10],
    ]  # fmt: skip


def test_what_took_most_work_goes_into_the_book():
    keys, values, works = costliest(np.array([5, 8, 1, 6]), np.array([50, 80, 10, 60]), np.array([9, 12, 10, 9]), 3)
    assert (keys.tolist(), values.tolist(), works.tolist()) == ([1, 5, 8], [10, 50, 80], [10, 9, 12])


def test_of_symmetric_positions_one_is_solved():
    """As many as there are orbits by Burnside's lemma: (600 + 4 * 20) / 8 = 85, (25 * 24 / 2 * 23 + 12 + 4 * 80) / 8 = 904."""
    counted = [sum(state.n_move == plies for state in all_positions("course", 3)) for plies in (1, 2, 3)]
    assert counted == [6, 85, 904]


@pytest.mark.parametrize("rules", RULES)
def test_a_book_made_with_a_book_at_hand_keeps_what_was_in_it(rules):
    shipped = shipped_book(rules)
    made = made_book(rules, shipped, plies=2, memory_mib=256)
    places = np.searchsorted(made.keys, shipped.keys).clip(max=len(made) - 1)
    kept = (made.keys[places] == shipped.keys) & (made.values[places] == shipped.values)
    # In a table of this size a few find no room.
    assert kept.sum() >= 0.999 * len(shipped)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
def test_the_shipped_book_is_what_its_command_makes(rules):
    made, shipped = made_book(rules, opening_book(rules)), shipped_book(rules)
    assert np.array_equal(made.keys, shipped.keys)
    assert np.array_equal(made.values, shipped.values)
