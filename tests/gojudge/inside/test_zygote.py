"""What the player's process sends for answers, exceptions and submissions.

numpy's chance comes from all 128 bits of a player's seed.
"""

import os
import pkgutil
import subprocess
import sys

import pytest

import goban
from go import GO
from goban.common.player_faults import RefusedError
from goban.rulesets import COURSE
from goban.states import new_game
from gojudge.inside import zygote
from gojudge.inside.zygote import as_message, describe, load, make, rehearse, words_of


class Number:
    def __index__(self):
        return 3


class Explodes:
    def __index__(self):
        raise SystemExit

    __len__ = __getitem__ = __repr__ = __index__


PAIR, RANGE = "expected (row, column), got", "expected a row and a column from 0 to 4, got"
ANSWERS = [
    ((1, 2), {"move": [1, 2]}),
    ([Number(), True], {"move": [3, 1]}),
    ("PASS", {"move": "PASS"}),
    ("RESIGN", {"move": "RESIGN"}),
    ((-1, 2), {"text": "(-1, 2)", "why": f"{RANGE} (-1, 2) (my_player.py, line 2)"}),
    ([7, 10**9], {"text": "[7, 1000000000]", "why": f"{RANGE} (7, 1000000000) (my_player.py, line 2)"}),
    ("pass", {"text": "'pass'", "why": f"{PAIR} 'pass' (my_player.py, line 2)"}),
    (None, {"text": "None", "why": f"{PAIR} None: get_input returned nothing (my_player.py, line 2)"}),
    ((1.0, 2), {"text": "(1.0, 2)", "why": "expected two whole numbers, got (1.0, 2) (my_player.py, line 2)"}),
    ("\x1b[2J\n", {"text": "'\\x1b[2J\\n'", "why": f"{PAIR} '\\x1b[2J\\n' (my_player.py, line 2)"}),
    (Explodes(), {"text": "an object of type Explodes", "why": f"{PAIR} an object of type Explodes (my_player.py, line 2)"}),
]
STATE = new_game(COURSE, 5)


@pytest.mark.parametrize(("answer", "message"), ANSWERS, ids=[str(message) for _, message in ANSWERS])
def test_answers_become_plain_data(answer, message):
    assert as_message(answer, STATE, GO(5), " (my_player.py, line 2)") == message


def test_in_a_rehearsal_each_question_is_answered_and_nothing_is_left_open(monkeypatch):
    seeds, asked = [], []
    monkeypatch.setattr(zygote, "seed_chance", seeds.append)
    monkeypatch.setattr(zygote._FirstLegal, "get_input", lambda player, go, colour: asked.append(go.n_move))
    before = os.listdir("/dev/fd")
    rehearse()
    assert (seeds, asked, os.listdir("/dev/fd")) == ([0], [*range(10)], before)


def test_an_answer_too_long_to_show_is_cut():
    message = as_message("x" * 10**6, STATE, GO(5))
    assert len(message["text"]) <= 60
    assert len(message["why"]) <= 100


def test_an_illegal_move_on_a_board_that_the_player_has_changed_says_so():
    state, view = STATE.play((2, 2)), GO(5)
    GO.adopt_state(view, state)
    assert as_message((2, 2), state, view) == {"move": [2, 2]}
    view.board[2][2] = 0
    assert as_message((2, 2), state, view) == {"move": [2, 2], "remark": "; your copy go.board was changed in this turn"}
    assert as_message((1, 1), state, view) == {"move": [1, 1]}


@pytest.fixture
def home(tmp_path):
    yield tmp_path
    for name in [name for name, module in sys.modules.items() if str(tmp_path) in str(getattr(module, "__file__", ""))]:
        del sys.modules[name]


def test_a_class_is_found_by_its_name(home):
    (home / "entry.py").write_text("class Other:\n    get_input = print\n")
    assert load(str(home), "entry.py", "Other").__name__ == "Other"


def test_sys_argv_is_the_files_own_name(home, monkeypatch):
    monkeypatch.setattr("sys.argv", ["worker.py", "5"])
    (home / "entry.py").write_text("import sys\nSAID = list(sys.argv)\nclass MyPlayer:\n    said = SAID\n")
    assert load(str(home), "entry.py", "MyPlayer").said == ["entry.py"]


