"""Runs every command of README and docs/, in the order and in the folder in which a reader would type it.

Documents that build on each other are worked through in one folder. Each of the others has one of its own, so that they can be
tried beside each other; in it lies what the documents before it have their reader save.
"""

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from goban.kernels.numba_tools.compile import cache_folder
from my_player_table import PackedTable
from tests.support.documents import ROOT, Command, Saved, commands, documents, printed_by, shown, steps
from tests.support.engines import NO_GNUGO
from tests.support.hour_notebook import FEW, LEARNS, MANY
from tests.support.missing import no_package, no_program

# What is run in place of a command that takes too long or changes the machine, and why. All other commands run as they are.
IN_PLACE = {
    "make test": ("make -n test", "these tests"),
    "make install": ("make -n install", "an installation"),
    'python3 -m pytest -p tests.support.costs -m "not slow and not long" tests/gojudge/inside': (
        "python3 -m pytest -p tests.support.costs --version", "these tests"
    ),
    "python3 -m tests.planted_faults": ("python3 -m tests.planted_faults --help", "hours"),
    ". .venv/bin/activate": ("python3 --version", "an installation"),
    "python3 go_play.py --browser": ("python3 go_play.py --help", "it serves until Ctrl-C"),
    "python3 -m tournament grade hour --name hour --seed 1": (
        "python3 -m tournament grade hour --name hour --games 2 --seed 1", "minutes"
    ),
    "make train": ("make -n train", "a quarter of an hour"),
    "python3 -m golearn.qlearning": ("python3 -m golearn.qlearning --games 100 --evaluations=1", "minutes"),
    "python3 my_player.py learn": ("python3 my_player.py learn --help", "a minute; its own test learns"),
    "python3 -m goban.solver.bookmaking": ("python3 -m goban.solver.bookmaking --help", "twelve hours"),
    "python3 -m goban.solver.truth serve": ("python3 -m goban.solver.truth serve --help", "it serves until Ctrl-C"),
    "python3 -m goban.solver.truth dataset -o positions": (
        "python3 -m goban.solver.truth dataset -o positions --plies 0 --games 1 --nodes 100", "a quarter of an hour"
    ),
    "python3 -m goban.solver.truth prove 5x5 --first C3 --at-least 25 --memory 1024": (
        "python3 -m goban.solver.truth prove 3x3 --first B2 --at-least 9", "ten minutes"
    ),
    "python3 -m goban.solver.truth prove 4x5 --at-least 20 -o claim.proof": (
        "python3 -m goban.solver.truth prove 2x4 --at-least 8 -o claim.proof", "minutes"
    ),
    "python3 -m goban.solver.truth prove 3x6 --at-least 18 -o oblong.proof": (
        "python3 -m goban.solver.truth prove 2x4 --at-least 8 -o oblong.proof", "half a minute"
    ),
    "python3 -m goban.solver.truth prove 5x5 --rules course --first C3 --at-least 3 --memory 1024 -o c3.proof": (
        "python3 -m goban.solver.truth prove 3x3 --rules course -o c3.proof", "minutes"
    ),
    "python3 -m goban.solver.truth prove 5x5 --rules course --first C2 --by white --at-least -2 --memory 1024 -o c2.proof": (
        "python3 -m goban.solver.truth prove 3x3 --rules course --by white --at-least -1 -o c2.proof", "a minute"
    ),
    "python3 -m tournament doctor": ("python3 -m tournament doctor plain", "some minutes for the whole shelf"),
    "python3 -m tournament doctor --jobs 4 --tier T3": ("python3 -m tournament doctor plain --jobs 4", "the same"),
    "python3 -m tournament grade homework --rubric littlego-2023 --name littlego --games 2": (
        "python3 -m tournament grade homework --rubric quick.toml --name littlego --games 2", "the champion takes their time"
    ),
    "python3 -m golearn.qlearning --games 20000 --opponents self:3,smart --table tried.bin": (
        "python3 -m golearn.qlearning --games 100 --opponents self:3,smart --table tried.bin --evaluations=1", "minutes"
    ),
    "python3 -m tournament round-robin --event baselines.toml": (
        "python3 -m tournament round-robin --event baselines.toml --games 2 random greedy smart", "ten minutes"
    ),
    "python3 -m tournament round-robin --name baselines9 --rules tromp-taylor-pgx --size 9 --games 20 --seed 1 "
    "random naive greedy smart montecarlo:simulations=1000,reuse=no": (
        "python3 -m tournament round-robin --name baselines9 --rules tromp-taylor-pgx --size 9 --games 2 --seed 1 "
        "random naive", "minutes"
    ),
    'python3 -m tournament check "gtp:gnugo --mode gtp --level 1 --chinese-rules" --rules aga': (
        'python3 -m tournament check "gtp:gnugo --mode gtp --level 1 --chinese-rules" --rules aga --event five.toml',
        "games on a board of 9 lines"
    ),
    "python3 -m tournament round-robin --event gnugo.toml": (
        "python3 -m tournament round-robin --event gnugo.toml --games 1 --size 5", "minutes"
    ),
    "python3 -m tournament round-robin --event near.toml": (
        "python3 -m tournament round-robin hw2/ann hw2/bob.py hw2/cai.zip --event near.toml",
        "the whole class has just met everyone"
    ),
    "python3 -m tournament grade hw2 --name far --games 2 --cluster tls://head:8786 --verify 2%": (
        "python3 -m tournament grade --help", "it needs a cluster"
    ),
    "python3 -m tournament gauntlet smart random greedy --name beside --games 20 --cluster local:4": (
        "python3 -m tournament gauntlet smart random greedy --name beside --games 20", "it needs dask"
    ),
    "python3 -m tournament report beside.db --truth 0.02 --cluster local:4": (
        "python3 -m tournament report beside.db", "it needs dask"
    ),
    "python3 -m tournament check homework --rules littlego": (
        "python3 -m tournament check homework --event few-littlego.toml", "games against six opponents"
    ),
    "python3 -m tournament check hour.zip": (
        "python3 -m tournament check hour.zip --event few-course.toml", "the same games as from the folder"
    ),
    "python3 -m tournament check mine/my_player.py --no-sandbox": (
        "python3 -m tournament check mine/my_player.py --no-sandbox --event few-course.toml", "the same games as in a sandbox"
    ),
    "python3 -m tournament check model": (
        "python3 -m tournament check model --event few-course.toml", "games against three opponents"
    ),
    "python3 -m tournament report cup.db --truth 0.02 --out values.site": (
        "python3 -m tournament report spring.db --truth 0.02 --out values.site", "so long for each of 240 games"
    ),
    "python3 -m tournament probe random greedy smart my perfect": ("python3 -m tournament probe random", "a minute"),
    "python3 -m golearn.alphazero truthbench random greedy golearn/alphazero/networks/go5.npz": (
        "python3 -m golearn.alphazero truthbench random", "the network is not in the folder of a reader who has installed"
    ),
    "python3 -m golearn.alphazero truthbench random greedy aggressive smart naive alphabeta my perfect zero "
    "zero:simulations=32": (
        "python3 -m golearn.alphazero truthbench random", "minutes"
    ),
    "python3 -m golearn.alphazero evaluate smart": ("python3 -m golearn.alphazero evaluate random", "a quarter of a minute"),
    "python3 -m golearn.alphazero evaluate random aggressive smart alphabeta my uniform:simulations=32 "
    "rollouts:simulations=32 montecarlo:simulations=1000,exact=0": (
        "python3 -m golearn.alphazero evaluate random", "minutes"
    ),
    "python3 -m golearn.alphazero evaluate --conversion 200 my smart": (
        "python3 -m golearn.alphazero evaluate random", "minutes"
    ),
    "python3 -m golearn.alphazero evaluate --conversion 200 zero": (
        "python3 -m golearn.alphazero evaluate random", "minutes"
    ),
    "python3 -m golearn.alphazero evaluate --conversion 200 go5b.npz": (
        "python3 -m golearn.alphazero evaluate random", "it needs a network of half an hour"
    ),
    "python3 -m golearn.alphazero evaluate zero:simulations=32 golearn/alphazero/networks/go5.npz:simulations=32": (
        "python3 -m golearn.alphazero evaluate random", "a minute"
    ),
    "python3 -m tests.support.connect_four_values random uniform:simulations=32 rollouts:simulations=32 "
    "cf.npz cf.npz:simulations=32": (
        "python3 -m tests.support.connect_four_values", "a quarter of a minute"
    ),
    "python3 -m golearn.alphazero match --game connectfour --games 100 cf.npz:simulations=32 rollouts:simulations=1000": (
        "python3 -m golearn.alphazero match --game connectfour --games 2 uniform:simulations=32 rollouts:simulations=32",
        "it needs a network of an hour"
    ),
    "python3 -m golearn.alphazero match --game go --games 400 go7d.npz:simulations=32 go7.npz:simulations=32": (
        "python3 -m golearn.alphazero match --game go --games 2 uniform:simulations=32 random", "it needs networks of hours"
    ),
    "python3 -m tests.fuzz --runs 1000000 --seconds 110 --seed 20261129": (
        "python3 -m tests.fuzz sgf --runs 5 --seed 20261129", "half an hour; every reader has a test of its own"
    ),
    "docker build -f Containerfile -t go-competition .": ("make -n .venv/installed", "it needs Docker"),
    "docker run --rm -v .:/work -w /work go-competition go-tournament check mine/my_player.py": (
        "python3 -m tournament check mine/my_player.py", "it needs Docker"
    ),
    "podman build -t go-competition .": ("make -n .venv/installed", "it needs Podman"),
    "podman run --rm --userns keep-id -v .:/work -w /work go-competition go-tournament check mine/my_player.py": (
        "python3 -m tournament check mine/my_player.py", "it needs Podman"
    ),
    "python3 -m venv .venv": ("python3 -m venv --help", "an installation"),
    ".venv/bin/python -m pip install .": ("python3 -m pip install --help", "an installation"),
    "python3 -m venv players-env": ("python3 -m venv players-env --without-pip", "nothing is installed from the network"),
    'players-env/bin/python -m pip install "numpy==2.2.*"': ("python3 -m pip install --help", "an installation"),
}  # fmt: skip
# Takes minutes to hours: so few games are played in place of the plan's.
TRAINING = re.compile(r"python3 -m golearn\.alphazero train ")
FEW_GAMES = "--games 32"
# With a network that takes an hour or more to learn: a search that has none plays in its place.
LEARNT = re.compile(r"\b(again|cf|go5b|go7|go7w|go7d)\.npz")
WITH_LEARNT = re.compile(rf"python3 -m golearn\.alphazero (evaluate|match) .*{LEARNT.pattern}")
# What needs torch, or a network that was trained with it; `make test-zero` runs these.
WITH_TORCH = re.compile(r"python3 (-m golearn\.alphazero (train|resume|export|curve) |-m .* ttt\.npz|nim_moves\.py$)")
NO_TORCH = no_package("torch", 2, "zero")
# Benchmarks take minutes to hours, so the test only checks that they start; `make bench` and `make lab` run them.
BENCHMARK = re.compile(r"python3 -m ((?:benchmarks|lab)\.\w+)( .*)?$")

