"""The book of solved early positions: what it says is true, and a damaged one is refused by name."""

import hashlib
import os
import random
import signal
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

from goban.grids import BLACK
from goban.rulesets import ruleset
from goban.solver import book_entries, bookmaking
from goban.solver.alphabeta.transpositions import NOTHING, _unmixed, mix
from goban.solver.book import Book, book_bytes, no_book, read_book, shipped_book, shipped_path
from goban.solver.book_entries import (
    LEAST_WORK,
    MARGIN_PLIES,
    WHOLE_PLIES,
    all_positions,
    load_or_make,
    make_book,
    merge_entries,
    with_margins,
)
from goban.solver.errors import BadBookError
from goban.solver.solver import Solver
from goban.states import State, new_game, state_from_rows
from tests.support.solving import black_reaches, random_state
from tests.support.waiting import wait_until

RULES = ["course", "littlego"]
ROOT = Path(__file__).parents[3]
LARGEST = 5_000_000
SMALL = Book(np.array([3, 70, 2**59 + 1]), np.array([1, 63 << 11 | 63 << 5 | 25, 0]))


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


def crafted(columns, number, unpacked_more=b""):
    packed = zlib.compress(columns + unpacked_more)
    return b"goBook01" + number.to_bytes(4, "little") + hashlib.sha256(packed).digest() + packed


COLUMNS = zlib.decompress(book_bytes(SMALL)[44:])
NO_BOOKS = {
    "too few": crafted(COLUMNS[:-12], 3),
    "too many": crafted(COLUMNS, 3, bytes(12)),
    "a number it cannot have": crafted(COLUMNS, 2**32 - 1),
    "a bomb": crafted(bytes(10**6), 3),
    "no stream": b"goBook01" + bytes(4) + hashlib.sha256(b"x").digest() + b"x",
    "more after the stream": b"goBook01" + (3).to_bytes(4, "little") + hashlib.sha256(zlib.compress(COLUMNS) + b"x").digest()
    + zlib.compress(COLUMNS) + b"x",
    "falling keys": book_bytes(Book(np.array([70, 3]), np.array([NOTHING, NOTHING]))),
    "a key twice": book_bytes(Book(np.array([3, 3]), np.array([NOTHING, NOTHING]))),
    "a key below all": book_bytes(Book(np.array([-1]), np.array([NOTHING]))),
    "a key beyond all": book_bytes(Book(np.array([25 << 55]), np.array([NOTHING]))),
    "a move off the board": book_bytes(Book(np.array([3]), np.array([NOTHING + 26]))),
    "bounds the wrong way round": book_bytes(Book(np.array([3]), np.array([40 << 11 | 39 << 5]))),
    "a value below all": book_bytes(Book(np.array([3]), np.array([-1]))),
}  # fmt: skip


@pytest.mark.parametrize("what", NO_BOOKS)
def test_a_book_with_a_right_checksum_and_wrong_contents_is_refused_by_name(tmp_path, what):
    """A key beyond all positions would be written outside the solver's table."""
    (tmp_path / "book_course.bin").write_bytes(NO_BOOKS[what])
    with pytest.raises(BadBookError, match=r"^book '.*book_course\.bin': expected [ -~]*$"):
        read_book(tmp_path / "book_course.bin")


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
    rng, solver, seen = random.Random(rules), Solver(64, book=no_book), 0
    late = np.flatnonzero(book.keys >> 55 <= 14)
    while seen < 10:
        place = int(rng.choice(late))
        state = state_of(int(book.keys[place]), rules)
        if state is None:
            continue
        low, high = (int(book.values[place]) >> 11) - 32, (int(book.values[place]) >> 5 & 63) - 32
        sign = 1 if state.to_move == 1 else -1
        if low > -32:
            assert black_reaches(solver, state, sign * low + (sign < 0)) == (sign > 0)
        if high < 31:
            assert black_reaches(solver, state, sign * high + (sign > 0)) == (sign < 0)
        seen += 1


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("memory_mib", [16, 64])
def test_who_wins_and_how_in_the_first_moves_is_in_the_book(rules, memory_mib):
    """Looked up, not tried: where the move leads there may be no entry. The table of 16 MiB begins empty, the other crowded."""
    rng, solver = random.Random(rules), Solver(memory_mib)
    for _ in range(500):
        state = new_game(ruleset(rules), 5)
        while state.n_move <= WHOLE_PLIES and not state.is_over:
            found = solver.winning_move(state, nodes=2)
            assert found.winner, state
            assert len(found.winning_moves) == (found.winner == state.to_move), state
            state = state.after(rng.choice(list(state.legal_moves())))


