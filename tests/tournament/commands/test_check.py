"""check: one line per submission, after a trial game of each colour in the sandbox."""

import re
import sqlite3
from contextlib import closing, nullcontext

import pytest

from tournament.__main__ import main
from tournament.store.store import read_store

HEAD = "class MyPlayer:\n    def get_input(self, go, piece_type):\n"
GOOD = f"""{HEAD}        for i in range(go.size):
            for j in range(go.size):
                if go.valid_place_check(i, j, piece_type, test_check=True):
                    return i, j
"""


@pytest.fixture
def played_apart(tmp_path):
    """A folder for a class whose games are played in processes of their own."""
    (tmp_path / "hw").mkdir()
    return tmp_path / "hw"


@pytest.fixture
def hw(played_apart, played_here):
    return played_apart


def check(capsys, *arguments):
    status = main(["check", *map(str, arguments)])
    said = capsys.readouterr()
    # Who waits a minute for a busy machine is told how far it is.
    return status, said.out.splitlines(), re.sub(r"^\d+ of \d+ games, .*\n", "", said.err, flags=re.M)


def test_a_student_checks_the_one_file(hw, capsys):
    (hw / "my_player.py").write_text(GOOD)
    status, lines, _ = check(capsys, hw / "my_player.py")
    assert status == 0
    assert lines[0].startswith("hw: ok (my_player.py, class MyPlayer): won ")
    assert lines[1].startswith("1 of 1 ok, tried at T")


def test_what_the_one_file_needs_comes_along_and_is_listed(hw, capsys):
    (hw / "my_player.py").write_text(f"import helper\nopen('q_table.json')\n{GOOD}")
    (hw / "helper.py").write_text("import more.parts")
    (hw / "more").mkdir()
    for name in ("q_table.json", "other.json", "more/__init__.py", "more/parts.py", "more/a.py", "more/notes.txt"):
        (hw / name).touch()
    status, lines, err = check(capsys, hw / "my_player.py")
    with_these = "helper.py, more/__init__.py, more/a.py, more/parts.py and 1 more"
    assert (status, err) == (0, "")
    assert lines[0].startswith(f"hw: ok (my_player.py, class MyPlayer, with {with_these}): won ")
    (hw / "notes.py").write_text(GOOD)
    assert check(capsys, hw / "my_player.py", hw / "notes.py", "--no-games")[1][1] == "notes: ok (notes.py, class MyPlayer)"


def test_nothing_comes_along_with_the_files_of_a_class(hw, capsys):
    (hw / "bob.py").write_text(f"import helper\n{GOOD}")
    (hw / "helper.py").write_text(GOOD)
    _, lines, err = check(capsys, hw)
    assert lines[0] == "bob: black forfeits before move 1: ModuleNotFoundError: No module named 'helper' (bob.py, line 1)"
    assert err.startswith(f"'{hw}' was taken for a folder of 2 submissions; if it is one, name the file that plays")


def test_a_file_that_is_not_named_in_full_is_missed_and_that_is_explained(hw, capsys):
    (hw / "my_player.py").write_text(f"colour = 'X'\nopen(f'table_{{colour}}.json')\n{GOOD}")
    assert check(capsys, hw / "my_player.py")[2] == ""
    (hw / "table_X.json").touch()
    status, lines, err = check(capsys, hw / "my_player.py")
    assert status == 1
    assert "No such file or directory: 'table_X.json'" in lines[0]
    assert err == (
        "hw: table_X.json lies beside it, but only such files come along as it imports, or names in full; to bring all, "
        "name the folder, and call the player my_player.py\n"
    )
    assert check(capsys, hw)[0] == 0


