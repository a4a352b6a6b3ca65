"""Every line of an SGF game's tree is read, as sgfmill itself reads them, and what is wrong ends its own line only."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sgfmill.sgf import Sgf_game

from goban.sgf import HEADER
from search.sgf_variations import lines_of

LETTERS = "abcde"
MOVES = [*(f"[{i}{j}]" for i in LETTERS for j in LETTERS), "[]"]
NODES = st.tuples(st.sampled_from(MOVES), st.sampled_from(["", "C[(;)\\]\\\\]", " "]))
TREES = st.recursive(st.just([]), lambda trees: st.lists(st.tuples(NODES, trees), max_size=3), max_leaves=12)


def written(tree, ply=0):
    """A tree of moves as SGF; one that does not branch goes on without brackets."""
    parts = [f";{'BW'[ply % 2]}{move}{more}{written(rest, ply + 1)}" for (move, more), rest in tree]
    return parts[0] if len(parts) == 1 else "".join(f"({part})" for part in parts)


def leaves(node):
    """The lines below a node, as sgfmill has them."""
    for child in node:
        colour, point = child.get_move()
        own = (None if point is None else (4 - point[0], point[1]),) if colour else ()
        yield from ((*own, *line) for line in leaves(child))
    if not len(node):
        yield ()


@given(TREES)
def test_the_lines_are_those_that_sgfmill_reads(tree):
    text = f"x(;GM[1]SZ[5]C[(]{written(tree)})(;SZ[5];B[aa])".encode()
    root = Sgf_game.from_bytes(text[1 : text.rindex(b"(;")]).get_root()
    assert lines_of(text, 5, 1000) == list(leaves(root))


@pytest.mark.parametrize(("tree", "lines"), [
    ("(;SZ[3];B[aa](;W[bb])(;B[cc]))", [((0, 0), (1, 1)), ((0, 0),)]),
    ("(;SZ[3];B[aa](;W[bb])(;W[dd];B[ab]))", [((0, 0), (1, 1)), ((0, 0),)]),
    ("(;SZ[3];B[aa](;W[bb])(;AE[aa];W[cc](;B[ab])(;B[ac])))", [((0, 0), (1, 1)), ((0, 0),), ((0, 0),)]),
    ("(;SZ[3];B[aa](;W[bb])(;W[ba]W[ca])(;W[ac]))", [((0, 0), (1, 1)), ((0, 0),), ((0, 0), (2, 0))]),
    ("(;SZ[3];C[x\n](;B[aa])\n(\n;B[bb]\n)\n)", [((0, 0),), ((1, 1),)]),
    ("(;SZ[3];B[aa](;W[bb]", []),
])  # fmt: skip
def test_what_is_wrong_ends_its_own_line(tree, lines):
    found = lines_of(f"{tree}(;{HEADER}3];B[cc])".encode(), 3, 10)
    assert found == (lines or [((2, 2),)])


def test_no_more_lines_are_read_than_wanted():
    assert len(lines_of(b"(;SZ[3]" + b"(;B[aa])" * 100_000 + b")", 3, 5)) == 5


def test_ten_thousand_nested_variations_are_no_problem():
    deep = b"(;SZ[5]" + b"(;B[aa](;W[bb](;B[])" * 5000 + b")" * 10_001
    assert len(lines_of(deep, 5, 200)) == 200