# Documents that build on what others among them made.
TOGETHER = ({"README.md", "running-a-course.md", "pages.md"}, {"playing.md", "truth.md"})
# What a document needs of others that lasts no second to make, so that it is no part of theirs.
MADE_BEFORE = {"course.md": "python3 -m tournament sample hw2"}
# What lies there after all commands of a document.
MADE = {
    "README.md": lambda folder: count(folder, "grade.grades/grades.*") == 2,
    "running-a-course.md": lambda folder: (
        count(folder, "cup.sgf/*.sgf") == 16 * 15 // 2
        and count(folder, "outbox/*.eml") == 20
        and (folder / "ranking.csv").read_text().count("\n") == 17
    ),
    "training.md": lambda folder: PackedTable.read(folder / "trained.bin"),
}

RESULT = re.compile(
    r"Black player \(X\) \| Wins:\d+\.\d% Loses:\d+\.\d%( Ties:\d+\.\d%)?\n"
    r"White player \(O\) \| Wins:\d+\.\d% Loses:\d+\.\d%( Ties:\d+\.\d%)?\n\Z"
)
# Seconds and the sandbox's tier differ from machine to machine.
BUSY = re.compile(r"; this machine was busy: .* which is not counted$", re.M)
MEASURED = re.compile(r"\b\d+\.\d\d(?= s$)| +\d+\.\d{3} +\d+\.\d{3}$|(?<= )T[0-3]$", re.M)

