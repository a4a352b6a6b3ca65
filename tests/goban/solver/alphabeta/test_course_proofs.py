"""Proofs about games of the course as files: the checker accepts those that hold, and finds every kind of fault."""

import random
import re
import subprocess
import sys
import zlib
from functools import cache
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from goban.grids import BLACK, WHITE
from goban.rulesets import ruleset
from goban.solver.alphabeta import course_proofs, verify_course_proof
from goban.solver.alphabeta.course_proofs import BadProgressError, CourseClaim, NoCourseProofError, proof_of_course_claim
from goban.solver.alphabeta.verify_course_proof import NONE, BadCourseProofError, Games, SquareBoard, is_decided, verify_course
from goban.solver.solver import Solver
from goban.solver.truth import main
from goban.states import new_game
from tests.support.plain_search import plain_game
from tests.support.solving import RULES, random_game, random_state

CHECKER = Path(verify_course_proof.__file__)
COLOURS = {"black": BLACK, "white": WHITE}


@cache
def solver():
    return Solver(16)


@cache
def proof(rules, size, prover, margin, first=""):
    state = new_game(ruleset(rules), size)
    for move in first.split():
        state = state.play(move)
    return proof_of_course_claim(solver().engine, CourseClaim(state, COLOURS[prover], margin))


def parts(data):
    """The lines of a file as a dictionary, and its answers."""
    head, _, body = data.partition(b"\n\n")
    return dict(line.split(": ", 1) for line in head.decode().split("\n")), zlib.decompress(body)


def joined(said, answers):
    said = said | {"positions": str(len(answers))}
    return "\n".join(f"{k}: {v}" for k, v in said.items()).encode() + b"\n\n" + zlib.compress(bytes(answers))


def claiming(said, answers, **lines):
    """A file with other lines, and the claim that they make in words."""
    said = said | {name.replace("_", " "): value for name, value in lines.items()}
    claim = said | {"size": said["stones"].index("/"), "margin": int(said["margin"])}
    return joined(said | {"claim": verify_course_proof.course_words(claim)}, answers)


CLAIMS = [
    ("course", 2, "black", 1), ("course", 3, "black", 1), ("course", 3, "white", -1), ("littlego", 2, "white", -1),
    ("littlego", 3, "black", 1), ("littlego", 3, "white", -1), ("course", 3, "white", 3, "A3"),
    ("littlego", 3, "white", 2, "A3"), ("littlego", 3, "white", -1, "B2 pass"),
]  # fmt: skip


@pytest.mark.parametrize("claim", CLAIMS)
def test_a_proof_of_the_solvers_is_accepted(claim):
    said = verify_course(proof(*claim))
    assert f"{claim[2]} can end the game with at least {claim[3]} stones more" in said
    assert f"rules {claim[0]}." in said


@pytest.mark.parametrize("claim", CLAIMS)
def test_plain_recursion_says_the_same(claim):
    rules, size, prover, margin, *first = claim
    state, game = new_game(ruleset(rules), size), plain_game(rules, size)
    for move in " ".join(first).split():
        state = state.play(move)
    value = game.value(game.position(state)) * (1 if prover == "black" else -1)
    assert value >= margin
    with pytest.raises(NoCourseProofError, match="could not be proven"):
        proof(rules, size, prover, value + 1, *first)


@pytest.mark.slow
@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(("prover", "margin"), [("black", 2), ("white", -2)])
def test_4x4_is_a_tie_with_two_stones_more_for_black(rules, prover, margin):
    assert "does not lose with a komi of 2.0" in verify_course(proof(rules, 4, prover, margin))


@pytest.mark.parametrize(("margin", "said"), [(2, "wins"), (1, "does not lose"), (0, "may lose")])
def test_the_claim_says_what_komi_makes_of_it(margin, said):
    lines = {"size": 2, "margin": margin, "prover": "black", "stones": "../..", "to move": "black", "rules": "course"}
    words = verify_course_proof.course_words(lines | {"a pass": "is no move", "moves left": 3})
    assert f"so {said} with a komi of 1.0" in words


# Planted faults


@pytest.mark.parametrize("claim", CLAIMS)
def test_without_any_one_of_its_answers_a_proof_fails(claim):
    said, answers = parts(proof(*claim))
    for k in range(len(answers)):
        with pytest.raises(BadCourseProofError):
            verify_course(joined(said, answers[:k] + answers[k + 1 :]))
    with pytest.raises(BadCourseProofError, match="more positions than answers"):
        verify_course(joined(said, answers[:-1]))


