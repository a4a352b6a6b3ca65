"""What a submission's page leads with: forfeits by cause, and the strongest moves missed.

What players can do, on their pages: read from a file beside the results, shown to those whom it concerns.
"""

import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.made_up_events import forfeit, game, grade_specs, pair_specs
from gojudge.errors import JudgeError
from gojudge.records import ENGINE, PROGRAM, Entrant, GameResult, GameSpec, Spent, Termination, Turn
from gojudge.seats import Limits
from tests.support.page_events import small_store
from tournament.__main__ import main
from tournament.pages import words
from tournament.pages.profiles import MOST, MOST_MISSED, MOST_NAMED, Highlights, Profile, probed_path, read_probed, thrown_away
from tournament.pages.rendering import position
from tournament.pages.truths import Truth
from tournament.pages.words import cause
from tournament.store.store import read_store

SPEC = GameSpec("ann-bob-001", "ann", "bob", (1, 0))
CAUSES = [
    (Termination.CRASH, "ZeroDivisionError: division by zero (max.py, line 6)", "ZeroDivisionError, max.py line 6"),
    (Termination.CRASH, "KeyError: (2, 3) (max.py, line 6)", "KeyError, max.py line 6"),
    (Termination.CRASH, "its process ended with status 1", "its process ended with status 1"),
    (Termination.ILLEGAL_MOVE, "illegal move C3: the point is occupied", "illegal move: the point is occupied"),
    (Termination.TIME_OUT, "no answer within 1 s", "time-out: no answer within 1 s"),
    (Termination.TIME_OUT, "used 10.02 s of CPU", "time-out: used 10.02 s of CPU"),
    (Termination.INVALID_ANSWER, "invalid answer '9,9': off the board", "invalid answer '9,9': off the board"),
    (Termination.CRASH, "KeyError: 5 (my_player3.py, line 3); output.txt was not written", "KeyError, my_player3.py line 3"),
    (Termination.START_UP_FAILURE, "AttributeError: `np.float_` was removed in the NumPy 2.0 release.",
     "start-up failure: AttributeError: `np.float_` was removed in the NumPy 2.0 release."),
    (Termination.START_UP_FAILURE, "ModuleNotFoundError: No module named 'x' (pia.py, line 1)",
     "start-up failure: ModuleNotFoundError, pia.py line 1"),
    (Termination.CRASH, "", "crash"),
]  # fmt: skip


@pytest.mark.parametrize(("termination", "said", "shown"), CAUSES)
def test_what_equal_forfeits_have_in_common(termination, said, shown):
    detail = f"black (ann) forfeits at move 1: {said}" if said else ""
    assert cause(GameResult(SPEC, 2, 0, 0, termination, forfeited_by=1, detail=detail)) == shown


def timed_out(*charges):
    """A game that Black lost by a time-out, after answers that took so long each."""
    *turns, last = [Turn("C3", Spent(cpu=seconds)) for seconds in charges]
    both = tuple(turn for own in turns for turn in (own, Turn("A1", Spent(cpu=9))))
    said = "black (ann) forfeits at move 1: no answer within 5 s"
    return GameResult(SPEC, 2, 0, 0, Termination.TIME_OUT, forfeited_by=1, detail=said, turns=both, last=last)


TIMES = [
    ((0.1, 0.42, 0.2, 5.01), 7, "; its other 3 answers took 0.1 to 0.42 s"),
    ((0.00001, 3.14, 5.01), 5, "; its other 2 answers took 0 to 3.1 s"),
    ((0.1, 5.01), 3, "; its other answer took 0.1 s"),
    ((5.01,), 1, ""),
]


@pytest.mark.parametrize(("charges", "move", "others"), TIMES)
def test_a_time_out_is_told_with_the_limit_and_what_the_other_answers_took(charges, move, others):
    said = f"Black forfeits at move {move}: time-out (no answer within 5 s). The answer took 5.0 s; the limit is 5 s{others}."
    assert words.forfeit(timed_out(*charges), Limits()) == said


def test_a_page_tells_a_forfeit_in_the_words_that_course_systems_get():
    game = timed_out(0.1, 5.01)
    profile = Profile(limits=Limits(move_seconds=2.5))
    profile.add(game, 1, None, 5)
    ((_, fault),) = profile.causes
    assert "the limit is 2.5 s" in fault.why
    assert words.first_forfeits([game], Limits(move_seconds=2.5)) == {"ann": {"bob": fault.why}}


