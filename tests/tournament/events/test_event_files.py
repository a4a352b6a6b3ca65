import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goban.rulesets import PRESETS
from gojudge.records import Tier
from gojudge.seats import Limits
from tournament.errors import BadEventError, StoreVersionError
from tournament.events.event_files import (
    event_from_text,
    event_hash,
    event_text,
    make_event,
    make_key,
    make_machine,
    read_event_file,
)
from tournament.events.events import KINDS, Event, Machine
from tournament.events.schedules import key_of_seed

EVENTS = st.builds(
    Event,
    name=st.from_regex(r"[a-z0-9]{1,9}", fullmatch=True),
    kind=st.sampled_from(KINDS),
    rules=st.sampled_from(sorted(PRESETS)),
    size=st.integers(2, 19),
    games=st.integers(1, 5000).map(lambda number: 2 * number),
    references=st.lists(st.sampled_from(["random", "greedy", "my"]), unique=True).map(tuple),
    rubric=st.sampled_from(["", "2019", "own.toml"]),
    limits=st.builds(Limits, move_seconds=st.floats(0.001, 1e5), processes=st.integers(1, 1000)),
) | st.builds(Event, name=st.just("cup"), kind=st.just("round-robin"), rounds=st.integers(0, 10_000))
MACHINES = st.builds(
    Machine, st.sampled_from(Tier), st.sampled_from(["", "/usr/bin/python3"]), st.booleans(), st.booleans(),
    st.none() | st.integers(0, 10**9),
)  # fmt: skip
# As results files have it, interpreter and sandbox among the event's own fields.
STORED = (
    '{"games":2,"kind":"match","limits":{"disk_mib":64,"game_cpu_seconds":120.0,"log_kib":64,"memory_mib":1024,'
    '"move_seconds":5.0,"processes":64,"start_seconds":15.0},"name":"cup","python":"/usr/bin/python3.12","references":["random"],'
    '"require_tier":"T3","rubric":"","rules":"course","size":5}'
)


def written(tmp_path, text):
    path = tmp_path / "cup.toml"
    path.write_text(text)
    return path


@given(EVENTS, MACHINES)
def test_event_and_machine_survive_being_written_down(event, machine):
    assert event_from_text(event_text(event, machine)) == (event, machine)


def test_the_text_in_results_files_is_what_it_has_always_been():
    event, machine = Event("cup", "match", references=("random",)), Machine(Tier.T3, "/usr/bin/python3.12")
    assert event_from_text(STORED) == (event, machine)
    assert event_text(event, machine) == STORED
    assert event_hash(event) == "51fff69c1d13fcb45a98f5698164a9307a64e865b13a03225c94b6623e973d27"


def test_fields_that_only_a_later_version_knows_are_named():
    later = [(STORED.replace('"size"', '"handicap":2,"size"'), "handicap"), (STORED.replace("log_kib", "log_mib"), "log_mib")]
    for text, key in later:
        with pytest.raises(StoreVersionError, match=f"expected an event as this version knows it, found '{key}' in it"):
            event_from_text(text)


@given(MACHINES)
def test_a_machine_can_be_made_of_its_own_fields(machine):
    assert make_machine({key: value for key, value in vars(machine).items() if value is not None}) == machine


@given(EVENTS)
def test_an_event_can_be_made_of_its_own_fields(event):
    fields = {**vars(event), **vars(event.limits)}
    del fields["limits"]
    assert make_event(fields) == event


@given(EVENTS, EVENTS)
def test_events_have_the_same_hash_if_they_differ_at_most_in_the_name_of_the_rubric(one, other):
    same = dataclasses.replace(one, rubric="") == dataclasses.replace(other, rubric="")
    assert (event_hash(one) == event_hash(other)) == same


def test_without_a_seed_no_key_is_asked_for():
    assert make_key({}) is None


def test_a_file_describes_an_event(tmp_path):
    path = written(
        tmp_path,
        """
        name = "cup"
        kind = "round-robin"
        rules = "littlego"
        size = 7
        games = 11
        seed = 3
        references = ["random", "greedy"]
        rubric = "own.toml"
        submissions = ["handed-in", "late/carol.zip"]
        first_stage = "points.csv"
        only_listed = true
        require_tier = "T3"
        load_each_game = true
        [limits]
        move_seconds = 10
        """,
    )
    file = read_event_file(path)
    assert make_event(file.values) == Event(
        "cup", "round-robin", "littlego", 7, 11, ("random", "greedy"), str(tmp_path / "own.toml"),
        limits=Limits(move_seconds=10.0, game_cpu_seconds=150.0),
    )  # fmt: skip
    assert make_machine(file.machine) == Machine(Tier.T3, load_each_game=True)
    assert make_key(file.chance) == key_of_seed(3)
    assert file.submissions == (tmp_path / "handed-in", tmp_path / "late/carol.zip")
    assert file.roster is None
    assert file.first_stage == tmp_path / "points.csv"
    assert file.only_listed


@pytest.mark.parametrize("name", ["Übung-1", "第一課", "урок_2", "हिन्दी"])
def test_a_name_may_have_letters_of_any_script(name):
    assert make_event({"kind": "match", "name": name}).name == name


@pytest.mark.parametrize(("kind", "games"), [("grade", 100), ("round-robin", 11), ("match", 2), ("gauntlet", 20)])
def test_what_is_not_said_has_a_default(kind, games):
    event = make_event({"kind": kind, "rules": "tromp-taylor"})
    assert (event.name, event.rules, event.size, event.games) == (kind, "tromp-taylor-strict", 9, games)


def make_both(file, place):
    return make_event(file.values, place), make_machine(file.machine, place), make_key(file.chance, place)