def test_an_answer_too_many_is_found():
    said, answers = parts(proof(*CLAIMS[1]))
    with pytest.raises(BadCourseProofError, match="more answers than positions"):
        verify_course(joined(said, answers + answers[-1:]))


def test_answers_in_another_order_are_found():
    said, answers = parts(proof(*CLAIMS[2]))
    with pytest.raises(BadCourseProofError):
        verify_course(joined(said, answers[::-1]))


# Both rules, both colours, 2x2 and 3x3, with a pass and without: the others take ten times as long.
QUICK = {CLAIMS[k] for k in (0, 1, 3, 8)}
CHANGED = [pytest.param(claim, marks=[pytest.mark.slow] * (claim not in QUICK)) for claim in CLAIMS]


@pytest.mark.parametrize("claim", CHANGED)
def test_every_answer_changed_to_another_is_found_or_as_good(claim):
    said, answers = parts(proof(*claim))
    points, found = claim[1] ** 2, 0
    for k in range(len(answers)):
        for answer in (*range(points), NONE):
            try:
                verify_course(joined(said, answers[:k] + bytes([answer]) + answers[k + 1 :]))
            except BadCourseProofError:
                found += 1
    assert found > points // 2 * len(answers)


@pytest.mark.parametrize("answer", [9, 100, 254])
def test_an_answer_off_the_board_is_found(answer):
    said, answers = parts(proof(*CLAIMS[1]))
    with pytest.raises(BadCourseProofError, match=f"answer 1: {answer} cannot be played"):
        verify_course(joined(said, bytes([answer]) + answers[1:]))


def test_an_answer_on_a_stone_is_found():
    said, answers = parts(proof("course", 3, "black", 1, "B2 A1"))
    with pytest.raises(BadCourseProofError, match="answer 1: 4 cannot be played"):
        verify_course(joined(said, bytes([4]) + answers[1:]))


def test_a_pass_where_the_rules_know_none_is_found():
    said, answers = parts(proof(*CLAIMS[1]))
    with pytest.raises(BadCourseProofError, match="answer 1: a stone can be placed"):
        verify_course(joined(said, bytes([NONE]) + answers[1:]))


def test_a_pass_that_ends_the_game_too_early_is_found():
    said, answers = parts(proof(*CLAIMS[4]))
    with pytest.raises(BadCourseProofError, match="answer 1: a game ends, and the count is not enough"):
        verify_course(joined(said, bytes([NONE]) + answers[1:]))


def games(size, drawing, margin=-25, passing=False):
    """What follows a game for a claim, and the stones of a drawing."""
    return Games(size, margin, passing), *(sum(1 << k for k, mark in enumerate(drawing) if mark == c) for c in "XO")


def test_the_answer_that_a_ko_forbids_is_found():
    played, p, o = games(3, "XO...XOX.")
    assert played.board.play(p, o, 0, 3)
    number = played.board.number(p, o, 1 << 3, False)
    point = played.board.position(number)[2].bit_length() - 1
    with pytest.raises(BadCourseProofError, match=f"{point} cannot be played"):
        played.answer(number, 3, point, set())


def test_an_answer_that_is_suicide_is_found():
    played, p, o = games(3, ".O.O.....")
    number = played.board.number(p, o, 0, False)
    _, white, _, _ = played.board.position(number)
    corner = next(point for point in (0, 2, 6, 8) if played.board.near[point] & ~white == 0)
    with pytest.raises(BadCourseProofError, match="cannot be played"):
        played.answer(number, 3, corner, set())


def test_after_a_pass_of_the_provers_the_game_goes_on():
    played, p, o = games(2, "XO..", margin=0, passing=True)
    reached = set()
    played.answer(played.board.number(p, o, 0, False), 4, NONE, reached)
    assert reached


@pytest.mark.parametrize(("left", "passing", "passed"), [(0, False, False), (0, True, False), (1, True, True), (2, True, True)])
def test_a_count_that_is_not_enough_is_found(left, passing, passed):
    played, p, o = games(2, "XO..", margin=0, passing=passing)
    played.reply(p, o, 0, passed, 0, set())
    played.wanted = 1
    with pytest.raises(BadCourseProofError, match="the count is not enough"):
        played.reply(p, o, 0, passed, left, set())


