"""Names, files and classes that give a player, and those that do not."""

import builtins
import importlib.util
import os
import random
import sys

import pytest

from go import GO
from goban.rulesets import PRESETS, ruleset
from players import registry
from players.errors import BadPlayerError
from players.registry import NAMES, PlayerMaker, check_game, make_player

PLAYER = """
class MyPlayer:
    type = "visitor"
    def get_input(self, go, piece_type): return 0, 0
class Other(MyPlayer): type = "other"
class Chancy(MyPlayer):
    def __init__(self, size=5, *, rng): self.rng = rng
"""


GET_INPUT = "    def get_input(self, go, piece_type): return 0, 0\n"


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name.startswith("visit"):
            del sys.modules[name]


def write(text, name="visitor.py"):
    with open(name, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())


def refusal(name):
    with pytest.raises(BadPlayerError) as caught:
        make_player(name, random.Random(1))
    message = str(caught.value)
    assert "\n" not in message
    return message


PROGRAMS = [name for name in NAMES if name != "manual"]


@pytest.mark.parametrize("name", [*PROGRAMS, "manual"])
def test_every_name_gives_a_player_of_that_type(name):
    player = make_player(name, random.Random(1))
    assert player.type == name
    assert callable(player.get_input)


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_program_answers_with_a_legal_point(name):
    i, j = make_player(name, random.Random(1)).get_input(GO(5), 1)
    assert GO(5).valid_place_check(i, j, 1)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_generator_decides_every_choice(name):
    first, second = (make_player(name, random.Random("a")) for _ in range(2))
    assert [first.get_input(GO(5), 1) for _ in range(5)] == [second.get_input(GO(5), 1) for _ in range(5)]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("visitor.py", "visitor"),
        ("./visitor.py", "visitor"),
        ("visitor.py:Other", "other"),
        ("visitor:MyPlayer", "visitor"),
        ("visitor:Other", "other"),
        ("my player, old.py", "visitor"),
        ("random.py", "visitor"),
    ],
)
def test_a_file_or_module_and_its_class(name, kind):
    for file in ("visitor.py", "my player, old.py", "random.py"):
        write(PLAYER, file)
    assert make_player(name, random.Random(1)).type == kind


@pytest.mark.parametrize("name", ["my", "qlearner", "championship"])
def test_a_students_file_does_not_take_the_place_of_ours(name):
    write(PLAYER, "my_player.py")
    player = make_player(name, random.Random(1))
    assert player.get_input(GO(5), 1) != (0, 0)


def test_only_a_class_that_asks_for_it_is_given_the_generator():
    write(PLAYER)
    rng = random.Random(1)
    assert make_player("visitor.py:Chancy", rng).rng is rng
    assert not hasattr(make_player("visitor.py", rng), "rng")


def test_a_file_is_read_anew_each_time_and_nothing_is_left_beside_it():
    for kind in ("one", "two"):
        write(PLAYER.replace("visitor", kind))
        assert make_player("visitor.py", random.Random(1)).type == kind
    assert os.listdir() == ["visitor.py"]


def test_a_file_is_not_run_as_a_program_and_inherits_no_future_import():
    write(PLAYER + "assert __name__ != '__main__'\ndef f(x: int): pass\nassert f.__annotations__ == {'x': int}\n")
    make_player("visitor.py", random.Random(1))


@pytest.mark.parametrize("name", ["nobody", "", ":", "visitor", "visitor.py:", ":MyPlayer", "visitor.py:no class", "a.txt"])
def test_a_wrong_name_lists_the_choices(name):
    message = refusal(name)
    assert message.startswith(f"expected a player ({', '.join(NAMES)}), a file.py, a file.py:Class or a module:Class, got ")
    assert message.endswith(repr(name))


def test_each_file_imports_the_modules_that_lie_beside_it_and_nobody_else_does():
    source = "import visit_rows, visit_tree.depths\nclass MyPlayer:\n    def get_input(self, go, piece_type):\n"
    source += "        return visit_rows.ROW, visit_tree.depths.DEPTH\n"
    for folder, row in (("one", 1), ("two", 2)):
        os.makedirs(f"{folder}/visit_tree")
        write(source, f"{folder}/my_player.py")
        write(f"ROW = {row}\n", f"{folder}/visit_rows.py")
        write("", f"{folder}/visit_tree/__init__.py")
        write("DEPTH = 3\n", f"{folder}/visit_tree/depths.py")
    paths, players = list(sys.path), [make_player(f"{folder}/my_player.py", random.Random(1)) for folder in ("one", "two")]
    assert [player.get_input(None, 1) for player in players] == [(1, 3), (2, 3)]
    assert sys.path == paths
    assert not [name for name in sys.modules if name.startswith("visit")]
    assert sorted(os.listdir("one")) == ["my_player.py", "visit_rows.py", "visit_tree"]
    assert sorted(os.listdir("one/visit_tree")) == ["__init__.py", "depths.py"]