def test_a_file_named_like_a_loaded_module_does_not_take_its_place(home):
    (home / "json.py").write_text("class MyPlayer:\n    pass\n")
    before = sys.modules["json"]
    assert load(str(home), "json.py", "MyPlayer").__module__ == "submission json"
    assert sys.modules["json"] is before


MISSING = [
    ("", "no class"),
    ("class A:\n    pass\nMyPlayer = A()\n", "an object MyPlayer"),
    ("class myplayer: pass", "myplayer; call it MyPlayer"),
]


@pytest.mark.parametrize(("source", "found"), MISSING)
def test_a_missing_class_is_refused_with_those_there_are(home, source, found):
    (home / "entry.py").write_text(source)
    with pytest.raises(RefusedError, match=f"^entry.py: expected a class MyPlayer, found {found}$"):
        load(str(home), "entry.py", "MyPlayer")


class Manual:
    type = "manual"
    get_input = print


class Speechless:
    pass


class Seeded:
    get_input = print

    def __init__(self, rng):
        self.number = rng.random()


def test_a_player_at_the_keyboard_is_refused():
    with pytest.raises(RefusedError, match="nobody is at the keyboard"):
        make(Manual, 1)


def test_a_player_that_cannot_be_asked_is_refused():
    with pytest.raises(RefusedError, match="expected a method get_input"):
        make(Speechless, 1)


def test_a_player_may_ask_for_a_generator_of_its_own():
    assert make(Seeded, 1).number == make(Seeded, 1).number != make(Seeded, 2).number


def test_an_exception_is_told_within_the_submission_only(home):
    (home / "entry.py").write_text("def think():\n    raise ValueError('caf\\xe9\\x1b[2J')\n\n\nthink()\n")
    with pytest.raises(ValueError, match="caf") as caught:
        load(str(home), "entry.py", "MyPlayer")
    told = describe(caught.value, str(home))
    assert told["line"] == "ValueError: café\\x1b[2J (entry.py, line 2)"
    assert told["trace"].splitlines()[1] == '  File "entry.py", line 5, in <module>'
    assert told["trace"].replace("\n", "").isprintable()
    assert "\x1b" not in told["trace"]


def test_a_long_traceback_keeps_its_end(home):
    (home / "entry.py").write_text("raise ValueError('\\n'.join(map(str, range(5000))))\n")
    with pytest.raises(ValueError, match="0") as caught:
        load(str(home), "entry.py", "MyPlayer")
    trace = describe(caught.value, str(home))["trace"]
    assert len(trace) <= zygote.EVIDENCE
    assert trace.endswith("4999")


KINDS = [(MemoryError(), "memory"), (RefusedError("no"), "refused"), (KeyError(), "KeyError")]


@pytest.mark.parametrize(("error", "kind"), KINDS)
def test_errors_have_a_kind(error, kind):
    assert describe(error, "/player")["type"] == kind


def test_leaving_the_program_is_told_in_words():
    assert describe(SystemExit("bye"), "/player")["line"] == "it calls sys.exit()"


def test_all_of_goban_that_is_shown_can_be_imported_when_the_judge_is_forgotten():
    """After that, an import of a module of the judge would find a submission's own instead."""
    # Engines are started outside.
    names = {f"goban.{module.name}" for module in pkgutil.iter_modules(goban.__path__) if not module.ispkg} - {"goban.engines"}
    code = (
        "import importlib, sys\n"
        "from gojudge.inside import zygote\n"
        "zygote.forget(zygote.JUDGE_MODULES - zygote.HOST_MODULES)\n"
        "go = sys.modules['go']\n"
        "sys.modules['gojudge'] = None\n"
        f"for name in {sorted(names)!r}: importlib.import_module(name)\n"
        "import go as again; assert again is go\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


numpy = pytest.importorskip("numpy")


def test_a_seed_is_four_words_the_lowest_first():
    assert words_of(1 << 96 | 2 << 64 | 3 << 32 | 4) == [4, 3, 2, 1]
    assert words_of(2**128 - 1) == [2**32 - 1] * 4
    assert words_of(0) == [0, 0, 0, 0]


def test_every_bit_of_the_seed_counts():
    drawn = set()
    for seed in (0, *(1 << bit for bit in range(128))):
        drawn.add(numpy.random.RandomState(words_of(seed)).random())
    assert len(drawn) == 129
