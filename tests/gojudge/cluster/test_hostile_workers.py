"""A hostile worker costs a run nothing but its own games: whatever it sends, the results file ends like that of one machine."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from gojudge.refereeing.open_seats import close_here
from tests.support.fake_link import (
    LIAR,
    HostileLink,
    another_score,
    of_another_id,
    play,
    small_games,
    submissions_in,
)  # fmt: skip
from tests.support.stores import exported
from tests.support.stubs import conditions
from tournament.application import runs
from tournament.application.plans import make_plan
from tournament.application.worker_checks import _suspects, checks_beside
from tournament.events.event_files import EventFile
from tournament.store.store import read_store


def another_winner(games):
    return [[game[0], {0: 1, 1: 2, 2: 1}[game[1]], *game[2:]] if game[4] == "score" else game for game in games]


def another_game(games):
    """Moves that were not played: all but the last one, as if the game had ended there."""
    return [[*game[:8], game[8][:-1], game[9][:-1], *game[10:]] for game in games]


def a_time_out(games):
    return [[game[0], 2, 0.0, 1.5, "time-out", 1, "no answer", "", [], [], ["", [9_000_000] * 4], *game[11:]] for game in games]


def a_crash(games):
    return [[game[0], 2, 0.0, 1.5, "start-up failure", 1, "it does not start", "", [], [], None, *game[11:]] for game in games]


ALTERED = [another_winner, another_score, another_game, a_time_out, a_crash]


def doubled(games):
    return [*games, *games]


def one_twice(games):
    return [games[0] for _ in range(max(2, len(games)))]


def huge(games):
    return [[*game[:11], "x" * 5_000_000, *game[12:]] for game in games]


def nothing(games):
    return []


def of_empty_lists(games):
    """Three bytes each, of which Python makes sixty."""
    return [*games, *([[]] * 1_000_000)]


NONSENSE = [of_another_id, doubled, one_twice, huge, nothing, of_empty_lists]


def set_up(folder, patched):
    patched.chdir(folder)
    patched.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    small_games(patched)
    close_here()


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    set_up(tmp_path, monkeypatch)
    yield
    close_here()


NAMES = ("alice", "bob", "carol", "stuck")


@pytest.fixture
def entrants(tmp_path):
    return submissions_in(tmp_path / "copies", *NAMES)


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """What one machine exports."""
    folder = tmp_path_factory.mktemp("alone")
    with pytest.MonkeyPatch.context() as patched:
        set_up(folder, patched)
        play(folder / "alone.db", submissions_in(folder / "copies", *NAMES))
        close_here()
    return exported(folder / "alone.db")


def line(said, part):
    found, *more = [each for each in said if part in each and "\n" not in each] or ["\n".join(said)]
    assert part in found
    assert more == []
    return found


@pytest.mark.parametrize("verify", [1.0, pytest.param(0.3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("alter", ALTERED)
def test_who_alters_games_is_expelled_with_all_that_it_did(tmp_path, entrants, alone, alter, verify):
    said = play(tmp_path / "cup.db", entrants, HostileLink(alter), verify)
    assert exported(tmp_path / "cup.db") == alone
    assert "games are played anew by others" in line(said, f"{LIAR} is expelled: game ")
    with read_store(tmp_path / "cup.db") as store:
        assert LIAR not in store.workers().values()
    (table,) = [each for each in said if each.startswith("worker ")]
    assert "wrong: game " in next(row for row in table.splitlines() if row.startswith(LIAR))


@pytest.mark.parametrize("alter", NONSENSE)
@pytest.mark.parametrize("honest", [1, pytest.param(0, marks=pytest.mark.slow)])
def test_nonsense_counts_for_nothing(tmp_path, entrants, alone, alter, honest):
    said = play(tmp_path / "cup.db", entrants, HostileLink(alter, honest), verify=0.0)
    assert exported(tmp_path / "cup.db") == alone
    line(said, f"{LIAR} is not used: it has sent something else than was asked for: expected ")
    with read_store(tmp_path / "cup.db") as store:
        assert LIAR not in store.workers().values()


def test_who_never_answers_holds_nobody_up(tmp_path, entrants, alone):
    said = play(tmp_path / "cup.db", entrants, HostileLink(None))
    assert exported(tmp_path / "cup.db") == alone
    line(said, f"{LIAR} is slow: a game there has taken ")


def test_honest_workers_are_believed_and_all_is_checked_once(tmp_path, entrants, alone):
    link = HostileLink(None, liars=())
    said = play(tmp_path / "cup.db", entrants, link)
    assert exported(tmp_path / "cup.db") == alone
    assert not [each for each in said if "expelled" in each]
    with read_store(tmp_path / "cup.db") as store:
        played = store.workers()
        unplayed = sum(bool(result.notes) and result.notes[0].startswith("not played") for result in store.results())
    checked = [json.loads(each)["game"] for each in checks_beside(tmp_path / "cup.db").read_text().splitlines()]
    assert len(checked) == len(set(checked)) == len(played) - unplayed


def test_a_finished_event_whose_games_are_checked_needs_no_cluster(tmp_path, entrants):
    play(tmp_path / "cup.db", entrants, HostileLink(None, liars=()))
    class NotAsked:
        def __getattr__(self, name):
            raise AssertionError("it was asked")

    play(tmp_path / "cup.db", entrants, NotAsked())


def test_games_that_a_stopped_run_has_not_checked_are_checked_by_the_next(tmp_path, entrants, alone):
    """As if the head had been killed after its last game was stored, before any was checked."""
    link = HostileLink(another_score)
    play(tmp_path / "cup.db", entrants, link, verify=0.0)
    assert exported(tmp_path / "cup.db") != alone
    said = play(tmp_path / "cup.db", entrants, link)
    assert exported(tmp_path / "cup.db") == alone
    line(said, f"{LIAR} is expelled: ")


def test_who_checks_wrongly_is_expelled_and_not_who_played(tmp_path, entrants, alone):
    said = play(tmp_path / "cup.db", entrants, HostileLink(another_score, honest=1))
    assert exported(tmp_path / "cup.db") == alone
    assert [each for each in said if "is expelled" in each] == [line(said, f"{LIAR} is expelled: ")]


def test_a_submission_that_draws_its_own_lots_costs_no_worker(tmp_path, entrants, monkeypatch):
    """On this board it never plays the same game twice."""
    monkeypatch.setattr(runs, "conditions_at", lambda *_: conditions(size=5))
    plan = make_plan(EventFile(values={"name": "cup", "size": 5, "games": 2}, chance={"seed": 1}), "round-robin", str)
    people = [*entrants[:2], replace(entrants[2], name="fickle")]
    said = play(tmp_path / "cup.db", people, HostileLink(None, liars=()), plan=plan)
    assert not [each for each in said if "expelled" in each]
    line(said, "fickle: answers differ from game to game, which is no worker's doing: game ")


@pytest.mark.slow
@pytest.mark.parametrize("more", [{"games": 12, "deciding": 12}, {"games": 4, "rounds": 2}])
def test_where_games_depend_on_others_those_are_played_anew_too(more, tmp_path, entrants):
    """After the games that all play, some pairs play more, and which they are depends on how those went; so does a round."""
    values = {"name": "cup", "size": 3, **more}
    plan = make_plan(EventFile(values=values, chance={"seed": 1}), "round-robin", str)
    play(tmp_path / "alone.db", entrants, plan=plan)
    play(tmp_path / "cup.db", entrants, HostileLink(another_winner), verify=0.1, plan=plan)
    assert exported(tmp_path / "cup.db") == exported(tmp_path / "alone.db")


def test_games_that_failed_in_the_first_two_turns_are_played_anew_after_an_expulsion():
    """Whether a submission plays on hangs on these: who has answered twice is past its probation."""
    games = [(0, 0, 0), (1, 0, 5), (1, 1, 5), (1, 2, 0), (2, 5, 1), (2, 0, 2)]
    fields = ("id", "forfeited_by", "black_moves", "white_moves")
    rows = [SimpleNamespace(**dict(zip(fields, (game, *game), strict=True))) for game in games]
    event = SimpleNamespace(rounds=0, until_decided=False, deciding=0)
    store = SimpleNamespace(event=event, rows=lambda: rows, noted=lambda _: [], finished=dict)
    assert _suspects(store, [], {"another"}) == {(1, 0, 5), (1, 1, 5), (2, 5, 1)}
    assert _suspects(store, [], set()) == set()


def test_the_sample_is_drawn_by_the_key(tmp_path, entrants):
    checked = []
    for name in ("one", "two"):
        play(tmp_path / f"{name}.db", entrants, HostileLink(None, liars=()), verify=0.5)
        with read_store(tmp_path / f"{name}.db") as store:
            drawn = {game for game in store.workers() if store.key.chooses(game, 0.5)}
        lines = checks_beside(tmp_path / f"{name}.db").read_text().splitlines()
        checked.append({json.loads(each)["game"] for each in lines} & drawn)
    assert checked[0] == checked[1] != set()


@pytest.mark.slow
@pytest.mark.parametrize("what", ["altered", "nonsense"])
def test_a_head_killed_at_any_step_of_an_expulsion_loses_and_believes_nothing(what, tmp_path):
    """Before, amid and after whatever it writes or decides; then the event is gone on with."""
    command = [sys.executable, "-m", "tests.support.killed_expulsion", str(tmp_path), what]
    done = subprocess.run(command, cwd=Path(__file__).parents[3], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert [line for line in lines if line.startswith("WRONG")] == []
    assert lines[-1].endswith(": done, 2 lines on wrong")
    # Killed while it stood there who is wrong, but before the games were taken out, among other steps.
    assert any(line.endswith(": killed, 1 lines on wrong") for line in lines)
