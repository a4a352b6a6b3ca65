"""The oracle against drawn cases, published counts, and numbers small enough to count by hand."""

import itertools
import random

import pytest

from benchmarks.copying_go import CopyingGO
from tests.support.oracle import PRESETS, NaiveGame, count_sequences, stones_without_liberty
from tests.support.positions_file import load_cases, positions

pytestmark = pytest.mark.slow

POSITIONS = positions()
PASSING = [preset for preset in PRESETS if preset != "course"]


def drawn(text):
    return tuple(tuple(".XO".index(mark) for mark in line.split()) for line in text.strip().splitlines())


def after_moves(preset, size, moves, komi=None):
    game = NaiveGame(preset, size, komi)
    for move in moves:
        game.play(move)
    return game


def play_at_random(game, rng, passes=0.05, limit=200):
    """Yield the game after each random move."""
    while not game.over() and game.n_move < limit:
        moves = sorted(game.legal_placements())
        game.play(None if game.may_pass() and (not moves or rng.random() < passes) else rng.choice(moves))
        yield game


# Drawn cases


@pytest.mark.parametrize("position", POSITIONS)
def test_drawn_position(position):
    for case in POSITIONS[position]:
        check(case)


def check(case):
    assert not stones_without_liberty(case.board, 1) + stones_without_liberty(case.board, 2), "dead group drawn"
    game = NaiveGame.from_board(case.rules, case.board, case.to_move)
    for move in case.moves:
        game.play(move)
    mover = game.to_move
    assert game.why_illegal(case.play) == case.why_illegal
    assert (case.play in game.legal_placements()) == (case.why_illegal is None)
    if case.why_illegal is not None:
        with pytest.raises(ValueError, match=f"{case.why_illegal}|no legal placement"):
            game.play(case.play)
        return
    before = game.board
    game.play(case.play)
    assert game.board[case.play[0]][case.play[1]] == (0 if case.play in game.died_pieces else mover)
    assert game.previous_board == before
    if case.captures is not None:
        assert tuple(game.died_pieces) == case.captures
    if case.after is not None:
        assert tuple(map(tuple, game.board)) == case.after
    if case.ends is not None:
        assert game.ending() == (None if case.ends == "-" else case.ends)
    if case.winner is not None:
        assert game.winner() == case.winner


@pytest.mark.parametrize("case", [case for cases in POSITIONS.values() for case in cases if case.rules == "course"], ids=str)
def test_drawn_case_on_the_copying_host(case):
    size = len(case.board)
    go = CopyingGO(size)
    go.set_board(case.to_move, [list(row) for row in case.board], [list(row) for row in case.board])
    piece = case.to_move
    for i, j in case.moves:
        assert go.place_chess(i, j, piece)
        go.died_pieces = go.remove_died_pieces(3 - piece)
        piece = 3 - piece
    assert go.place_chess(*case.play, piece) == (case.why_illegal is None)
    if case.why_illegal is None and case.captures is not None:
        assert tuple(go.remove_died_pieces(3 - piece)) == case.captures


def test_a_misdrawn_case_is_refused_by_name(tmp_path):
    path = tmp_path / "bad.txt"
    path.write_text("name: star astray\nrules: course\nto_move: black\nboard:\n. *\n. .\nplay: A1\nexpect: legal\n")
    with pytest.raises(ValueError, match="star astray"):
        load_cases(path)


# Published and hand-counted numbers


@pytest.mark.parametrize(("size", "legal_positions"), [(2, 57), (3, 12675)])
def test_number_of_legal_positions(size, legal_positions):
    """Tromp and Farneback, Combinatorics of Go: boards without a group that lacks a liberty."""
    count = 0
    for values in itertools.product((0, 1, 2), repeat=size * size):
        board = tuple(values[row * size : (row + 1) * size] for row in range(size))
        count += not any(stones_without_liberty(board, colour) for colour in (1, 2))
    assert count == legal_positions


