"""SGF for tests: any game that can be written, games of random moves, and files as sgfmill reads them."""

import random

from hypothesis import strategies as st
from sgfmill import sgf as mill

from goban.game import play_answers
from goban.moves import PASS, RESIGN
from goban.rulesets import PRESETS
from goban.sgf import HEADER, SgfGame, SgfMove, escape, plain, plain_line
from goban.states import new_game

BLACK, WHITE = 1, 2
LETTERS = {BLACK: "b", WHITE: "w"}

HOSTILE = [
    "]", "\\", "\\]", "]\\", "a]b;W[aa", "\\\n", "(;FF[4]", "(;FF[4", f"\n(;{HEADER}5]", "<b>&", "\x1b[31mred", "\x00",
    "a:b", "日本", "🙂", "é", "\x85\u2028x", " a ", "\\\\", "]]]", "\ufeff",
]  # fmt: skip

_LINES = st.text(max_size=12).map(plain_line)
_TEXTS = (st.text(max_size=20) | st.lists(st.sampled_from(HOSTILE), max_size=3).map("".join)).map(plain)
_IDENTIFIERS = st.from_regex(r"X[A-Z]{1,5}", fullmatch=True)
_VALUES = st.lists(_TEXTS.map(escape), min_size=1, max_size=3).map(tuple)
_EXTRA = st.lists(st.tuples(_IDENTIFIERS, _VALUES), max_size=2, unique_by=lambda item: item[0]).map(tuple)


@st.composite
def games(draw):
    """Any game that `goban.sgf` can write, its texts as the format can hold them."""
    size = draw(st.integers(2, 19))
    points = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1))
    stones = draw(st.dictionaries(points, st.sampled_from([BLACK, WHITE]), max_size=6))
    seconds = st.none() | st.floats(0, allow_infinity=False)
    moves = st.builds(SgfMove, st.sampled_from([BLACK, WHITE]), st.none() | points, _TEXTS, seconds, _EXTRA)
    return SgfGame(
        size,
        draw(st.none() | st.floats(allow_nan=False, allow_infinity=False)),
        *(draw(_LINES) for _ in range(4)),
        tuple(draw(st.lists(moves, max_size=6))),
        draw(_TEXTS),
        tuple(tuple(stones.get((i, j), 0) for j in range(size)) for i in range(size)) if stones else None,
        draw(st.none() | st.sampled_from([BLACK, WHITE])),
        draw(_EXTRA),
    )


def mill_games(data):
    """The games of a file, as sgfmill has them; none if there is nothing in the file."""
    trees = mill.sgf_grammar.parse_sgf_collection(data) if data else []
    return [mill.Sgf_game.from_coarse_game_tree(tree) for tree in trees]


def told(game, *names):
    """What the root of a game says."""
    return tuple(game.get_root().get(name) for name in names)


def mill_point(point, size):
    """sgfmill counts rows from the bottom."""
    return None if point is None else (size - 1 - point[0], point[1])


def mill_moves(game):
    """The moves of a game of sgfmill's as (colour, point of ours or None)."""
    colours, size = {name: colour for colour, name in LETTERS.items()}, game.get_size()
    found = [node.get_move() for node in game.get_main_sequence()]
    return [(colours[colour], mill_point(point, size)) for colour, point in found if colour]


def random_game(name, size, seed):
    """The record of a game of random moves; `name` is a preset."""
    rng = random.Random(seed)

    def seat(state, complaint):
        moves = [move for move in state.legal_moves() if move is not RESIGN or rng.random() < 0.02]
        move = rng.choice(moves)
        return "PASS" if move is PASS else "RESIGN" if move is RESIGN else move

    return play_answers(new_game(PRESETS[name], size), seat, seat)