@pytest.mark.slow
def test_a_class_with_one_line_each(hw, capsys):
    sources = {
        "ann": GOOD,
        "ok": "class MyPlayer:\n    def __init__(self):\n        self.x\n    def get_input(self, go, piece_type): pass\n",
        "bob": f"{HEAD}        return 1 / 0\n",
        "cy": f"{HEAD}        return (2, 2) if go.n_move == 0 else None\n",
        "dee": f"{HEAD}        return 0, 0\n",
        "eve": "print 'hello'\n",
        "fay": f"{HEAD}        while piece_type == 2: pass\n        return {GOOD.split('return ')[0] and '(0, 0)'}\n",
        "gus": f"import nothing_like_this\n{GOOD}",
    }
    for name, source in sources.items():
        (hw / f"{name}.py").write_text(source)
    (hw / "notes.txt").touch()
    status, lines, err = check(capsys, hw, "--move-seconds", "2")
    said = dict(line.split(": ", 1) for line in lines[:-1])
    assert status == 1
    assert list(said) == sorted(sources)
    assert said["ann"].startswith("ok (ann.py, class MyPlayer)")
    assert said["bob"] == "black forfeits at move 1: ZeroDivisionError: division by zero (bob.py, line 3)"
    assert said["cy"].startswith("black forfeits at move 3: ")
    assert said["dee"] == "black forfeits at move 3: illegal move A5: the point is occupied"
    assert said["eve"].startswith("eve.py, line 1: SyntaxError: Missing parentheses")
    assert said["gus"].startswith("black forfeits before move 1: ")
    assert "ModuleNotFoundError" in said["gus"]
    assert "AttributeError" in said["ok"]
    assert lines[-1].startswith("1 of 8 ok, tried at T")
    assert err.endswith(f", or call it my_player.py\n{hw / 'notes.txt'}: left aside, not a submission\n")


def test_what_a_failing_player_said_is_shown_if_asked_for(hw, capsys):
    (hw / "bob.py").write_text(f"{HEAD}        print('\x1b[2Jhello')\n        return 1 / 0\n")
    _, lines, _ = check(capsys, hw / "bob.py", "--verbose")
    assert "    \\x1b[2Jhello" in lines
    assert "    ZeroDivisionError: division by zero" in lines


def test_nothing_is_run_if_so_asked(hw, capsys):
    (hw / "bob.py").write_text(f"raise SystemExit\n{GOOD}")
    assert check(capsys, hw, "--no-games")[:2] == (0, ["bob: ok (bob.py, class MyPlayer)", "1 of 1 ok"])


def test_other_rules_and_sizes(hw, capsys):
    (hw / "bob.py").write_text(f"{HEAD}        return 'PASS'\n")
    event = hw.parent / "four.toml"
    event.write_text('rules = "course"\nsize = 4\n')
    status, lines, _ = check(capsys, hw, "--event", event)
    assert (status, "illegal move pass" in lines[0]) == (1, True), lines
    assert check(capsys, hw, "--rules", "littlego", "--event", event)[0] == 0


def test_all_that_has_no_option_is_taken_from_the_event_file(hw, capsys):
    (hw / "bob.py").write_text(GOOD)
    event = hw.parent / "cup.toml"
    event.write_text(f"roster = 'r.csv'\nonly_listed = true\npython = '{hw}/no-python'\n")
    (hw.parent / "r.csv").write_text("submission\nann\n")
    _, lines, _ = check(capsys, hw, "--event", event, "--no-games")
    assert "bob: not in r.csv, and only those listed take part" in lines
    (hw.parent / "r.csv").write_text("submission\nbob\n")
    status, _, err = check(capsys, hw, "--event", event)
    assert status != 0
    assert "no-python" in err


def test_a_file_that_needs_what_it_cannot_have_is_refused_alone(hw, capsys):
    (hw / "bob.py").write_text(f"open('table.json')\n{GOOD}")
    (hw / "ann.py").write_text(GOOD)
    (hw / "table.json").symlink_to("ann.py")
    assert check(capsys, hw / "ann.py", hw / "bob.py", "--no-games")[1] == [
        "ann: ok (ann.py, class MyPlayer)",
        "bob: expected regular files, got the symbolic link 'table.json', which it needs",
        "1 of 2 ok",
    ]


PROGRAM = "open('input.txt').read()\nopen('output.txt', 'w').write('PASS')\n"


def test_what_plays_is_said_where_something_else_could_have(hw, capsys):
    (hw / "my_player.py").write_text(GOOD)
    (hw / "my_player3.py").write_text(PROGRAM)
    said = (
        "hw: plays my_player3.py, a program; not my_player.py (class MyPlayer): a roster's columns entry and class can say "
        "which plays\n"
    )
    status, lines, err = check(capsys, hw, "--rules", "littlego", "--no-games")
    assert (status, lines[0], err) == (0, "hw: ok (my_player3.py, a program)", said)
    assert check(capsys, hw, "--no-games")[1:] == (["hw: ok (my_player.py, class MyPlayer)", "1 of 1 ok"], "")
    alone = check(capsys, hw / "my_player.py", "--rules", "littlego", "--no-games")
    assert alone[1:] == (["hw: ok (my_player.py, class MyPlayer)", "1 of 1 ok"], "")
    (hw.parent / "r.csv").write_text("submission,entry\nhw,my_player.py\n")
    _, lines, err = check(capsys, hw, "--rules", "littlego", "--no-games", "--roster", hw.parent / "r.csv")
    assert (lines[0], err) == ("hw: ok (my_player.py, class MyPlayer)", "")


