"""Which file plays: the course's names first, then what the sources say, never by running them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gojudge.errors import BadSubmissionError
from gojudge.intake.player_files import Found, find_player
from gojudge.records import CLASS, PROGRAM

ROOT = Path(__file__).parents[3]
HEAD = "class {}:\n    def get_input(self, go, piece_type):\n        return 0, 0\n"
PLAYER = HEAD.format("MyPlayer")
READS = "from read import readInput\nprint(readInput(5))\n"
BOTH = f"{PLAYER}if __name__ == '__main__':\n    print(open('input.txt').read())\n"
TRIES_ITSELF = f"{PLAYER}if __name__ == '__main__':\n    MyPlayer()\n"
COURSE = (CLASS,)
LITTLEGO = (CLASS, PROGRAM)
DECIDES = "; a roster's columns entry and class can say which plays"


def found(files, kinds=LITTLEGO, class_name="", entry=""):
    files = {name: data.encode() if isinstance(data, str) else data for name, data in files.items()}
    return find_player(files, class_name, kinds, entry)


def plays(*arguments, **named):
    place = found(*arguments, **named)
    return f"{place.folder}{'/' if place.folder else ''}{place}"


def complaint(*arguments, **named):
    with pytest.raises(BadSubmissionError) as caught:
        found(*arguments, **named)
    assert str(caught.value).isprintable()
    return str(caught.value)


EITHER = [
    ({"my_player.py": PLAYER, "table.bin": b"\0", "other.py": PLAYER}, "my_player.py (class MyPlayer)"),
    ({"hw2/my_player.py": PLAYER, "hw2/old/my_player.py": PLAYER}, "hw2/my_player.py (class MyPlayer)"),
    ({"a/b/my_player.py": PLAYER, "readme.py": b"x = 1"}, "a/b/my_player.py (class MyPlayer)"),
    ({"alice.py": PLAYER, "helpers.py": b"x = 1", "read.txt": b"\0"}, "alice.py (class MyPlayer)"),
    ({"my_player.py": HEAD.format("Agent")}, "my_player.py (class Agent)"),
    ({"my_player.py": HEAD.format("Agent") + PLAYER}, "my_player.py (class MyPlayer)"),
    ({"my_player.py": PLAYER, "dummy.py": "print 'never plays'"}, "my_player.py (class MyPlayer)"),
    ({"agent.py": PLAYER, "dummy.py": "print 'never plays'"}, "agent.py (class MyPlayer)"),
    ({"agent.py": PLAYER, "play.py": "from agent import MyPlayer\n"}, "agent.py (class MyPlayer)"),
    # The course's own modules, as many hand them in.
    ({"my_player.py": PLAYER, "host.py": "from read import *\nclass GO: pass"}, "my_player.py (class MyPlayer)"),
    ({"agent.py": PLAYER, "host.py": "from read import *", "random_player.py": PLAYER}, "agent.py (class MyPlayer)"),
]


@pytest.mark.parametrize(("files", "player"), EITHER)
@pytest.mark.parametrize("kinds", [COURSE, LITTLEGO])
def test_a_class_is_found_under_all_rules(files, kinds, player):
    assert plays(files, kinds) == player


IN_LITTLEGO = [
    ({"my_player.py": PLAYER, "my_player3.py": READS}, "my_player3.py (a program)"),
    ({"my_player3.py": b"x = 1", "my_player.java": b""}, "my_player3.py (a program)"),
    ({"d/my_player11.cpp": b"int main() {}"}, "d/my_player11.cpp (a program)"),
    # The order of the course's script.
    ({"my_player11.cpp": b"int main() {}", "my_player.java": b"class my_player {}"}, "my_player.java (a program)"),
    ({"my_player.java": b"class my_player {}", "my_player.cpp": b"int main() {}"}, "my_player.cpp (a program)"),
    ({"my_player.java": b"class my_player {}"}, "my_player.java (a program)"),
    ({"my_player.py": b"open('input.txt')"}, "my_player.py (a program)"),
    ({"my_player.py": READS, "my_player3.py": READS}, "my_player.py (a program)"),
    ({"my_player.py": PLAYER, "my_player.cpp": "int main() {}"}, "my_player.cpp (a program)"),
    # Neither `import *` nor a class makes a class of a program.
    ({"my_player.py": f"from host import *\n{READS}"}, "my_player.py (a program)"),
    ({"my_player.py": BOTH}, "my_player.py (a program)"),
    ({"my_player.py": TRIES_ITSELF}, "my_player.py (a program)"),
    ({"my_player3.py": BOTH, "host.py": "from my_player3 import *"}, "my_player3.py (a program)"),
    ({"my_player3.py": HEAD.format("Agent")}, "my_player3.py (class Agent)"),
    # Python 2 as the course ran it; the other file is one we can run.
    ({"my_player.py": "print 'input.txt'", "my_player3.py": READS}, "my_player3.py (a program)"),
    ({"alice.py": READS, "helper.py": PLAYER}, "alice.py (a program)"),
]


@pytest.mark.parametrize(("files", "player"), IN_LITTLEGO)
def test_programs_come_first_in_littlego(files, player):
    assert plays(files) == player


UNDER_COURSE = [
    ({"my_player.py": BOTH}, "my_player.py (class MyPlayer)"),
    ({"my_player3.py": BOTH}, "my_player3.py (class MyPlayer)"),
    ({"my_player3.py": BOTH.replace("MyPlayer", "Minimax")}, "my_player3.py (class Minimax)"),
    ({"my_player.py": PLAYER, "my_player3.py": BOTH}, "my_player.py (class MyPlayer)"),
    ({"my_player.py": READS, "my_player3.py": BOTH}, "my_player3.py (class MyPlayer)"),
    ({"my_player.cpp": "int main() {}", "agent.py": PLAYER}, "agent.py (class MyPlayer)"),
]


@pytest.mark.parametrize(("files", "player"), UNDER_COURSE)
def test_classes_play_under_course_whatever_their_file_is_called(files, player):
    assert plays(files, COURSE) == player


@pytest.mark.parametrize("entry", ["my_player3.py", "my_player.cpp", "my_player.java"])
@pytest.mark.parametrize("data", [b"", b"\r\n \n"])
def test_an_empty_program_is_said_to_be_empty(entry, data):
    assert complaint({entry: data, "helper.py": PLAYER}) == f"{entry}: the file is empty"


def test_what_else_could_have_played_is_named():
    files = {"my_player.py": PLAYER, "my_player3.py": READS, "my_player.cpp": "int main() {}", "host.py": PLAYER}
    others = ("my_player.cpp (a program)", "my_player.py (class MyPlayer)")
    assert found(files) == Found("", "my_player3.py", PROGRAM, "", others)
    assert found(files, COURSE).others == ()
    assert found({"my_player.py": BOTH}).others == ()
    assert found({"my_player.py": TRIES_ITSELF}).others == ("class MyPlayer in it",)
    assert found({"alice.py": PLAYER, "agent.py": HEAD.format("Agent")}).others == ("agent.py (class Agent)",)


ROSTERS = [
    ({"my_player3.py": READS, "my_player.py": PLAYER}, {"entry": "my_player.py"}, "my_player.py (class MyPlayer)"),
    ({"my_player3.py": READS, "src/agent.py": PLAYER}, {"entry": "src/agent.py"}, "src/agent.py (class MyPlayer)"),
    ({"my_player3.py": READS, "src/agent.py": PLAYER}, {"entry": "agent.py"}, "src/agent.py (class MyPlayer)"),
    ({"my_player.py": PLAYER, "mine.cpp": "int main() {}"}, {"entry": "mine.cpp"}, "mine.cpp (a program)"),
    ({"my_player3.py": BOTH}, {"class_name": "MyPlayer"}, "my_player3.py (class MyPlayer)"),
    ({"my_player3.py": READS, "a.py": HEAD.format("A")}, {"class_name": "A"}, "a.py (class A)"),
    ({"a.py": PLAYER + HEAD.format("B")}, {"entry": "a.py", "class_name": "B"}, "a.py (class B)"),
]


@pytest.mark.parametrize(("files", "said", "player"), ROSTERS)
def test_a_roster_decides(files, said, player):
    assert plays(files, **said) == player


RANDOM = """import random
class RandomPlayer:
    def __init__(self):
        self.type = "random"
    def get_input(self, go, piece_type):
        legal = []
        for i in range(go.size):
            for j in range(go.size):
                if go.valid_place_check(i, j, piece_type, test_check=True):
                    legal.append((i, j))
        return random.choice(legal) if legal else "PASS"