# Commands that exit with 1: some of the class of twenty are broken. `doctor` may refuse marks here though an attack holds.
LEFT = re.compile(r"tournament ((check|grade|round-robin) hw2 |round-robin (\S+ )*--event near\.toml)")
MAY_BE_LEFT = re.compile(r"tournament doctor ")

# Part of a command -> what a command with that part must have printed.
SAID = {
    " check mine/my_player.py": r"mine: ok \(my_player\.py, class MyPlayer\): won",
    " -m hour.learner": r"^\d+ games, won \d+ % of the last \d+\n\d+ entries in table\.json$",
    " check hour/my_player.py": (
        r"^hour: ok \(my_player\.py, class MyPlayer, with learner\.py, table\.json\): won \d of 2 games against random, .*"
        r"^1 of 1 ok, tried at T[0-3]\nwon: random \d+ of 20, greedy .*, smart \d+ of 20$.*"
        r"^a grade would play my_player\.py, class MyPlayer: about \d+ of 100 points "
    ),
    " grade hour --name look ": r": 10 games per opponent, 100 points at most\n.*^hour +\d+(\.\d+)? ",
    " check homework ": r"homework: ok \(my_player3\.py, a program\)",
    " probe mine/my_player.py": r"^all +keeps the win +\d+/190$",
    " probe hw2/kim.py ": r"^all +keeps the win +\d+/190$",
    " play mine/my_player.py greedy": r"\nMove 1: X my_player .*\nGame over after 24 moves",
    " play homework/my_player3.py ": r"\nMove 1: X my_player3 C3, .*\nGame over after 2\d moves",
    " grade homework ": r"2 games per opponent, 90 \+ 5 points at most.*\nhomework +\d",
    " --name first-homework ": r"First homework.*2 games per opponent, 100 points at most.*\nmine +\d",
    " --event decided.toml": r"First homework: up to 10 games per opponent, until they decide the band .*\nmine +\d",
    " gauntlet mine/careful.py my ": r"careful +my +4",
    " goban.solver.truth --sgf ": r"^ *24 +white.*(lost the game|First losing move)",
    " goban.solver.truth late.txt": r"\nwith best play  W\+4\.5\n",
    " prove 3x4 ": r"^black less white: 4 to 12, .*\nsmall\.proof: black gets at least 4 ",
    "verify_proof.py small.proof": r"black can end the game with at least 4 points more than the other side",
    " prove wall.txt ": r"^black gets at least 12: proven ",
    "verify_proof.py oblong.proof": r"black can end the game with at least 8 points more than the other side",
    " prove 4x4 --rules course ": r"^black less white: 2, nobody wins with a komi of 2 .*\ngame\.proof: black gets at least 2 ",
    "verify_course_proof.py game.proof": r"black can end the game with at least 2 stones .*white can .* at least -2 stones ",
    " players.littlego ": r"^$",
    " play \"gtp:": r"\nMove 1: X .* [A-E][1-5], .*\nGame over after",
    " check \"gtp:python3": r": ok \(Small 1\)",
    " check --event engines.toml": r"patient: ok \(Small 1\).*small: ok \(Small 1\).*2 of 2 ok",
    " standings engines.db": r"^engines: round-robin, aga, 5x5, 6 games, [1-6] different$",
    " similarity cup.db": (
        r"^\* +ann & cai +55 +55\.0 .*^\* +jo & lea +42 +42\.0 .* played [A-E][1-5]; .*reason to look at a pair, and no finding"
    ),
    " doctor --shelf odd": r"gives_up +crash .* untouched +yes\n\n1 of 1 attacks hold at T",
    " doctor plain": r"1 of 1 attacks hold at T",
    " golearn.patterns finished.sgf ": r"^20 games, 2 of them kept back: .*\nsquared distance .* after 10 steps: mine\.json$",
    "-m golearn.alphazero games": r"^go5 +5x5 .*go5 \(",
    "alphazero train ": r"^done: 32 games in [\w.]+, digest [0-9a-f]{16}$",
    "alphazero resume ttt.run": r"^done: 32 games in ttt.run, digest ",
    "alphazero export ttt.run ": r"^ttt\.npz: tictactoe after 32 games, \d+,\d+ bytes$",
    "alphazero curve go5.run": r"^ +games +winner +kept wins +best moves +regret +value error$",
    "alphazero curve ttt.run": r"^ +games +kept values +safe moves +value error$",
    "alphazero submission model": r"^model: my_player\.py, my_player_network\.npz$",
    " check model": r"^model: ok \(my_player\.py, class MyPlayer\): won",
    "python3 nim.py": r"^nothing is wrong with it$",
    "python3 nim_moves.py": r"^\d+ of 102 won positions are kept$",
    "python3 learn.py": r"^won 9\d\.\d % of the last 2,000 games against random$",
    "python3 wins.py": r"^a random learner won \d+ of 1\d\d games$",
    "python3 measure.py": r"^smart-v1 won 9\d\d of 1000 games against greedy-v1$",
    " standings baselines.db": r"^baselines: round-robin, course, 5x5, 6 games",
    "python3 batch.py": r"^game 0: [a-z ]+ after \d+ steps, winner [12]\n",
    "sh day.sh": r"Due 2026-10-01 23:59:59 .*\njo: handed in 2026-10-04 19:30:00 -0700, 3 days late, 1 of them free",
    " truthbench random": r"^policy +winner +calibration +kept wins .*\nrandom +42\.\d% ",
    " truthbench first_point:first": r"^first_point:first +\d+\.\d% ",
    " truthbench --export positions.npz": r"^positions\.npz: 2,000 positions of course, ",
    " evaluate random": r"^random, go5\n +all +0-5 .*\nkept wins +\d+\.\d% .*\nopens with [A-E][1-5]$",
    " evaluate --game tictactoe ttt.npz": r"^kept values +\d+\.\d% .*\nsafe moves +\d+\.\d% .*\nttt.npz, tictactoe$",
    " match --game tictactoe ": r"^ttt.npz:simulations=32 +minimax +\d+ +\d+ +\d+ ",
    " match rollouts:": r"^rollouts:simulations=32 +minimax +\d+ +\d+ +\d+ ",
    " course course.toml --trace jo": (
        r"^2.* first: [\d.]+ of 100 points \(1 day late[,;] .*\(ill\)\); 4 games in .*/first\.db after run 1, .*/jo-"
    ),
    " tournament sample hw2": r"^20 submissions in hw2, roster in hw2\.csv$",
}


