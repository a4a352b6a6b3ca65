"""Boards as SVG: every stone, mark and name is in the picture, and nothing that a reader could trip over."""

from xml.etree import ElementTree

import pytest

from goban.errors import BadPointError
from goban.states import new_game, state_from_diagram

SVG = "{http://www.w3.org/2000/svg}"
STATE = state_from_diagram("aga", """
    . X . . .
    O . . . .
    . . . . .
    . . . . .
    . . . . O
""")  # fmt: skip


def parts(picture, kind):
    return [part.attrib | {"text": part.text} for part in ElementTree.fromstring(picture).iter(SVG + kind)]


def stones(picture):
    return {(c["fill"], float(c["cx"]), float(c["cy"])) for c in parts(picture, "circle") if c["r"] == "0.47"}


def test_stones_stand_on_their_points():
    assert stones(STATE.svg()) == {("#111", 2.25, 1.25), ("#fafafa", 1.25, 2.25), ("#fafafa", 5.25, 5.25)}


def test_the_board_is_as_wide_as_asked():
    root = ElementTree.fromstring(STATE.svg(width=200))
    assert (root.attrib["width"], root.attrib["height"], root.attrib["viewBox"]) == ("200", "200", "0 0 6.5 6.5")


def test_points_are_named_on_all_sides():
    texts = [part["text"] for part in parts(new_game("aga", 9).svg(), "text")]
    assert sorted(texts) == sorted(2 * [*"ABCDEFGHJ", *"123456789"])


def test_the_last_move_is_marked():
    marked = [c for c in parts(STATE.play("C3").svg(), "circle") if c["r"] == "0.22"]
    assert [(c["cx"], c["cy"], c["stroke"]) for c in marked] == [("3.25", "3.25", "#fff")]
    assert not [c for c in parts(STATE.svg(), "circle") if c["r"] == "0.22"]


def test_labels_stand_on_stones_and_empty_points_and_are_text():
    picture = STATE.svg(labels={"A1": "<&", (0, 1): "12"})
    assert {part["text"] for part in parts(picture, "text")} >= {"<&", "12"}


@pytest.mark.parametrize("point", ["F1", "Z9", "pass", (5, 0), (-1, 0)])
def test_a_label_for_no_point_of_the_board_is_refused(point):
    with pytest.raises(BadPointError, match=str(point[0])):
        STATE.svg(labels={point: "1"})


def test_large_boards_have_their_stars():
    assert len([c for c in parts(new_game("aga", 19).svg(), "circle") if c["r"] == "0.1"]) == 9