def test_nobody_is_dropped_who_is_not_in_the_roster(hw, capsys):
    (hw / "ann.py").write_text(GOOD)
    (hw / "bob.py").write_text(GOOD)
    roster = hw.parent / "r.csv"
    roster.write_text("submission\nbob\n")
    status, lines, err = check(capsys, hw, "--roster", roster, "--no-games")
    assert (status, lines[-1], err) == (1, "2 of 2 ok", "ann: unlisted: not in r.csv, and takes part all the same\n")
    event = hw.parent / "listed.toml"
    event.write_text("only_listed = true\n")
    status, lines, err = check(capsys, hw, "--roster", roster, "--no-games", "--event", event)
    assert (status, lines, err) == (
        1, ["ann: not in r.csv, and only those listed take part", "bob: ok (bob.py, class MyPlayer)", "1 of 2 ok"], ""
    )  # fmt: skip


@pytest.mark.slow
def test_a_check_with_a_store_goes_on_where_it_was_stopped(played_apart, capsys):
    for name in ("ann", "bob", "cy"):
        (played_apart / f"{name}.py").write_text(GOOD)
    (played_apart / "dee.py").write_text(f"{HEAD}        return 1 / 0\n")
    store = played_apart.parent / "check.db"
    command = (played_apart, "--store", store, "--jobs", 2)
    status, lines, _ = check(capsys, *command)
    assert status == 1
    with closing(sqlite3.connect(store)) as db:
        db.execute("DELETE FROM games WHERE id = 'bob-random-002'")
        db.commit()
        kept = db.execute("SELECT game, id FROM games ORDER BY game").fetchall()
    (played_apart / "cy.py").write_text(f"# better\n{GOOD}")
    again = check(capsys, *command)
    assert [line.split(", longest")[0] for line in again[1]] == [line.split(", longest")[0] for line in lines]
    with closing(sqlite3.connect(store)) as db:
        now = db.execute("SELECT game, id FROM games ORDER BY game").fetchall()
    assert now[: len(kept)] == kept
    assert sorted(name for _, name in now[len(kept) :]) == ["bob-random-002", "cy-random-001", "cy-random-002"]


@pytest.mark.slow
def test_who_names_the_file_of_another_event_is_told_the_option_that_helps(hw, capsys):
    for name in ("ann", "bob"):
        (hw / f"{name}.py").write_text(GOOD)
    command = (hw, "--store", hw.parent / "look.db")
    assert check(capsys, *command)[0] == 0
    status, lines, err = check(capsys, *command, "--move-seconds", 3)
    assert (status, lines) == (2, [])
    assert err.endswith(
        "holds another event, 'check': limits.move_seconds (5.0 there, 3.0 here); "
        "give it another --store, or move the old file away\n"
    )


@pytest.mark.slow
def test_the_same_games_are_played_by_any_number_of_jobs(played_apart, capsys):
    for name in ("ann", "bob"):
        (played_apart / f"{name}.py").write_text(GOOD)
    moves = []
    for number in (1, 3):
        store = played_apart.parent / f"{number}.db"
        assert check(capsys, played_apart, "--jobs", number, "--store", store)[0] == 0
        with read_store(store) as found:
            moves.append({result.spec.id: [turn.move for turn in result.turns] for result in found.results()})
    assert moves[0] == moves[1]
    assert len(moves[0]) == 4


def test_what_stops_a_check_leaves_what_was_played(hw, capsys, monkeypatch):
    (hw / "ann.py").write_text(GOOD)
    monkeypatch.setattr("tournament.application.runs.stop_signals", lambda: nullcontext([2]))
    status, lines, err = check(capsys, hw)
    assert (status, lines, err) == (130, [], "stopped; with --store FILE the same command would go on\n")
    status, _, err = check(capsys, hw, "--store", hw.parent / "check.db")
    assert (status, err) == (130, "stopped; the same command goes on from there\n")


