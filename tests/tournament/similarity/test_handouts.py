"""What in a submission is the course's: it counts for nothing, and a copy counts wherever it lies and whatever it is called."""

import random
import sysconfig
from pathlib import Path

import pytest

from gojudge.errors import BadSubmissionError
from lab.handouts import LANGUAGES, handout, imports, translate
from lab.similarity import disguise
from tournament.similarity.fingerprints import SourceFile, hash_handouts, sources_of
from tournament.similarity.handouts import _keeps_best, course_lines, find_playing, functions, lex
from tournament.similarity.reading_alike import BASE, SAME, SHAPED, UNUSED, _why, reading_alike, set_aside

STDLIB = Path(sysconfig.get_path("stdlib"))
# Programs of people who worked alone, and have nothing in common.
NAMES = ("textwrap", "shlex", "fnmatch", "graphlib", "heapq", "sched", "bisect")
ALONE = [(STDLIB / f"{name}.py").read_text() for name in NAMES]
ONE, OTHER, *_ = ALONE
SEARCH = """
def value(board, colour, depth, low, high):
    if depth == 0 or not spots(board, colour):
        return weigh(board, colour)
    for row, column in spots(board, colour):
        after = play(board, row, column, colour)
        low = max(low, -value(after, 3 - colour, depth - 1, -high, -low))
        if low >= high:
            break
    return low

def weigh(board, colour):
    total = 0
    for row in range(len(board)):
        for column in range(len(board)):
            mine = board[row][column] == colour
            free = len([1 for a, b in next_to(row, column) if board[a][b] == 0])
            total += (12 * free + 31 if mine else -17 * free - 40) if board[row][column] else 0
    return total

def choose(board, colour):
    best, answer = -1000, None
    for row, column in spots(board, colour):
        found = value(play(board, row, column, colour), 3 - colour, 3, -1000, 1000)
        if found > best:
            best, answer = found, (row, column)
    return answer
"""


def course(language="python", seed=1):
    return handout(random.Random(seed), language).files()


# A course whose host does not have GO's interface.
OTHERS = next(seed for seed in range(99) if "class GO" not in course(seed=seed)["host.py"])


def program(own, language="python", modules=("host", "read", "write")):
    """A program of a student of a course, which uses what was handed out."""
    return imports(language, modules) + translate(own, language)


@pytest.fixture
def a_class(tmp_path):
    """Return what is found in a class: stars, and what was left aside as (path, names, why, the same or not)."""

    def found(submissions, base=(), entry="my_player3.py"):
        for name, files in submissions.items():
            (tmp_path / name).mkdir()
            for path, text in files.items():
                (tmp_path / name / path).parent.mkdir(exist_ok=True, parents=True)
                (tmp_path / name / path).write_text(text)
        kept, asides = set_aside({name: sources_of(tmp_path / name, entry) for name in submissions}, base)
        stars = [(pair.one, pair.other) for pair in reading_alike(kept)[0] if pair.marked]
        return stars, {(one.path, one.names, one.why, one.same) for one in asides}

    return found


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seed", range(4))
def test_a_handout_that_two_of_five_brought_is_told_and_gives_no_star(a_class, language, seed):
    suffix = LANGUAGES[language]
    names = [f"s{number}" for number in range(5)]
    class_ = {name: {f"my_player3{suffix}": program(own, language, ())} for name, own in zip(names, ALONE, strict=False)}
    for name, own in zip(names[:2], ALONE, strict=False):
        class_[name] = {f"my_player3{suffix}": program(own, language), **course(language, seed)}
    stars, asides = a_class(class_, entry=f"my_player3{suffix}")
    assert stars == []
    assert (f"host{suffix}", ("s0", "s1"), SHAPED, True) in asides


