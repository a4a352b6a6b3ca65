"""Who sees what, who is called what; and that what must not be seen is in no file of an edition."""

import random
import re

import pytest

from benchmarks.made_up_events import RUN, make_store, pair_specs
from gojudge.errors import BadRosterError
from gojudge.records import Entrant
from tests.support.page_events import NICKNAMES, small_store, timed_out
from tournament.pages.contents import gather, gather_students
from tournament.pages.editions import complete_nicknames, edition, nicknames_of, read_nicknames
from tournament.pages.sites import write_folder, write_single, write_students
from tournament.store.store import read_store

# What only the instructor may see: people, the machine, files.
SECRETS = ["Person of", RUN.host, "late", ".py, line", "T3"]


def files_of(tmp_path, kind, student=""):
    """Everything an edition writes, as one text; as files and as a single one; and the key and the seeds."""
    store_path = small_store(tmp_path / "cup.db")
    with read_store(store_path) as store:
        shown = edition(kind, store.entrants(), NICKNAMES, student)
        contents = gather(store, shown, None, {})
        numbers = [seed for result in store.results() for seed in result.spec.seeds]
        chance = [store.key.secret.hex(), *map(str, numbers), *(f"{number:032x}" for number in numbers)]
    write_folder(contents, tmp_path / "site")
    write_single(contents, tmp_path / "cup.html")
    paths = [path for path in (tmp_path / "site").rglob("*") if path.is_file() and path.parent.name != "assets"]
    everything = "\n".join(f"{path.name}\n{path.read_text()}" for path in paths)
    # The page's own style and script are the same for everybody.
    single = re.sub(r"<(style|script)>.*?</\1>", "", (tmp_path / "cup.html").read_text(), flags=re.S)
    return everything, single, chance


def test_the_instructor_sees_everything_but_what_chance_comes_from(tmp_path):
    *texts, chance = files_of(tmp_path, "instructor")
    for text in texts:
        for name in ("ann", "bob", "cyra", "Person of ann", "ann thinks", "ZeroDivisionError", "T3"):
            assert name in text
        assert not any(secret in text for secret in chance)


def test_the_class_sees_nicknames_and_no_logs(tmp_path):
    *texts, chance = files_of(tmp_path, "class")
    for text in texts:
        assert "Quiet-Heron" in text
        for secret in [*SECRETS, "thinks", "Traceback", "ZeroDivision", *chance]:
            assert secret not in text, secret
        for name in NICKNAMES:
            assert not re.search(rf"\b{name}\b", text), name
        # No game has a log, and no page a place for one.
        assert not re.search("is here|[Pp]rinted", text)


def test_a_student_sees_only_his_own(tmp_path):
    *texts, chance = files_of(tmp_path, "student", "ann")
    for text in texts:
        assert "ann thinks of 7" in text
        assert 'id="printed"' in text
        assert "Keen-Otter" in text
        assert "ZeroDivisionError: division by zero (ann.py" in text
        for secret in ["bob", "bob thinks", "cyra thinks", "random thinks", "(bob.py", "(random.py", "Person of", *chance]:
            assert secret not in text, secret


def test_a_student_sees_no_game_of_others(tmp_path):
    with read_store(small_store(tmp_path / "cup.db")) as store:
        shown = edition("student", store.entrants(), NICKNAMES, "ann")
        games = list(shown.results(store.results()))
    assert len(games) == 12
    assert all("ann" in (game.spec.black, game.spec.white) for game in games)


def test_every_student_has_a_page_of_their_own(tmp_path):
    with read_store(small_store(tmp_path / "cup.db")) as store:
        shown = [edition("student", store.entrants(), NICKNAMES, name) for name in ("ann", "bob")]
        assert write_students(gather_students(store, shown, None, {}), store.entrants(), tmp_path / "mail") == 2
    assert sorted(path.name for path in (tmp_path / "mail").glob("*.html")) == ["ann.html", "bob.html"]


def test_who_is_no_submission_has_no_edition(tmp_path):
    entrants = [Entrant("ann"), Entrant("random", reference="random")]
    for name in ("random", "eve", ""):
        with pytest.raises(BadRosterError, match=r"^student: expected the name of a submission"):
            edition("student", entrants, {"ann": "x"}, name)