# 2x2: any of 3 replies leaves Black both remaining points, and the third stone is the last.
# 3x3: 9 * 8 * 7, nothing forbidden. Of the 504, 8 capture (White in a corner between both Black stones), after
# which White has 7 - 1 placements; of the others, 4 corners * 2 orders * 6 points for White's first stone
# leave White one suicide: 8 * 6 + 496 * 6 - 48 = 2976.
COURSE_COUNTS = [(2, [1, 4, 12, 24, 0]), (3, [1, 9, 72, 504, 2976]), (5, [1, 25, 600])]


@pytest.mark.parametrize(("size", "counts"), COURSE_COUNTS)
def test_number_of_course_games(size, counts):
    assert [count_sequences(NaiveGame("course", size), depth) for depth in range(len(counts))] == counts


def test_number_of_sequences_with_passes_on_2x2():
    """`littlego` ends at once if the first move is a pass, the others after two passes in a row.

    Depth 2: 4 stones * (3 + pass), and after a first pass 5 more. Depth 3: two stones 4 * 3 * (2 + pass),
    stone and pass 4 * (3 + pass), pass and stone the same.
    """
    for preset in PASSING:
        counts = [count_sequences(NaiveGame(preset, 2), depth) for depth in range(4)]
        assert counts == ([1, 5, 16, 36 + 16] if preset == "littlego" else [1, 5, 21, 36 + 16 + 16])


def test_sequences_leave_the_game_as_it_was():
    game = after_moves("aga", 3, [(1, 1)])
    count_sequences(game, 2)
    assert game.n_move == 1
    assert game.history == after_moves("aga", 3, [(1, 1)]).history


# Endings and scores


def test_course_has_no_pass():
    game = NaiveGame("course", 5)
    assert not game.may_pass()
    with pytest.raises(ValueError, match="no pass"):
        game.play(None)


def test_only_aga_has_resignation():
    game = after_moves("aga", 5, [(2, 2), "RESIGN"])
    assert (game.ending(), game.winner()) == ("resignation", 1)
    for preset in set(PRESETS) - {"aga"}:
        with pytest.raises(ValueError, match="no resignation"):
            NaiveGame(preset, 5).play("RESIGN")


def test_littlego_ends_on_a_first_pass():
    game = after_moves("littlego", 5, [None])
    assert (game.ending(), game.winner()) == ("two passes", 2)


@pytest.mark.parametrize("preset", PASSING)
def test_two_passes_end_the_game_unless_a_stone_comes_between(preset):
    game = after_moves(preset, 5, [(2, 2), None])
    assert not game.over()
    between = game.copy()
    game.play(None)
    assert game.ending() == "two passes"
    between.play((0, 0))
    between.play(None)
    assert not between.over()
    with pytest.raises(ValueError, match="the game is over"):
        game.play((0, 0))


@pytest.mark.parametrize("preset", ["course", "littlego"])
def test_twenty_four_moves_are_a_course_game(preset):
    for seed in range(3):
        games = list(play_at_random(NaiveGame(preset, 5), random.Random(seed), passes=0))
        assert games[-1].n_move == 24 or games[-1].ending() in ("no legal placement", "two passes")


@pytest.mark.parametrize("preset", [name for name in PRESETS if name.startswith("tromp-taylor")])
def test_tromp_taylor_stops_after_two_board_fills(preset):
    game = NaiveGame(preset, 2)
    for move in [(0, 0), None, (0, 1), None, (1, 0), (1, 1), None]:  # White's only stone takes three
        game.play(move)
    assert not game.over()
    game.play(min(game.legal_placements()))
    assert (game.n_move, game.ending()) == (8, "move limit")


KOMI = [("course", 5, 2.5), ("littlego", 7, 3.5), ("tromp-taylor-pgx", 9, 7.5), ("aga", 9, 7.5), ("alphago7", 7, 7.5)]


@pytest.mark.parametrize(("preset", "size", "komi"), KOMI)
def test_komi_goes_to_white(preset, size, komi):
    assert NaiveGame(preset, size).scores() == (0, komi)
    assert NaiveGame(preset, size, 0.5).scores() == (0, 0.5)


