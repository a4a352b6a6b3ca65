"""Under which name compiled programs are kept, and what is wrong with those that do not compile."""

from types import SimpleNamespace

import pytest

from gojudge.errors import HarnessFaultError
from gojudge.sandbox import compilers, launching, leftovers
from tests.support.missing import skip_if

RECIPE = compilers.Recipe(("true",), ("true",), ("true",), "")


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_the_same_contents_have_one_name_others_another(tmp_path):
    for name, text in (("ann", "x"), ("bob", "x"), ("cy", "y")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "my_player.cpp").write_text(text)
    ann, bob, cy = (compilers.cache_key(tmp_path / name, RECIPE) for name in ("ann", "bob", "cy"))
    assert ann == bob != cy
    assert ann != compilers.cache_key(tmp_path / "ann", compilers.Recipe(("false",), ("true",), ("true",), ""))


def test_without_room_for_what_may_be_built_nothing_is_compiled(monkeypatch):
    monkeypatch.setattr(compilers.shutil, "disk_usage", lambda folder: SimpleNamespace(free=5 << 20))
    with pytest.raises(HarnessFaultError, match=r"compiled programs cannot be kept: .*expected room for 256 MiB, got 5 MiB"):
        compilers.find_kept("3" * 64)


def test_what_is_kept_is_found_without_room_for_more(tmp_path, monkeypatch):
    (tmp_path / "alice").mkdir()
    assert compilers.find_kept("4" * 64) is None
    kept = compilers.keep("4" * 64, tmp_path / "alice", {"my_player": "Zm9v"})
    monkeypatch.setattr(compilers.shutil, "disk_usage", lambda folder: SimpleNamespace(free=5 << 20))
    assert compilers.find_kept("4" * 64) == kept


@pytest.mark.parametrize("name", ["../my_player", "/tmp/my_player", "a/../../b", "a//b", ""])
def test_what_was_built_lies_in_its_own_folder_whoever_says_its_name(tmp_path, name):
    (tmp_path / "alice").mkdir()
    with pytest.raises(OSError, match="expected the name of a file"):
        compilers.keep("2" * 64, tmp_path / "alice", {name: "Zm9v"})
    assert not list(leftovers.cache_folder(compilers.COMPILED).iterdir())


def test_without_a_locale_of_utf_8_java_programs_are_told_so_and_no_other(monkeypatch):
    skip_if(compilers.why_not_here("my_player.java"))
    monkeypatch.setattr(compilers, "_LOCALES", ("xx_XX.UTF-8",))
    compilers.utf8_locale.cache_clear()
    try:
        assert compilers.why_not_here("my_player.java").startswith("Java programs need a locale of UTF-8, and none")
        assert [compilers.why_not_here(entry) for entry in ("my_player3.py", "my_player.cpp")] == ["", ""]
        assert launching.environment("/tmp")["LANG"] == "C"
    finally:
        compilers.utf8_locale.cache_clear()


def test_an_old_system_s_locale_does_as_well(monkeypatch):
    monkeypatch.setattr(compilers, "_LOCALES", ("xx_XX.UTF-8", compilers.utf8_locale()))
    compilers.utf8_locale.cache_clear()
    try:
        assert launching.environment("/tmp")["LANG"] == compilers._LOCALES[1]
    finally:
        compilers.utf8_locale.cache_clear()


@pytest.mark.parametrize(
    ("entry", "options"), [("my_player.cpp", []), ("my_player11.cpp", ["-std=c++11"]), ("other.cpp", [])]
)
def test_a_program_is_compiled_as_the_course_does_with_all_files_but_those_of_the_other_name(entry, options, tmp_path):
    for name in ("my_player.cpp", "my_player11.cpp", "board.cpp", "board.h", "other.cpp"):
        (tmp_path / name).touch()
    sources = ["./board.cpp", *sorted({f"./{entry}", "./other.cpp"})]
    command = ("g++", "-O2", *options, "-o", f"{compilers.BUILT}/my_player")
    assert compilers.recipe_for(entry, tmp_path).build == ((*command, *sources), (*command, f"./{entry}"))


def test_a_class_with_a_long_name_is_shown_in_sixty_characters():
    said = f"error: class {'Player' * 20} is public, should be declared in a file named"
    shown = compilers.compiler_complaint("my_player.java", said).rpartition(" found ")[2]
    assert len(shown) == 60
    assert ("Player" * 20).startswith(shown.removesuffix("..."))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("/tmp/a.s: Assembler messages:\n/tmp/a.s:9: Error: no such instruction: `jumpp'\n",
         "/tmp/a.s:9: Error: no such instruction: `jumpp'"),
        ("The system is out of resources.\njava.lang.StackOverflowError\n\tat com.sun\n", "java.lang.StackOverflowError"),
        ("a.cpp:1:9: warning: unused 'error: no'\n    1 | int error: error; // error: yes\na.cpp:2:5: error: expected ';'\n",
         "a.cpp:2:5: error: expected ';'"),
        ("a.cpp:1:2: warning: #warning x: error: y\n 1234567 | #warning a:1:1: error: undefined reference to z\n", ""),
        ("a.cpp:9:1: fatal error: no.h: No such file\n", "a.cpp:9:1: fatal error: no.h: No such file"),
        ("g++: internal compiler error: Killed (program cc1plus)\n", "g++: internal compiler error: Killed (program cc1plus)"),
        ("ld: a.o: in function `error':\na.cpp:(.text+0x9): undefined reference to `f()'\ncollect2: error: ld returned 1\n",
         "undefined reference to `f()'"),
        ("./A.java:3: warning: [removal] error in B\n  error.stop();\n       ^\n./A.java:4: error: ';' expected\n",
         "./A.java:4: error: ';' expected"),
        ("error: file not found: ./A.java\n", "error: file not found: ./A.java"),
    ],
)  # fmt: skip
def test_a_line_of_the_compiler_itself_is_told(said, told):
    assert compilers.compiler_complaint("my_player.cpp", said) == told


def test_a_package_with_a_long_name_is_shown_in_sixty_characters(tmp_path):
    name = ".".join(["part"] * 20)
    (tmp_path / "my_player.java").write_text(f"// mine\npackage {name};\nclass my_player {{}}\n")
    where, statement, why = compilers.package_complaint("my_player.java", tmp_path).split("`", 2)
    assert (where, len(statement)) == ("my_player.java, line 2: ", 60)
    assert f"package {name}".startswith(statement.removesuffix("..."))
    assert why.startswith(": the class must be in no package")


def test_a_comment_without_an_end_takes_all_the_rest():
    """Else the end of each is looked for in all that follows, which takes the square of their number, outside the sandbox."""
    assert compilers._COMMENTS.findall("/* 1 */ package\n/* 2\n/* 3 // 4\n") == ["/* 1 */", "/* 2\n/* 3 // 4\n"]