def test_what_lies_beside_a_file_is_its_own_whatever_the_project_calls_its_own_rooms():
    import goban.solver.solver

    os.makedirs("one/players")
    source = "import players.search\nclass MyPlayer:\n    def get_input(self, go, piece_type):\n"
    source += "        return players.search.best()\n"
    write(source, "one/my_player.py")
    write("", "one/players/__init__.py")
    write("from players.registry import BEST\ndef best(): return BEST\n", "one/players/search.py")
    write("BEST = 3, 1\n", "one/players/registry.py")
    write("raise RuntimeError('never looked at')\n", "one/goban.py")
    registry = sys.modules["players.registry"]
    assert make_player("one/my_player.py", random.Random(1)).get_input(None, 1) == (3, 1)
    assert sys.modules["players.registry"] is registry
    assert sys.modules["goban.solver.solver"] is goban.solver.solver


def test_what_lies_beside_a_file_is_found_when_it_is_made_and_when_it_is_asked():
    source = "class MyPlayer:\n    def __init__(self):\n        import visit_made\n        self.made = visit_made\n"
    source += "    def get_input(self, go, piece_type):\n        import visit_made, visit_asked\n"
    source += "        visit_asked.TIMES += 1\n        assert visit_made is self.made\n"
    source += "        return visit_made.ROW, visit_asked.TIMES\n"
    for folder, row in (("one", 1), ("two", 2)):
        os.makedirs(folder)
        write(source, f"{folder}/my_player.py")
        write(f"ROW = {row}\n", f"{folder}/visit_made.py")
        write(f"TIMES = {10 * row}\n", f"{folder}/visit_asked.py")
    paths, players = list(sys.path), [make_player(f"{folder}/my_player.py", random.Random(1)) for folder in ("one", "two")]
    found = [player.get_input(None, 1) for _ in range(2) for player in players]
    assert found == [(1, 11), (2, 21), (1, 12), (2, 22)]
    assert sys.path == paths
    assert not [name for name in sys.modules if name.startswith("visit")]
    assert sorted(os.listdir("one")) == ["my_player.py", "visit_asked.py", "visit_made.py"]


def test_a_player_may_make_another_of_its_own_file_while_it_is_asked():
    source = "import random\nfrom players.registry import make_player\nclass MyPlayer:\n"
    source += "    def get_input(self, go, piece_type):\n        import visit_rows\n        if go == 0:\n"
    source += "            return visit_rows.ROW\n"
    source += "        found = make_player(__file__, random.Random(1)).get_input(0, piece_type)\n        import visit_later\n"
    source += "        return found + visit_later.ROW\n"
    os.makedirs("one")
    write(source, "one/my_player.py")
    write("ROW = 1\n", "one/visit_rows.py")
    write("ROW = 2\n", "one/visit_later.py")
    paths, player = list(sys.path), make_player("one/my_player.py", random.Random(1))
    assert [player.get_input(1, 1) for _ in range(2)] == [3, 3]
    assert sys.path == paths
    assert not [name for name in sys.modules if name.startswith("visit")]


def test_packages_that_a_file_imports_from_elsewhere_are_everybodys():
    os.makedirs("home/site/visit_library")
    write("", "home/site/visit_library/__init__.py")
    write(f"import sys\nsys.path.append('site')\nimport visit_library\nclass MyPlayer:\n{GET_INPUT}", "home/p.py")
    try:
        make_player("home/p.py", random.Random(1))
        assert "visit_library" in sys.modules
    finally:
        sys.path.remove("site")


def after(code):
    """A player whose file does something first."""
    return f"{code}\nclass MyPlayer:\n{GET_INPUT}"


