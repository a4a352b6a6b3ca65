"""What players can do, on their pages: read from a file beside the results, shown to those whom it concerns."""

import json

import pytest

from gojudge.errors import JudgeError
from tests.support.page_events import small_store
from tournament.__main__ import main
from tournament.pages.probed import probed_path, read_probed
from tournament.store.store import read_store

MISSED = {"moves": "C3 D4 B4 E5 D2 E1", "played": "crash: <b>oh</b>\u202e", "wins": "A1 B1", "cost": None}


def profile(name, digest, **values):
    return {
        "name": name, "digest": digest, "tier": "T2", "passed": 3, "of": 4,
        "probes": [{"name": "snapback", "says": "sees a snapback", "passed": 3, "of": 4, "missed": [MISSED]}],
        "phases": [{"name": "the last 6 moves", "stones_a_game": 1.8}, {"name": "moves 7 to 12", "stones_a_game": None}],
        "symmetric": {"alike": 61, "images": 70, "by_chance": 2, "positions": 10},
        **values,
    }  # fmt: skip


@pytest.fixture
def store(tmp_path):
    path = small_store(tmp_path / "cup.db")
    with read_store(path) as store:
        profiles = [profile(one.name, one.digest) for one in store.entrants()]
    probed_path(path).write_text(json.dumps({"rules": "course", "size": 5, "seed": 1, "profiles": profiles}))
    return path


def entrants(path):
    with read_store(path) as store:
        return store.entrants()


def pages(store, *arguments):
    out = store.parent / "pages"
    assert main(["report", str(store), "--out", str(out), *arguments]) == 0
    return {path.name: path.read_text() for path in out.glob("*.html")}


def test_a_page_says_what_its_player_can_do_with_the_positions_it_missed(store):
    text = pages(store)["player-ann.html"]
    assert "3 of 4 positions passed" in text
    assert "It loses 1.8 stones a game in the last 6 moves." in text
    assert "in moves 7 to 12" not in text
    assert '<th scope="row">sees a snapback</th><td class="number strong">3</td><td class="number">4</td>' in text
    assert "Black to move played crash: &lt;b&gt;oh&lt;/b&gt;\\u202e; <strong>A1 B1 win</strong>." in text
    assert " 1 . . . .(O) 1" in text
    assert "To replay: C3 D4 B4 E5 D2 E1" in text


def test_a_student_sees_only_their_own(store):
    found = pages(store, "--student", "ann")
    assert [name for name, text in found.items() if "What it can do" in text] == ["index.html"]


def test_the_class_sees_none(store):
    assert not any("What it can do" in text for text in pages(store, "--edition", "class").values())


def test_of_a_submission_that_has_changed_nothing_is_known(store):
    data = json.loads(probed_path(store).read_text())
    data["profiles"][0]["digest"] = "another"
    changed = data["profiles"][0]["name"]
    probed_path(store).write_text(json.dumps(data))
    known = read_probed(probed_path(store), entrants(store))
    assert changed not in known
    assert known


def test_without_the_file_pages_are_as_they_were(store):
    probed_path(store).unlink()
    assert read_probed(probed_path(store), entrants(store)) == {}
    assert not any("What it can do" in text for text in pages(store).values())


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"rules": "course", "profiles": [{"name": "ann"}]}', "\x00", "[" * 100_000])
def test_another_file_is_one_line(store, text):
    probed_path(store).write_text(text)
    with pytest.raises(JudgeError, match=r"cup\.db\.probes\.json.*: expected what probe --out writes"):
        read_probed(probed_path(store), entrants(store))


@pytest.mark.parametrize("values", [
    {"passed": "many"}, {"phases": [{"name": "x", "stones_a_game": "y"}]}, {"symmetric": {}}, {"probes": 3},
    {"probes": [{"says": "", "passed": 0, "of": 1, "missed": [{**MISSED, "moves": "C3 C3"}]}]},
    {"probes": [{"says": "", "passed": 0, "of": 1, "missed": [{**MISSED, "moves": "Z9"}]}]},
])  # fmt: skip
def test_a_wrong_value_is_one_line(store, values):
    one = entrants(store)[0]
    broken = {"rules": "course", "profiles": [profile(one.name, one.digest, **values)]}
    probed_path(store).write_text(json.dumps(broken))
    with pytest.raises(JudgeError, match="expected what probe --out writes"):
        read_probed(probed_path(store), entrants(store))