BAD = [
    (["hw", "--store", "."], "check: --store: expected a file, got the folder '.'"),
    (["hw", "--jobs", "0"], "check: --jobs: expected a whole number from 1 to 1000, got 0"),
    (["hw", "--event", "listed.toml"], "check: only_listed: expected a roster that lists who may take part, got none"),
    ([], "check: expected a folder of submissions, got none"),
    (["none"], "check: expected a folder or file of submissions, got 'none', which does not exist"),
    (["empty"], "check: expected submissions (folders, .py files, zip or tar archives) in 'empty', found none"),
    (["hw", "--event", "big.toml"], "check: big.toml: size: expected a whole number from 2 to 19, got 20"),
    (["hw", "--move-seconds", "nan"], "check: --move-seconds: expected a number from 0.001 to 100000, got nan"),
    (["hw", "--roster", "none.csv"], "check: roster 'none.csv' cannot be read: No such file or directory"),
    (["hw", "--event", "t9.toml"], "check: t9.toml: require_tier: expected one of T0, T1, T2, T3, got 'T9'"),
]


@pytest.mark.parametrize(("arguments", "line"), BAD)
def test_bad_usage_is_one_line(hw, capsys, monkeypatch, arguments, line):
    monkeypatch.chdir(hw.parent)
    (hw / "bob.py").write_text(GOOD)
    (hw.parent / "empty").mkdir()
    for name, text in {"listed": "only_listed = true", "big": "size = 20", "t9": "require_tier = 'T9'"}.items():
        (hw.parent / f"{name}.toml").write_text(f"{text}\n")
    status, lines, err = check(capsys, *arguments)
    assert (status, lines) == (2, [])
    assert err.startswith(line)
    assert err.count("\n") == 1


# What would be graded

VERDICT = re.compile(
    r"a grade would play my_player\.py, class MyPlayer: about \d+ of 100 points \(\d+-\d+\), by CSCI-561 .*stage"
)


@pytest.mark.slow
def test_a_single_submission_is_told_what_would_be_graded(hw, capsys, games_ahead):
    games_ahead(2)
    (hw / "my_player.py").write_text(GOOD)
    status, lines, err = check(capsys, hw / "my_player.py")
    assert (status, len(lines)) == (0, 4)
    assert re.fullmatch(r"won: random \d of 2, greedy \d of 2, aggressive \d of 2, smart \d of 2", lines[2])
    assert VERDICT.fullmatch(lines[3])
    assert err.startswith("2 games against random, greedy, aggressive and smart each, to estimate its points; Ctrl-C ends")
    assert lines[2:] == check(capsys, hw)[1][2:]


@pytest.mark.slow
def test_without_a_sandbox_the_same_is_said(hw, capsys, games_ahead):
    games_ahead(2)
    (hw / "my_player.py").write_text(GOOD)
    assert check(capsys, hw / "my_player.py", "--no-sandbox")[1][2:] == check(capsys, hw / "my_player.py")[1][2:]


@pytest.mark.slow
def test_the_games_are_kept_and_not_played_again(hw, capsys, games_ahead):
    games_ahead(2)
    (hw / "my_player.py").write_text(GOOD)
    store = hw.parent / "check.db"
    first = check(capsys, hw, "--store", store)[1][2:]
    with closing(sqlite3.connect(hw.parent / "check.points.db")) as db:
        assert db.execute("SELECT count(*) FROM games").fetchone() == (8,)
        kept = db.execute("SELECT * FROM games").fetchall()
    assert check(capsys, hw, "--store", store)[1][2:] == first
    with closing(sqlite3.connect(hw.parent / "check.points.db")) as db:
        assert db.execute("SELECT * FROM games").fetchall() == kept


@pytest.mark.slow
def test_games_that_are_forfeited_are_told_and_count_as_lost(hw, capsys, games_ahead):
    games_ahead(2)
    (hw / "my_player.py").write_text(f"{HEAD}        if piece_type == 2: return 1 / 0\n{GOOD.removeprefix(HEAD)}")
    status, lines, _ = check(capsys, hw / "my_player.py")
    assert (status, lines[1][:9]) == (1, "0 of 1 ok")
    assert lines[3] == (
        "forfeited, which counts as lost: 4 of 8 games (crash 4); the first: white forfeits at move 2: ZeroDivisionError: "
        "division by zero (my_player.py, line 3)"
    )
    assert VERDICT.fullmatch(lines[4])