COMPILED = ("kernels", "montecarlo", "solver")


@pytest.fixture
def clone(tmp_path):
    """The folder a reader works in. It has copies of what `go_play.py` needs; of `goban` links to the rest, and other packages
    are found on the path, where their compiled kernels are cached."""
    folder = tmp_path / "clone"
    folder.mkdir()
    for path in (*ROOT.glob("my_player*.*"), *(ROOT / name for name in ("go.py", "go_play.py", "Makefile", "pyproject.toml"))):
        shutil.copy(path, folder)
    for name in ("goban", "players"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns(*COMPILED))
    for name in COMPILED:
        (folder / "goban" / name).symlink_to(ROOT / "goban" / name)
    shutil.copy(ROOT / ".gitignore", folder)
    for words in (("init", "-q"), ("add", "-A")):
        git(*words, folder=folder)
    links = dict(compiled_for(folder))
    for link, compiled in links.items():
        # A run that was killed may have left one, and in a project of somebody else's none can be made.
        with suppress(OSError):
            compiled.mkdir(parents=True, exist_ok=True)
            link.symlink_to(compiled)
    yield folder
    for link in links:
        if link.is_symlink():
            link.unlink()


def compiled_for(folder):
    """Where numba looks for what is compiled of a clone, and where what is compiled of the project lies.

    It names folders by the place of the sources, and would compile anew in each clone.
    """

    def named(sources):
        return f"{sources.name}_{hashlib.sha1(bytes(sources)).hexdigest()}"

    for sources in {path.parent for name in COMPILED for path in (ROOT / "goban" / name).rglob("*.py")}:
        kept = cache_folder("", sources)
        yield kept / named(folder / sources.relative_to(ROOT)), kept / named(sources)


