"""Short names: any file has one, no two are alike, and nobody's goes to somebody else."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gojudge.errors import BadRosterError
from gojudge.intake.names import (
    Kept,
    Owner,
    clean_name,
    hand_out,
    likeness,
    names_in,
    read_names,
    write_names,
    written_name,
)
from tests.support.steps import grows_alone, steps

CLEAN = [
    ("alice", "alice"),
    ("Zoë O'Brien-Łukasz (late)", "Zoe_O_Brien_Łukasz_late"),
    ("smithjohn_123_456_my player", "smithjohn_123_456_my player".replace(" ", "_")),
    ("../../etc/passwd", "etc_passwd"),
    ("=cmd|' /C calc'!A0", "cmd_C_calc_A0"),
    ("<script>", "script"),
    ("...", ""),
    ("!!!", ""),
    (" ", ""),
    ("😀", ""),
    ("❤️", ""),
    ("con.", "con"),
    ("x" * 100, "x" * 60),
    ("李雷", "李雷"),
    ("Иван", "Иван"),
    ("Андрей", "Андрей"),
    ("やまだ", "やまだ"),
    ("ガ", "ガ"),
    ("한글", "한글"),
    ("हिन्दी", "हिन्दी"),
    ("محمد", "محمد"),
    ("ไม่", "ไม่"),
    ("王" * 60, "王" * 33),
    ("e" + "\u0301" * 50, "e"),
    ("я" + "\u0316" * 50, "я" + "\u0316" * 4),
    ("\u3164\u202eevil", "evil"),
    ("caf\udce9", "caf"),
]


@pytest.mark.parametrize(("text", "name"), CLEAN)
def test_a_name_is_made_of_any_text(text, name):
    assert clean_name(text) == name


@given(st.text())
def test_a_name_is_fit_for_ids_and_files(text):
    name = clean_name(text)
    assert len(name) <= 60
    assert len(name.encode()) <= 100
    assert name.isprintable()
    assert not set(name) & set('-~/\\ :*?"<>|')
    assert not name.startswith(".")
    assert clean_name(name) == name


WRITTEN = [
    ("Mary-Ann O'Neil", "Mary-Ann O'Neil"), ("José", "José"), ("王伟", "王伟"), ("=1+1", "=1+1"), ("a/b\\c:d~e", "a_b_c_d_e"),
    (" .ssh", "ssh"), ("!!!", ""), ("نرگس\u200cخانم", "نرگس\u200cخانم"), ("x" * 70, "x" * 60),
]  # fmt: skip


@pytest.mark.parametrize(("text", "name"), WRITTEN)
def test_what_a_roster_gives_is_kept_as_far_as_files_may_have_it(text, name):
    assert written_name(text) == name


def named(*titles, kept=Kept(), reserved=(), given=()):  # noqa: B008
    owners = [Owner(title, (f"/hw/{title}.py", f"hw/{title}.py", f"{title}.py"), title in given) for title in titles]
    return dict(zip(titles, hand_out(owners, reserved, kept), strict=True))


def test_where_two_would_be_alike_the_second_has_a_number():
    assert named("Bob", "bob", "BOB") == {"Bob": "Bob", "bob": "bob-2", "BOB": "BOB-3"}
    assert named("Jose", "José", "Jose\u0301") == {"Jose": "Jose", "José": "Jose-2", "Jose\u0301": "Jose-3"}
    assert named("a b", "a+b") == {"a b": "a_b", "a+b": "a_b-2"}
    assert named("Random", "x", reserved=["random"]) == {"Random": "Random-2", "x": "x"}
    assert named("bob", "Bob", given=["Bob"]) == {"bob": "bob-2", "Bob": "Bob"}
    assert len(named("王" * 40 + "a", "王" * 40 + "b")[("王" * 40) + "b"].encode()) <= 100


def test_who_has_no_letter_gets_a_number_of_their_own():
    found = named("!!!", " ", "bob")
    assert found["bob"] == "bob"
    assert all(found[title][0] == "s" and found[title][1:].isdigit() for title in ("!!!", " "))
    # It depends on the file's name only.
    assert named("!!!", "ann")["!!!"] == found["!!!"]
    taken = found["!!!"]
    assert named("!!!", taken) == {"!!!": f"s{int(taken[1:]) + 1}", taken: taken}


@pytest.mark.parametrize("title", ["bob", "!!!"])
def test_a_class_of_one_name_takes_a_step_each(title):
    assert grows_alone(lambda size: lambda: hand_out([Owner(title)] * size, (), Kept()), 100)
    assert len({*hand_out([Owner(title)] * 100)}) == 100


def test_a_class_without_letters_takes_as_few_steps(monkeypatch):
    # Of many more than there are numbers to begin with.
    monkeypatch.setattr("gojudge.intake.names._NUMBERS", 100)
    owners = [Owner(chr(0x2600 + number)) for number in range(400)]
    assert len({*hand_out(owners)}) == 400
    assert steps(lambda: hand_out(owners)) < 150 * 400


@pytest.mark.parametrize("title", ["\udce9", "\ud800\udce9"])
def test_a_name_with_half_a_character_gets_another(title):
    assert re.fullmatch(r"s\d+", named(title)[title])


TITLES = st.lists(st.text(st.characters(exclude_characters="/\0"), min_size=1), unique=True, max_size=12)


@given(TITLES, st.data())
def test_any_files_have_names_that_are_not_alike(titles, data):
    given_ = data.draw(st.sets(st.sampled_from(titles))) if titles else set()
    reserved = ["random", "greedy"]
    owners = [Owner(title) for title in titles if title not in given_]
    names = hand_out(owners, reserved)
    assert len(names) == len(owners)
    assert all(names)
    assert len({likeness(name) for name in [*names, *reserved]}) == len(owners) + 2


@given(TITLES, TITLES)
def test_names_stay_with_their_files_whoever_comes_and_goes(before, after):
    first = named(*before)
    kept = Kept(tuple((f"/hw/{title}.py", name) for title, name in first.items()))
    second = named(*after, kept=kept)
    assert all(second[title] == name for title, name in first.items() if title in second)


def test_a_name_that_was_made_stays_as_it_was():
    kept = Kept((("/hw/bob.py", "bob"), ("/hw/Bob.py", "Bob-2")))
    assert named("Bob", "bob", kept=kept) == {"Bob": "Bob-2", "bob": "bob"}
    assert named("Bob", kept=kept) == {"Bob": "Bob-2"}
    # The name of somebody who is not there now is nobody's by making.
    assert named("BOB", "bob", kept=kept) == {"BOB": "BOB-3", "bob": "bob"}
    # Elsewhere it is the same, where the file is called so.
    moved = Kept((("/old/hw/bob.py", "bob"), ("/old/hw/Bob.py", "Bob-2")))
    assert named("Bob", "bob", kept=moved) == {"Bob": "Bob-2", "bob": "bob"}
    assert named("Bob", "bob", kept=Kept((("/first/bob.py", "bob"),))) == {"Bob": "Bob-2", "bob": "bob"}


def test_a_store_of_before_keeps_the_names_it_has():
    before = Kept(before=frozenset({"ukasz", "Jose", "bob"}))
    assert named("Łukasz", "Bob", "bob", "Żaneta", kept=before) == {
        "Łukasz": "ukasz", "Bob": "Bob-2", "bob": "bob", "Żaneta": "Zaneta"
    }  # fmt: skip
    assert named("José", given=["José"], kept=before) == {"José": "Jose"}
    assert named("José", "Jose", given=["José", "Jose"], kept=before) == {"José": "José", "Jose": "Jose"}
    # It may be another's own.
    assert named("Łukasz", "ukasz", kept=before) == {"Łukasz": "Łukasz", "ukasz": "ukasz"}


def test_names_are_kept_in_a_file(tmp_path):
    path = tmp_path / "cup.db.files.json"
    assert read_names(path) == ()
    write_names(path, [("/hw/caf\udce9.py", "caf"), ("/hw/王.py", "王")])
    write_names(path, [("/hw/王.py", "王-2")], read_names(path))
    assert dict(read_names(path)) == {"/hw/caf\udce9.py": "caf", "/hw/王.py": "王-2"}
    for text in ("[]", '{"names": {"a": 1}}', '{"names": []}', "{", '{"names": {"a": ""}}', '{"names": {"a": "../b"}}'):
        path.write_text(text)
        with pytest.raises(BadRosterError, match="expected the names of files"):
            read_names(path)


def test_names_are_read_off_the_copies_of_before(tmp_path):
    (tmp_path / "bob-2-0123456789ab").mkdir()
    (tmp_path / ".part_1").mkdir()
    assert names_in(tmp_path) == {"bob-2"}
    assert names_in(tmp_path / "none") == set()
