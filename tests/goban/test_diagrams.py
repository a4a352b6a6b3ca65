import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goban.diagrams import course_diagram, diagram, parse_diagram
from goban.errors import BadBoardError, BadPointError
from goban.states import new_game, state_from_diagram
from tests.support.boards import boards

DRAWN = """\
   A B C
 3 . X .  3
 2 . O(X) 2
 1 . . .  1
   A B C"""


def test_people_see_coordinates_and_the_last_move():
    assert diagram([[0, 1, 0], [0, 2, 1], [0, 0, 0]], last=(1, 2)) == DRAWN


def test_two_digit_rows_stay_in_line():
    lines = diagram([[0] * 19 for _ in range(19)]).splitlines()
    assert lines[0].split() == list("ABCDEFGHJKLMNOPQRST")
    assert lines[1].startswith("19 . .")
    assert lines[19].startswith(" 1 . .")
    assert lines[0].index("T") == lines[1].rindex(".")


def test_the_course_shows_stones_between_two_rules():
    assert course_diagram([[0, 1], [2, 0]]) == "----\n  X \nO   \n----"


@given(boards(19))
def test_drawing_and_reading_are_inverse(rows):
    drawn = "\n".join(line[3:].rsplit(" ", 1)[0] for line in diagram(rows).splitlines()[1:-1])
    assert parse_diagram(drawn) == rows


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "expected 2 to 19 rows, got 0"),
        (".", "expected 2 to 19 rows, got 1"),
        (". X\n. ?", "got '\\?' in '. \\?'"),
        (". X\n. . .", "expected 2 points in every row, got '. . .'"),
    ],
)
def test_bad_drawings_are_refused_with_the_bad_line(text, complaint):
    with pytest.raises(BadBoardError, match=complaint):
        parse_diagram(text)


@given(boards(19), st.data())
def test_what_is_drawn_with_coordinates_is_read_back(rows, data):
    points = [(i, j) for i in range(len(rows)) for j in range(len(rows))]
    drawn = diagram(rows, data.draw(st.sampled_from([None, *points])))
    assert parse_diagram(drawn) == rows


SIGNS = re.compile(r"\033\[[\d;]*m")


@given(boards(19), st.data())
def test_colours_change_nothing_else(rows, data):
    points = [(i, j) for i in range(len(rows)) for j in range(len(rows))]
    last, taken = data.draw(st.sampled_from([None, *points])), data.draw(st.lists(st.sampled_from(points), max_size=3))
    assert SIGNS.sub("", diagram(rows, last, taken, colours=True)) == diagram(rows, last)


def test_stones_the_last_one_and_where_stones_were_taken_have_colours():
    drawn = diagram([[1, 2], [1, 0]], last=(0, 0), taken=[(1, 1)], colours=True)
    assert drawn.splitlines()[1:3] == [
        " 2(\033[1;36;7mX\033[0m)\033[1;33mO\033[0m  2",
        " 1 \033[1;36mX\033[0m \033[1;31m.\033[0m  1",
    ]


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


def test_a_notebook_shows_the_board():
    # The name is the protocol's: a notebook asks each object for it.
    assert STATE._repr_svg_() == STATE.svg()


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