def git(*words, folder):
    """What git prints, line by line; nothing where there is no git."""
    if no_program("git"):
        return []
    return subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True).stdout.splitlines()


def not_as_cloned(folder):
    """What `git status` would show the reader: files that are new or changed and not ignored."""
    return [line for line in git("status", "--porcelain", folder=folder) if not line.startswith("A  ")]


def save(step, folder):
    path = folder / step.name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(step.text)


def in_place(command):
    """What is run for a documented command."""
    if TRAINING.match(command):
        # The shipped network does not lie in the reader's folder.
        return f"{command} {FEW_GAMES}".replace(" golearn/", f" {ROOT}/golearn/")
    if command not in IN_PLACE and WITH_LEARNT.match(command):
        return re.sub(r"--games \d+", "--games 2", LEARNT.sub("uniform", command))
    return IN_PLACE.get(command, (command, ""))[0]


def run_alone(command, folder):
    """Run a command with nothing installed but Python itself: with -S no package is found."""
    words = shlex.split(command)
    assert words[0] == "python3"
    typed = "C3\nexit\n" if "manual" in command else ""
    return subprocess.run([sys.executable, "-S", *words[1:]], cwd=folder, input=typed, capture_output=True, text=True)


def run(command, folder):
    if command.startswith("python3 go_play.py") or command == LEARNS:
        return run_alone(command, folder)
    paths = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    line = re.sub(r"^python3 ", f"{shlex.quote(sys.executable)} ", command)
    return subprocess.run(["bash", "-c", line], cwd=folder, env=paths, capture_output=True, text=True)


