"""The eight images of a position."""

import random

import pytest

from goban.grids import grid_of
from goban.moves import PASS, RESIGN
from goban.rulesets import COURSE
from tests.support.symmetries import SYMMETRIES
from tournament.probing.positions import IMAGES, boards, image, play_moves


@pytest.mark.parametrize("size", [2, 5])
def test_images_are_the_eight_symmetries(size):
    ours = {tuple(image(point, number, size) for point in grid_of(size).points) for number in IMAGES}
    assert ours == {tuple(turn(*point, size - 1) for point in grid_of(size).points) for turn in SYMMETRIES}
    assert len(ours) == 8
    assert [image(point, 0, size) for point in grid_of(size).points] == list(grid_of(size).points)


def test_what_is_no_placement_is_its_own_image():
    assert {image(move, number, 5) for move in (PASS, RESIGN) for number in IMAGES} == {PASS, RESIGN}


def test_an_image_of_a_game_is_a_game_and_its_boards_are_the_same():
    rng, moves = random.Random(1), []
    for _ in range(20):
        moves.append(rng.choice(play_moves(moves, COURSE, 5).legal_moves()))
    state = play_moves(moves, COURSE, 5)
    images = [play_moves(moves, COURSE, 5, number) for number in IMAGES]
    assert images[0] == state
    assert len({boards(one) for one in images}) == 1
    assert boards(state) == {tuple(map(tuple, one.rows())) for one in images}
    assert len(boards(play_moves([], COURSE, 5))) == 1
