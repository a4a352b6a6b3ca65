"""What comes along with one file handed in alone: what it imports and names, and nothing else of its folder."""

import importlib.machinery
import os
import shutil
from pathlib import Path

import pytest

from gojudge.errors import BadSubmissionError
from gojudge.intake import dependencies as module
from gojudge.intake.dependencies import companions, hint

ROOT = Path(__file__).parents[3]


@pytest.fixture
def hw(tmp_path):
    """The folder of somebody who keeps everybody's files, and some of their own, in one place."""
    put(tmp_path, dict.fromkeys((
        "ann.py", "bob.py", "bob/my_player.py", "cy.zip", "table.json", "mytable.json", "table.json.bak", "notes.txt",
        "helper.py", "tables/x.json", "tables/y.json", "kit/__init__.py", "kit/moves.py", "kit/deep/z.py", "kit/data.bin",
        "plain/part.py", "plain/part.txt", "common.py", "tournament/parts.py", "empty/notes.txt", ".hidden.json",
    ), ""))  # fmt: skip
    return tmp_path


def put(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def needed(folder, source, name="my_player.py"):
    (folder / name).write_text(source)
    return sorted(companions(folder / name))


KIT = ["kit/__init__.py", "kit/deep/z.py", "kit/moves.py"]
NEEDS = [
    ("", []),
    ("import helper", ["helper.py"]),
    ("def f():\n    import os, helper as h", ["helper.py"]),
    ("from helper import x", ["helper.py"]),
    ("from .helper import x", []),
    ("import kit", KIT),
    ("import kit.moves", KIT),
    ("from kit.moves import x", KIT),
    ("from common import x", ["common.py"]),
    ("import tournament.parts", ["tournament/parts.py"]),
    ("import plain.part", ["plain/part.py"]),
    ("import empty", []),
    ("open('table.json')", ["table.json"]),
    ("open('./table.json')", ["table.json"]),
    ("open(f'{HERE}/table.json')", ["table.json"]),
    ("open(HERE + '/table.json')", ["table.json"]),
    ("open(r'C:\\me\\table.json')", ["table.json"]),
    ("open('tables/x.json')", ["tables/x.json"]),
    ("os.path.join('tables', 'x.json')", ["tables/x.json"]),
    ("Path('tables') / 'y.json'", ["tables/y.json"]),
    ("open('x.json')", []),
    ("open('tables')", []),
    ("open('../bob/my_player.py')", ["bob/my_player.py"]),
    ("# import helper, 'table.json'", []),
    ("'''See table.json, and import helper.'''", []),
    ("open('table' + '.json')", []),
    ("open(b'table.json')", []),
    ("open('.hidden.json')", [".hidden.json"]),
    ("open('my_player.py')", []),
    ("import ann\nopen('bob.py')", ["ann.py", "bob.py"]),
]


@pytest.mark.parametrize(("source", "files"), NEEDS)
def test_what_a_source_needs(hw, source, files):
    assert needed(hw, source) == files


PYTHON_2 = [
    ("print 'x'\nimport helper, os", ["helper.py"]),
    ("print 'x'\nfrom kit.moves import x", KIT),
    ("print 'x'\nopen('table.json')", ["table.json"]),
    ('print "x"\nopen("tables/x.json")', ["tables/x.json"]),
    ("print 'x'\n# don't open table.json", []),
]


@pytest.mark.parametrize(("source", "files"), PYTHON_2)
def test_what_another_python_wrote_is_searched_as_text(hw, source, files):
    assert needed(hw, source) == files


def test_a_module_whose_name_no_file_can_have_is_not_there(hw):
    assert needed(hw, f"import {'x' * 5000}, helper") == ["helper.py"]


def test_what_is_needed_needs_more(hw):
    put(hw, {"helper.py": "import kit", "kit/moves.py": "open('table.json')"})
    put(hw, {"kit/deep/z.py": "import ann", "ann.py": "'cy.zip'"})
    assert needed(hw, "import helper") == ["ann.py", "cy.zip", "helper.py", *KIT, "table.json"]


def test_a_module_of_a_package_finds_what_lies_beside_it(hw):
    put(hw, {"kit/moves.py": "open(Path(__file__).with_name('data.bin'))"})
    assert needed(hw, "import kit") == sorted([*KIT, "kit/data.bin"])


def test_modules_that_import_each_other_end(hw):
    put(hw, {"helper.py": "import my_player, helper, ann", "ann.py": "import helper"})
    assert needed(hw, "import helper") == ["ann.py", "helper.py"]


def test_a_module_of_the_standard_library_brings_nothing(hw):
    assert needed(hw, "import json, random, numpy") == []


def test_which_of_two_that_have_one_name(hw):
    """As Python chooses: a package with an __init__.py, then a module, then a plain folder."""
    put(hw, {"kit.py": "", "plain.py": ""})
    assert needed(hw, "import kit") == KIT
    assert needed(hw, "import plain") == ["plain.py"]


def test_a_compiled_module_comes_along(hw):
    name = f"fast{importlib.machinery.EXTENSION_SUFFIXES[0]}"
    (hw / name).touch()
    assert needed(hw, "import fast") == [name]


def test_with_cpp_go_all_sources_and_headers_by_name(hw):
    put(hw, {"board.h": '#include "deep.hpp"', "deep.hpp": "", "unused.h": "", "board.cpp": "", "my_player.java": ""})
    source = '#include <cstdio>\n#include "board.h"\nint main() { fopen("tables/x.json", "r"); }\n'
    assert needed(hw, source, "my_player.cpp") == ["board.cpp", "board.h", "deep.hpp", "tables/x.json"]
    put(hw, {"Board.java": ""})
    assert needed(hw, 'class my_player { String t = "table.json"; }', "my_player.java") == ["Board.java", "table.json"]


def test_the_hosts_own_files_stay_at_home(hw):
    shutil.copy(ROOT / "go.py", hw)
    shutil.copytree(ROOT / "goban", hw / "goban", ignore=shutil.ignore_patterns("__pycache__"))
    source = "from go import GO\nimport goban.grids\nopen('go.py')"
    assert needed(hw, source) == []
    put(hw, {"go.py": "class GO: pass"})
    assert needed(hw, source) == ["go.py"]


def test_our_own_player_and_its_files():
    tools = ["my_player_search.py", "my_player_table.bin", "my_player_table.py"]
    assert sorted(companions(ROOT / "my_player.py")) == ["my_player3.py", *tools]
    assert sorted(companions(ROOT / "my_player3.py")) == ["my_player.py", *tools]


# What cannot be had


@pytest.mark.parametrize("source", ["import linked", "open('linked.py')"])
def test_a_link_that_is_needed_is_refused(hw, source):
    (hw / "linked.py").symlink_to(hw / "ann.py")
    with pytest.raises(BadSubmissionError, match=r"^expected regular files, .* link 'linked.py', which it needs$"):
        needed(hw, source)
    assert needed(hw, "import ann") == ["ann.py"]


def test_no_link_to_a_folder_is_followed(hw):
    (hw / "linked").symlink_to(hw / "tables")
    (hw / "kit/loop").symlink_to(hw / "kit")
    assert needed(hw, "import kit\nopen('linked/x.json')\nimport linked") == KIT


def test_what_is_no_file_is_no_companion(hw):
    os.mkfifo(hw / "pipe")
    (hw / "folder.json").mkdir()
    assert needed(hw, "open('pipe')\nopen('folder.json')") == []


def test_too_much_is_refused(hw, monkeypatch):
    monkeypatch.setattr(module, "MOST_MIB", 1)
    source = "open('table.json')"
    (hw / "table.json").write_bytes(bytes((1 << 20) - len(source)))
    assert needed(hw, source) == ["table.json"]
    (hw / "table.json").write_bytes(bytes((1 << 20) - len(source) + 1))
    with pytest.raises(BadSubmissionError, match=r"^expected at most 1 MiB and 2000 files .*, found more at 'table.json'$"):
        needed(hw, source)
    monkeypatch.setattr(module, "_MOST_FILES", 2)
    with pytest.raises(BadSubmissionError, match="expected at most 1 MiB and 2 files"):
        needed(hw, "import ann, bob")


def test_a_file_that_cannot_be_read_is_refused(hw, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    (hw / "my_player.py").write_text("open('table.json')")
    opened = module.open_regular
    monkeypatch.setattr(module, "open_regular", lambda path: refuse(path) if path.suffix == ".json" else opened(path))
    with pytest.raises(BadSubmissionError, match=r"^'table.json', which it needs, cannot be read: Permission denied$"):
        companions(hw / "my_player.py")


# Hints


HINTS = [
    ("FileNotFoundError: [Errno 2] No such file or directory: 'table.json' (my_player.py, line 1)", "table.json"),
    ("FileNotFoundError: [Errno 2] No such file or directory: '/player/table.json'", "player/table.json"),
    ("FileNotFoundError: [Errno 2] No such file or directory: 'tables/x.json'", "tables/x.json"),
    ("ModuleNotFoundError: No module named 'helper'", "helper"),
    ("ModuleNotFoundError: No module named 'tensorflow'", ""),
    ("FileNotFoundError: [Errno 2] No such file or directory: 'none.json'", ""),
    ("ZeroDivisionError: division by zero", ""),
]


@pytest.mark.parametrize(("detail", "name"), HINTS)
def test_who_misses_a_file_that_lies_beside_is_told_why(hw, detail, name):
    said = hint(hw / "ann.py", detail)
    assert said.startswith(f"{name} lies beside it, but only such files come along") if name else said == ""
    assert hint(hw, detail) == ""