BAD_FILES = [
    ("syntax error", "x = 1\ndef f(:\n", "visitor.py, line 2: SyntaxError: invalid syntax"),
    ("indentation", "class MyPlayer:\npass\n", "visitor.py, line 2: IndentationError: expected an indented block"),
    ("not UTF-8", b"x = 1\ny = '\xff\xfe'\n", "visitor.py, line 2: expected utf-8 text, got the byte 0xff; save it as UTF-8"),
    ("NUL bytes", b"x = 1\0\n", "visitor.py, line 1: expected text, got a NUL byte"),
    ("raises", after("import json\n\njson.loads('{')"), "JSONDecodeError: Expecting property name"),
    ("raises, line", after("import json\n\njson.loads('{')"), "(visitor.py, line 3)"),
    ("exits", after("import sys\nsys.exit(3)"), "player 'visitor.py': it calls sys.exit() (visitor.py, line 2)"),
    ("exits hard", after("raise BaseException('a\\nb')"), r"BaseException: a\nb (visitor.py, line 1)"),
    ("silent error", after("class E(Exception):\n  def __str__(self): return 1 / 0\nraise E"), "visitor.py': E: (its message"),
    ("empty", "", "visitor.py: expected a class MyPlayer, found no class"),
    ("other names", "import random\nclass A: pass\nclass B: pass\n", "found A, B"),
    ("no class", "def MyPlayer(): pass\n", "visitor.py: expected a class MyPlayer, found no class"),
    ("no get_input", "class MyPlayer: pass\n", "visitor.py, line 1: expected a method get_input(self, go, piece_type)"),
    ("no method", "class MyPlayer: get_input = 5\n", "expected a method get_input(go, piece_type), but it has none"),
    ("needs arguments", f"class MyPlayer:\n    def __init__(self, depth): pass\n{GET_INPUT}", "argument: 'depth'"),
    ("cannot be made", f"class MyPlayer:\n    def __init__(self):\n        1 / 0\n{GET_INPUT}", "by zero (visitor.py, line 3)"),
    ("exits when made", f"class MyPlayer:\n    def __init__(self): exit(0)\n{GET_INPUT}", "sys.exit() (visitor.py, line 2)"),
    ("hides its method", "class MyPlayer:\n    @property\n    def get_input(self): return 1 / 0\n", "(visitor.py, line 3)"),
]


@pytest.mark.parametrize(("text", "reason"), [case[1:] for case in BAD_FILES], ids=[case[0] for case in BAD_FILES])
def test_a_bad_file_is_refused_in_one_line(text, reason):
    write(text)
    message = refusal("visitor.py")
    assert reason in message
    assert "'visitor.py'" in message


def test_a_refused_file_leaves_no_module_behind():
    write(after("1 / 0"))
    before = set(sys.modules)
    refusal("visitor.py")
    assert set(sys.modules) <= before


def test_a_file_that_cannot_be_read():
    os.mkdir("folder.py")
    assert refusal("folder.py") == "player file 'folder.py' cannot be read: Is a directory"
    assert refusal("none.py:A") == "player file 'none.py' cannot be read: No such file or directory"
    assert refusal("visitor\0.py") == r"player file 'visitor\x00.py' cannot be read: embedded null byte"
    assert refusal("x" * 300 + ".py").endswith("cannot be read: File name too long")


def test_a_folder_and_a_file_of_another_name_are_told_as_that():
    for path in ("mine", "empty", "random"):
        os.mkdir(path)
    for file in ("mine/my_player.py", "visitor.py", "visitor.py.txt", "my_player.java"):
        write("", file)
    inside = os.path.join("mine", "my_player.py")
    assert refusal("mine") == f"player 'mine': expected a file.py, got a folder; did you mean {inside}?"
    assert refusal("empty") == "player 'empty': expected a file.py, got a folder"
    assert refusal("visitor") == "player 'visitor': expected a file.py; did you mean visitor.py?"
    assert refusal("visitor.py.txt") == "player 'visitor.py.txt': expected a file whose name ends in .py"
    assert refusal("my_player.java").endswith("name ends in .py; a program is asked by `python3 -m tournament play`")
    assert make_player("random", random.Random(1))


def test_a_module_that_cannot_be_imported():
    write("1 / 0\n", "visit_broken.py")
    assert refusal("visit_none:A") == (
        "module 'visit_none' cannot be imported: ModuleNotFoundError: No module named 'visit_none'"
    )
    assert "ZeroDivisionError" in refusal("visit_broken:A")
    assert "cannot be imported" in refusal("..:A")
    assert refusal("players.registry:NAMES").startswith("'players.registry': expected a class NAMES, found Player")


def test_ctrl_c_while_a_player_is_loaded_is_no_fault_of_the_player():
    write(after("x = 1\nraise KeyboardInterrupt"))
    with pytest.raises(KeyboardInterrupt) as caught:
        make_player("visitor.py", random.Random(1))
    assert caught.value.__notes__ == ["visitor.py, line 2: loops at module level"]


@pytest.mark.parametrize("name", ["Greedy", "GREEDY", "My"])
def test_the_case_of_a_name_does_not_matter(name):
    assert make_player(name, random.Random(1)).type == name.lower()