def count(folder, pattern):
    return len(list(folder.glob(pattern)))


def is_typed(line):
    """Say whether a command is run here: all are but benchmarks, and what needs something that is missing."""
    missing = (NO_GNUGO and "gnugo" in line) or (NO_TORCH and WITH_TORCH.match(line))
    return not (BENCHMARK.match(line) or missing)


@cache
def first_typed():
    """What is run, each with the first command of the documents that it is run for."""
    return {in_place(command.line): command for command in reversed(commands()) if is_typed(command.line)}


def is_run_before(command):
    """Say whether a command is replaced by what is run for an earlier one, too: it would do the same once more."""
    run_for_it = in_place(command.line)
    return run_for_it != command.line and first_typed()[run_for_it] != command


def games_fault(command, done, folder):
    """What is wrong with games that `go_play.py` played, '' if nothing is."""
    if "forfeits" in done.stderr:
        return "a forfeit"
    if "manual" in command:
        return "" if " to move: row,column or its name (0,1 is B" in done.stdout else "nobody was asked"
    written = re.search(r"-t[= ](?P<games>\d+) .*--sgf (?P<file>\S+)", command)
    if written and (folder / written["file"]).read_text().count("(;") != int(written["games"]):
        return f"not {written['games']} games in {written['file']}"
    return "" if " -h" in command or " --help" in command or RESULT.search(done.stdout) else "no result"


def check(command, done, folder):
    """Return how a command differed from what the documents say, '' if it did not."""
    if "Traceback" in done.stdout + done.stderr:
        return "a traceback"
    statuses = {1} if LEFT.search(command) else {0, 1} if MAY_BE_LEFT.search(command) else {0}
    if done.returncode not in statuses:
        return f"status {done.returncode}"
    for piece, pattern in SAID.items():
        if piece in command and not re.search(pattern, done.stdout, re.S | re.M):
            return f"no {pattern!r}"
    return games_fault(command, done, folder) if command.startswith("python3 go_play.py") else ""


def parts():
    """Return all documents in their order, those together that build on each other."""
    paths = documents()
    alone = [{path.name} for path in paths if not any(path.name in names for names in TOGETHER)]
    parts = [[path for path in paths if path.name in names] for names in (*TOGETHER, *alone)]
    return [part for part in parts if any(isinstance(step, Command) for path in part for step in steps(path))]


def wrong_with(step, clone, printed):
    """Type a command; return how it differed from what the documents say, '' if it did not."""
    command = in_place(step.line)
    done = run(command, clone)
    said = check(command, done, clone)
    text = BUSY.sub("", re.sub(" +$", "", done.stdout, flags=re.M))
    if command in printed and MEASURED.sub("_", text) != MEASURED.sub("_", printed[command]):
        said += "; not the output shown"
    return f"{step.where}: {command}\n{said}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}" if said else ""


def save_quick(folder):
    """Save a rubric of Little-Go without its champion, who takes their time, events with one opponent: what a check plays to
    foresee points, and one on a small board."""
    rubric = (ROOT / "tournament/results/rubrics/littlego-2023.toml").read_text()
    (folder / "quick.toml").write_text(rubric[: rubric.rindex("[[opponent]]")])
    for rules in ("course", "littlego"):
        event = f'title = "Few"\nrules = "{rules}"\nsize = 5\ngames = 4\n'
        opponent = '[[opponent]]\nname = "random"\nbands = [{ from = 0, times_rate = 100 }]\n'
        (folder / f"few-{rules}.rubric.toml").write_text(f"{event}\n{opponent}")
        (folder / f"few-{rules}.toml").write_text(f'rubric = "few-{rules}.rubric.toml"\n')
    (folder / "five.toml").write_text("size = 5\n")