@pytest.mark.parametrize("rules", RULES)
def test_margins_in_the_book_are_those_of_the_best_moves(rules):
    """Of all positions before the last ones, whose margins nothing here explains."""
    solver = Solver(64)

    def margin(state):
        found = solver.margin(state, nodes=100).margin
        assert found is not None
        return found

    for state in (new_game(ruleset(rules), 5), *all_positions(rules, MARGIN_PLIES - 1)):
        after = [margin(state.after(move)) for move in state.legal_moves()]
        assert margin(state) == (max(after) if state.to_move == BLACK else min(after))


@pytest.mark.parametrize("rules", RULES)
def test_with_the_book_the_opening_takes_no_search(rules):
    solver = Solver(64)
    state = new_game(ruleset(rules), 5)
    found = solver.winning_move(state, nodes=1000)
    assert found.winner == 1
    assert solver.winner(state.play(found.winning_moves[0]), nodes=1000).winner == 1


def value(low, high, move):
    return (low + 32) << 11 | (high + 32) << 5 | move + 1


def test_what_a_table_is_filled_with_is_found_in_it_under_its_key():
    keys = [int(key) for key in shipped_book("course").keys[::1000]]
    assert [_unmixed(mix(key)) for key in keys] == keys


def test_two_entries_of_a_position_become_one_with_the_bounds_of_both():
    one = np.array([7, 3, 7]), np.array([value(-32, 3, -1), value(1, 31, 4), value(2, 31, 12)]), np.array([20, 9, 11])
    two = np.array([9, 3]), np.array([value(-1, -1, 0), value(0, 31, 5)]), np.array([10, 12])
    assert [column.tolist() for column in merge_entries([one, two])] == [
        [3, 7, 9], [value(1, 31, 4), value(2, 3, 12), value(-1, -1, 0)], [12, 20, 10],
    ]  # fmt: skip


def test_of_symmetric_positions_one_is_solved():
    """As many as there are orbits by Burnside's lemma: (600 + 4 * 20) / 8 = 85, (25 * 24 / 2 * 23 + 12 + 4 * 80) / 8 = 904."""
    counted = [sum(state.n_move == plies for state in all_positions("course", 3)) for plies in (1, 2, 3)]
    assert counted == [6, 85, 904]


def test_what_is_done_of_a_book_is_not_done_again(tmp_path):
    path, entries = tmp_path / "parts" / "one.npz", tuple(np.array([number]) for number in (7, 8, 9))
    with pytest.raises(KeyboardInterrupt):
        load_or_make(path, interrupted)
    assert not path.exists()
    assert load_or_make(path, lambda: entries) == load_or_make(path, interrupted) == entries


@pytest.mark.parametrize("spoil", [lambda data: data[:-40], lambda data: b"", lambda data: data.replace(b"works", b"other")])
def test_a_damaged_part_is_named(tmp_path, spoil):
    path = tmp_path / "one.npz"
    load_or_make(path, lambda: tuple(np.array([number]) for number in (7, 8, 9)))
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(BadBookError, match=r"one\.npz: expected what was found before, got .*; remove it$"):
        load_or_make(path, interrupted)


def interrupted(*_):
    raise KeyboardInterrupt


@pytest.mark.slow
def test_a_book_is_made_of_all_early_positions_and_of_what_took_much_work(tmp_path, monkeypatch):
    """The shipped book knows the first three moves, so nothing else is found that took much."""
    monkeypatch.setattr(book_entries, "WHOLE_PLIES", 3)
    monkeypatch.setattr(book_entries, "ROUNDS", 2)
    shipped = shipped_book("course")
    early = shipped.keys >> 55 >= 24 - 3
    for works, expected in ((LEAST_WORK, shipped.keys), (LEAST_WORK - 1, shipped.keys[early])):
        folder = tmp_path / str(works)
        load_or_make(folder / "opening.npz", lambda works=works: (shipped.keys, shipped.values, np.full(len(shipped), works)))
        made = make_book("course", folder, memory_mib=256)
        assert np.array_equal(made.keys, expected)
    parts = ["early.npz", "opening.npz", *(f"round-{number}-of-2-{core}.npz" for number in (1, 2) for core in (0, 1))]
    assert sorted(path.name for path in folder.iterdir()) == parts