"""
RENAMED = RANDOM.replace("RandomPlayer", "Agent").replace("legal", "moves").replace("random\"", "mine\"")
BROKEN = "class MyPlayer:\n    def get_input(self, go, piece_type):\n        return bestt\n  x = 1\n"
UNCLOSED = "from read import readInput\nprint(1\n"

# With the course's random player beside each of them, as it lies in every student's folder.
DECIDING = [
    ({"my_player.py": BROKEN}, "my_player.py, line 4: IndentationError: unindent does not match any outer indentation level"),
    ({"my_player.py": PLAYER.replace("get_input", "getInput")},
     "my_player.py, line 1: expected a method get_input(self, go, piece_type) in class MyPlayer, found getInput"),
    ({"my_player.py": "class Myplayer:\n    pass\ndef get_input(go, piece_type):\n    return 2, 2\n"},
     "my_player.py: expected a class MyPlayer, found Myplayer; call it MyPlayer"),
    ({"my_player.py": "x = 1"}, "my_player.py: expected a class MyPlayer, found no class"),
    ({"my_player.py": "x = 1", "agent.py": PLAYER}, "my_player.py: expected a class MyPlayer, found no class"),
    ({"my_player.py": "print 1"}, "my_player.py, line 1: SyntaxError: Missing parentheses in call to 'print'. Did you mean "
     "print(...)? (this looks like Python 2)"),
    ({"my_player.py": b"x = '\xe9'"}, "my_player.py, line 1: expected utf-8 text, got the byte 0xe9; save it as UTF-8"),
    ({"my_player3.py": BROKEN}, "my_player3.py, line 4: IndentationError: unindent does not match any outer indentation level"),
]  # fmt: skip


@pytest.mark.parametrize(("files", "line"), DECIDING)
@pytest.mark.parametrize("kinds", [COURSE, LITTLEGO])
@pytest.mark.parametrize("other", [RANDOM, READS])
def test_a_file_with_the_courses_name_decides_also_when_it_is_broken(files, line, kinds, other):
    assert complaint({**files, "random_player.py": other, "host.py": "", "helper.py": PLAYER}, kinds) == line


def test_a_broken_program_decides_under_littlego_and_a_broken_class_gives_way_to_a_program():
    line = "my_player3.py, line 2: SyntaxError: '(' was never closed"
    assert complaint({"my_player3.py": UNCLOSED, "random_player.py": READS}) == line
    assert complaint({"my_player3.py": UNCLOSED, "my_player.py": PLAYER}) == line
    assert complaint({"my_player.py": UNCLOSED, "my_player3.py": READS}).startswith("my_player.py, line 2: SyntaxError: ")
    assert plays({"my_player.py": BROKEN, "my_player3.py": READS}) == "my_player3.py (a program)"
    assert plays({"my_player3.py": UNCLOSED, "my_player.py": PLAYER}, COURSE) == "my_player.py (class MyPlayer)"
    assert complaint({"my_player.py": BROKEN, "my_player3.py": BOTH}, COURSE).startswith("my_player.py, line 4: ")


def test_a_program_that_leaves_all_to_its_modules_is_told_where_programs_play():
    files = {"my_player.py": "from moves import answer\nif __name__ == '__main__':\n    answer()\n", "moves.py": READS}
    line = "my_player.py: expected a class MyPlayer, found a program that has a main part"
    assert complaint(files, COURSE) == f"{line}; those play under the rules 'littlego' only"


def test_a_roster_decides_over_a_broken_file():
    files = {"my_player.py": BROKEN, "random_player.py": RANDOM, "agent.py": PLAYER}
    assert plays(files, entry="agent.py") == "agent.py (class MyPlayer)"
    assert plays(files, entry="random_player.py") == "random_player.py (class RandomPlayer)"


ONLY_HANDOUTS = [
    {"random_player.py": PLAYER, "host.py": "from agent import *"},
    {"random_player.py": RANDOM},
    {"Random_Player.py": RANDOM, "go_play.py": "if __name__ == '__main__': pass"},
    {"agent.py": RENAMED, "read.py": "", "write.py": ""},
    {"agent.py": (ROOT / "players/greedy_player.py").read_text()},
    {"mine.py": (ROOT / "players/smart_player.py").read_text().replace("SmartPlayer", "MyPlayer")},
    {"game.py": (ROOT / "gojudge/inside/course_modules/host.py").read_text() + "if __name__ == '__main__':\n    GO(5)\n"},
]


@pytest.mark.parametrize("files", ONLY_HANDOUTS)
@pytest.mark.parametrize("kinds", [COURSE, LITTLEGO])
def test_the_courses_own_files_never_play_for_a_student(files, kinds):
    names = ", ".join(sorted(files))
    wanted = "my_player.py" if kinds == COURSE else PROGRAMS
    assert complaint(files, kinds) == f"expected {wanted}, found only the course's own files: {names}"


def test_a_random_player_that_is_all_there_is_was_written_by_its_student():
    assert plays({"agent.py": RENAMED}) == "agent.py (class Agent)"
    assert plays({"agent.py": RENAMED, "notes.txt": "", "table.json": "{}"}) == "agent.py (class Agent)"


OWN = [
    RENAMED.replace("        return", "        if (2, 2) in moves:\n            return 2, 2\n        return"),
    RENAMED.replace("moves.append((i, j))", "moves.append((i, j)) if (i + j) % 2 else None"),
    RENAMED.replace("random.choice(moves)", "max(moves)"),
    RENAMED.replace("random.choice(moves)", "random.choice(self.best(go, moves))"),
    HEAD.format("Agent").replace("0, 0", "random.choice(self.moves)"),
    HEAD.format("Agent").replace("return 0, 0", "return 'PASS'"),
]


@pytest.mark.parametrize("source", OWN)
def test_who_begins_with_the_courses_random_player_has_a_player_of_their_own(source):
    assert plays({"agent.py": source, "random_player.py": RANDOM}, COURSE) == "agent.py (class Agent)"


def test_a_copy_of_a_reference_player_gives_way_to_a_player_and_plays_under_an_entry_name():
    assert plays({"agent.py": PLAYER, "old.py": RENAMED}) == "agent.py (class MyPlayer)"
    assert plays({"my_player.py": RENAMED}) == "my_player.py (class Agent)"


PROGRAMS = "my_player.py, my_player3.py, my_player.cpp, my_player.java or my_player11.cpp"
NOWHERE = [
    ({"notes.txt": b""}, f"expected {PROGRAMS}, found notes.txt"),
    ({"my_player3.PY": b""}, f"expected {PROGRAMS}, found my_player3.PY; rename 'my_player3.PY' to my_player3.py"),
    ({"hw/My_Player (1).cpp.txt": b"", "a.txt": b""},
     f"expected {PROGRAMS}, found a.txt, hw/My_Player (1).cpp.txt; rename 'My_Player (1).cpp.txt' to my_player.cpp"),
    ({"mine.ipynb": b"{}"},
     f"expected {PROGRAMS}, found mine.ipynb; mine.ipynb: it is a notebook; export it as a script, a file that ends in .py"),
    ({"all.zip": b""}, f"expected {PROGRAMS}, found all.zip (archives within a submission are not unpacked)"),
    ({"hw 2.RAR": b""}, f"expected {PROGRAMS}, found hw 2.RAR (archives within a submission are not unpacked)"),
    ({"a/my_player.py": PLAYER, "b/my_player.py": PLAYER}, "expected one player, found some in the folders a, b"),
    ({"a.py": PLAYER, "b.py": PLAYER}, f"expected one player, found a.py (class MyPlayer), b.py (class MyPlayer){DECIDES}"),
    ({"a.py": b"", "b.py": b""}, "expected one file with a class MyPlayer, found none in a.py, b.py"),
    ({"my_player.py": b"class Player: pass\nclass Agent: pass"}, "expected a class MyPlayer, found Agent, Player"),
    ({"my_player.py": HEAD.format("A") + HEAD.format("B")},
     f"my_player.py: expected one class with get_input, found A, B{DECIDES}"),
    ({"my_player.py": HEAD.format("A").replace("go, ", "")}, "my_player.py: expected a class MyPlayer, found A"),
    ({"sam.py": b"class Player: pass"}, "sam.py: expected a class MyPlayer, found Player"),
    ({f"m{k}.py": PLAYER for k in range(51)}, f"expected {PROGRAMS}, found 51 other .py files"),
    ({"my_player.py": b"print(1)"}, "my_player.py: expected a class MyPlayer, found no class"),
    ({"my_player.py": b"print 1", "dummy.py": b"print 2"},
     "my_player.py, line 1: SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)? "
     "(this looks like Python 2)"),
    ({"my_player.py": b"class MyPlayer: pass"},
     "my_player.py, line 1: expected a method get_input(self, go, piece_type) in class MyPlayer, found none"),
]  # fmt: skip


@pytest.mark.parametrize(("files", "line"), NOWHERE)
def test_what_is_said_where_there_is_none(files, line):
    assert complaint(files).endswith(line)


@pytest.mark.parametrize("entry", ["my_player.py", "my_player3.py", "my_player.cpp"])
@pytest.mark.parametrize("source", [READS, f"class MyPlayer:\n    def think(self): pass\n{READS}"])
def test_a_program_plays_under_littlego_only(entry, source):
    assert complaint({entry: source}, COURSE) == (
        f"{entry}: expected a class MyPlayer, found a program that reads input.txt; those play under the rules "
        "'littlego' only"
    )


WRONG_ROSTERS = [
    ({"a.py": PLAYER}, {"entry": "b.py"}, "expected the file 'b.py', which is said to play, found a.py"),
    ({"x/a.py": PLAYER, "y/a.py": ""}, {"entry": "a.py"}, "expected the file 'a.py', which is said to play, found 2 of them"),
    ({"a.txt": PLAYER}, {"entry": "a.txt"}, "expected a .py, .cpp or .java file as the one that plays, got 'a.txt'"),
    ({"a.py": PLAYER}, {"class_name": "B"}, "a.py: expected a class B, found MyPlayer"),
    ({"my_player.cpp": "x"}, {"class_name": "B"}, "my_player.cpp: expected a class B, found a program that reads input.txt"),
    ({"a.py": "print 1"}, {"entry": "a.py"}, "a.py, line 1: SyntaxError: "),
]


@pytest.mark.parametrize(("files", "said", "line"), WRONG_ROSTERS)
def test_a_roster_that_does_not_fit_is_told_so(files, said, line):
    assert complaint(files, **said).startswith(line)


@given(st.binary(max_size=200))
def test_any_bytes_are_a_player_or_one_line(data):
    for source in (data, PLAYER.encode() + data, data + b"\n" + PLAYER.encode()):
        said = ""
        try:
            assert found({"my_player.py": source}, COURSE).entry == "my_player.py"
        except BadSubmissionError as error:
            said = str(error)
        assert said.isprintable()
