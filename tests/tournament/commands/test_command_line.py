import os
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from goban.rulesets import PRESETS
from gojudge.errors import JudgeError
from gojudge.records import Tier
from gojudge.seats import usual_limits
from tests.support.event_files import kept_in
from tests.support.submissions import get_input, submission
from tests.support.waiting import PATIENCE, wait_until
from tournament.__main__ import COMMANDS, HIDDEN, main
from tournament.application.classes import nothing_left_if_refused
from tournament.events.events import Machine
from tournament.store.store import Store, lock_for_writing, read_store
from tournament.store.stored_games import DETAILS, checksum

ROOT = Path(__file__).parents[3]
PUBLIC = "the seed makes chance public: who knows it can compute all random choices; leave it out where marks count"
# All of them reference players: nothing here needs a sandbox.
GAUNTLET = ["gauntlet", "random", "greedy", "aggressive", "--size=3", "--games=6", "--jobs=1"]


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch, played_here):
    monkeypatch.chdir(tmp_path)


def says(capsys, *arguments):
    """Run a command that fails; return the one line it writes."""
    try:
        status = main([str(argument) for argument in arguments])
    except SystemExit as end:
        status = end.code
    output, errors = capsys.readouterr()
    assert (status, output) == (2, "")
    assert errors.count("\n") == 1, errors
    return errors


def start(*arguments, **options):
    return subprocess.Popen(
        [sys.executable, "-m", "tournament", *arguments], env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options,
    )  # fmt: skip


NOT_FOR_IT = [
    (["round-robin", ".", "--rubric=2019"],
     "round-robin: --rubric: expected a rubric of ranks, as 2019-second, got '2019'; one that is about reference players is "
     "for grade"),
    (["grade", ".", "--rubric=2019-second"],
     "grade: --rubric: expected a rubric with reference players, got '2019-second'; one that is about ranks is for "
     "round-robin"),
    (["gauntlet", "random", "--event=points.toml"],
     "gauntlet: points.toml: rubric: expected none, a gauntlet gives no points, got '2019'; --rules, --size and --games say "
     "what is played"),
    (["gauntlet", "random", "greedy", "--event=match.toml"],
     "gauntlet: match.toml: references: expected none, a match names its two players; gauntlet takes some"),
    (["gauntlet", "random", "random"],
     "gauntlet: expected entrants of different names, got 'random' twice; python3 go_play.py -p1=random "
     "-p2=random plays a player against itself"),
    (["gauntlet", "random", "class", "--event=pair.toml"],
     "gauntlet: expected two entrants for a match (round-robin and gauntlet take more), got random, ann, bob"),
    (["gauntlet", "greddy", "random"],
     "gauntlet: expected a player (random, greedy, aggressive, smart, alphabeta, qlearner, championship, perfect, naive, "
     "montecarlo, zero, my), gtp:COMMAND, a file or a folder, got 'greddy'; did you mean greedy?"),
    (["grade", ".", "--event=points.toml"],
     "grade: points.toml: references: expected none, since a grade's reference players are the rubric's"),
    (["grade", "random"],
     "grade: expected a folder or file of submissions, got 'random', which is a reference player: a grade's are those "
     "of its rubric"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "line"), NOT_FOR_IT)
def test_what_does_not_go_together_is_refused_with_what_to_do_instead(capsys, arguments, line):
    Path("class").mkdir()
    for name in ("ann", "bob"):
        Path(f"class/{name}.py").write_text("class MyPlayer:\n    def get_input(self, go, piece_type): pass\n")
    Path("match.toml").write_text("kind = 'match'\nreferences = ['random']\n")
    Path("pair.toml").write_text("kind = 'match'\n")
    Path("points.toml").write_text("rubric = '2019'\nreferences = ['random']\n")
    assert says(capsys, *arguments) == f"{line}\n"


def test_help_names_every_command(capsys):
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    output = capsys.readouterr().out
    assert all(re.search(rf"^  {name} +\w", output, re.MULTILINE) for name in COMMANDS)


@pytest.mark.parametrize("command", [*COMMANDS, *HIDDEN])
def test_every_command_has_help(capsys, command):
    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])
    assert f"python3 -m tournament {command}" in capsys.readouterr().out