def test_margins_are_added_to_a_book_and_not_found_again(tmp_path, monkeypatch):
    """Here of some late positions instead of the first ones."""
    rng = random.Random(1)
    late = [state for state in (random_state("course", 5, moves, rng) for moves in (14, 15, 15, 16)) if state is not None]
    monkeypatch.setattr(book_entries, "all_positions", lambda rules, plies: iter(late[1:]))
    monkeypatch.setattr(book_entries, "new_game", lambda rules, size: late[0])
    made = with_margins("course", tmp_path, 16, SMALL)
    assert set(SMALL.keys) < set(made.keys)
    for state in late:
        solver = Solver(16, book=no_book)
        margin = solver.margin(state).margin * (1 if state.to_move == 1 else -1)
        entry = made.part_about(solver.engine.entry(state)[0])
        assert [(int(value) >> 11) - 32 for value in entry.values] == [margin]
        assert [(int(value) >> 5 & 63) - 32 for value in entry.values] == [margin]
    monkeypatch.setattr(book_entries, "margin_entry", interrupted)
    assert np.array_equal(with_margins("course", tmp_path, 16, SMALL).values, made.values)


def test_answers_are_kept_that_took_no_work():
    solver = Solver(64)
    state = new_game(ruleset("course"), 5)
    keys, values, _ = book_entries.answers([state, state.play((0, 0))], solver)
    assert keys.tolist() == [24 << 55, 23 << 55 | 1 << 25]
    # By how many stones who is to move will win, at least: Black from the empty board, White after a corner.
    assert [int(value) >> 11 for value in values] == [32 + 3, 32 + 3]


KILLED = """
import multiprocessing, os, signal, threading, time
from pathlib import Path
from goban.rulesets import ruleset
from goban.states import new_game
from goban.solver.book import shipped_book
from goban.solver.book_entries import whole_round

class Share(list):
    def __iter__(self):
        if multiprocessing.parent_process():
            Path(f"{os.getpid()}.worker").touch()
        return super().__iter__()

def kill():
    while len(list(Path().glob("*.worker"))) < 2:
        time.sleep(0.05)
    os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    threading.Thread(target=kill).start()
    shares = [Share([new_game(ruleset("course"), 5)]) for _ in range(2)]
    book = shipped_book("course")
    whole_round("course", [Path("one.npz"), Path("two.npz")], shares, 64, type(book)(book.keys[:1], book.values[:1]))
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes in /proc")
def test_nobody_works_on_when_the_command_is_killed(tmp_path):
    """Each share, the empty board and its successors without a book, would take minutes."""
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    run = subprocess.run([sys.executable, script], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=False)
    assert run.returncode == -signal.SIGKILL
    workers = [path.stem for path in tmp_path.glob("*.worker")]
    assert len(workers) == 2
    wait_until(lambda: not any(map(is_alive, workers)))
    assert not list(tmp_path.glob("*.npz*"))


def is_alive(pid):
    try:
        state = Path("/proc", pid, "stat").read_bytes().rpartition(b")")[2].split()[0]
    except OSError:
        return False
    return state not in (b"Z", b"X")


@pytest.mark.long
@pytest.mark.parametrize("rules", RULES)
def test_the_shipped_book_says_what_its_command_finds(rules, tmp_path):
    """Of early positions who wins; how much of the others is in it, and which moves, is a matter of the search."""
    made, shipped = make_book(rules, tmp_path), shipped_book(rules)
    keys, ours, theirs = np.intersect1d(made.keys, shipped.keys, return_indices=True)
    early = 24 - WHOLE_PLIES
    assert (keys >> 55 >= early).sum() == (made.keys >> 55 >= early).sum() == (shipped.keys >> 55 >= early).sum()
    low = np.maximum(made.values[ours] >> 11, shipped.values[theirs] >> 11)
    high = np.minimum(made.values[ours] >> 5 & 63, shipped.values[theirs] >> 5 & 63)
    assert (low <= high).all()


def test_books_are_made_for_all_rules_or_those_that_are_named(capsys):
    assert bookmaking.parser().parse_args([]).rules == ("course", "littlego")
    assert bookmaking.parser().parse_args(["littlego"]).rules == ["littlego"]
    with pytest.raises(SystemExit):
        bookmaking.parser().parse_args(["aga"])
    assert capsys.readouterr().err == "bookmaking: argument RULES: expected some of course, littlego, got 'aga'\n"