def test_a_handout_that_each_has_changed_gives_no_star_either(a_class):
    host = course()["host.py"]
    class_ = {f"s{k}": {"my_player3.py": program(own), **course()} for k, own in enumerate(ALONE[:4])}
    for name, word in (("s0", "width"), ("s1", "rows"), ("s2", "taken")):
        class_[name]["host.py"] = host.replace("return", f"print({word!r}, self.{word})\n        return", 1)
    assert a_class(class_)[0] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_copy_is_found_though_both_wrap_it_around_the_handout(a_class, language):
    suffix = LANGUAGES[language]
    copy = disguise(ONE, random.Random(1))
    class_ = {f"s{k}": {f"my_player3{suffix}": program(own, language), **course(language)} for k, own in enumerate(ALONE[1:5])}
    class_["ann"] = {f"my_player3{suffix}": program(ONE, language), **course(language)}
    class_["bob"] = {f"my_player3{suffix}": program(copy, language), **course(language)}
    assert a_class(class_, entry=f"my_player3{suffix}")[0] == [("ann", "bob")]


def test_a_copy_is_found_though_both_have_put_the_handout_into_it(a_class):
    both = course()["host.py"]
    class_ = {f"s{k}": {"my_player3.py": program(own), **course()} for k, own in enumerate(ALONE[2:5])}
    class_ |= {"ann": {"my_player3.py": both + ONE}, "bob": {"my_player3.py": disguise(ONE, random.Random(1)) + both}}
    class_["cy"] = {"my_player3.py": both + OTHER}
    assert a_class(class_)[0] == [("ann", "bob")]


