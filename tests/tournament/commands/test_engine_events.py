"""Events with engines: from the file to the pages, refused by name, resumed, and killed."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gojudge.records import Termination
from gojudge.sandbox.tiers import best_tier
from tests.support.engines import PYTHON, ROOT, SHELVED, with_gnugo
from tests.support.missing import needs, no_package
from tests.support.waiting import PATIENCE
from tournament.__main__ import main
from tournament.store.store import read_store

pytestmark = pytest.mark.slow

HEAD = f"""
name = "cup"
kind = "KIND"
rules = "aga"
size = 5
games = GAMES
seed = 1
references = ["random", "naive"]
require_tier = "{best_tier()}"
"""


def table(name, engine="plain", more=""):
    command = json.dumps([PYTHON, "-S", "-B", "-m", f"{engine}.engine"])
    return f'\n[[engine]]\nname = "{name}"\ncommand = {command}\nfolder = {json.dumps(str(SHELVED))}\n{more}\n'


@pytest.fixture
def event(played_apart, played_here):
    """Write cup.toml in a folder that becomes the present one."""
    return played_apart


@pytest.fixture
def played_apart(tmp_path, monkeypatch):
    """The same for events that are played in processes of their own."""
    monkeypatch.chdir(tmp_path)

    def write(*tables, kind="round-robin", games=2, rules="aga"):
        text = HEAD.replace("KIND", kind).replace("GAMES", str(games)).replace('"aga"', f'"{rules}"')
        (tmp_path / "cup.toml").write_text(text + "".join(tables))

    return write


def results(path="cup.db"):
    with read_store(Path(path)) as store:
        return list(store.results())


def test_engines_meet_each_other_references_and_submissions_and_are_rated_with_them(event, capsys):
    event(table("plain"), table("quitter", "resigns"))
    Path("alice.py").write_text("class MyPlayer:\n    def get_input(self, go, colour):\n        return 'PASS'\n")
    assert main(["round-robin", "alice.py", "--event", "cup.toml", "--jobs=1"]) == 0
    said = capsys.readouterr().err
    assert "plain: plain 1\n" in said
    assert "quitter: plain 1\n" in said
    assert main(["standings", "cup.db"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"^cup: round-robin, aga, 5x5, 20 games, \d+ different$", out, re.M)
    assert all(f" {name} " in out for name in ("alice", "naive", "plain", "quitter", "random"))
    lost = [game for game in results() if "quitter" in (game.spec.black, game.spec.white) and game.spec.id.startswith("plain")]
    assert {game.termination for game in lost} == {Termination.RESIGNATION}
    assert main(["report", "cup.db"]) == 0
    page = Path("cup.site/player-plain.html").read_text()
    assert '<span class="tag">engine</span>' in page
    assert "plain.engine" in page
    assert re.search(r"5 players, 20 games, \d+ different, aga rules", Path("cup.site/index.html").read_text())
    assert main(["export", "cup.db", "sgf"]) == 0
    # Nicknames are for people.
    assert main(["report", "cup.db", "--edition", "class", "--out", "class"]) == 0
    assert "plain" in Path("class/index.html").read_text()
    assert "alice" not in Path("class/index.html").read_text()
    assert not list(Path("class").rglob("*engine.py*"))
    assert main(["verify", "cup.db", "plain"]) == 0


def test_the_same_key_gives_the_same_games_at_any_number_of_workers(played_apart):
    played_apart(table("plain"), table("other"))
    for jobs in ("1", "3"):
        assert main(["round-robin", "--event", "cup.toml", "--jobs", jobs, "--name", jobs]) == 0
    games = [[[turn.move for turn in game.turns] for game in results(f"{jobs}.db")] for jobs in ("1", "3")]
    assert games[0] == games[1]


def test_an_engine_in_a_match_and_a_gauntlet_by_its_name_or_command(event, capsys, monkeypatch):
    event(table("plain"), kind="gauntlet")
    assert main(["gauntlet", "plain", "--event", "cup.toml"]) == 0
    assert re.search(r"^plain +random +2 ", capsys.readouterr().out, re.M)
    Path("pair.toml").write_text('kind = "match"\nstore = "pair.db"\nrules = "aga"\nsize = 5\n')
    pair = f"--event={Path('pair.toml').absolute()}"
    monkeypatch.chdir(SHELVED)
    assert main(["gauntlet", f"gtp:{PYTHON} -S -B -m plain.engine", "random", pair]) == 0
    out = capsys.readouterr().out
    assert re.search(r"_plain\.engine +random +2 ", out)
    assert re.search(r"^2 games, 2 different$", out, re.M)


START = [
    ("crashes_at_start", "its process ended with status 1 (it wrote: no weights: plain)"),
    ("refuses_size", "it answers 'boardsize 5' with '? unacceptable size'"),
    ("refuses_komi", "it answers 'komi 7.5' with '? no komi'"),
    ("repeats_no_id", "it answered command 1, 'name', with no id"),
]


@pytest.mark.parametrize(("engine", "said"), START)
def test_an_engine_that_cannot_begin_is_refused_by_name_before_the_first_game(event, capsys, engine, said):
    event(table("plain"), table("bad", engine))
    assert main(["round-robin", "--event", "cup.toml"]) == 2
    assert f"the engine bad cannot play: {said}" in capsys.readouterr().err
    assert not Path("cup.db").exists()
    assert main(["check", "--event", "cup.toml"]) == 1
    out = capsys.readouterr().out
    assert re.search(r"^plain: ok \(plain 1\): won \d of 2 games against random", out, re.M)
    assert f"bad: the engine bad cannot play: {said}\n" in out
    assert "1 of 2 ok" in out


def test_check_takes_an_engine_by_its_command(event, capsys, monkeypatch):
    five = Path("five.toml").absolute()
    five.write_text("size = 5\n")
    monkeypatch.chdir(SHELVED)
    assert main(["check", f"gtp:{PYTHON} -S -B -m plain.engine", "--rules=aga", f"--event={five}"]) == 0
    assert ": ok (plain 1): won " in capsys.readouterr().out
    assert main(["check", "gtp:no-such-engine", "--rules=aga"]) == 1
    assert "'no-such-engine' cannot be started: No such file or directory" in capsys.readouterr().out


@needs(no_package("numba"))
@pytest.mark.parametrize("folder", [".", ROOT])
def test_what_is_compiled_outside_an_engine_of_ours_finds_in_its_sandbox(event, capsys, folder):
    """It can write beside neither: in a folder of the user's, nor in the project's own, which it sees at another place."""
    program = ["env", f"PYTHONPATH={ROOT}", sys.executable, "-m", "players.gtp_engine", "montecarlo:simulations=10"]
    subprocess.run(program[2:], input="boardsize 5\ngenmove b\n", cwd=ROOT, text=True, stdout=subprocess.DEVNULL, check=True)
    engine = f'\n[[engine]]\nname = "ours"\ncommand = {json.dumps(program)}\nfolder = "{folder}"\nclock = false\n'
    event(engine + "limits = {start_seconds = 600}\n")  # numba takes many on a busy machine
    assert main(["check", "--event", "cup.toml"]) == 0
    assert "compiling" not in capsys.readouterr().out


def test_check_warns_that_passing_is_illegal_under_course(event, capsys):
    event(table("plain"), rules="course")
    main(["check", "--event", "cup.toml"])
    assert "plain: engines that speak GTP may pass; under course a pass is an illegal move" in capsys.readouterr().err


KO = "test: after B1 C1 A2 D2 B3 C3 C2 B2 pass pass it takes C2, which {} forbids: is its ko rule another than {}?"


def test_check_warns_of_an_engine_with_another_ko_rule(event, capsys):
    """The engine of the shelf takes whatever it is told."""
    event(table("test"), rules="tromp-taylor")
    main(["check", "--event", "cup.toml"])
    said = capsys.readouterr().err
    assert KO.format("tromp-taylor-strict", "positional superko") in said
    assert "test: after A2 D1 B2 C2 D4 B1 B4 A1 C1 it takes B1, which tromp-taylor-strict forbids" in said
    event(table("test"), rules="alphago7")
    main(["check", "--event", "cup.toml"])
    assert "ko rule" not in capsys.readouterr().err


@with_gnugo
def test_gnu_go_keeps_to_the_ko_rule_that_it_is_told(event, capsys):
    for rules, rule, wrong in (("aga", "situational", ()), ("aga", "positional", ["refuses B1", "allows"])):
        command = f"gtp:gnugo --mode gtp --level 1 --chinese-rules --{rule}-superko"
        Path("five.toml").write_text("size = 5\n")
        main(["check", command, f"--rules={rules}", "--event=five.toml"])
        said = capsys.readouterr().err
        assert all(word in said for word in wrong)
        assert bool(wrong) == ("ko rule" in said)


def test_a_grade_has_no_engines(event, capsys):
    event(table("plain"), kind="grade")
    Path("cup.toml").write_text(Path("cup.toml").read_text().replace("references", "# references"))
    assert main(["grade", "x", "--event", "cup.toml"]) == 2
    assert "cup.toml: engine: expected none" in capsys.readouterr().err


def test_a_game_between_an_engine_and_a_player_is_told_move_by_move(monkeypatch, capsys):
    monkeypatch.chdir(SHELVED)
    assert main(["play", f"gtp:{PYTHON} -S -B -m plain.engine", "random", "--size=5", "--show", "--seed=1"]) == 0
    out = capsys.readouterr().out
    assert "(X) against random (O): aga, 5x5, seed 1" in out
    assert re.search(r"^Move 1: X .* A5, ", out, re.M)


def test_an_engine_that_is_started_otherwise_is_another_and_its_games_are_played_again(event, capsys):
    event(table("plain"))
    assert main(["round-robin", "--event", "cup.toml"]) == 0
    event(table("plain", more='startup = ["name"]'))
    assert main(["round-robin", "--event", "cup.toml"]) == 0
    assert "plain has changed: 4 games are played again\n" in capsys.readouterr().err


def engines_alive():
    """The processes of engines of the shelf that live in our folders or sandboxes."""
    found = []
    for place in Path("/proc").glob("[1-9]*"):
        try:
            words = (place / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if b"marked.by.this.test" in words:
            found.append(int(place.name))
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_killed_run_goes_on_and_nothing_is_left(event):
    mark = table("plain").replace('.engine"]', '.engine", "marked.by.this.test"]')
    event(mark, games=6)
    command = [sys.executable, "-m", "tournament", "round-robin", "--event", "cup.toml", "--jobs=2"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    for least in (1, 5):
        run = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and not (Path("cup.db").exists() and len(results()) >= least):
            time.sleep(0.05)
        run.send_signal(signal.SIGKILL)
        run.wait()
    before = len(results())
    assert before >= 5
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert engines_alive() == []
    killed = [[turn.move for turn in game.turns] for game in results()]
    assert subprocess.run([*command, "--name=calm"], env=environment, capture_output=True).returncode == 0
    assert [[turn.move for turn in game.turns] for game in results("calm.db")] == killed
    assert len(killed) == 18


@with_gnugo
@needs(no_package("numba"))
def test_an_event_of_gnu_go_and_reference_players_runs_to_pages(event):
    options = '"--chinese-rules", "--capture-all-dead", "--positional-superko", "--seed", "{seed}"'
    engines = [
        f'\n[[engine]]\nname = "gnugo-{level}"\nclock = false\n'
        f'command = ["gnugo", "--mode", "gtp", "--level", "{level}", {options}]\n'
        for level in (1, 2, 3)
    ]
    event(*engines, rules="tromp-taylor", games=1)
    montecarlo = Path("cup.toml").read_text().replace('"random"', '"montecarlo:simulations=50,memory=4"')
    Path("cup.toml").write_text(montecarlo)
    assert main(["round-robin", "--event", "cup.toml"]) == 0
    games = results()
    assert len(games) == 10
    assert not any(game.termination.is_forfeit for game in games)
    assert main(["report", "cup.db", "--out", "cup.html"]) == 0
    assert "gnugo-2" in Path("cup.html").read_text()