def test_stones_and_area():
    rows = drawn("""
        . X . O .
        X X . O O
        . X . O .
        X X . O O
        . X . O .
    """)
    assert NaiveGame.from_board("course", rows, 1).scores() == (7, 7 + 2.5)
    assert NaiveGame.from_board("aga", rows, 1).scores() == (10, 10 + 7.5)
    assert NaiveGame.from_board("aga", rows, 1, komi=0).winner() == 0


def test_the_empty_board_belongs_to_nobody_and_one_stone_owns_it():
    assert NaiveGame("aga", 5, 0).scores() == (0, 0)
    assert after_moves("aga", 5, [(2, 2)], komi=0).scores() == (25, 0)


def test_previous_board_and_died_pieces_after_a_pass():
    game = NaiveGame.from_board("littlego", drawn("O X .\n. . .\n. . ."), 1)
    game.play((1, 0))
    assert game.died_pieces == [(0, 0)]
    game.play(None)
    assert game.died_pieces == []
    assert game.previous_board == game.board == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]


def test_off_the_board_is_invalid_and_not_illegal():
    with pytest.raises(ValueError, match="off the 5x5 board"):
        NaiveGame("course", 5).why_illegal((7, 1))


def test_an_unknown_preset_is_refused_by_name():
    with pytest.raises(ValueError, match="'japanese'"):
        NaiveGame("japanese", 5)


# Random games


@pytest.mark.parametrize("preset", PRESETS)
def test_facts_that_hold_in_every_game(preset):
    for seed in range(4):
        boards, situations = set(), set()
        for game in play_at_random(NaiveGame(preset, 3), random.Random(seed)):
            board = tuple(map(tuple, game.board))
            assert not stones_without_liberty(board, 1) + stones_without_liberty(board, 2)
            placed = game.moves[-1] is not None
            if placed and preset == "tromp-taylor-strict":
                assert board not in boards
            if placed and preset in ("aga", "tromp-taylor-openspiel", "tromp-taylor-pettingzoo"):
                assert (board, game.to_move) not in situations
            if placed and preset in ("tromp-taylor-pgx", "tromp-taylor-openspiel"):
                assert (board in boards) == (game.ending() == "repetition")
            boards.add(board)
            situations.add((board, game.to_move))


@pytest.mark.parametrize(("size", "games"), [(2, 20), (3, 20), (4, 6), (5, 3)])
def test_the_copying_host_and_the_naive_game_agree(size, games):
    for seed in range(games):
        rng = random.Random(f"{size} {seed}")
        naive, go = NaiveGame("course", size), CopyingGO(size)
        points = [(i, j) for i in range(size) for j in range(size)]

        class Player:
            def get_input(self, host, piece_type, naive=naive, go=go, points=points, rng=rng):
                assert host is go
                assert piece_type == naive.to_move
                assert host.board == naive.board
                assert host.previous_board == naive.previous_board
                assert host.died_pieces == naive.died_pieces
                legal = naive.legal_placements()
                assert {point for point in points if host.valid_place_check(*point, piece_type)} == legal
                naive.play(move := rng.choice(sorted(legal)))
                return list(move)

        assert go.play(Player(), Player()) == naive.winner()
        assert naive.over()
        assert (go.board, go.n_move) == (naive.board, naive.n_move)


class Scripted:
    def __init__(self, *answers):
        self.answers = list(answers)

    def get_input(self, go, piece_type):
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


@pytest.mark.parametrize(("answers", "winner"), [
    (["C3", (7, 1), (0,), None, "PASS", (0.0, 0), *[(9, 9)] * 4, (0, 0), (0, 1)], 0),  # ten bad ones; then 2 against 1 + 1
    ([(9, 9)] * 11, 2),
    ([RuntimeError("no answer")], 2),
])  # fmt: skip
def test_how_often_the_copying_host_asks(answers, winner):
    black = Scripted(*answers)
    assert CopyingGO(2).play(black, Scripted((1, 1))) == winner
    assert black.answers == []