def test_nothing_heavy_is_imported_before_it_is_needed():
    code = (
        "import sys\nfrom tournament.__main__ import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: print(sorted({'numpy', 'numba', 'scipy', 'tqdm', 'jinja2', 'tabulate'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=PATIENCE)
    assert done.stdout.splitlines()[-1] == "[]"


# A run


def test_a_run_plays_what_is_missing_and_says_what_it_did(capsys):
    assert main(GAUNTLET) == 0
    output, errors = capsys.readouterr()
    assert errors == "12 of 12 games are saved in gauntlet.db, 12 played now\n"
    assert output.splitlines()[2].split()[:3] == ["random", "greedy", "6"]
    assert main(GAUNTLET) == 0
    assert capsys.readouterr() == (output, "12 of 12 games are saved in gauntlet.db, 0 played now\n")


def test_an_opponent_can_be_added(capsys):
    main(GAUNTLET)
    main([*GAUNTLET, "smart"])
    assert capsys.readouterr().err.splitlines()[-1] == "18 of 18 games are saved in gauntlet.db, 6 played now"


def test_an_event_file_and_options_that_win_over_it(capsys):
    Path("cup.toml").write_text('name = "cup"\nkind = "match"\nsize = 3\ngames = 4\n')
    assert main(["gauntlet", "random", "greedy", "--event=cup.toml", "--games=6", "--jobs=1"]) == 0
    assert capsys.readouterr().err == "6 of 6 games are saved in cup.db, 6 played now\n"


def test_another_event_is_refused_and_another_name_keeps_the_old_one(capsys):
    main(GAUNTLET)
    capsys.readouterr()
    line = says(capsys, *GAUNTLET, "--rules=tromp-taylor")
    assert line.startswith("gauntlet: gauntlet.db: holds another event, 'gauntlet': rules (course there, tromp-taylor-strict ")
    assert line.endswith("; give it another --name, or move the old file away\n")
    assert main([*GAUNTLET, "--rules=tromp-taylor", "--name=tt"]) == 0
    assert main(["verify", "gauntlet.db", "--jobs=1"]) == 0


def test_stored_games_come_out_the_same(capsys):
    main(GAUNTLET)
    capsys.readouterr()
    assert main(["verify", "gauntlet.db", "--jobs=1"]) == 0
    assert capsys.readouterr().out == "12 of 12 games came out the same\n"
    assert main(["verify", "gauntlet.db", "random-greedy-003", "--jobs=1"]) == 0
    assert capsys.readouterr().out == "1 of 1 games came out the same\n"


def test_a_game_that_was_tampered_with_is_found(capsys):
    main(GAUNTLET)
    with closing(sqlite3.connect("gauntlet.db")) as db:
        where = "WHERE id = 'random-greedy-003'"
        game_id, *details, _ = db.execute(f"SELECT id, {DETAILS} FROM games {where}").fetchone()
        place = DETAILS.split(", ").index("moves")
        first, *others = details[place].split()
        other = "A2" if first == "A1" else "A1"
        details[place] = " ".join([other, *others])
        # By somebody who knows how the file is made.
        new = details[place], checksum((game_id, *details))
        db.execute(f"UPDATE games SET moves = ?, checksum = ? {where}", new)
        db.commit()
    capsys.readouterr()
    assert main(["verify", "gauntlet.db", "--jobs=1"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"random-greedy-003: move 1: black (random) played {other} then, {first} now",
        "random is not deterministic: another answer in the same position, in 1 of the games above",
        "11 of 12 games came out the same",
    ]


# Chance


def exported(store):
    assert main(["export", store, "json", "--out=export.json"]) == 0
    return Path("export.json").read_bytes()


def test_without_a_seed_two_events_differ_and_a_stopped_one_goes_on_with_its_key(capsys):
    main([*GAUNTLET, kept_in("one")])
    main([*GAUNTLET, kept_in("other")])
    assert exported("one.db") != exported("other.db")
    capsys.readouterr()
    shutil.copy("one.db", "elsewhere.db")
    assert main(["verify", "elsewhere.db", "--jobs=1"]) == 0
    assert capsys.readouterr().out == "12 of 12 games came out the same\n"


def test_a_seed_plays_the_same_games_again_and_says_that_chance_is_public(capsys):
    main([*GAUNTLET, kept_in("one"), "--seed=5"])
    assert capsys.readouterr().err.splitlines() == [PUBLIC, "12 of 12 games are saved in one.db, 12 played now"]
    main([*GAUNTLET, kept_in("other", "seed = 5\n"), "--jobs=2"])
    assert PUBLIC in capsys.readouterr().err
    assert exported("one.db") == exported("other.db")
    main([*GAUNTLET, kept_in("third"), "--seed=6"])
    assert exported("third.db") != exported("one.db")


def test_a_store_goes_on_with_its_own_key_only(capsys):
    main([*GAUNTLET, "--seed=5"])
    capsys.readouterr()
    refused = r"gauntlet: gauntlet\.db: its key is another than that of the seed given; leave the seed out to go on, give"
    assert re.match(refused, says(capsys, *GAUNTLET, "--seed=6"))
    assert main([*GAUNTLET, "--seed=5"]) == 0
    capsys.readouterr()
    assert main([*GAUNTLET, "smart"]) == 0
    assert capsys.readouterr().err == "18 of 18 games are saved in gauntlet.db, 6 played now\n"
    Path("gauntlet.db").rename("old.db")
    main(GAUNTLET)
    capsys.readouterr()
    assert re.match(refused, says(capsys, *GAUNTLET, "--seed=5"))


def test_the_key_is_shown_to_whoever_asks_for_it_and_nowhere_else(capsys):
    main(GAUNTLET)
    with read_store(Path("gauntlet.db")) as store:
        digits = store.key.secret.hex()
        seeds = [f"{seed:d}" for result in store.results() for seed in result.spec.seeds]
    for command in ("standings", "report", "standings --follow", "verify", "export json", "export csv", "export sgf"):
        name, *rest = command.split()
        assert main([name, "gauntlet.db", *rest]) == 0
    output, errors = capsys.readouterr()
    written = "".join(path.read_text() for path in Path().rglob("*") if path.is_file() and not path.match("gauntlet.db*"))
    assert len(written) > 10_000
    for secret in [digits, *seeds]:
        assert secret not in output + errors + written
    assert main(["key", "gauntlet.db"]) == 0
    output, errors = capsys.readouterr()
    assert output == f"{digits}\n"
    assert re.fullmatch(r"whoever has this key can compute every random choice in the event: .*\n", errors)


# What goes wrong


BAD = [
    (["league"], r"python3 -m tournament: expected a command \(check, .*\), got 'league'"),
    (["gauntlett"], r", got 'gauntlett'; did you mean gauntlet\?"),
    (["gauntlet"], "the following arguments are required: PLAYER"),
    (["gauntlet", "random", "--jbos=2"], "gauntlet: unrecognized arguments: --jbos=2; did you mean --jobs\\?\n"),
    (["gauntlet", "random", "nobody"], r"expected a player \(random, .*\), gtp:COMMAND, a file or a folder, got 'nobody'"),
    (["gauntlet", "random", "random"], "expected entrants of different names, got 'random' twice"),
    (["gauntlet", "random", "greedy", "--rules=japanese"], "--rules: expected one of course, littlego, .*, got 'japanese'"),
    (["gauntlet", "random", "greedy", "--size=x"], "--size: expected a whole number from 2 to 19, got 'x'"),
    (["gauntlet", "random", "greedy", "--move-seconds=0"], "--move-seconds: expected a number from 0.001 to 100000, got 0"),
    (["gauntlet", "random", "greedy", "--jobs=0"], "--jobs: expected a whole number from 1 to 1000, got 0"),
    (["gauntlet", "random", "greedy", "--event=cup.toml"], "cup.toml: No such file or directory"),
    (["gauntlet", "random", "greedy", "--event=away/none.toml"], "away/no/cup.db: cannot be opened: does its folder exist"),
    (["gauntlet", "random", "greedy", "--event=away/cup.toml"], "away/cup.db: expected a results file, got a folder"),
    (["round-robin", "random", "random"], "PLAYER: expected a list of different reference players, got "),
    (["round-robin"], "expected a folder of submissions, got none"),
    (["round-robin", "away/cup.db"], "found none"),
    (["round-robin", "missing"], "'missing', which does not exist"),
    (["grade", ".", "--rubric=2019-second"], "--rubric: expected a rubric with reference players, got '2019-second'"),
    (["grade", ".", "--rubric=mine"], "expected a rubric"),
    (["grade", ".", "--games=11"], "--games: expected an even number, for as many with each colour, got 11"),
    (["verify", "none.db"], "none.db: expected a results file, found nothing"),
    # Before anything is taken in.
    *(([*words, "missing", "--verify=5%"], "^[a-z-]+: --verify: expected together with --cluster")
      for words in (["grade"], ["round-robin"], ["gauntlet", "smart"])),
]


@pytest.mark.parametrize(("arguments", "said"), BAD)
def test_bad_input_gives_one_line(capsys, arguments, said):
    Path("away").mkdir()
    Path("away/cup.db").mkdir()
    Path("away/cup.toml").write_text('store = "cup.db"\n')
    Path("away/none.toml").write_text('store = "no/cup.db"\n')
    line = says(capsys, *arguments)
    assert re.search(said, line), line
    assert sorted(map(str, Path().rglob("*"))) == ["away", "away/cup.db", "away/cup.toml", "away/none.toml"]


REFUSED = [
    ["round-robin", "hw"], ["round-robin", "hw", "random", "--jobs=0"], ["gauntlet", "hw", "hw"],
    ["gauntlet", "hw", "perfect", "--size=9"], ["gauntlet", "hw", "smart", "--cluster=nowhere"], ["grade", "hw", "--jobs=-1"],
    ["grade", "hw", "--event=late.toml"], ["check", "hw", "--store=gauntlet.db", "--jobs=0"],
]  # fmt: skip


@pytest.mark.parametrize("arguments", REFUSED, ids=" ".join)
def test_a_refused_command_leaves_nothing(capsys, arguments):
    """What it had taken in, and the results file that it had begun, are taken away; what was there before stays."""
    submission(Path("hw"), get_input("return 0, 0"))
    Path("late.toml").write_text('rubric = "rubric.toml"\nstore = "grade.db"\n')
    Path("rubric.toml").write_text(
        "title = 'Late'\nrules = 'course'\nsize = 3\ngames = 2\ndeadline = {due = 2026-01-01T00:00:00, zone = 'UTC'}\n"
        "[[opponent]]\nname = 'random'\nbands = [{from = 0, points = 7}]\n"
    )
    Path("gauntlet.db.lock").touch()
    before = sorted(map(str, Path().rglob("*")))
    assert main(arguments) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"{arguments[0]}: ")
    assert sorted(map(str, Path().rglob("*"))) == before


CUP = ["gauntlet", "random", "greedy", "--size=3", "--games=1", "--jobs=1", "--name=cup"]
REFUSED_BESIDE = [
    [*CUP, "hw", "--seed=2"], [*CUP, "hw", "--seed=1", "--cluster=nowhere"], [*CUP, "hw", "--seed=1", "gtp:false"],
    [*CUP, "hw", "--seed=1", "--size=4"], ["gauntlet", "more", "random", *CUP[3:], "--seed=1"],
    ["round-robin", "hw", "random", "--name=cup"], ["round-robin", "hw", "random", "--name=text"],
    ["grade", "hw", "--name=cup"], ["check", "hw", "--store=cup.db"], ["check", "hw", "--store=text.db"],
    ["report", "cup.db", "--serve=99999", "--out=cup.pages"],
]  # fmt: skip


def contents():
    return {str(path): path.is_file() and path.read_bytes() for path in Path().rglob("*")}


@pytest.mark.slow
@pytest.mark.parametrize("arguments", REFUSED_BESIDE, ids=" ".join)
def test_a_refused_command_changes_nothing_of_an_event_that_was_played(arguments):
    """Neither its run, nor who is called what, nor copies of what was handed in: the next run would go by them."""
    Path("more").mkdir()
    for folder in ("hw", "more/one", "more/other"):
        submission(Path(folder), get_input("return 0, 0"))
    Path("text.db").write_text("no results")
    assert main([*CUP, "--seed=1"]) == 0
    Path("cup.submissions/ann-0123456789ab").mkdir(parents=True)
    Path("cup.db.files.json").write_text('{"names": {"ann": "ann"}}\n')
    before = contents()
    assert main(arguments) == 2
    assert contents() == before


def test_what_is_new_stays_while_another_run_writes_to_the_results_file():
    """It may be what that one has just taken in."""

    def take_in():
        Path("cup.submissions/theirs").mkdir(parents=True)
        raise JudgeError("refused")

    with closing(lock_for_writing(Path("cup.db"))), suppress(JudgeError), nothing_left_if_refused(Path("cup.db")):
        take_in()
    assert Path("cup.submissions/theirs").exists()


def test_who_plays_can_be_read_before_the_first_game_is_over(monkeypatch):
    add, seen = Store.add, []

    def look(store, *results):
        with read_store(store.path) as reader:
            seen.append([one.name for one in reader.entrants()])
        add(store, *results)

    monkeypatch.setattr(Store, "add", look)
    assert main([*GAUNTLET, "--name=cup"]) == 0
    assert sorted(seen[0]) == ["aggressive", "greedy", "random"]


def test_games_that_are_kept_stay_when_a_later_command_is_refused():
    options = ["gauntlet", "random", "greedy", "--size=3", "--games=2", "--seed=1"]
    assert main([*options, "--jobs=1"]) == 0
    assert main([*options, "--jobs=0"]) == 2
    with read_store(Path("gauntlet.db")) as store:
        assert len(store.rows()) == 2


def test_a_wrong_kind_in_the_event_file_is_named(capsys):
    Path("cup.toml").write_text('kind = "grade"\n')
    line = says(capsys, "gauntlet", "random", "greedy", "--event=cup.toml")
    assert line == "gauntlet: cup.toml: kind: expected 'gauntlet', which is the command, got 'grade'\n"


def test_a_wrong_value_in_the_event_file_is_named_with_the_file(capsys):
    Path("cup.toml").write_text("[limits]\nmemory_mib = 0\n")
    line = says(capsys, "gauntlet", "random", "greedy", "--event=cup.toml")
    assert line == "gauntlet: cup.toml: limits.memory_mib: expected a whole number from 1 to 100000, got 0\n"


def test_what_the_machine_must_have_may_stand_in_the_file_or_be_an_option(capsys):
    Path("cup.toml").write_text('require_tier = "T4"\npython = "/usr/bin/python3"\n')
    line = says(capsys, "gauntlet", "random", "greedy", "--event=cup.toml")
    assert line == "gauntlet: cup.toml: require_tier: expected one of T0, T1, T2, T3, got 'T4'\n"
    line = says(capsys, "gauntlet", "random", "greedy", "--event=cup.toml", "--require-tier=T5")
    assert line == "gauntlet: --require-tier: expected one of T0, T1, T2, T3, got 'T5'\n"
    assert main(["gauntlet", "random", "greedy", "--event=cup.toml", "--require-tier=T1", "--jobs=1"]) == 0
    with read_store(Path("gauntlet.db")) as store:
        assert store.machine == Machine(Tier.T1, "/usr/bin/python3")


def test_a_store_somebody_writes_to_is_busy(capsys):
    main(GAUNTLET)
    capsys.readouterr()
    with closing(sqlite3.connect("gauntlet.db.lock")) as db:
        db.isolation_level = None
        db.execute("BEGIN EXCLUSIVE")
        assert "another run is writing to it" in says(capsys, *GAUNTLET)
        assert main(["verify", "gauntlet.db", "--jobs=1"]) == 0


def test_games_of_a_weaker_sandbox_than_required_are_not_gone_on_with(capsys):
    main(GAUNTLET)
    with closing(sqlite3.connect("gauntlet.db")) as db:
        db.execute("UPDATE games SET tier = 'T0'")
        for row in db.execute(f"SELECT id, {DETAILS} FROM games").fetchall():
            db.execute("UPDATE games SET checksum = ? WHERE id = ?", (checksum(row[:-1]), row[0]))
        db.commit()
    capsys.readouterr()
    assert "12 games were played in a sandbox of tier T0, weaker than T2" in says(capsys, *GAUNTLET)
    assert main([*GAUNTLET, "--require-tier=T0"]) == 0


@pytest.mark.parametrize("contents", [b"", b"x" * 10_000])
def test_a_file_that_is_no_store_is_named(capsys, contents):
    Path("cup.db").write_bytes(contents)
    assert says(capsys, "verify", "cup.db").startswith("verify: cup.db: expected a results file")


def test_a_store_of_another_version_is_named(capsys):
    main(GAUNTLET)
    with closing(sqlite3.connect("gauntlet.db")) as db:
        db.execute("PRAGMA user_version = 7")
    capsys.readouterr()
    assert "expected a results file of version 2, found version 7" in says(capsys, *GAUNTLET)


@pytest.mark.skipif(not Path("/proc/self/limits").exists(), reason="needs ulimit as on Linux")
def test_a_full_disk_says_what_is_saved_and_loses_nothing():
    python = shlex.quote(sys.executable)
    command = f"ulimit -f 1000; exec {python} -m tournament gauntlet random greedy smart --games=2000 --jobs=2"
    done = subprocess.run(
        ["bash", "-c", command], env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=PATIENCE
    )
    *_, saved, last = done.stderr.splitlines()
    assert done.returncode == 2, done.stderr
    assert "what was saved before is safe" in last
    number = int(re.fullmatch(r"(\d+) of 4000 games are saved in gauntlet\.db", saved)[1])
    assert number > 10
    assert main(["verify", "gauntlet.db", "--every=50", "--jobs=1"]) == 0
    with closing(sqlite3.connect("gauntlet.db")) as db:
        assert db.execute("SELECT count(*) FROM games").fetchone()[0] == number


# Signals


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_run_cleanly(number):
    process = start("gauntlet", "random", "greedy", "smart", "--games=5000", "--jobs=2", start_new_session=True)
    wait_until(saved_games)
    # As a terminal does it: to the workers as well.
    os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
    _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    said = re.search(r"^stopped: (\d+) of 10000 games are saved in gauntlet\.db; the same command goes on from there$", errors)
    assert said, errors
    assert int(said[1]) == saved_games() > 0
    # Helpers of Python itself take a moment longer.
    wait_until(lambda: is_gone(process.pid))


def is_gone(group):
    """Say whether nothing of a process group runs. Its dead may stay where nobody collects orphans, as in many containers."""
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(FileNotFoundError, ProcessLookupError):
            state, _, number = file.read_text().rpartition(") ")[2].split()[:3]
            if int(number) == group and state != "Z":
                return False
    return True


def saved_games():
    if not Path("gauntlet.db").exists():
        return 0
    with closing(sqlite3.connect("gauntlet.db", timeout=10)) as db:
        try:
            return db.execute("SELECT count(*) FROM games").fetchone()[0]
        except sqlite3.OperationalError:
            return 0


def test_output_nobody_reads_is_no_error():
    main(GAUNTLET)
    process = start("gauntlet", "--help")
    process.stdout.close()
    process.wait(timeout=PATIENCE)
    errors = process.stderr.read()
    process.stderr.close()
    assert "Traceback" not in errors


def test_a_locale_that_cannot_write_every_name_is_told(capsys, monkeypatch):
    monkeypatch.setattr(sys, "getfilesystemencoding", lambda: "iso8859-1")
    assert says(capsys, "check", "hw") == (
        "python3 -m tournament: expected a locale of UTF-8, got one of iso8859-1: set PYTHONUTF8=1, or LC_ALL=C.UTF-8\n"
    )


PLAYING = ["grade", "round-robin", "gauntlet"]


@pytest.mark.parametrize("command", [*PLAYING, "check", "play"])
def test_help_tells_what_each_rule_set_allows(capsys, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "200")
    with pytest.raises(SystemExit):
        main([command, "-h"])
    said = " ".join(capsys.readouterr().out.split())
    seconds = {name: usual_limits(name).move_seconds for name in PRESETS}
    assert {name for name, limit in seconds.items() if limit != 5} == {"littlego"}
    assert "of a program seconds of CPU (default: 5; under littlego 10)" in said
    if command in ("grade", "round-robin"):
        assert "MiB of memory, all processes of a submission together (default: 1024)" in said
