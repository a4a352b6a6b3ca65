"""SGF games to be looked at: trees with comments and marks, stones set up anywhere, and moves that no rules allow."""

import pytest

from goban.errors import SgfError
from goban.grids import BLACK, WHITE
from goban.points import parse_vertex, vertex
from goban.reviews import positions, read_review
from goban.rulesets import AGA, COURSE, LITTLEGO
from goban.sgf import MOST_NODES, read_tree, text_of

TREE = (
    r"(;SZ[5]KM[2.5]PB[Ann\]]PW[Bo]RE[B+R]C[Hello];B[cc]C[the \\ centre\:]"
    r";W[bb](;B[dd]LB[aa:1][bb:long]TR[ee])(;B[ea];W[ae]))"
)


def boards(text, node=None, rules=COURSE):
    review = read_review(text)
    path = review.line(len(review.nodes) - 1 if node is None else node)
    return positions(review, path, rules)


def stones(position, colour):
    state = position.state
    return " ".join(vertex(point, state.grid.size) for point in state.grid.points_of(state.stones(colour)))


def test_a_tree_is_read_with_names_result_comments_and_marks():
    review = read_review(TREE)
    assert (review.size, review.komi, review.black, review.white, review.result) == (5, 2.5, "Ann]", "Bo", "B+R")
    assert [node.parent for node in review.nodes] == [-1, 0, 1, 2, 2, 4]
    assert [node.comment for node in review.nodes[:2]] == ["Hello", r"the \ centre:"]
    assert review.nodes[3].marks == {(0, 0): "1", (1, 1): "lon", (4, 4): "△"}
    assert (review.line(0), review.line(4), review.path(3)) == ([0, 1, 2, 3], [0, 1, 2, 4, 5], [0, 1, 2, 3])


def test_positions_of_moves_by_the_rules_follow_from_each_other():
    found = boards(TREE)
    assert [position.begins for position in found] == [False] * 5
    assert (stones(found[-1], BLACK), stones(found[-1], WHITE)) == ("E5 C3", "B4 A1")
    assert (found[-1].state.n_move, found[-1].state.to_move) == (4, BLACK)


def test_handicap_stones_leave_white_to_move():
    found = boards("(;SZ[9]HA[2]AB[cc][gg];W[ee])", rules=AGA)
    assert (found[0].state.to_move, stones(found[0], BLACK)) == (WHITE, "C7 G3")
    assert not found[1].begins


@pytest.mark.parametrize(("text", "black", "white", "to_move"), [
    ("(;SZ[5];B[cc];AW[aa:ab]AE[cc]PL[W])", "", "A5 A4", WHITE),
    ("(;SZ[5];B[cc];W[dd];AE[dd]AB[dd])", "C3 D2", "", BLACK),
    ("(;SZ[5]AB[aa][ba]AW[ab]PL[B])", "A5 B5", "A4", BLACK),
])
def test_stones_are_set_up_anywhere(text, black, white, to_move):
    last = boards(text)[-1]
    assert (stones(last, BLACK), stones(last, WHITE), last.state.to_move) == (black, white, to_move)


def test_either_colour_may_move_and_what_is_forbidden_is_placed():
    found = boards("(;SZ[5];B[cc];B[dd];W[cc];W[tt];B[])")
    assert (stones(found[3], BLACK), stones(found[3], WHITE)) == ("D2", "C3")
    assert [position.begins for position in found] == [False, False, True, True, True, True]


def test_a_suicide_is_taken_off_and_a_capture_takes():
    suicide = boards("(;SZ[5]AB[ab][ba];W[aa])")[-1]
    assert stones(suicide, WHITE) == ""
    ko = boards("(;SZ[5]AB[ba][ab][bc]AW[ca][cc][db]PL[W];W[bb];B[cb];W[bb])")
    assert stones(ko[-1], WHITE) == "C5 B4 D4 C3"


@pytest.mark.parametrize("rules", [COURSE, LITTLEGO])
def test_positions_that_are_set_up_can_be_played_on(rules):
    for text in ("(;SZ[5]AB[aa:ee]AE[cc])", "(;SZ[2]AB[aa]AW[ab][ba])", "(;SZ[5]AB[cc];W[dd])"):
        state = boards(text, rules=rules)[-1].state
        assert not state.is_over or not state.legal_moves()
        assert state.n_move % 2 == (state.to_move == WHITE)
    assert boards("(;SZ[5]AB[cc]PL[W])", rules=LITTLEGO)[-1].state.play(None).ending is None


@pytest.mark.parametrize("text", [
    "hello", "(;SZ[20])", "(;SZ[5:6])", "(;SZ[x])", "(;GM[2]SZ[5])", "()", "", f"(;SZ[5]{';' * MOST_NODES})",
])
def test_what_is_no_game_is_refused(text):
    with pytest.raises(SgfError, match="expected"):
        read_review(text)


@pytest.mark.parametrize(("text", "nodes"), [
    ("(;SZ[5];B[cc];W[bb", 3), ("(SZ[5];B[cc])", 2), ("x(;SiZe[5] ;  Black[CC] nonsense)", 2), ("(;SZ[5](;B[aa]", 2),
    ("(;SZ[5]C[a\\]b)(;])(;SZ[9];B[aa])", 1), ("(;SZ[5];B[aa]W[bb])", 3),
])
def test_what_lies_about_is_read_as_it_is_meant(text, nodes):
    assert len(read_review(text).nodes) == nodes
    assert read_review(text).size == 5


def test_of_raw_values_the_text_is_told():
    assert text_of("a\\]b\\\\c\\\nd\\\te\r\nf") == "a]b\\cd e\nf"
    assert read_tree("(;C[a][b]C[c])")[0].properties == {"C": ["a", "b", "c"]}
    assert parse_vertex("A5", 5) == (0, 0)
