"""Games and positions: SGF files, drawn boards, input.txt of Little-Go, and the notes that its programs keep."""

from __future__ import annotations

import random
from pathlib import Path

from goban.errors import GobanError
from goban.inputs import Input, Note, input_text, moves_made, note_text, read_input
from goban.reviews import positions, read_review
from goban.rulesets import ruleset
from goban.sgf import sgf_of, write_sgf
from goban.solver.errors import SearchError
from goban.solver.positions import read_position, start_of
from goban.solver.sgf_files import read_game
from players import littlego
from tests.fuzz.readers import Reader
from tests.support.gtp import engine_of
from tests.support.sgf_files import random_game

_FOREIGN = b"""(;GM[1]FF[3]SZ[7]CA[iso-8859-1]PB[J\xfcrgen]PW[a\\]b]KM[2.5]RU[course]AB[aa:bb][dd]AW[ee]PL[W]
C[one (; two]N[x:y];W[cc]WL[29.5];B[];W[tt](;B[ff]C[\\
];W[fg])(;B[fe](;W[ed])(;W[de])))"""
_DRAWING = b"""# a comment
rules: littlego
moves: 7
to_move: white
. X . . .
. O X . .
. O X . .
. O . . .
. . . . .
previous:
. X . . .
. O X . .
. O . . .
. O . . .
. . . . .
"""
_BOARD = [[0, 1, 0, 0, 0], [0, 2, 1, 0, 0], [0, 2, 1, 0, 0], [0, 2, 0, 0, 0], [0, 0, 0, 0, 0]]
_BEFORE = [[0, 1, 0, 0, 0], [0, 2, 1, 0, 0], [0, 2, 0, 0, 0], [0, 2, 0, 0, 0], [0, 0, 0, 0, 0]]
_INPUT = Input(2, _BEFORE, _BOARD)


def _sgf_files() -> list[bytes]:
    games = [random_game("course", 5, 1), random_game("littlego", 5, 2), random_game("tromp-taylor-strict", 3, 3)]
    ours = [write_sgf(sgf_of(game, "ann", "bob", comment="]\\(;", seconds=[0.1] * 30)).encode() for game in games]
    return [*ours, ours[0] + ours[2], ours[0][:-40] + ours[2], _FOREIGN, b"(;)", b"(;B[aa];W[])"]


def _read_sgf(data: bytes, folder: Path) -> str:
    game = read_game(data, 1)
    state = start_of(game)
    for played in game.moves:
        state = state.play(played.move) if played.move is not None else state
    return f"{game.size} {game.setup is None} {game.to_move} {game.rules[:10]} {min(len(game.moves), 9)}"


def _read_review(data: bytes, folder: Path) -> str:
    """Walk through every line of a small tree, and the first ones of a large one."""
    review = read_review(data.decode("utf-8", "replace"))
    ends = {review.line(place)[-1] for place in range(min(len(review.nodes), 50))}
    begun = set()
    for end in ends:
        for position in positions(review, review.path(end), ruleset("course" if len(data) % 2 else "aga")):
            begun.add(position.begins)
            grid = position.state.grid
            assert not grid.dead(position.state.black, position.state.empty)
            assert not grid.dead(position.state.white, position.state.empty)
    return f"{review.size} {min(len(review.nodes), 9)} {min(len(ends), 3)} {sorted(begun)} {bool(review.result)}"


def _read_position(data: bytes, folder: Path) -> str:
    state = read_position(data.decode("utf-8-sig", "replace"), None, None if b":" in data else 7)
    return f"{state.grid.size} {state.rules.name} {state.to_move} {state.passed} {sum(1 for _ in state.legal_moves()) // 5}"


def _read_input(data: bytes, folder: Path) -> str:
    given = read_input(data.decode("ascii", "replace"))
    go = littlego.host_of(given, "littlego", None, None)
    return f"{given.size} {given.colour} {go.n_move // 4}"


def _notes() -> list[bytes]:
    kept = {"seed": 7, "random": random.Random(7).getstate()}
    return [note_text(Note(6, _BEFORE, kept)).encode(), note_text(Note(2, _BEFORE)).encode(), b'{"moves": 1, "board": [[]]}']