MOVES = ("C3", "A1", "B3", "E5")
SLOW = GameResult(
    SPEC, 2, 0, 0, Termination.TIME_OUT, forfeited_by=1, detail="black (ann) forfeits at move 5: no answer within 5 s",
    turns=tuple(Turn(move, Spent(cpu=seconds)) for move, seconds in zip(MOVES, (0.1, 9, 0.42, 9), strict=True)),
    last=Turn("?", Spent(cpu=5.01)),
)  # fmt: skip
QUESTION = "printf '1\\n00000\\n00000\\n01100\\n00000\\n20000\\n00002\\n00000\\n01100\\n00000\\n20000\\n' > input.txt"


def test_a_time_out_is_told_with_its_position_and_its_players_other_answers():
    found = words.time_out(SLOW, "course", 5, Limits())
    assert found.words == "Move 5: Black's answer took 5.01 s; the limit is 5 s."
    assert found.others == ((1, 0.1), (3, 0.42))
    assert ["".join(map(str, row)) for row in found.rows] == ["00002", "00000", "01100", "00000", "20000"]
    assert found.last == (0, 4)
    assert (found.asks, found.replays) == ((), "")
    assert words.time_out(forfeit(SPEC), "course", 5, Limits()) is None
    board = position(found.rows, found.last, "Before move 5")
    assert "<title>Before move 5: Black at B3, C3; White at E5, A1</title>" in board
    assert (board.count('class="stone black"'), board.count('class="stone white"'), board.count('class="last"')) == (2, 2, 1)


ASKED = [
    (Entrant("ann"), "time python3 -m players.littlego my_player.py --rules=course --moves=4"),
    (Entrant("ann", entry="a b.py", class_name="My"), "time python3 -m players.littlego 'a b.py:My' --rules=course --moves=4"),
    (Entrant("ann", entry="my_player3.py", kind=PROGRAM), "time python3 my_player3.py"),
    (Entrant("ann", entry="my_player.cpp", kind=PROGRAM), "g++ -O2 *.cpp -o my_player && time ./my_player"),
    (Entrant("ann", entry="my_player.java", kind=PROGRAM), "javac my_player.java && time java my_player"),
]


@pytest.mark.parametrize(("entrant", "line"), ASKED)
def test_a_time_out_has_the_commands_that_ask_again(entrant, line):
    assert words.time_out(SLOW, "course", 5, Limits(), entrant).asks == (QUESTION, line)


def test_nothing_asks_a_reference_player_or_an_engine_again():
    for one in (Entrant("random", reference="random"), Entrant("gnu", kind=ENGINE)):
        assert words.time_out(SLOW, "course", 5, Limits(), one).asks == ()


def test_the_commands_ask_what_was_asked(tmp_path):
    """Run as they stand, they give a player the position in which it ran out of time."""
    (tmp_path / "my_player.py").write_text(
        "class MyPlayer:\n    def get_input(self, go, piece_type):\n"
        "        print(go.board, go.previous_board, piece_type, go.n_move)\n        return 0, 0\n"
    )
    asks = words.time_out(SLOW, "course", 5, Limits(), Entrant("ann")).asks
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])}
    told = subprocess.run(["bash", "-ec", "\n".join(asks)], cwd=tmp_path, capture_output=True, text=True, env=environment)
    board = [[0, 0, 0, 0, 2], [0] * 5, [0, 1, 1, 0, 0], [0] * 5, [2, 0, 0, 0, 0]]
    before = [[0] * 5, *board[1:]]
    assert told.stdout == f"{board} {before} 1 4\n", told.stderr
    assert (tmp_path / "output.txt").read_text() == "0,0"


def test_only_the_first_forfeit_against_each_opponent_is_told_with_its_traceback():
    games = [forfeit(spec) for spec in pair_specs(["ann", "bob"], 4)]
    (told,) = words.first_forfeits(games, Limits())["ann"].values()
    assert told == f"{words.forfeit(games[0], Limits())}\n{words.traceback(games[0])}"
    assert words.first_forfeits([game(SPEC)], Limits()) == {}
    path = 'File "/home/prof/.venv/lib/python3.11/site-packages/numpy/core.py", line 7'
    (told,) = words.first_forfeits([replace(games[0], evidence=path)], Limits())["ann"].values()
    assert told.endswith('\nFile "numpy/core.py", line 7')


VARYING = [
    (["used 10.02 s of CPU", "used 10.41 s of CPU"], "time-out: used … s of CPU"),
    (["invalid answer '9,9': off the board"] * 2, "time-out: invalid answer '9,9': off the board"),
    (["invalid answer '9,9': off it", "invalid answer '7,1': off it"], "time-out: invalid answer …: off it"),
    (["`np.int` was removed in NumPy 1.24"] * 2, "time-out: `np.int` was removed in NumPy 1.24"),
]


