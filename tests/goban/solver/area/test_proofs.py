"""Proofs as files: the checker accepts those that hold, and finds every kind of fault that can be planted in one."""

import re
import subprocess
import sys
import zlib
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from goban.grids import BLACK, WHITE
from goban.solver.area import stack as at
from goban.solver.area import strategies, verify_proof
from goban.solver.area.listing import OPEN, PLACED, WINS, _is_listed, replies_of
from goban.solver.area.prover import Claim, NoStrategyError, Prover
from goban.solver.area.solver import AreaPosition, empty_board
from goban.solver.area.stack import row_of
from goban.solver.area.strategies import pieces_of_proof
from goban.solver.area.verify_proof import PASS, BadProofError, Board, verify
from goban.solver.truth import main

CHECKER = Path(verify_proof.__file__)


@cache
def proof(height, width, prover, margin):
    return b"".join(pieces_of_proof(Prover(Claim(empty_board(height, width), prover, margin), 16)))


def parts(data):
    """The lines of a file as a dictionary, and its entries."""
    head, _, body = data.partition(b"\n\n")
    said = dict(line.split(": ", 1) for line in head.decode().split("\n"))
    height, width = map(int, said["board"].split("x"))
    size, body = ((3 ** (height * width) - 1).bit_length() + 7) // 8 + 2, zlib.decompress(body)
    return said, [body[k : k + size] for k in range(0, len(body), size)]


def joined(said, entries):
    said = said | {"positions": str(len(entries))}
    return "\n".join(f"{k}: {v}" for k, v in said.items()).encode() + b"\n\n" + zlib.compress(b"".join(entries))


CLAIMS = [(2, 4, BLACK, 8), (3, 3, BLACK, 9), (3, 4, BLACK, 4), (3, 4, WHITE, -12), (2, 2, BLACK, -4), (2, 3, WHITE, -6)]


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_proof_of_the_solvers_is_accepted(claim):
    prover = {BLACK: "black", WHITE: "white"}[claim[2]]
    assert f"{prover} can end the game with at least {claim[3]} points more" in verify(proof(*claim))


@pytest.mark.slow
def test_where_the_prover_would_make_a_board_twice_another_answer_is_given():
    # By the soonest answers three plays would come back to a board, with another ko.
    assert "with at least 15 points more" in verify(proof(3, 5, BLACK, 15))


