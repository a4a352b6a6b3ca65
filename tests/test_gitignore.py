"""What commands leave in the clone does not show up as something to commit, and nothing of ours is ignored."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.support.missing import needs, no_program

ROOT = Path(__file__).parents[1]

pytestmark = [
    pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs a clone rather than its files"),
    needs(no_program("git")),
]

LEFT = (
    "trained.bin", "trained.npz", "games.sgf", "cup.db", "goban/solver/book_course.parts-4096/opening.npz", "input.txt",
    "output.txt", "littlego_notes.json", "my_player3_notes.json", "alice-move-7/my_player.py", "cup.db.lock",
    "cup.db-wal", "mine/cup.db.files.json", "cup.db.names.csv", "cup.db.truth.jsonl", "cup.db.losses.jsonl",
    "cup.db.without.txt", "cup.submissions/alice/my_player.py",
    "grade.grades/grades.csv", "cup.sgf/a-b.sgf", "cup.site/index.html", "ranking.csv", "cup.csv", "cup.json", "kim.html",
    "build/sample/index.html",
    "hw2/ann/my_player.py", "hw2.csv", "hour/table.json", "hour.zip", "ttt.run/plan.toml", "path/to/my_player.py",
    "autograder.zip", "hw.zip", "day.students/jo/index.html", "day.class/index.html", "kept/first.db", "pages/index.html",
    "outbox/jo.eml", "handed-in/jo/my_player.py", "site/index.html", "grade.vocareum", "course.toml", "learn.py", "day.sh",
    "curve.png", "small_engine.py", "first.old-1.db", "notes.txt", "tournament/cup.db.refused.json",
    "golearn/go5.run/plan.toml",
)  # fmt: skip


def git(*words):
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True).stdout.splitlines()


@pytest.mark.parametrize("name", LEFT)
def test_what_commands_leave_is_ignored(name):
    assert git("check-ignore", "--no-index", name) == [name]


def test_nothing_of_ours_is_ignored():
    assert git("ls-files", "--cached", "--ignored", "--exclude-standard") == []


def test_what_is_named_as_ours_at_the_top_is_there():
    named = [line[2:] for line in (ROOT / ".gitignore").read_text().splitlines() if re.fullmatch(r"!/[^/]+/?", line)]
    ours = {f"{top}/" if rest else top for top, _, rest in (path.partition("/") for path in git("ls-files"))}
    assert set(named) == ours
    assert named == sorted(named)


def test_git_converts_no_line_ends():
    """Not even on Windows, where an autograder's script is packed that Linux runs."""
    script = "tournament/results/autograder/run_autograder"
    assert git("check-attr", "text", script) == [f"{script}: text: unset"]