@pytest.mark.parametrize(("said", "shown"), VARYING)
def test_numbers_and_answers_are_left_out_only_where_forfeits_of_one_cause_differ_in_them(said, shown):
    profile = Profile()
    for one in said:
        detail = f"black (ann) forfeits at move 1: {one}"
        profile.add(GameResult(SPEC, 2, 0, 0, Termination.TIME_OUT, forfeited_by=1, detail=detail), 1, None, 5)
    ((what, fault),) = profile.causes
    assert (what, fault.count) == (shown, 2)
    assert fault.why.endswith(f"({said[0]}).")


def test_forfeits_are_counted_by_cause_and_some_are_named():
    profile = Profile()
    for spec in pair_specs(["ann", "bob"], 40):
        profile.add(forfeit(spec), 1 if spec.black == "ann" else 2, None, 5)
    ((what, fault),) = profile.causes
    assert (what, fault.count, len(fault.places)) == ("ZeroDivisionError, ann.py line 12", 20, MOST_NAMED)
    assert fault.evidence.endswith("ZeroDivisionError")
    assert profile.lost == 0


def truth_with(result, turns):
    """A truth in which Black leads by 3 until each of these moves turns the game over."""
    winners, margins = [1], [3]
    for ply in range(1, len(result.turns) + 1):
        winners.append(3 - winners[-1] if ply in turns else winners[-1])
        margins.append(3 if winners[-1] == 1 else -turns.get(ply, 0) + 3 if ply in turns else margins[-1])
    return Truth(tuple(winners), tuple(margins), dict.fromkeys(turns, "A1"), 1.0)


def test_the_worst_moves_with_a_better_one_are_listed_worst_first():
    result = game(SPEC)
    profile = Profile()
    profile.add(result, 1, truth_with(result, {3: 9}), 5)
    profile.add(result, 1, truth_with(result, {5: 20}), 5)
    assert [(one.place.ply, one.turn, one.cost) for one in profile.missed] == [(5, "win to loss", 20), (3, "win to loss", 9)]
    assert profile.missed[0].better == "A1 was best"
    for ply in (7, 9, 11, 13, 15, 17):
        profile.add(result, 1, truth_with(result, {ply: 12}), 5)
    assert len(profile.missed) == MOST_MISSED
    assert [one.cost for one in profile.missed] == [20, 12, 12, 12, 12, 12]


def test_a_won_game_is_thrown_away_by_who_lost_it_in_the_end():
    result = game(SPEC)
    loser_ply = 5 if result.winner == 2 else 4
    truth = truth_with(result, {loser_ply: 9} if loser_ply == 5 else {3: 9, 4: 9})
    assert thrown_away(result, truth) == loser_ply
    assert thrown_away(result, None) == 0
    assert thrown_away(forfeit(SPEC), truth) == 0


def test_lists_hold_what_they_say_and_say_of_how_many():
    highlights = Highlights({"ann": 0, "bob": 1}, {"ann": 1800.0, "bob": 1200.0})
    for spec in pair_specs(["ann", "bob"], 600):
        highlights.add(forfeit(spec) if spec.id.endswith("1") else game(spec), None)
    lists = {one["key"]: one for one in highlights.lists()}
    assert "thrown" not in lists
    assert lists["all"]["total"] == 600
    assert lists["forfeits"]["total"] == 60
    assert len(lists["longest"]["games"]) == MOST
    lengths = [row[4] for row in lists["longest"]["games"]]
    assert lengths == sorted(lengths, reverse=True)
    assert all(row[3][0] == ("W" if row[1] == 0 else "B") for row in lists["upsets"]["games"])


def test_who_crashes_always_does_not_hide_the_others():
    names = [f"s{k}" for k in range(9)]
    highlights = Highlights({name: k for k, name in enumerate([*names, "random"])}, {})
    for name in names:
        for spec in grade_specs([name], ["random"], 1200 if name == "s0" else 2):
            highlights.add(forfeit(spec, 0 if spec.black == name else 1), None)
    (forfeits,) = [one for one in highlights.lists() if one["key"] == "forfeits"]
    losers = [row[1] if row[3] == "W+F" else row[2] for row in forfeits["games"]]
    assert len(losers) == MOST
    assert {losers.count(k) for k in range(1, 9)} == {2}


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