BAD = [
    ("rules = 'japanese'", "rules: expected one of course, littlego, .*, got 'japanese'"),
    ("rules = 7", "rules: expected one of .*, got 7"),
    ("kind = 'league'", "kind: expected one of grade, round-robin, match, gauntlet, got 'league'"),
    ("size = 1", "size: expected a whole number from 2 to 19, got 1"),
    ("size = true", "size: expected a whole number .*, got True"),
    ("size = 5.0", "size: expected a whole number .*, got 5.0"),
    ("games = 0", "games: expected a whole number from 1 to 10000, got 0"),
    ("kind = 'grade'\ngames = 11", "games: expected an even number, for as many with each colour, got 11"),
    ("seed = -1", "seed: expected a whole number from 0 to 9223372036854775807, got -1"),
    ("name = 'a/b'", "name: expected 1 to 60 letters, digits, '.', '_' or '-', got 'a/b'"),
    ("name = '.hidden'", "name: expected"),
    ("references = ['random', 'manual']", "references: expected some of random, .*, got"),
    ("references = ['random', 'random']", "references: expected a list of different reference players"),
    ("load_each_game = 1", "load_each_game: expected true or false, got 1"),
    ("require_tier = 'T4'", "require_tier: expected one of T0, T1, T2, T3, got 'T4'"),
    ("[limits]\nmove_seconds = 0", "move_seconds: expected a number from 0.001 to 100000, got 0"),
    ("[limits]\nmove_seconds = nan", "move_seconds: expected a number"),
    ("[limits]\nmemory_mib = 1.5", "memory_mib: expected a whole number"),
]


@pytest.mark.parametrize(("text", "said"), BAD)
def test_what_is_wrong_in_a_file_is_named(tmp_path, text, said):
    path = written(tmp_path, text if "kind" in text else f"kind = 'match'\n{text}")
    with pytest.raises(BadEventError, match=said) as caught:
        make_both(read_event_file(path), lambda key: f"cup.toml: {key}")
    assert str(caught.value).startswith("cup.toml: ")
    assert "\n" not in str(caught.value)


# Both ends of what a number may be, and whether it is whole.
ENDS = {
    "size": (2, 19, True), "games": (1, 10_000, True), "deciding": (0, 100_000, True), "rounds": (0, 10_000, True),
    "until_decided": (0.001, 0.2, False), "submission_seconds": (0, 10**9, True), "seed": (0, 2**63 - 1, True),
    "move_seconds": (0.001, 100_000, False), "start_seconds": (0.001, 100_000, False), "log_kib": (1, 100_000, True),
    "game_cpu_seconds": (0.001, 100_000, False), "memory_mib": (1, 100_000, True), "processes": (1, 100_000, True),
    "disk_mib": (1, 100_000, True),
}  # fmt: skip
MAKERS = {"submission_seconds": make_machine, "seed": make_key}


@pytest.mark.parametrize("field", ENDS)
def test_a_number_is_taken_up_to_both_its_ends_and_no_further(field):
    least, most, is_whole = ENDS[field]
    assert field in MAKERS or set(ENDS) - set(MAKERS) >= {one.name for one in dataclasses.fields(Limits)}

    def make(value):
        if field in MAKERS:
            return MAKERS[field]({field: value})
        return make_event({"kind": "grade" if field == "until_decided" else "round-robin", field: value})

    for value in (least, most):
        make(value)
    for value in (least - 1, most + 1) if is_whole else (-1, 0.9 * least, 1.01 * most):
        with pytest.raises(BadEventError, match=rf"^{field}: expected .* from ({least}|0) to {most}, got"):
            make(value)


UNREADABLE = [
    ("colour = 'red'", "expected one of name, kind, rules, .*; got 'colour'"),
    ("seeds = 1", "; got 'seeds'; did you mean seed[?]$"),
    ("move_seconds = 1", "; got 'move_seconds'; it belongs below \\[limits\\]$"),
    ("[limits]\nmemory_mib = 512\nseed = 1", "; got 'seed'; it belongs above \\[limits\\]$"),
    ("[limits]\nmemory_mb = 3", "; got 'memory_mb'; did you mean memory_mib[?]$"),
    ("[limits]\nspeed = 3", r"\[limits\]: expected one of move_seconds, .*; got 'speed'"),
    ("limits = 3", "limits: expected a table"),
    (f"k{'e' * 90_000}y = 3", "got 'keeeee[e]*[.][.][.]$"),
    (f"roster = [{'1,' * 40_000}]", r"roster: expected a path, got \[1, 1, [1, ]*[.][.][.]$"),
    ("#" * 200_000, "expected at most 100000 bytes, found more"),
    ("submissions = 3", "submissions: expected a path or a list of paths, got 3"),
    ("roster = ['a', 'b']", "roster: expected a path, got"),
    ("only_listed = 'yes'", "only_listed: expected true or false, got 'yes'"),
    ("kind = ", "expected a TOML file"),
]


@pytest.mark.parametrize(("text", "said"), UNREADABLE)
def test_a_file_that_says_nothing_sensible_is_refused_by_name(tmp_path, text, said):
    with pytest.raises(BadEventError, match=said) as caught:
        read_event_file(written(tmp_path, text))
    assert "cup.toml: " in str(caught.value)


def test_a_file_that_is_missing_or_not_text_is_refused_by_name(tmp_path):
    with pytest.raises(BadEventError, match=r"none\.toml: No such file"):
        read_event_file(tmp_path / "none.toml")
    (tmp_path / "cup.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadEventError, match=r"cup\.toml: expected a TOML file"):
        read_event_file(tmp_path / "cup.toml")
