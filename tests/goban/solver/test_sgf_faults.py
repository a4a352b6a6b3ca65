"""Faulty SGF files are refused in one line that names the fault; any bytes whatsoever are a game or an `SgfError`."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from goban.errors import SgfError
from goban.rulesets import PRESETS
from goban.sgf import HEADER, write_sgf
from goban.solver.positions import start_of
from goban.solver.sgf_files import read_game
from tests.support.sgf_reading import bare, read

ANY = settings(deadline=None)

REFUSED = [
    ("", "'(;'"),
    ("   ", "'   '"),
    ("no game", "'no game'"),
    ("(b[aa])", "'(;'"),
    ("(;", "a complete game"),
    ("(;C[x", "a complete game"),
    ("(;C[x\\])", "a complete game"),
    ("(;SZ[1])", "SZ[1]"),
    ("(;SZ[20])", "SZ[20]"),
    ("(;SZ[0])", "size out of range: 0"),
    ("(;SZ[-5])", "size out of range: -5"),
    ("(;SZ[19:13])", "19:13"),
    ("(;SZ[big])", "big"),
    ("(;SZ[" + "9" * 9999 + "])", "SZ"),
    ("(;GM[2])", "GM[2]"),
    ("(;GM[go])", "GM[go]"),
    ("(;SZ[5];B[aa];W[ff])", "node 2: W: expected one point like 'ab' on the 5x5 board, got 'ff'"),
    ("(;SZ[5];B[a])", "node 1: B: expected one point like 'ab' on the 5x5 board, got 'a'"),
    ("(;SZ[5];B[a1])", "got 'a1'"),
    ("(;SZ[5];B[FF])", "got 'ff'"),
    ("(;SZ[5];B[éé])", "got 'éé'"),
    ("(;SZ[5];B[aa:bb])", "got 'aa:bb'"),
    ("(;SZ[5];B[ff][bb])", "node 1: B: expected one point like 'ab' on the 5x5 board, got 'ff'"),
    ("(;SZ[5]AB[ff])", "node 0: expected points like 'ab'"),
    ("(;SZ[5]AB[aa:ff])", "node 0: "),
    ("(;SZ[5]AB[aa:])", "rectangle"),
    ("(;SZ[5]AB[tt])", "rectangle"),
    ("(;SZ[5];AB[aa:bb:cc])", "node 1: "),
    ("(;SZ[5];B[aa];AW[ff])", "node 2: expected points like 'ab'"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_what_is_refused_and_the_words_for_it(text, said):
    with pytest.raises(SgfError) as caught:
        read(text)
    assert said in str(caught.value)
    assert len(str(caught.value)) < 200
    assert "\n" not in str(caught.value)


BROKEN = [
    ("(;SZ[5];B[aa];B[bb])", "aga", "expected white to move as move 2, got black"),
    ("(;SZ[5]PL[B];W[aa])", "aga", "expected black to move as move 1, got white"),
]


@pytest.mark.parametrize(("text", "name", "said"), BROKEN)
def test_a_move_out_of_turn_is_named(text, name, said):
    with pytest.raises(SgfError, match=said):
        start_of(read(text), PRESETS[name])


# Any input whatsoever

PIECES = [
    "(", ")", ";", "[", "]", "\\", "(;", "(;FF[4]", f"(;{HEADER}",
    "B[aa]", "W[bb]", "B", "W[]", "AB[aa:cc]", "AE", "SZ[5]", "SZ", "GM[1]",
    "PL[W]", "C[x]", "KM[6.5]", "tt", ":", "\n", "\r", "\x00", "\ufeff", " ", "é", "日", "CA[", "CA[big5]",
    "SECONDS[1]", "x",
]  # fmt: skip


def survives(data):
    """Reads the file; what could be read is written and read again the same."""
    for number in (None, 1, 2):
        try:
            game = read_game(data, number)
        except SgfError:
            continue
        assert read(write_sgf(game)) == bare(game)


@ANY
@given(st.text().map(str.encode) | st.binary() | st.lists(st.sampled_from(PIECES)).map("".join).map(str.encode))
@example(b"(;" * 40)
def test_any_bytes_are_a_game_or_an_sgf_error(data):
    survives(data)


SEED = (
    "(;FF[4]GM[1]CA[UTF-8]SZ[5]KM[2.5]PB[日\\]]AB[aa:ab]PL[B]C[x\\\\]\n"
    ";B[cc]SECONDS[1];W[bd]C[é\n](;B[];W[tt])(;B[dd]))\n"
)


@ANY
@given(st.data())
def test_any_damage_to_a_game_leaves_a_game_or_an_sgf_error(data):
    text = SEED * 2
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        stop = start + data.draw(st.integers(0, 6))
        text = text[:start] + data.draw(st.sampled_from(["", *PIECES]) | st.text(max_size=3)) + text[stop:]
    survives(text.encode())
