"""Players as programs: the same moves as in one process, and clear words for what cannot be answered."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

import my_player3
from go import GO
from goban.inputs import note_in
from goban.rulesets import LITTLEGO
from players import littlego
from players.registry import make_player
from tests.support.littlego_files import play_by_files
from tests.support.waiting import PATIENCE

ROOT = Path(__file__).parent.parent.parent
EMPTY = "1\n" + "00000\n" * 10
SECOND = "2\n" + "00000\n" * 5 + "00000\n00000\n00100\n00000\n00000\n"


@pytest.fixture
def folders(tmp_path):
    for name in ("black", "white"):
        (tmp_path / name).mkdir()
    return tmp_path / "black", tmp_path / "white"


def game_in_process(black, white, seeds):
    go = GO(5, LITTLEGO)
    go.play(*(make_player(name, random.Random(seed)) for name, seed in zip((black, white), seeds, strict=True)))
    return go.record


@pytest.mark.parametrize(
    ("black", "white"),
    [
        ("random", "greedy"),
        ("aggressive", "random"),
        ("greedy", "alphabeta"),
        ("qlearner", "random"),
        ("alphabeta", "qlearner"),
        ("naive", "my"),
    ],
)
def test_the_same_moves_as_in_one_process(folders, black, white):
    for folder in folders:
        # What another game has left.
        (folder / littlego.NOTES).write_text('{"moves": 3, "board": [[1]], "seed": 8, "random": []}')

    def answer(folder):
        name, seed = (black, 5) if folder == folders[0] else (white, 6)
        files = [f"--input={folder / 'input.txt'}", f"--output={folder / 'output.txt'}"]
        assert littlego.main([name, f"--seed={seed}", *files]) == 0

    record = play_by_files(folders, answer)
    assert record.moves == game_in_process(black, white, (5, 6)).moves
    assert not record.outcome.ending.is_forfeit


def test_our_own_player_is_a_program_too(folders, monkeypatch):
    def answer(folder):
        monkeypatch.chdir(folder)
        assert (my_player3.main() if folder == folders[0] else littlego.main(["random", "--seed=3"])) == 0

    record = play_by_files(folders, answer)
    assert record.moves == game_in_process("my", "random", (0, 3)).moves


def test_our_own_player_knows_whose_turn_it_is(tmp_path, monkeypatch):
    seen = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(my_player3.MyPlayer, "get_input", lambda _, go, colour: seen.append((go.n_move, go.X_move)) or (0, 0))
    for given in (EMPTY, SECOND):
        (tmp_path / "input.txt").write_text(given)
        assert my_player3.main() == 0
        my_player3.NOTES.unlink()
    assert seen == [(0, True), (1, False)]


def run(words, folder):
    paths = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, *words], cwd=folder, env=paths, capture_output=True, text=True, timeout=PATIENCE)
    assert "Traceback" not in done.stderr
    return done


@pytest.mark.parametrize("words", [["-m", "players.littlego", "greedy"], [str(ROOT / "my_player3.py")]])
def test_a_process_of_its_own_reads_and_writes_in_its_folder(words, tmp_path):
    (tmp_path / "input.txt").write_text(EMPTY)
    assert run(words, tmp_path).returncode == 0
    i, j = (tmp_path / "output.txt").read_text().split(",")
    assert int(i) in range(5)
    assert int(j) in range(5)
    (tmp_path / "input.txt").write_text("5\n")
    done = run(words, tmp_path)
    assert done.returncode == 2
    assert "input.txt: expected the colour, 1 or 2, in the first line, got '5'\n" in done.stderr
    assert done.stderr.count("\n") == 1


DAMAGED = {
    "half a character": b"\xff\xfe\x00",
    "cut off": b'{"moves": 3, "board": [[1',
    "a list": b"[]",
    "a number too large": b'{"moves": 1e999, "board": []}',
    "nested too deep": b"[" * 99_999,
}


@pytest.mark.parametrize("damage", DAMAGED.values(), ids=DAMAGED)
@pytest.mark.parametrize(
    ("words", "notes"),
    [(["-m", "players.littlego", "greedy"], littlego.NOTES), ([str(ROOT / "my_player3.py")], str(my_player3.NOTES))],
)
def test_damaged_notes_are_no_notes(words, notes, damage, tmp_path):
    (tmp_path / "input.txt").write_text(SECOND)
    (tmp_path / notes).write_bytes(damage)
    done = run(words, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "," in (tmp_path / "output.txt").read_text()
    assert note_in(tmp_path / notes).moves == 2


@pytest.mark.parametrize("words", [["-m", "players.littlego", "greedy"], [str(ROOT / "my_player3.py")]])
def test_an_input_of_strange_bytes_is_refused_in_one_line(words, tmp_path):
    (tmp_path / "input.txt").write_bytes(b"\xff\xfe\x00")
    done = run(words, tmp_path)
    assert done.returncode == 2
    assert "input.txt: expected the colour, 1 or 2, in the first line" in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_simple_players_start_with_the_standard_library_alone(tmp_path):
    (tmp_path / "input.txt").write_text(EMPTY)
    for name in ("random", "greedy", "aggressive", "alphabeta", "qlearner", "my"):
        assert run(["-S", "-m", "players.littlego", name], tmp_path).returncode == 0


def test_two_games_with_different_seeds_differ(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "input.txt").write_text(EMPTY)
    answers = set()
    for seed in range(8):
        assert littlego.main(["random", f"--seed={seed}"]) == 0
        answers.add((tmp_path / "output.txt").read_text())
    assert len(answers) > 1


BAD = [
    (["nobody"], EMPTY, "expected a player (random, greedy"),
    (["manual"], EMPTY, "expected a program, got manual"),
    (["greedy"], "", "input.txt: expected the colour"),
    (["greedy", "--moves=24"], EMPTY, "--moves: expected a number below 24 that fits the colour, got 24"),
    (["greedy", "--moves=2"], SECOND, "--moves: expected a number below 24 that fits the colour, got 2"),
    (["greedy", "--input=none.txt"], EMPTY, "none.txt: No such file or directory"),
    (["there.py"], EMPTY, "player file 'there.py' cannot be read"),
]


@pytest.mark.parametrize(("words", "text", "message"), BAD)
def test_what_cannot_be_asked_is_said_in_one_line(words, text, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "input.txt").write_text(text)
    assert littlego.main(words) == 2
    said = capsys.readouterr().err
    assert message in said
    assert said.count("\n") == 1
    assert not (tmp_path / "output.txt").exists()


def test_a_student_asks_his_class_about_a_position(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("class MyPlayer:\n    def get_input(self, go, piece_type):\n        return 2, 2\n")
    (tmp_path / "input.txt").write_text(SECOND)
    assert littlego.main(["mine.py"]) == 1
    assert capsys.readouterr().err == "players.littlego: illegal move C3: the point is occupied\n"
    assert not (tmp_path / "output.txt").exists()
    (tmp_path / "input.txt").write_text(EMPTY)
    assert littlego.main(["mine.py"]) == 0
    assert (tmp_path / "output.txt").read_text() == "2,2"
