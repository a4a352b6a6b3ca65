"""Sources that read alike: winnowed fingerprints, and pairs of submissions that share them."""

import random
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from lab.similarity import disguise
from tests.support.steps import grows_alone
from tests.support.submissions import get_input
from tournament.similarity.fingerprints import (
    SURE,
    WINDOW,
    Fingerprint,
    K,
    Sources,
    _hashes,
    _winnow,
    fingerprints,
    hash_own_files,
    lines_of,
    sources_of,
)  # fmt: skip
from tournament.similarity.reading_alike import FEWEST, Passage, _passages, reading_alike
from tournament.similarity.report import passage_text

ROOT = Path(__file__).parents[3]
# Two modules of ours that nobody hands in, of one hand and with nothing in common.
ONE, OTHER = (ROOT / name for name in ("goban/grids.py", "tournament/events/schedules.py"))
SOURCE = OTHER.read_text()


def read(texts):
    return reading_alike({name: Sources(tuple(fingerprints(f"{name}.py", text))) for name, text in texts.items()})


def hashes(path, text):
    return {one.hash for one in fingerprints(path, text)}


def test_a_disguised_copy_reads_alike_and_others_do_not():
    long = (ROOT / "tournament/results/ratings.py").read_text()
    texts = {"ann": SOURCE, "bob": disguise(SOURCE, random.Random(1)), "cy": long}
    found, short = read(texts)
    assert short == []
    assert [(pair.one, pair.other) for pair in found if pair.marked] == [("ann", "bob")]
    assert found[0].share > 0.4


def test_names_numbers_comments_and_layout_leave_fingerprints_as_they_are():
    text = """
def f(first, second=1):
    '''Says it.'''
    for k in range(10):  # all of them
        print("a", first + k, [second] * 3)
    return 0.5
"""
    other = """
def g(x, y=22):

    for row in range(3):
        print('other', x + row, [y]
              * 70)
    return 1e3
"""
    assert hashes("a.py", text) == hashes("b.py", other)
    assert len(hashes("a.py", text)) >= 1


def test_self_is_a_name_like_others():
    text = "class A:\n    def f(self, go):\n        self.seen = go.board\n        return self.best(self.seen, self.colour)\n"
    assert hashes("a.py", text)
    assert hashes("a.py", text) == hashes("b.py", text.replace("self", "me"))


def test_what_is_done_changes_fingerprints():
    text = "def f(a, b):\n    for k in range(a):\n        if k > b:\n            b += k * 2\n    return b, a\n"
    assert hashes("a.py", text).isdisjoint(hashes("a.py", text.replace("for", "while").replace("k in range(a)", "a not in b")))


def shares(rng, tokens):
    """Tell whether two sources share a fingerprint that share so many tokens in a row, all drawn at random."""
    passage = [str(rng.randrange(50)) for _ in range(tokens)]
    found = []
    for _ in range(2):
        around = [[str(rng.randrange(50)) for _ in range(rng.randrange(60))] for _ in range(2)]
        made = _hashes([*around[0], *passage, *around[1]])
        found.append({int(made[at]) for at in _winnow(made)})
    return not found[0].isdisjoint(found[1])


def test_long_enough_passages_always_share_a_fingerprint_and_shorter_ones_need_not():
    """The guarantee of winnowing."""
    rng = random.Random(2)
    assert all(shares(rng, SURE) for _ in range(30))
    assert not all(shares(rng, SURE - 1) for _ in range(200))


def test_a_fingerprint_is_kept_of_every_window():
    rng = random.Random(3)
    for length in (1, WINDOW - 1, WINDOW, 200):
        made = np.array([rng.randrange(30) for _ in range(length)], dtype=np.uint64)
        kept = _winnow(made)
        assert kept == sorted(set(kept))
        for start in range(max(1, length - WINDOW + 1)):
            window = made[start : start + WINDOW]
            assert any(start <= at < start + WINDOW and made[at] == window.min() for at in kept)
    assert _winnow(made[:0]) == []


