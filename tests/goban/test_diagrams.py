import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goban.diagrams import course_diagram, diagram, parse_diagram
from goban.errors import BadBoardError
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