@pytest.mark.parametrize("claim", [*CLAIMS[:2], pytest.param(CLAIMS[2], marks=pytest.mark.slow)])
def test_without_any_one_of_its_boards_a_proof_fails(claim):
    said, entries = parts(proof(*claim))
    for k in range(0, len(entries), max(1, len(entries) // 60)):
        with pytest.raises(BadProofError, match="was not proven before"):
            verify(joined(said, entries[:k] + entries[k + 1 :]))


def test_a_board_that_comes_too_early_is_found():
    said, entries = parts(proof(2, 4, BLACK, 8))
    with pytest.raises(BadProofError, match=r"position 1.* was not proven before"):
        verify(joined(said, entries[-1:] + entries[:-1]))


def test_a_board_that_comes_twice_is_found():
    said, entries = parts(proof(2, 4, BLACK, 8))
    with pytest.raises(BadProofError, match="the position was there before"):
        verify(joined(said, [*entries, entries[0]]))


@pytest.mark.parametrize("answer", [8, 100, 254])
def test_an_answer_off_the_board_is_found(answer):
    said, entries = parts(proof(2, 4, BLACK, 8))
    with pytest.raises(BadProofError, match=f"the answer {answer} cannot be played"):
        verify(joined(said, [entries[0][:-1] + bytes([answer]), *entries[1:]]))


def test_an_answer_on_a_stone_is_found():
    said, entries = parts(proof(2, 4, BLACK, 8))
    code, point = int.from_bytes(entries[0][:-2], "little"), 0
    while code % 3 == 0:
        code, point = code // 3, point + 1
    with pytest.raises(BadProofError, match="cannot be played"):
        verify(joined(said, [entries[0][:-1] + bytes([point]), *entries[1:]]))


def test_a_pass_before_the_count_is_enough_is_found():
    said, entries = parts(proof(2, 4, BLACK, 8))
    with pytest.raises(BadProofError, match="a pass, and the count is not enough"):
        verify(joined(said, [*entries[:-1], entries[-1][:-1] + bytes([PASS])]))


def checker_of(height, width, drawing):
    """A checker for a claim that every count proves, and the stones of a drawing."""
    said = {"height": height, "width": width, "suicide": False, "margin": -height * width, "positions": 99}
    checker = verify_proof.Proof(said)
    return checker, *(sum(1 << k for k, mark in enumerate(drawing) if mark == colour) for colour in "XO")


def test_what_was_proven_without_a_ko_is_not_proven_with_one():
    checker, p, o = checker_of(3, 3, "XO..XOXO.")
    checker.proven.find(checker.board.key(p, o), 0, new=True)
    checker.check_proven(p, o, 0, 1, "here")
    with pytest.raises(BadProofError, match="was not proven before"):
        checker.check_proven(p, o, 1 << 3, 1, "here")


def test_the_answer_that_a_ko_forbids_is_found():
    checker, p, o = checker_of(3, 3, "XO..XOXO.")
    with pytest.raises(BadProofError, match="the answer 3 cannot be played"):
        checker.add(p, o, 1 << 3, 3, "here")


def test_a_board_that_the_prover_would_make_a_second_time_is_found():
    # What follows the later of two answers that leave one board must come before the earlier one.
    checker, p, o = checker_of(2, 2, "X...")
    checker.wanted = 5
    checker.made.find(checker.board.key(p, o), 3, new=True)
    boards = [(p, o)] + [(p, 1 << k) for k in (1, 3)]
    for last, wrong in ((2, False), (3, True)):
        checker.proven = verify_proof.Places(9)
        for place, board in zip((0, 1, last), boards, strict=True):
            checker.proven.find(checker.board.key(*board), place, new=True)
        with pytest.raises(BadProofError, match="was not proven before") if wrong else nullcontext():
            checker.check_replies(p, o, 0, False, "here")


def test_a_placement_on_a_board_that_the_prover_has_left_before_is_found():
    checker, p, o = checker_of(2, 2, "X...")
    checker.made.find(checker.board.key(p, o), 0, new=True)
    with pytest.raises(BadProofError, match="has left this board before"):
        checker.add(p, o, 0, 3, "here")


def test_every_answer_changed_to_another_is_found_or_as_good():
    said, entries = parts(proof(3, 3, BLACK, 9))
    found = 0
    for k, entry in enumerate(entries):
        for point in (*range(9), PASS):
            try:
                verify(joined(said, [*entries[:k], entry[:-1] + bytes([point]), *entries[k + 1 :]]))
            except BadProofError:
                found += 1
    assert found > 6 * len(entries)


WRONG = [
    ("margin", "9"), ("prover", "white"), ("to move", "white"), ("stones", "..../...X"), ("stones", "OX../X..."),
    ("board", "4x2"), ("suicide", "allowed"), ("claim", "Black wins."), ("positions", "7"), ("positions", "-1"),
    ("board", "1x8"), ("margin", "many"), ("go proof", "2"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_line_that_says_something_else_is_found(name, value):
    data = proof(2, 4, BLACK, 8)
    said, _ = parts(data)
    body = data.partition(b"\n\n")[2]
    changed = "\n".join(f"{k}: {v}" for k, v in (said | {name: value}).items()).encode() + b"\n\n" + body
    with pytest.raises(BadProofError):
        verify(changed)


def test_a_line_that_stands_twice_is_found():
    # Who reads the file by eye may believe the first, where the checker took the last.
    data = proof(2, 4, BLACK, 8)
    with pytest.raises(BadProofError, match="expected the lines"):
        verify(data.replace(b"margin: 8", b"margin: 4\nmargin: 8"))


@pytest.mark.parametrize(("name", "value", "other"), [("margin", "8", "9"), ("prover", "black", "white")])
def test_a_larger_claim_in_all_its_lines_is_found(name, value, other):
    said, entries = parts(proof(2, 4, BLACK, 8))
    lines = said | {name: other}
    claim = re.sub(rf"(least |move, ){value}", rf"\g<1>{other}", said["claim"])
    assert claim != said["claim"]
    with pytest.raises(BadProofError, match=r"position|claim"):
        verify(joined(lines | {"claim": claim}, entries))


def test_a_cut_file_is_found_wherever_it_is_cut():
    data = proof(2, 4, BLACK, 8)
    for length in range(len(data)):
        with pytest.raises(BadProofError):
            verify(data[:length])


@pytest.mark.parametrize("more", [b"\n", b"\0", b"proof", zlib.compress(b"")])
def test_what_follows_a_proof_is_found(more):
    with pytest.raises(BadProofError, match="something follows its end"):
        verify(proof(2, 4, BLACK, 8) + more)


# Own stones X: how many points are theirs for good.
LIFE = [
    (".X.X/XXXX", 8), ("O.X./.XXX/XXO.", 12), (".XO./XXXX/...X", 12), (".X../XX../....", 0), ("XX.X/X.XX/XXX.", 12),
    ("O.XO/.XX./XX.X", 12), ("..X./..XX/..X.", 6), (".XO./X.OO/..O.", 0), ("XOX./X.XO/XXXO", 12), ("X.OX/.XXO/XXO.", 0),
]  # fmt: skip


@pytest.mark.parametrize(("drawing", "safe"), LIFE)
def test_only_groups_with_two_eyes_are_called_alive(drawing, safe):
    rows = drawing.split("/")
    p, o = (sum(1 << k for k, mark in enumerate("".join(rows)) if mark == colour) for colour in "XO")
    assert Board(len(rows), len(rows[0]), False).safe_points(p, o).bit_count() == safe


def test_what_does_not_hold_gets_no_proof():
    with pytest.raises(NoStrategyError):
        next(pieces_of_proof(Prover(Claim(AreaPosition(2, 4, 0, 0b00100000, WHITE), BLACK, 8), 16)))


def test_a_list_too_long_to_keep_is_said_in_a_line(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(strategies, "_MOST_POSITIONS", 64)
    file = tmp_path / "long.proof"
    assert main(["prove", "2x4", "--at-least", "8", "-o", str(file)]) == 2
    assert "the list of answers needs room for more than 64 positions\n" in capsys.readouterr().err
    assert not file.exists()


def test_a_list_that_grows_is_the_same_list(monkeypatch):
    roomy = proof(3, 4, BLACK, 4)
    monkeypatch.setattr(strategies, "_ROOM", 64)
    assert b"".join(pieces_of_proof(Prover(Claim(empty_board(3, 4), BLACK, 4), 16))) == roomy


def test_a_proof_in_small_pieces_is_the_same_and_the_time_left_is_told(monkeypatch):
    whole, told = proof(3, 3, BLACK, 9), []
    monkeypatch.setattr(strategies, "_IN_PIECE", 5)
    pieces = list(pieces_of_proof(Prover(Claim(empty_board(3, 3), BLACK, 9), 16, told.append)))
    assert b"".join(pieces) == whole
    assert len(pieces) > 5
    assert re.fullmatch(r"5 of \d+ positions of the proof written, about \d+ s left", next(t for t in told if "written" in t))


@pytest.mark.parametrize(
    ("passed", "done", "words"),
    [(10, 0, "time left unknown"), (10, 1, "about 30 s left"), (100, 1, "about 5 min left"), (100, 4, "about 0 s left")],
)
def test_what_is_left_takes_as_long_as_what_was_done(passed, done, words, monkeypatch):
    monkeypatch.setattr(strategies, "time", SimpleNamespace(monotonic=lambda: 1000.0 + passed))
    assert strategies._left(1000.0, done, 4) == words


def test_what_one_move_wins_stands_first_and_is_not_in_the_list_that_is_put_in_order():
    prover = Prover(Claim(empty_board(3, 4), BLACK, 4), 16)
    prover.prove()
    writer = strategies._Writer(prover)
    order, board = writer.write(), Board(3, 4, False)
    _, entries = parts(proof(3, 4, BLACK, 4))
    wins = len(entries) - len(order)
    assert wins == writer.listing.state[WINS] > len(entries) // 4
    for entry in entries[:wins]:
        code, ko, answer = int.from_bytes(entry[:-2], "little"), entry[-2], entry[-1]
        cells = [code // 3**k % 3 for k in range(12)]
        p, o = (sum(1 << k for k, cell in enumerate(cells) if cell == colour) for colour in (1, 2))
        assert answer != ko
        after = board.play(p, o, 1 << answer)
        assert 2 * board.safe_points(*after[:2]).bit_count() - 12 >= 4


def test_putting_a_list_in_order_ends_early_where_the_limit_becomes_zero():
    prover = Prover(Claim(empty_board(3, 3), BLACK, 9), 16)
    prover.prove()
    writer = strategies._Writer(prover)
    assert len(writer.write()) > 1
    prover.space[at.LIMIT] = 0
    order, circles = writer._order(1)
    assert (order.tolist(), circles) == ([0], [])
    assert writer.listing.state[PLACED] == 0


def written(height, width, margin):
    """The writer of a claim of Black's, its list complete. A 77 stood before the first move's worth."""
    prover = Prover(Claim(empty_board(height, width), BLACK, margin), 16)
    prover.prove()
    prover.space[row_of(0) + at.WORTHS - 1] = 77
    writer = strategies._Writer(prover)
    writer.write()
    return writer


def test_after_the_last_move_no_other_is_looked_for():
    assert written(3, 4, 4).prover.space[row_of(0) + at.WORTHS - 1] == 77


def test_what_follows_a_changed_answer_is_listed():
    writer = written(3, 4, 4)
    answer = int(writer.listing.answers[1])
    writer._change_one([1])
    assert writer.listing.answers[1] not in (answer, OPEN)
    row, space = row_of(1), writer.prover.space
    replies = replies_of(writer.listing, 1, *writer.fixed)
    assert all(_is_listed(writer.listing, int(space[row + at.KEYS + k])) for k in range(replies))


def test_the_checker_is_one_short_file_that_imports_nothing_of_ours():
    text = CHECKER.read_text()
    assert text.count("\n") <= 250
    imported = set(re.findall(r"^(?:from|import) (\w+)", text, re.MULTILINE))
    assert imported == {"array", "collections", "struct", "sys", "typing", "zlib"}


def test_the_command_proves_and_the_checker_checks_alone(tmp_path, capsys):
    file = tmp_path / "small.proof"
    assert main(["prove", "3x4", "-o", str(file)]) == 0
    said = capsys.readouterr().out
    assert "black less white: 4 to 12, whoever repeats positions, 4 where a game that goes on for ever" in said
    # White's claim says nothing on 3x4.
    assert sorted(path.name for path in tmp_path.iterdir()) == ["small.proof"]
    run = subprocess.run([sys.executable, "-I", CHECKER, file], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert "black can end the game with at least 4 points more" in run.stdout
    file.write_bytes(file.read_bytes()[:-1])
    run = subprocess.run([sys.executable, "-I", CHECKER, file], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert run.returncode == 1
    assert "NOT PROVEN" in run.stdout


def test_where_whoever_repeats_may_get_everything_nothing_is_written(tmp_path, capsys):
    assert main(["prove", "2x2", "-o", str(tmp_path / "proof")]) == 1
    said = capsys.readouterr()
    assert said.out.startswith("black less white: -4 to 4, whoever repeats positions, 0 where")
    assert said.err.endswith("proof is not written: neither side is certain of anything\n")
    assert not [*tmp_path.iterdir()]


def test_a_claim_about_a_drawn_board(tmp_path, capsys):
    board = tmp_path / "board.txt"
    board.write_text("# White lives nowhere\nto_move: white\n. . . .\n. X X .\n. . . .\n")
    assert main(["prove", str(board), "--at-least", "12"]) == 0
    assert main(["prove", str(board), "--by", "white", "--at-least", "-11", "--nodes", "100000"]) == 1
    assert "black gets at least 12: proven" in capsys.readouterr().out


LATE = "\nmoves: 5\nX . O\nX . O\nX . .\n"


def test_a_drawn_board_names_its_rules_and_an_option_names_others(tmp_path, capsys):
    board = tmp_path / "board.txt"
    said = set()
    for rules, options in (("Area", []), ("course", []), ("area", ["--rules", "course"])):
        board.write_text(f"rules: {rules}\nto_move: white{LATE}")
        assert main(["prove", str(board), *options]) == 0
        said.add(capsys.readouterr().out.partition("(")[0])
    assert said == {"black less white: -9, whoever repeats positions ", "black less white: -4, white wins with a komi of 1.5 "}
    board.write_text(f"rules: japanese{LATE}")
    assert main(["prove", str(board)]) == 2
    assert "board.txt: rules: expected one of area, course, littlego, got 'japanese'" in capsys.readouterr().err
    board.write_text(f"previous:\nX . O\nX . .\nX . .\nboard:{LATE}")
    assert main(["prove", str(board)]) == 2
    assert "without a ko, got a previous one too" in capsys.readouterr().err


REFUSED = [
    (["7x7"], "2x2 to 30 points"), (["1x4"], "at least 2 wide"), (["none.txt"], "got 'none.txt'"),
    (["3x3", "--first", "D1"], "got 'D1'"), (["3x3", "--first", "pass"], "got 'pass'"),
    (["3x3", "--at-least", "10"], "at most 9"), (["3x3", "--rules", "japanese"], "japanese"),
    (["3x3", "--memory", "0"], "memory"), (["3x3", "--at-least", "-10"], "at most 9 points either way, got -10"),
    (["3x3", "--rules", "course", "--threads", "2"], "--threads: expected only under area rules, got --rules course"),
    (["3x3", "--rules", "course", "--suicide"], "--suicide: expected only under area rules, got --rules course"),
    (["3x4", "--rules", "course"], "expected a square board under course, such as 4x4, got '3x4'"),
    (["3x4", "--first", "A4"], "--first: expected a point of the 3x4 board, such as A1, got 'A4'"),
    (["3x4", "--first", "E1"], "--first: expected a point of the 3x4 board, such as A1, got 'E1'"),
    (["ko.txt", "--first", "C2"], "--first: expected a legal move that begins no ko, got 'C2'"),
    (["ko.txt", "--first", "B2"], "--first: expected a legal move that begins no ko, got 'B2'"),
    (["dead.txt", "--first", "A1"], "--first: expected a legal move that begins no ko, got 'A1'"),
    (["uneven.txt"], "uneven.txt: expected rows of equal length of '.', 'X' and 'O'"),
    (["signs.txt"], "signs.txt: expected rows of equal length of '.', 'X' and 'O'"),
    (["nobody.txt"], "nobody.txt: to_move: expected black or white, got 'red'"),
]  # fmt: skip
# Black may take a stone at C2, which begins a ko; Black has no liberty at A1.
DRAWN = {
    "ko": ". X O .\n X O . O\n . X O .", "dead": ". . .\nO . .\n. O .", "uneven": ". . .\n. .\n. . .", "signs": ". .\n. #",
    "nobody": "to_move: red\n. .\n. .",
}  # fmt: skip


@pytest.mark.parametrize(("words", "said"), REFUSED)
def test_what_cannot_be_proven_is_refused_in_one_line(words, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, drawing in DRAWN.items():
        (tmp_path / f"{name}.txt").write_text(drawing)
    try:
        status = main(["prove", *words])
    except SystemExit as ended:
        status = ended.code
    error = capsys.readouterr().err
    assert status == 2
    assert said in error
    assert error.count("\n") == 1