@pytest.mark.parametrize(
    ("name", "said"),
    [("greddy", "did you mean greedy?"), ("Agressive", "did you mean aggressive?"), ("nobody", "got 'nobody'")],
)
def test_a_mistyped_name_is_understood(name, said):
    assert refusal(name).endswith(said)


GAMES = [("course", 5), ("course", 7), ("littlego", 5), ("littlego", 19), ("alphago7", 5), ("aga", 9)]


KNOWN = {"perfect": 3, "zero": 3, "Zero:simulations=0": 3}  # name -> how many of those 5x5 games, from the first, it plays
FIVE = [("course", 5), ("littlego", 5), ("alphago7", 5)]


@pytest.mark.parametrize(("rules", "size"), GAMES)
@pytest.mark.parametrize("name", KNOWN)
def test_a_player_for_some_games_only_is_refused_for_the_others(name, rules, size):
    """As it would refuse them itself when it is asked for a move."""
    if (rules, size) in FIVE[: KNOWN[name]]:
        check_game(name, ruleset(rules), size)
        return
    with pytest.raises(BadPlayerError, match=f"^player '{name}': expected ") as caught:
        check_game(name, ruleset(rules), size)
    with pytest.raises(ValueError, match=r"^expected ") as asked:
        make_player(name, random.Random(1)).get_input(GO(size, ruleset(rules)), 1)
    assert str(caught.value) == f"player '{name}': {asked.value}"


@pytest.mark.parametrize("name", sorted(NAMES.keys() - {"perfect", "zero"}))
def test_all_others_play_every_game(name):
    for rules in PRESETS.values():
        check_game(name, rules, 2)
        check_game(name, rules, 19)


def test_of_files_classes_and_engines_it_is_not_known():
    for name in ("visitor.py", "visitor.py:Other", "visitor:Other", "gtp:gnugo", "nobody"):
        check_game(name, ruleset("course"), 7)


def test_a_player_that_would_take_minutes_without_a_package_says_which(monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(registry, "find_spec", lambda name: None if name == "numba" else find(name))
    assert refusal("perfect") == "player 'perfect' needs numba, which is not installed: make install, then run .venv/bin/python"
    assert make_player("championship", random.Random(1)).type == "championship"


# The games of a match


COUNTED = "import builtins\nbuiltins.visit_loads = getattr(builtins, 'visit_loads', 0) + 1\n"


@pytest.fixture
def loads(monkeypatch):
    """How often a file that counts has been loaded."""
    monkeypatch.setattr("builtins.visit_loads", 0, raising=False)
    return lambda: builtins.visit_loads


def games_of(name, number=3):
    maker = PlayerMaker(name, random.Random(1))
    for _ in range(number):
        player = maker.next_player()
        player.get_input(GO(5), 1)
        yield player


@pytest.mark.parametrize("name", ["visitor.py", "visitor:MyPlayer"])
def test_each_game_has_a_new_object_of_a_file_that_is_loaded_once(name, loads):
    write(f"{COUNTED}SEEN = [5]\nclass MyPlayer:\n{GET_INPUT}")
    assert len({id(player) for player in list(games_of(name))}) == 3
    assert loads() == 1


@pytest.mark.parametrize("name", ["greedy", "my"])
def test_the_projects_own_players_play_all_games_with_one_object(name):
    assert len({id(player) for player in list(games_of(name))}) == 1


REMEMBERING = ["SEEN.append(go.n_move)", "MyPlayer.seen += 1", "NOTE.seen = 1", "import visit_rows; visit_rows.SEEN.add(1)",
               "global TURN; TURN += 1", "DRAWS.random()"]  # fmt: skip


@pytest.mark.parametrize("what", REMEMBERING)
def test_a_file_that_remembers_something_is_loaded_anew(what, loads):
    os.mkdir("one")
    write("SEEN = set()\n", "one/visit_rows.py")
    source = f"{COUNTED}import random, visit_rows\nSEEN, TURN, DRAWS = [], 0, random.Random(1)\nclass Note: seen = 0\n"
    source += f"NOTE = Note()\nclass MyPlayer:\n    seen = 0\n    def get_input(self, go, piece_type):\n        {what}\n"
    source += "        return len(SEEN), self.seen, NOTE.seen, len(visit_rows.SEEN), TURN\n"
    write(source, "one/visitor.py")
    maker = PlayerMaker("one/visitor.py", random.Random(1))
    answers = [maker.next_player().get_input(GO(5), 1) for _ in range(3)]
    assert answers == answers[:1] * 3
    assert loads() == 3