def test_who_cannot_start_or_is_refused_has_no_points(hw, capsys, games_ahead):
    games_ahead(2)
    (hw / "my_player.py").write_text(f"import nothing_like_this\n{GOOD}")
    assert check(capsys, hw / "my_player.py")[1][2:] == [
        "a grade would play my_player.py, class MyPlayer: 0 of 100 points as long as it cannot start"
    ]
    (hw / "my_player.py").write_text("class Other: pass\n")
    assert check(capsys, hw)[1][2:] == ["a grade would play nothing: 0 of 100 points as long as it is refused"]


def test_slow_submissions_have_fewer_games_and_that_is_said(hw, capsys, games_ahead, monkeypatch):
    games_ahead(2)
    monkeypatch.setattr("tournament.application.trials._SLOW_SECONDS", 0.0)
    monkeypatch.setattr("tournament.application.trials._MOST_SECONDS", 0.0)
    (hw / "my_player.py").write_text(GOOD)
    _, lines, _ = check(capsys, hw / "my_player.py")
    assert lines[3] == "a minute is over: 2 of 8 games were played, so less is known"
    assert lines[4].startswith("a grade would play my_player.py, class MyPlayer: some, nobody knows how many, of 100 points (")
    assert check(capsys, hw / "my_player.py", "--no-sandbox")[1][3:] == lines[3:]


def test_games_that_are_stopped_say_what_is_known(hw, capsys, games_ahead, monkeypatch):
    games_ahead(2)
    (hw / "my_player.py").write_text(GOOD)
    seen = iter([[], [2]])
    monkeypatch.setattr("tournament.application.runs.stop_signals", lambda: nullcontext(next(seen)))
    status, lines, _ = check(capsys, hw / "my_player.py")
    assert (status, lines[3]) == (130, "stopped: 2 of 8 games were played, so less is known")


def test_nothing_is_foreseen_of_a_class_of_an_engine_or_where_no_rubric_is(hw, capsys, games_ahead):
    games_ahead(2)
    (hw / "ann.py").write_text(GOOD)
    event = hw.parent / "cup.toml"
    event.write_text("kind = 'round-robin'\n")
    assert len(check(capsys, hw, "--event", event)[1]) == 2
    assert len(check(capsys, hw, "--rules", "alphago7")[1]) == 2
    assert len(check(capsys, hw, "--no-games")[1]) == 2
    (hw / "bob.py").write_text(GOOD)
    assert len(check(capsys, hw)[1]) == 3


def test_the_rubric_is_that_of_the_event_file(hw, capsys, games_ahead):
    games_ahead(2)
    (hw / "my_player.py").write_text(GOOD)
    bands = "[[opponent]]\nname = 'random'\nbands = [{ from = 0, points = 7 }]\n"
    (hw.parent / "own.toml").write_text(f"title = 'Two'\nrules = 'course'\nsize = 5\ngames = 10\n{bands}")
    event = hw.parent / "hw.toml"
    event.write_text(f"rubric = '{hw.parent}/own.toml'\n")
    _, lines, err = check(capsys, hw, "--event", event)
    assert lines[2].startswith("won: random ")
    assert lines[3] == "a grade would play my_player.py, class MyPlayer: about 7 of 7 points (7-7), by Two"
    assert err == "2 games against random, to estimate its points; Ctrl-C ends them\n"


def test_a_rubric_whose_player_is_missing_leaves_the_check_as_it_is(hw, capsys, games_ahead):
    games_ahead(2)
    (hw / "my_player.py").write_text(GOOD)
    bands = "[[opponent]]\nname = 'champion'\nplayer = 'champion.py'\nbands = [{ from = 0, points = 7 }]\n"
    (hw.parent / "own.toml").write_text(f"title = 'Two'\nrules = 'course'\nsize = 5\ngames = 10\n{bands}")
    (hw.parent / "hw.toml").write_text(f"rubric = '{hw.parent}/own.toml'\n")
    status, lines, err = check(capsys, hw, "--event", hw.parent / "hw.toml")
    assert (status, len(lines)) == (0, 2)
    assert err.startswith("nothing can be said of its points: opponent champion: expected a file with its player, found none")