def _read_notes(data: bytes, folder: Path) -> str:
    path = folder / littlego.NOTES
    path.write_bytes(data)
    notes = littlego._read_notes(path)
    if notes is None:
        return "none"
    go = littlego.host_of(_INPUT, "littlego", notes, None)
    return f"{go.n_move} {moves_made(_INPUT, notes.last)} {notes.last.board == _BEFORE}"


_TRANSCRIPT = b"""1 name
boardsize 5
komi 2.5
fixed_handicap 2
clear_board
set_free_handicap A1 b2
play w C3
genmove black # think
undo
time_left b 30 0
kgs-time_settings byoyomi 60 10 3
lz-analyze b 10 maxmoves 3
7 kata-genmove_analyze w 50 ownership true
final_status_list alive
showboard
final_score
"""


def _transcripts() -> list[bytes]:
    # What compiles does so now, not on the time of an input.
    _read_gtp(b"final_status_list dead\nboardsize 19\nfinal_status_list dead\n", Path())
    return [_TRANSCRIPT, _TRANSCRIPT.replace(b"\n", b"\r\n"), b"list_commands\nquit\n"]


def _read_gtp(data: bytes, folder: Path) -> str:
    engine = engine_of("random", "aga", 5)
    said = []
    for line in data.decode("utf-8", "surrogateescape").split("\n"):
        # It would read any file of this machine.
        if "loadsgf" not in line:
            answer = "".join(engine.answer(line))
            assert not answer or (answer[0] in "=?" and answer.endswith("\n\n") and "\n\n" not in answer[:-1]), answer
            assert answer.replace("\n", "").isprintable(), answer
            said.append(answer[:8])
    return " ".join(said)[:60]


READERS = {
    "gtp": Reader(
        _transcripts, _read_gtp, (),
        (b"play b ", b"play w pass", b"undo\n", b"genmove w\n", b"boardsize 19\n", b"komi -1e3\n", b"place_free_handicap 3\n",
         b"reg_genmove b\n", b"all_legal w\n", b"known_command ", b"set_random_seed ", b"#", b"\t", b"\x00", b"12 ", b"C3",
         b"T19"),
    ),
    "sgf": Reader(
        _sgf_files, _read_sgf, (GobanError, SearchError),
        (b"(;", b";B[", b";W[", b"]", b"SZ[", b"CA[", b"GM[1]", b"RU[littlego]", b"AB[", b"AE[", b"AW[aa:cc]", b"PL[B]",
        b"PL[white]",
         b"FF[4]GM[1]CA[UTF-8]SZ[", b"CA[utf-16]", b"CA[punycode]", b"CA[idna]", b"CA[base64]", b"SZ[19]", b"SZ[5:7]", b"tt",
         b"\\]"),
    ),
    "review": Reader(
        _sgf_files, _read_review, (GobanError,),
        (b"(;", b";B[", b";W[", b"]", b"SZ[", b"AB[", b"AE[", b"AW[aa:cc]", b"PL[B]", b"LB[aa:1]", b"TR[aa]", b"SZ[2]",
         b"SZ[5:7]", b"tt", b"\\]", b"C[", b")(", b"B[aa]W[ab]"),
    ),
    "position": Reader(
        lambda: [_DRAWING, _DRAWING.split(b"previous")[0], input_text(_INPUT).encode(), b"...\n...\n...\n"],
        _read_position, (GobanError, SearchError),
        (b"rules:", b"moves:", b"to_move:", b"board:", b"previous:", b"course", b"tromp-taylor", b"black", b"X", b"O", b".",
        b"1\n"),
    ),
    "input": Reader(
        lambda: [input_text(_INPUT).encode(), input_text(Input(1, [[0] * 2] * 2, [[0] * 2] * 2)).encode()],
        _read_input, (GobanError,), (b"00000", b"1\n", b"2\n", b"0", b"\n\n"),
    ),
    "notes": Reader(_notes, _read_notes, (), (b'"moves"', b'"board"', b'"seed"', b'"random"', b"null", b"[]", b"{}", b"NaN",
    b"Infinity")),
}  # fmt: skip