@pytest.mark.parametrize("name", ["host.py", "read.py", "random_player.py", "go_play.py"])
def test_a_copied_file_with_the_name_of_the_courses_counts(a_class, name):
    module = name.removesuffix(".py")
    class_ = {f"s{k}": {"my_player3.py": own} for k, own in enumerate(ALONE[1:4])}
    class_["ann"] = {"my_player3.py": program("", modules=(module,)), name: ONE}
    class_["bob"] = {"my_player3.py": program("", modules=(module,)), name: disguise(ONE, random.Random(2))}
    assert a_class(class_)[0] == [("ann", "bob")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_search_that_is_copied_into_the_host_counts(a_class, language):
    suffix = LANGUAGES[language]
    files = course(language, OTHERS)
    host = files[f"host{suffix}"] + translate(SEARCH, language)
    class_ = {f"s{k}": {**files, f"my_player3{suffix}": program(own, language)} for k, own in enumerate(ALONE[:3])}
    class_ |= {name: {**files, f"host{suffix}": host, f"my_player3{suffix}": program("", language)} for name in ("ann", "bob")}
    stars, _ = a_class(class_, entry=f"my_player3{suffix}")
    assert stars == [("ann", "bob")]


def test_a_file_that_two_have_alone_is_a_copy_and_one_that_three_have_was_handed_out(a_class):
    class_ = {name: {"my_player3.py": program(own, modules=("tools",)), "tools.py": ONE} for name, own in zip(
        ("ann", "bob", "cy"), ALONE[1:], strict=False)}  # fmt: skip
    class_["cy"]["tools.py"] = "\ufeff" + ONE.replace("\n", " \r\n")
    class_["dan"] = {"my_player3.py": ALONE[5]}
    stars, asides = a_class(class_)
    assert stars == []
    assert asides == {("tools.py", ("ann", "bob", "cy"), SAME, True)}


def test_two_that_have_a_file_alone_are_marked(a_class):
    class_ = {name: {"my_player3.py": program(own, modules=("tools",)), "tools.py": ONE} for name, own in zip(
        ("ann", "bob"), ALONE[1:], strict=False)}  # fmt: skip
    class_["dan"] = {"my_player3.py": ALONE[5]}
    assert a_class(class_) == ([("ann", "bob")], set())


def test_three_that_handed_in_the_same_program_are_marked(a_class):
    class_ = {name: {"my_player3.py": ONE} for name in ("ann", "bob", "cy")} | {"dan": {"my_player3.py": OTHER}}
    assert a_class(class_)[0] == [("ann", "bob"), ("ann", "cy"), ("bob", "cy")]


def test_what_is_never_imported_counts_for_nothing_and_is_named(a_class):
    class_ = {"ann": {"my_player3.py": OTHER, "old.py": ONE}, "bob": {"my_player3.py": ALONE[3], "old.py": ONE}}
    assert a_class(class_) == ([], {("old.py", ("ann", "bob"), UNUSED, True)})


def test_what_some_have_beside_their_program_and_others_within_it_gives_no_star(a_class):
    host = course(seed=OTHERS)["host.py"]
    class_ = {f"s{k}": {"my_player3.py": own, "host.py": host} for k, own in enumerate(ALONE[2:4])}
    class_ |= {"ann": {"my_player3.py": host + ALONE[5]}, "bob": {"my_player3.py": host + ALONE[6]}}
    assert a_class(class_)[0] == []


def test_nobody_can_hide_a_copy_by_calling_it_the_courses_once_more(a_class):
    """What one student alone has in a file of the course's name is theirs everywhere else."""
    class_ = {f"s{k}": {"my_player3.py": own} for k, own in enumerate(ALONE[2:5])}
    host = course()["host.py"]
    class_ |= {"ann": {"my_player3.py": host + ONE}, "bob": {"my_player3.py": host, "host.py": host}}
    assert a_class(class_)[0] == [("ann", "bob")]


def test_the_base_counts_for_nothing(a_class, tmp_path):
    (tmp_path / "base").mkdir()
    (tmp_path / "base/tools.py").write_text(ONE)
    class_ = {name: {"my_player3.py": program(own, modules=("tools",)), "tools.py": ONE} for name, own in zip(
        ("ann", "bob"), ALONE[1:], strict=False)}  # fmt: skip
    class_ |= {"cy": {"my_player3.py": ONE + ALONE[4]}, "dan": {"my_player3.py": ALONE[5] + ONE}}
    stars, asides = a_class(class_, hash_handouts(tmp_path / "base"))
    assert stars == []
    assert asides == {("tools.py", ("ann", "bob"), BASE, True)}


@pytest.mark.parametrize(("files", "said"), [
    ({"notes.txt": "x"}, "expected sources in .cpp, .h, .hpp, .java, .py, found none of more than 24 tokens"),
    ({}, "expected files, found none"),
])  # fmt: skip
def test_a_base_without_sources_is_refused(tmp_path, files, said):
    (tmp_path / "base").mkdir()
    for name, text in files.items():
        (tmp_path / "base" / name).write_text(text)
    with pytest.raises(BadSubmissionError) as caught:
        hash_handouts(tmp_path / "base")
    assert str(caught.value) == said


# Which files play


@pytest.mark.parametrize(("text", "played"), [
    ("import host", {"host"}),
    ("import os, host as h; x = 1", {"host"}),
    ("from host import *", {"host"}),
    ("try:\n    from host import (\n        GO,\n        other)\nexcept OSError:\n    import read", {"host", "read", "other"}),
    ("if x: import host", {"host"}),
    ("from lib import tools", {"tools", "lib/__init__"}),
    ("import lib.tools", {"tools", "lib/__init__"}),
    ("# import host\nx = 'host'", set()),
    ("subprocess.run(['python3', 'host.py'])", {"host"}),
    ("m = __import__(name)", {"host", "read", "other", "tools", "lib/__init__", "deep"}),
    ("import host  # and read", {"host"}),
    ("import host, \\\n    read", {"host", "read"}),
    ("print 'Python 2'\nfrom host import GO", {"host"}),
    ("from tools import x", {"tools", "deep"}),
])  # fmt: skip
def test_files_that_play_are_found_by_their_imports(text, played):
    files = {"my_player3.py": text, "lib/tools.py": "import deep" if "tools import x" in text else ""}
    files |= dict.fromkeys(["host.py", "read.py", "other.py", "lib/__init__.py", "deep.py"], "")
    names = {"tools": "lib/tools.py"}
    assert find_playing(files, "my_player3.py") == {"my_player3.py", *(names.get(name, f"{name}.py") for name in played)}


def test_includes_and_classes_are_found_too():
    cpp = {"my_player.cpp": '#include <vector>\n#include "host.h"\n', "host.h": '#include "deep.hpp"'}
    cpp |= dict.fromkeys(["deep.hpp", "host.cpp"], "")
    assert find_playing(cpp, "my_player.cpp") == {"my_player.cpp", "host.h", "deep.hpp"}
    java = {"my_player.java": "class my_player { Host host; }", "Host.java": "class Host { Board b; }"}
    java |= dict.fromkeys(["Board.java", "Old.java"], "")
    assert find_playing(java, "my_player.java") == {"my_player.java", "Host.java", "Board.java"}


def test_all_play_where_the_entry_is_not_known():
    assert find_playing({"a.py": "", "b.py": ""}, "") == {"a.py", "b.py"}


# What is shaped as the course's


def shaped(path, text, is_entry=False):
    tokens = list(lex(path, text))
    parts = course_lines(path, tokens, is_entry)
    return sum(any(first <= one.line <= last for first, last in parts) for one in tokens) / len(tokens)


@pytest.mark.parametrize("language", LANGUAGES)
def test_handouts_of_many_courses_are_known_by_their_shape(language):
    for seed in range(25):
        for path, text in course(language, seed).items():
            assert shaped(path, text) > 0.8, (seed, path)


@pytest.mark.parametrize("name", ["host.py", "read.py", "write.py", "random_player.py", "go_play.py"])
@pytest.mark.parametrize("text", [*ALONE[:4], SEARCH], ids=["textwrap", "shlex", "fnmatch", "graphlib", "a search"])
def test_other_files_with_these_names_are_not(name, text):
    assert shaped(name, text) == 0


@pytest.mark.parametrize(("share", "why"), [(0.49, ""), (0.5, SHAPED), (1.0, SHAPED)])
def test_a_file_counts_for_nothing_once_half_of_it_is_shaped_so(share, why):
    assert _why(SourceFile("host.py", "a digest", True, share, frozenset()), frozenset(), ()) == why


def test_an_entry_is_its_authors_but_for_the_methods_of_go():
    host = next(text for text in (course(seed=seed)["host.py"] for seed in range(99)) if "class GO" in text)
    other = next(text for text in (course(seed=seed)["host.py"] for seed in range(99)) if "class GO" not in text)
    assert shaped("my_player3.py", host + SEARCH, is_entry=True) == pytest.approx(shaped("host.py", host + SEARCH), abs=0.05)
    assert shaped("my_player3.py", other, is_entry=True) == 0


KEPT = [
    ("if value > best:\n    best = value", True), ("if best < found.value:\n    best, move = found.value, found", True),
    ("best = max(best, value)", True), ("moves.sort(key=value)", True), ("if total < 0:\n    total = 0", False),
    ("if row < last:\n    other = last", False), ("size = max(row, column)", False),
    ("while value > best:\n    best = value", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_kept"), KEPT)
def test_the_better_of_two_things_takes_the_others_place(text, is_kept):
    assert _keeps_best(list(lex("a.py", text))) == is_kept


@pytest.mark.parametrize(("path", "text", "names"), [
    ("a.py", "def f(\n    a\n):\n    def g():\n        pass\n    return 1\nx = 1\ndef h(): pass", ["f 1 6", "g 4 5", "h 8 8"]),
    ("a.cpp", "int f(int a) const {\n if (a) { g(a); }\n}\nint g(int);", ["f 1 3"]),
    ("a.java", "class A {\n int f(int a) throws x.Y, Z {\n  return 1;\n }\n}", ["f 2 4"]),
    ("a.java", "void f() { while (true) { g(", ["f 1 1"]),
    ("a.py", "def", []),
])  # fmt: skip
def test_functions_are_found_in_sources_whatever_is_wrong_with_them(path, text, names):
    assert [f"{one.name} {one.lines[0]} {one.lines[1]}" for one in functions(path, list(lex(path, text)))] == names