def test_a_game_that_ends_because_nothing_can_be_placed_is_counted():
    # Both points left are Black's eyes.
    played, p, o = games(3, "XXXX.XXX.", margin=7)
    reached = set()
    played.reply(p, o, 0, False, 3, reached)
    assert not reached
    played.wanted = 8
    with pytest.raises(BadCourseProofError, match="the count is not enough"):
        played.reply(p, o, 0, False, 3, reached)


WRONG = [
    ("margin", "2"), ("prover", "white"), ("to move", "white"), ("stones", ".../.../..X"), ("stones", "..../...X"),
    ("stones", ".../...X/.."), ("rules", "littlego"), ("rules", "area"), ("a pass", "ends the game"), ("moves left", "7"),
    ("moves left", "9"), ("moves left", "-1"), ("claim", "Black wins."), ("positions", "7"), ("positions", "-1"),
    ("margin", "many"), ("course proof", "1"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_a_line_that_says_something_else_is_found(name, value):
    data = proof(*CLAIMS[1])
    said, _ = parts(data)
    changed = "\n".join(f"{k}: {v}" for k, v in (said | {name: value}).items()).encode() + b"\n\n" + data.partition(b"\n\n")[2]
    with pytest.raises(BadCourseProofError):
        verify_course(changed)


def test_a_line_that_stands_twice_is_found():
    # Who reads the file by eye may believe the first, where the checker took the last.
    data = proof(*CLAIMS[1])
    with pytest.raises(BadCourseProofError, match="expected the lines"):
        verify_course(data.replace(b"margin: ", b"margin: 9\nmargin: "))


OTHER = [
    {"margin": "2"}, {"prover": "white"}, {"to_move": "white"}, {"moves_left": "7"}, {"moves_left": "6"},
    {"rules": "littlego", "a_pass": "ends the game"}, {"rules": "littlego", "a_pass": "does not end the game"},
    {"stones": ".O./.../..."},
]  # fmt: skip


@pytest.mark.parametrize("lines", OTHER)
def test_another_claim_in_all_its_lines_is_found(lines):
    with pytest.raises(BadCourseProofError, match="answer"):
        verify_course(claiming(*parts(proof(*CLAIMS[1])), **lines))


def test_stones_without_a_liberty_are_found():
    with pytest.raises(BadCourseProofError, match="stones without a liberty"):
        verify_course(claiming(*parts(proof(*CLAIMS[1])), stones="XO./O../..."))


def test_a_cut_file_is_found_wherever_it_is_cut():
    data = proof(*CLAIMS[1])
    for length in range(len(data)):
        with pytest.raises(BadCourseProofError):
            verify_course(data[:length])


@pytest.mark.parametrize("more", [b"\n", b"\0", b"proof", zlib.compress(b"")])
def test_what_follows_a_proof_is_found(more):
    with pytest.raises(BadCourseProofError, match="nothing after them"):
        verify_course(proof(*CLAIMS[1]) + more)


# The checker's rules, and what it knows of counts


def stones_of(state, colour):
    size = state.grid.size
    return sum(1 << row * size + column for row, column in state.grid.points_of(state.stones(colour)))


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_the_checker_plays_by_the_same_rules(rules, size):
    board, kos = SquareBoard(size), 0
    for seed in range(30):
        moves, _ = random_game(rules, size, seed)
        state, ko = new_game(ruleset(rules), size), 0
        for move in moves:
            own, other = (stones_of(state, colour) for colour in (state.to_move, 3 - state.to_move))
            allowed = [p for p in range(size * size) if board.play(own, other, ko, p)]
            assert allowed == [i * size + j for i, j in state.grid.points_of(state.placements())]
            kos += ko > 0
            assert board.position(board.number(own, other, ko, True))[3]
            after = board.play(own, other, ko, move[0] * size + move[1]) if move else (own, other, 0)
            state = state.play(move)
            assert after[:2] == (stones_of(state, 3 - state.to_move), stones_of(state, state.to_move))
            ko = after[2]
    assert kos or size == 2


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(("size", "moves"), [(3, 5), (4, 9), (4, 12), (5, 20), (5, 22)])
def test_what_is_decided_is_so(rules, size, moves):
    board, rng, found, engine = SquareBoard(size), random.Random(f"{rules} {size} {moves}"), 0, solver().engine
    for _ in range(60):
        state = random_state(rules, size, moves, rng)
        if state is None:
            continue
        prover, left = 3 - state.to_move, size * size - 1 - moves
        p, o = stones_of(state, prover), stones_of(state, state.to_move)
        decided = [wanted for wanted in range(-9, 20) if is_decided(board, p, o, left, wanted, state.rules.passing)]
        engine.start(state, None, None)
        if decided:
            found += 1
            assert engine.reaches(state, decided[-1] if prover == BLACK else 1 - decided[-1]) == (prover == BLACK)
    assert found


DECIDED = [
    # Four liberties, an empty point beyond each, so two of the pairs: of two moves of Black's both can be fills, of three two;
    # the third is the game's last. Of White's four moves each can take one.
    (3, "....X....", 3, 0, False, True), (3, "....X....", 3, 1, False, False), (3, "....X....", 4, 1, False, True),
    (3, "....X....", 4, 2, False, False), (3, "....X....", 6, 0, False, True), (3, "....X....", 6, 1, False, False),
    (3, "....X....", 7, -9, False, False), (3, "....X....", 7, -4, True, True), (3, "....X....", 7, -3, True, False),
    # The stone in the corner has two liberties, as many as White has moves.
    (4, "X........XX.....", 3, 1, False, True), (4, "X........XX.....", 3, 2, False, False),
]  # fmt: skip


@pytest.mark.parametrize(("size", "drawing", "left", "wanted", "passing", "decided"), DECIDED)
def test_what_counts_as_decided(size, drawing, left, wanted, passing, decided):
    played, p, o = games(size, drawing)
    assert is_decided(played.board, p, o, left, wanted, passing) == decided


def test_the_checker_is_one_short_file_that_imports_nothing_of_ours():
    text = CHECKER.read_text()
    assert text.count("\n") <= 250
    assert set(re.findall(r"^(?:from|import) (\w+)", text, re.MULTILINE)) == {"sys", "zlib", "collections", "typing"}


# The command


def test_the_command_proves_and_the_checker_checks_alone(tmp_path, capsys):
    file = tmp_path / "game.proof"
    assert main(["prove", "3x3", "--rules", "course", "-o", str(file)]) == 0
    assert "black less white: 1, white wins with a komi of 1.5" in capsys.readouterr().out
    files = [file, tmp_path / "game.proof.white"]
    run = subprocess.run([sys.executable, "-I", CHECKER, *files], capture_output=True, text=True, cwd=tmp_path, check=True)
    assert "white can end the game with at least -1 stones more than the other side, and so wins" in run.stdout
    file.write_bytes(file.read_bytes()[:-1])
    run = subprocess.run([sys.executable, "-I", CHECKER, file], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert run.returncode == 1
    assert "NOT PROVEN" in run.stdout


def test_a_claim_about_a_drawn_board_and_a_first_move(tmp_path, capsys):
    board = tmp_path / "board.txt"
    board.write_text("moves: 2\nX . .\n. . .\n. . O\n")
    words = ["prove", str(board), "--rules", "littlego", "--first", "B2", "--at-least"]
    assert main([*words, "1", "-o", str(tmp_path / "proof")]) == 0
    assert "a pass does not end the game" in verify_course((tmp_path / "proof").read_bytes())
    assert main([*words, "9"]) == 1
    assert main([*words, "3", "--by", "white", "--nodes", "0"]) == 1
    said = capsys.readouterr().out
    assert "black gets at least 1: proven" in said
    assert "black gets at least 9: refuted" in said
    assert "white gets at least 3: not found" in said


REFUSED = [
    (["3x4"], "square board"), (["7x7"], "2 to 5"), (["none.txt"], "got 'none.txt'"), (["3x3", "--first", "D1"], "--first"),
    (["3x3", "--first", "pass"], "--first"), (["3x3", "--at-least", "10"], "at most 9"), (["3x3", "--suicide"], "--suicide"),
    (["3x3", "--threads", "2"], "--threads"), (["3x3", "--memory", "1"], "memory"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "said"), REFUSED)
def test_what_cannot_be_proven_is_refused_in_one_line(words, said, capsys):
    assert main(["prove", *words, "--rules", "course"]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


# Long work


def stopping(monkeypatch, portions):
    """Let portions of three answers be chosen, so many, and then somebody press Ctrl-C."""
    left, answer = iter(range(portions)), course_proofs._Writer.answer_some

    def interrupted(*arguments):
        if next(left, None) is None:
            raise KeyboardInterrupt
        answer(*arguments)

    monkeypatch.setattr(course_proofs, "_PORTION", 3)
    monkeypatch.setattr(course_proofs._Writer, "answer_some", interrupted)


@pytest.mark.parametrize(("rules", "prover", "margin"), [("course", BLACK, 1), ("littlego", WHITE, -1)])
def test_a_proof_that_is_interrupted_again_and_again_goes_on(rules, prover, margin, tmp_path, monkeypatch):
    claim, unfinished, told = CourseClaim(new_game(ruleset(rules), 3), prover, margin), tmp_path / "unfinished", []
    for portions in (0, 1, 2, 0, 1):
        with monkeypatch.context() as patch:
            stopping(patch, portions)
            with pytest.raises(KeyboardInterrupt):
                proof_of_course_claim(solver().engine, claim, unfinished, told.append)
    monkeypatch.setattr(course_proofs, "_PORTION", 3)
    data = proof_of_course_claim(solver().engine, claim, unfinished, told.append)
    assert "Proven" in verify_course(data)
    answered = [int(re.search(r"answered.*; ([0-9]+) in all", text)[1]) for text in told]
    assert answered == sorted(set(answered))
    assert answered[-1] == len(parts(data)[1])


def test_a_proof_is_saved_after_ten_minutes(tmp_path, monkeypatch):
    seconds = count(step=301.0)
    monkeypatch.setattr(solver().engine, "clock", lambda: next(seconds))
    proof_of_course_claim(solver().engine, CourseClaim(new_game(ruleset("course"), 3), BLACK, 1), tmp_path / "unfinished")
    assert (tmp_path / "unfinished").stat().st_size > 0


def test_work_is_read_as_it_was_written():
    numbers, reached, counts = np.array([5, 6, 7]), np.array([2, 0, 0, 9]), np.array([2, 2])
    progress = course_proofs._Progress(4, numbers, b"ab", np.array([1, 2], np.uint8), reached, counts)
    kept = course_proofs._read_progress(progress.to_bytes())
    assert (kept.left, kept.done, kept.answered, kept.earlier) == (4, 2, 4, b"ab")
    assert kept.ordered.tolist() == [5, 6, 7]
    assert kept.chosen.tolist() == [1, 2, 0]
    assert course_proofs._sort(kept.reached).tolist() == [1, 8]
    kept.make_room()
    assert course_proofs._sort(kept.reached).tolist() == [1, 8]
    assert kept.descend().ordered.tolist() == [1, 8]


def test_work_on_another_claim_or_damaged_is_refused(tmp_path, monkeypatch):
    start, unfinished = new_game(ruleset("course"), 3), tmp_path / "unfinished"
    with monkeypatch.context() as patch:
        stopping(patch, 1)
        with pytest.raises(KeyboardInterrupt):
            proof_of_course_claim(solver().engine, CourseClaim(start, BLACK, 1), unfinished)
    data = unfinished.read_bytes()
    with pytest.raises(BadProgressError, match="same claim"):
        proof_of_course_claim(solver().engine, CourseClaim(start, BLACK, 0), unfinished)
    for damaged in (b"", data[:-1], data + b"x", data[:-40] + bytes([data[-40] ^ 1]) + data[-39:]):
        unfinished.write_bytes(damaged)
        with pytest.raises(BadProgressError, match="whole file"):
            proof_of_course_claim(solver().engine, CourseClaim(start, BLACK, 1), unfinished)


def test_ctrl_c_says_where_the_work_is_and_the_same_command_goes_on(tmp_path, monkeypatch, capsys):
    file, unfinished = tmp_path / "game.proof", tmp_path / "game.proof.unfinished"
    words = ["prove", "3x3", "--rules", "course", "--at-least", "1", "-o", str(file)]
    with monkeypatch.context() as patch:
        stopping(patch, 1)
        assert main(words) == 130
    assert f"{unfinished} has what is done; the same command goes on from there" in capsys.readouterr().err
    assert not file.exists()
    assert main(words) == 0
    assert "Proven" in verify_course(file.read_bytes())
    assert not unfinished.exists()


def test_a_game_that_is_over_gets_no_proof(tmp_path, capsys):
    assert main(["prove", "3x3", "--rules", "littlego", "--first", "pass", "-o", str(tmp_path / "proof")]) == 2
    assert "expected a game that is not over" in capsys.readouterr().err