def test_fingerprints_are_the_same_in_every_process():
    code = (
        "from tournament.similarity.fingerprints import fingerprints; "
        f"print([one.hash for one in fingerprints('a.py', open({str(ONE)!r}).read())])"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(said) == 1


def test_a_sign_before_a_number_is_read_alike_however_it_is_spaced():
    text = "int f(int i) { int a[4] = {0, -1, +1, 2}; for (int k = 0; k < i - 1; k++) g(a[k] - 1, i - 1); return -1; }"
    assert hashes("a.cpp", text)
    assert hashes("a.cpp", text) == hashes("b.cpp", text.replace("i - 1", "i-1").replace("-1, +1", "- 1, + 1"))


@pytest.mark.parametrize("name", ["README.md", "docs/first-hour.md"])
def test_what_a_document_shows_is_nobodys(name):
    (example, *_) = re.findall(r"```python\n(class MyPlayer.*?)```", (ROOT / name).read_text(), re.DOTALL)
    assert hashes("my_player.py", example.replace("best", "mine"))
    assert hashes("my_player.py", example) <= hash_own_files()


@pytest.mark.parametrize("name", ["my_player.py", "players/greedy_player.py", "gojudge/inside/course_modules/host.py"])
def test_what_the_project_gave_to_everybody_is_nobodys(name):
    text = (ROOT / name).read_text()
    assert hashes("x.py", text)
    assert hashes("x.py", text) <= hash_own_files()
    assert hash_own_files().isdisjoint(hashes("x.py", SOURCE))


def test_rows_of_literals_are_no_fingerprints():
    for row in (list(range(500)), [str(k) for k in range(500)], [(k, -k) for k in range(500)]):
        assert len(fingerprints("t.py", f"TABLE = {row}\n")) <= 1


def test_what_most_of_a_class_have_is_nobodys():
    handout = SOURCE
    own = {f"s{k}": (ROOT / f"tournament/results/{name}.py").read_text() for k, name in enumerate(
        ("ratings", "decisions", "grading", "exports", "due_games", "standings")
    )}  # fmt: skip
    found, _ = read({name: f"{handout}\n{text}" for name, text in own.items()})
    assert not any(pair.marked for pair in found)
    two, _ = read({name: f"{handout}\n{text}" if name in ("s0", "s4") else text for name, text in own.items()})
    assert [(pair.one, pair.other) for pair in two if pair.marked] == [("s0", "s4")]


def test_short_sources_are_not_compared():
    text = get_input("return 0, 0")
    found, short = read({"a": text, "b": text, "c": SOURCE})
    assert (found, short) == ([], ["a", "b"])
    assert len(fingerprints("c.py", SOURCE)) >= FEWEST


@pytest.mark.parametrize(("fewer", "short"), [(0, []), (1, ["a"])])
def test_ten_fingerprints_of_its_own_are_enough_to_be_compared(fewer, short):
    """Some twelve lines have them. What was handed out, or holds for most, is no longer among them."""
    prints = tuple(fingerprints("b.py", SOURCE))[:10]
    assert len({each.hash for each in prints}) == 10
    found, left_out = reading_alike({"a": Sources(prints[fewer:]), "b": Sources(prints)})
    assert ([(pair.one, pair.other, pair.common) for pair in found], left_out) == ([] if short else [("a", "b", 10)], short)


def test_pairs_do_not_depend_on_the_order_of_submissions():
    texts = {"ann": SOURCE, "bob": ONE.read_text() + SOURCE, "cy": ONE.read_text()}
    assert read(texts) == read(dict(reversed(texts.items())))


def test_passages_are_the_lines_that_were_copied():
    (copied,) = (text for text in SOURCE.split("\n\n\n") if text.startswith("def pairings"))
    mine = "\n".join([*ONE.read_text().splitlines(), "", *copied.splitlines(), ""])
    sources = {name: Sources(tuple(fingerprints(f"{name}.py", text))) for name, text in (("a", mine), ("b", SOURCE))}
    (pair,), _ = reading_alike(sources)
    passage = pair.passages[0]
    lines = [text.splitlines()[first - 1 : last] for text, (_, first, last) in ((mine, passage.one), (SOURCE, passage.other))]
    assert lines[0] == lines[1]
    assert len(lines[0]) >= 3
    assert passage.tokens >= K
    assert (passage.one[0], passage.other[0]) == ("a.py", "b.py")


@pytest.mark.parametrize(("most", "left"), [(3, []), (2, ["... and 1 more lines"])])
def test_lines_that_are_not_shown_are_counted(most, left):
    texts = [{"a.py": ["one", "two", "three", "four"]}, {"b.py": ["five", "six", "seven"]}]
    shown = passage_text(Passage(("a.py", 2, 4), ("b.py", 1, 3), 30), texts, most).splitlines()
    assert [line.split() for line in shown[1:most + 1]] == [
        ["2", "two", "|", "1", "five"], ["3", "three", "|", "2", "six"], ["4", "four", "|", "3", "seven"]
    ][:most]  # fmt: skip
    assert shown[most + 1:] == left


def test_each_of_several_passages_is_told_apart():
    parts = [text for text in SOURCE.split("\n\n\n") if text.startswith("def ")]
    copied = sorted(parts, key=len)[-3:]
    mine = "\n\n\n".join(f"{own}\n\n\n{text}" for own, text in zip(ONE.read_text().split("\n\n\n"), copied, strict=False))
    sources = {name: Sources(tuple(fingerprints(f"{name}.py", text))) for name, text in (("a", mine), ("b", SOURCE))}
    (pair,), _ = reading_alike(sources)
    found = set()
    for passage in pair.passages:
        (_, mine_first, mine_last), (_, first, last) = passage.one, passage.other
        assert mine_last - mine_first == last - first
        found |= {text for text in copied if "\n".join(SOURCE.splitlines()[first : last - 1]) in text}
    assert len(found) > 1


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_lines_are_counted_alike_whatever_ends_them(end):
    text = SOURCE.replace("\n", end)
    assert fingerprints("a.py", text) == fingerprints("a.py", SOURCE)
    assert lines_of(text) == SOURCE.split("\n")


# Whatever was handed in


def test_java_and_cpp_are_read_and_other_files_are_not():
    loop = "for (int i = 0; i < n; i++) { if (b[i] > 0) return i; } return -1;"
    java = f"class my_player {{ static int best(int[] b, int n) {{ {loop} }} }}"
    assert hashes("my_player.java", java)
    assert hashes("my_player.cpp", java)
    assert not hashes("notes.txt", java)
    assert hashes("my_player.java", java) == hashes("my_player.java", java.replace(" b", " board").replace("b[", "board["))


@pytest.mark.parametrize("data", [
    b"", b"\xff\xfe\x00 not text \x00", "class Spieler: # für alle\n    pass\n".encode("latin-1"), b"def f(:\n  'unclosed\n",
    b"((((" * 5000, b"x = '" + b"\xf0" * 1000, b"\0" * 1000,
])  # fmt: skip
def test_a_source_that_python_cannot_read_breaks_nothing(tmp_path, data):
    folder = tmp_path / "copy"
    folder.mkdir()
    (folder / "broken.py").write_bytes(data)
    (folder / "more.py").write_text(SOURCE)
    (folder / "my_player.py").write_text("import broken, more\n")
    found = sources_of(folder, "my_player.py")
    assert {one.hash for one in found.prints if one.path == "more.py"} == hashes("more.py", SOURCE)
    assert not found.cut


@pytest.mark.slow
def test_more_than_can_be_read_is_said(tmp_path):
    folder = tmp_path / "copy"
    folder.mkdir()
    (folder / "a_table.py").write_text("TABLE = [\n" + "    1,\n" * 40_000 + "]\n")
    (folder / "my_player.py").write_text(f"import a_table\n{SOURCE}")
    found = sources_of(folder, "my_player.py")
    assert found.cut
    assert {one.hash for one in found.prints} == hashes("my_player.py", f"import a_table\n{SOURCE}")
    (folder / "my_player.py").write_text(SOURCE)
    assert not sources_of(folder, "my_player.py").cut


def in_another_order(size, seed):
    """One fingerprint a line, far from each other."""
    order = random.Random(seed).sample(range(size), size)
    return [Fingerprint(each, "a.py", 100 * place, place, place) for place, each in enumerate(order)]


def test_twice_as_many_passages_are_found_in_twice_the_steps():
    def work(size):
        one, other = in_another_order(size, 1), in_another_order(size, 2)
        return lambda: _passages(one, other)

    assert grows_alone(work, 100)
    assert len(work(100)()) == 100
