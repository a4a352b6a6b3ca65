import pytest

from goban.errors import BadPointError
from goban.points import parse_pair, parse_vertex, vertex

CORNERS = [("A5", (0, 0)), ("E5", (0, 4)), ("A1", (4, 0)), ("E1", (4, 4))]


@pytest.mark.parametrize(("name", "point"), CORNERS)
def test_corner_names(name, point):
    assert parse_vertex(name, 5) == point
    assert vertex(point, 5) == name


@pytest.mark.parametrize("text", ["", "A", "I3", "A6", "A0", "F1", "3A", "A²", "A-1", "A" + "9" * 5000, "A٣"])
def test_unreadable_vertex_is_refused_by_name(text):
    with pytest.raises(BadPointError) as caught:
        parse_vertex(text, 5)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize("size", range(2, 20))
def test_every_point_of_every_size_keeps_its_name(size):
    names = {vertex((i, j), size) for i in range(size) for j in range(size)}
    assert len(names) == size * size
    assert not any("I" in name for name in names)
    assert all(vertex(parse_vertex(name, size), size) == name for name in names)


def test_pass_has_a_name():
    assert vertex(None, 5) == "pass"
    assert parse_vertex("PASS", 5) is None


@pytest.mark.parametrize("point", [(5, 0), (0, -1)])
def test_no_name_for_a_point_off_the_board(point):
    with pytest.raises(BadPointError, match="off the 5x5 board"):
        vertex(point, 5)


@pytest.mark.parametrize(("text", "point"), [("0,0", (0, 0)), ("2,3", (2, 3)), (" 4 , 1 ", (4, 1)), ("2,3\n", (2, 3))])
def test_pairs_are_row_and_column(text, point):
    assert parse_pair(text, 5) == point


@pytest.mark.parametrize("text", ["", "2", "2,", "2,3,4", "-1,0", "5,0", "2.0,1", "a,b", "²,1", "9" * 5000 + ",1"])
def test_unreadable_pair_is_refused_by_name(text):
    with pytest.raises(BadPointError) as caught:
        parse_pair(text, 5)
    assert repr(text) in str(caught.value)
