"""What the player's process sends for answers, exceptions and submissions."""

import pkgutil
import subprocess
import sys

import pytest

import goban
from tournament.inside import zygote
from tournament.inside.zygote import RefusedError, as_message, describe, load, make


class Number:
    def __index__(self):
        return 3


class Explodes:
    def __index__(self):
        raise SystemExit

    __len__ = __getitem__ = __repr__ = __index__


ANSWERS = [
    ((1, 2), {"move": [1, 2]}),
    ([Number(), True], {"move": [3, 1]}),
    ("PASS", {"move": "PASS"}),
    ("RESIGN", {"move": "RESIGN"}),
    ((-1, 2), {"text": "(-1, 2)"}),
    ("pass", {"text": "'pass'"}),
    (None, {"text": "None"}),
    ((1.0, 2), {"text": "(1.0, 2)"}),
    ("\x1b[2J\n", {"text": "'\\x1b[2J\\n'"}),
    (Explodes(), {"text": "an object of type Explodes"}),
]


@pytest.mark.parametrize(("answer", "message"), ANSWERS, ids=[str(message) for _, message in ANSWERS])
def test_answers_become_plain_data(answer, message):
    assert as_message(answer) == message


def test_an_answer_too_long_to_show_is_cut():
    assert len(as_message("x" * 10**6)["text"]) <= 60


@pytest.fixture
def home(tmp_path):
    yield tmp_path
    for name in [name for name, module in sys.modules.items() if str(tmp_path) in str(getattr(module, "__file__", ""))]:
        del sys.modules[name]


def test_a_class_is_found_by_its_name(home):
    (home / "entry.py").write_text("class Other:\n    get_input = print\n")
    assert load(str(home), "entry.py", "Other").__name__ == "Other"


def test_a_file_named_like_a_loaded_module_does_not_take_its_place(home):
    (home / "json.py").write_text("class MyPlayer:\n    pass\n")
    before = sys.modules["json"]
    assert load(str(home), "json.py", "MyPlayer").__module__ == "submission json"
    assert sys.modules["json"] is before


@pytest.mark.parametrize(("source", "found"), [("", "no class"), ("class A:\n    pass\nMyPlayer = A()\n", "A")])
def test_a_missing_class_is_refused_with_those_there_are(home, source, found):
    (home / "entry.py").write_text(source)
    with pytest.raises(RefusedError, match=f"expected a class MyPlayer in entry.py, found {found}"):
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


def test_all_of_goban_can_be_imported_when_our_common_is_forgotten():
    """After that, an import of our `common` would find a submission's own instead."""
    names = [f"goban.{module.name}" for module in pkgutil.iter_modules(goban.__path__)]
    code = (
        "import importlib, sys\n"
        "from tournament.inside import zygote\n"
        "zygote.forget(zygote.JUDGE_MODULES - zygote.HOST_MODULES)\n"
        "go = sys.modules['go']\n"
        "sys.modules['common'] = sys.modules['tournament'] = None\n"
        f"for name in {names!r}: importlib.import_module(name)\n"
        "import go as again; assert again is go\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