def person(name, **fields):
    return Entrant(name, (f"{name.title()} Lee",), fields=tuple(fields.items()))


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        ("class", ["Fox", "Owl", "Elk", "Elk.2", "random"]),
        ("named", ["Ann Lee", "Bob Lee", "Cyra Lee", "Cyra.2 Lee.2", "random"]),
        ("agreed", ["Ann Lee", "Owl", "Elk", "Elk.2", "random"]),
    ],
)
def test_names_are_real_ones_nicknames_or_those_of_who_agreed(kind, shown):
    entrants = [
        person("ann", agreed="Yes"),
        person("bob", agreed="no"),
        # Who does not say so has not agreed, and neither has who said so for one attempt only.
        person("cyra", agreed="", attempt_of="cyra"),
        person("cyra.2", agreed="yes", attempt_of="cyra"),
        Entrant("random", reference="random"),
    ]
    found = edition(kind, entrants, {"ann": "Fox", "bob": "Owl", "cyra": "Elk"})
    assert [*found.names.values()] == shown
    assert (found.shows_all, found.shows_logs) == (False, False)
    # Nobody but the instructor sees what else the roster says.
    assert not any(one.students or one.fields for one in found.entrants(entrants))


def test_who_agreed_is_said_by_yes_or_no():
    with pytest.raises(BadRosterError, match=r"^bob: agreed: expected yes or no, got 'perhaps'$"):
        edition("agreed", [person("bob", agreed="perhaps")], {"bob": "Owl"})


def test_a_section_that_gives_nicknames_away_is_none():
    entrants = [*(person(name, section="A") for name in ("ann", "bob", "cyra")), person("dan", section="B"), person("eve")]
    names = {one.name: one.name.upper() for one in entrants}
    for kind, sections in (("class", {"A"}), ("agreed", {"A"}), ("named", {"A", "B"}), ("instructor", {"A", "B"})):
        found = edition(kind, entrants, names)
        assert {*found.sections(entrants).values()} == sections
        assert found.names["eve"] not in found.sections(entrants)
    assert edition("student", entrants, names, "ann").sections(entrants) == {}


def test_nicknames_are_drawn_once_and_kept(tmp_path):
    path = tmp_path / "cup.db.names.csv"
    first = nicknames_of(path, ["ann", "bob"], ["random"], random.Random(1))
    again = nicknames_of(path, ["ann", "bob", "cyra"], ["random"], random.Random(2))
    assert {name: again[name] for name in first} == first
    assert read_nicknames(path) == again
    assert len(set(again.values())) == 3


def test_two_hundred_students_have_different_nicknames():
    names = [f"student{k}" for k in range(900)]
    assert len(set(complete_nicknames({}, names, [], random.Random(3)).values())) == 900


BAD = [
    ("a,b\n", "expected columns name,nickname"),
    ("name,nickname\nann,\n", "line 2: expected a name and a nickname"),
    ("name,nickname\nann,Fox\nbob,fox\n", "line 3: expected every name and nickname once"),
    ("name,nickname\nann,Fox\nann,Owl\n", "line 3: expected every name and nickname once"),
    ("name,nickname\nann,bob\n", "nickname 'bob' of 'ann' is another player's name"),
    ("name,nickname\nann,random\n", "nickname 'random' of 'ann' is another player's name"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_bad_nicknames_are_one_line(tmp_path, text, message):
    path = tmp_path / "names.csv"
    path.write_text(text)
    with pytest.raises(BadRosterError, match=message):
        nicknames_of(path, ["ann", "bob"], ["random"], random.Random(1))


def test_only_those_who_may_see_a_players_files_are_told_how_to_ask_it_again(tmp_path):
    path = make_store(tmp_path / "slow.db", ["ann", "bob"], [timed_out(spec) for spec in pair_specs(["ann", "bob"], 2)])
    asks, replays = "players.littlego my_player.py", "verify slow.db ann-bob-00"
    for kind, student, asked in (("instructor", "", 2), ("class", "", 0), ("student", "ann", 1)):
        with read_store(path) as store:
            write_folder(gather(store, edition(kind, store.entrants(), NICKNAMES, student), None, {}), tmp_path / kind)
        games = (tmp_path / kind / "data/games-0.js").read_text()
        assert (games.count(asks), games.count(replays)) == (asked, 2 if kind == "instructor" else 0)
        assert games.count("'s answer took 5.01 s; the limit is 5 s.") == 2
        pages = "".join(page.read_text() for page in (tmp_path / kind).glob("*.html"))
        assert pages.count(asks) == asked
        assert (pages.count('class="position"'), replays in pages) == (1 if student else 2, kind == "instructor")
