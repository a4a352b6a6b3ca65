"""Claims proven within a number of moves, held against tables of all positions of a board."""

import random
import re

import pytest

from goban.grids import BLACK, WHITE
from goban.solver.area import prover as prover_module
from goban.solver.area.prover import Claim, Prover, decide
from goban.solver.area.solver import AreaPosition, empty_board
from goban.solver.area.strategies import pieces_of_proof
from goban.solver.area.verify_proof import verify
from tests.support.area_retrograde import all_values, some_positions

SUICIDE = pytest.mark.parametrize("suicide", [False, True], ids=["no suicide", "suicide"])


def claims(height, width, suicide, number):
    """Claims about positions drawn at random, one that holds and one that is a point too much, and what holds."""
    table = all_values(height, width, suicide)
    for p, o in some_positions(table, height, width, number):
        for turn, true in enumerate((table.prover_moves(p, o), table.opponent_moves(p, o))):
            for wanted in (true, true + 1):
                if abs(wanted) <= height * width:
                    position = AreaPosition(height, width, p, o, (BLACK, WHITE)[turn])
                    yield Claim(position, BLACK, wanted, suicide), true >= wanted


@SUICIDE
@pytest.mark.parametrize(
    ("height", "width", "number"), [(2, 3, 20), (2, 4, 5), (3, 3, 8), pytest.param(3, 3, 20, marks=pytest.mark.slow)]
)
def test_what_is_proven_is_what_the_table_says(height, width, number, suicide):
    for claim, holds in claims(height, width, suicide, number):
        assert (Prover(claim, 2).prove(20_000) is True) == holds, claim


@SUICIDE
@pytest.mark.parametrize(("height", "width", "number"), [(2, 4, 10), (3, 3, 10)])
def test_threads_prove_what_one_proves(height, width, number, suicide):
    for claim, holds in claims(height, width, suicide, number):
        assert (Prover(claim, 2, threads=3).prove(None if holds else 20_000) is True) == holds, claim


def test_what_threads_found_is_written_and_checked():
    prover = Prover(Claim(empty_board(3, 4), BLACK, 4), 2, threads=2)
    assert "at least 4 points more" in verify(b"".join(pieces_of_proof(prover)))


@pytest.mark.parametrize("widths", [{1: 20}, pytest.param({2: 6}, marks=pytest.mark.slow)])
def test_with_fewer_moves_tried_nothing_is_proven_that_does_not_hold(widths, monkeypatch):
    monkeypatch.setattr(prover_module, "_WIDTHS", widths)
    proven = [holds for claim, holds in claims(3, 3, False, 25) if Prover(claim, 2).prove(20_000)]
    assert len(proven) > 20
    assert all(proven)


def test_what_only_the_count_gives_is_proven_and_written():
    # X . O    Neither side can be safe here, and who plays between them loses: both pass.
    # X . O
    claim = Claim(AreaPosition(2, 3, 0b001001, 0b100100, BLACK), BLACK, 0)
    assert "at least 0 points more" in verify(b"".join(pieces_of_proof(Prover(claim, 2))))


@SUICIDE
def test_a_claim_is_proven_or_refuted(suicide):
    for claim, holds in claims(2, 4, suicide, 15):
        assert decide(Prover(claim, 2), 8)[0] == holds


def test_the_answer_to_every_position_takes_a_move_less_than_the_one_before():
    prover = Prover(Claim(empty_board(3, 4), BLACK, 4), 2)
    assert prover.prove()
    todo, seen = [(prover.start, prover.suffices())], 0
    rng = random.Random(1)
    for _ in range(300):
        stones, left = todo[rng.randrange(len(todo))]
        answer = prover.answer(stones, left)
        assert answer.rank <= left
        replies = [] if answer.safe else prover.replies(answer.after)
        todo += [(after, answer.rank - 1) for _, after in replies]
        seen += len(replies)
    assert seen > 300


def test_the_same_claim_takes_the_same_positions():
    prover, again = (Prover(Claim(empty_board(3, 5), BLACK, 15), memory) for memory in (16, 16))
    assert (prover.prove(), prover.nodes) == (again.prove(), again.nodes)


def test_a_long_search_tells_how_far_it_is_and_ends_when_asked_to(monkeypatch):
    def stop(text):
        told.append(text)
        if "positions searched" in text:
            raise KeyboardInterrupt

    monkeypatch.setattr(prover_module, "_BETWEEN_LOOKS", 0.001)
    told = []
    # Black forces 1 on 4x4 and no more, which this search would find out after long.
    prover = Prover(Claim(empty_board(4, 4), BLACK, 2), 2, stop)
    with pytest.raises(KeyboardInterrupt):
        prover.prove()
    assert re.fullmatch(r"[0-9,]+ positions searched, within \d+ moves \(unlikely ones count more\), \d+ tried", told[-1])


@pytest.mark.slow
def test_on_4x5_black_has_everything():
    assert Prover(Claim(empty_board(4, 5), BLACK, 20), 256).prove()


@pytest.mark.long
def test_on_5x5_black_has_everything_after_c3():
    assert Prover(Claim(AreaPosition(5, 5, 1 << 12, 0, WHITE), BLACK, 25), 1024).prove()