PARTS = parts()
# One learns for a minute, and what it does from then on is shown: a few games do, but for a long test.
(HOUR,) = (part for part in PARTS if part[0].name == "first-hour.md")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "games"),
    [
        *(pytest.param(part, FEW if part is HOUR else MANY, id=part[0].stem) for part in PARTS),
        pytest.param(HOUR, MANY, id="first-hour in full", marks=pytest.mark.long),
    ],
)
def test_a_reader_who_types_every_command_gets_what_the_documents_say(part, games, clone):
    """The commands of a part are one test, because they build on each other."""
    save_quick(clone)
    printed, wrong = dict(shown("printed by")), []
    if part[0].name in MADE_BEFORE:
        assert run(MADE_BEFORE[part[0].name], clone).returncode == 0
    for path in documents()[: documents().index(part[-1]) + 1]:
        for step in steps(path):
            if isinstance(step, Saved):
                save(replace(step, text=step.text.replace(MANY, games)), clone)
            elif path in part and is_typed(step.line) and not is_run_before(step):
                if step.line == LEARNS and games != MANY:
                    printed.clear()
                wrong.append(wrong_with(step, clone, printed))
    assert not any(wrong), "\n\n".join(filter(None, wrong))
    assert not_as_cloned(clone) == []
    assert [path.name for path in part if path.name in MADE and not MADE[path.name](clone)] == []


def test_what_is_replaced_or_shown_is_a_command_of_the_documents():
    lines = [command.line for command in commands()]
    assert {*MADE, *(name for names in TOGETHER for name in names)} <= {path.name for path in documents()}
    assert {*IN_PLACE, *MADE_BEFORE.values()} <= set(lines)
    assert {command for command, _ in shown("printed by")} <= set(lines)
    assert sum(line.startswith("python3 go_play.py") for line in lines) >= 6
    for piece in SAID:
        assert any(piece in in_place(line) for line in lines), piece


def test_no_command_leaves_its_reader_in_another_folder():
    """The tests begin each command where the documents do; a reader goes on where the last one ended."""
    moves = re.compile(r"(^|&&|;) *(cd|pushd)\b")
    assert [command for command in commands() if moves.search(re.sub(r"\(.*\)", "", command.line))] == []


def test_whatever_stands_for_commands_is_run_once():
    typed = [command for command in commands() if is_typed(command.line)]
    replaced = [in_place(command.line) for command in typed if in_place(command.line) != command.line]
    run = [in_place(command.line) for command in typed if not is_run_before(command)]
    assert set(run) == {in_place(command.line) for command in typed}
    assert [line for line in set(replaced) if run.count(line) != max(1, [c.line for c in typed].count(line))] == []
    assert len(set(replaced)) < len(replaced)


@pytest.mark.slow
@pytest.mark.parametrize(("command", "output"), shown("output"))
def test_shown_output_is_what_comes_out(command, output, clone):
    assert run_alone(command, clone).stdout == output


@pytest.mark.slow
def test_benchmarks_that_are_named_start():
    lines = dict.fromkeys(command.line for command in commands())
    named = [found.groups("") for line in lines if (found := BENCHMARK.match(line))]
    sources = {module: (ROOT / f"{module.replace('.', '/')}.py").read_text() for module, _ in named}
    # A benchmark of several commands says of each what options it has.
    asked = [
        [module, *re.findall(r"^ ([a-z][\w-]*)", options), "--help"] if "argparse" in sources[module] else [module]
        for module, options in named
    ]
    for text, (module, options) in zip(printed_by(asked), named, strict=True):
        if "argparse" not in sources[module]:
            assert f"python3 -m {module}" in sources[module]
            continue
        assert text.startswith("usage: "), module
        assert [option for option in re.findall(r"--[\w-]+", options) if option not in text] == [], module


def test_the_kind_of_message_the_documents_quote_is_the_one_given(clone):
    (clone / "stubborn.py").write_text("class MyPlayer:\n    def get_input(self, go, piece_type):\n        return 2, 2\n")
    done = run_alone("python3 go_play.py -p1=random -p2=stubborn.py -t=30 --seed 1", clone)
    message = r"^game \d+: white \(stubborn.py\) forfeits at move \d+: illegal move C3: the point is occupied$"
    assert re.search(message, done.stderr, re.M)

