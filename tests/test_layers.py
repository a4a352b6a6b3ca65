"""Imports point down only: who may import whom, and who may import anything but the standard library."""

import ast
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# Bad code, on purpose; none of it is ours.
ATTACKS = ROOT / "gojudge/shelf/attacks"

CORE = {"goban.common", "goban"}
SEARCHES = {"goban.kernels", "goban.solver", "goban.montecarlo"}
LIBRARY = CORE | SEARCHES | {"goban.board"}

# room: the rooms it may import from, itself apart. A room is a package with all that is in it but the rooms named here.
ROOMS = {
    "goban.common": set(),
    "goban": {"goban.common"},
    "goban.kernels": CORE,
    "goban.solver": CORE | {"goban.kernels", "goban.board"},
    "goban.montecarlo": CORE | {"goban.kernels", "goban.solver"},
    "goban.board": CORE,
    "go": CORE,
    "players": CORE | SEARCHES | {"go"},
    "golearn": LIBRARY | {"players", "go"},
    "my_player_search": {"go"},
    "my_player_table": {"goban"},
    "my_player": {"go", "goban", "players", "my_player_search", "my_player_table"},
    "my_player3": CORE | {"go", "my_player"},
    "go_play": LIBRARY | {"go", "players"},
}


def _upwards(package, lines, below):
    """The rooms of a package, a file at its top being a room; none of a line imports another of that line."""
    rooms = {}
    for line in lines:
        rooms |= dict.fromkeys([f"{package}.{name}" for name in line.split()], frozenset(below | rooms.keys()))
    return rooms


JUDGE = {"gojudge.inside": CORE | {"go"}, "gojudge.game": CORE}
JUDGE |= {"gojudge": {"goban.common"}, "gojudge.errors": set()}
JUDGE |= _upwards(
    "gojudge", ("records", "seats", "sandbox", "intake", "refereeing", "cluster shelf"),
    {*JUDGE, *CORE, "goban.board", "go", "players"},
)  # fmt: skip
# What they may know of `goban` besides `common`: engines speak GTP, and a trial without a sandbox plays as the browser does.
NO_RULES = {"goban.gtp", "goban.board.processes"}
COURSE_ROOMS = {"tournament": {"goban.common"}, "tournament.errors": {"gojudge.errors"}} | _upwards(
    "tournament", ("events", "store", "results probing", "pages similarity", "courses", "application", "commands", "__main__"),
    {*JUDGE, *CORE, *SEARCHES, "goban.board", "go", "players", "tournament.errors"},
)  # fmt: skip
ROOMS |= JUDGE | COURSE_ROOMS
ROOMS["benchmarks"] = ROOMS.keys() - {"gojudge", "tournament"}
ROOMS["lab"] = ROOMS["benchmarks"] | {"benchmarks"}
PACKAGES = sorted({room.split(".")[0] for room in ROOMS if (ROOT / room.split(".")[0]).is_dir()})

# What the course put beside every submission, where files find one another without their package.
COURSE = ROOT / "gojudge/inside/course_modules"
# The copies of my_player.py and what it imports are loaded as a student's files are.
SHIPPED = ROOT / "players/shipped"

MEASURING = {"numpy", "numba", "tabulate", "tqdm", "playwright", "open_spiel", "pyspiel", "pgx", "jax", "pettingzoo", "torch"}
# What may be imported from outside the standard library; files not named here: nothing.
OUTSIDE = {
    "goban.common": {"numpy", "scipy"},
    "goban.kernels": {"numpy", "numba", "llvmlite"},
    "goban.solver": {"numpy", "numba", "pyarrow", "tabulate", "tqdm", "sgfmill"},
    "goban.montecarlo": {"numpy", "numba", "tabulate"},
    "golearn": {
        "numpy", "numba", "tqdm", "matplotlib", "tabulate", "gymnasium", "pettingzoo", "torch", "jax", "stable_baselines3",
        "tensorboard", "tensorboardX", "onnx", "onnxruntime",
    },
    "gojudge": {"tqdm", "dask", "distributed", "cryptography", "yaml"},
    "tournament": {"numpy", "scipy", "tabulate", "tqdm", "jinja2", "markupsafe", "pygments", "yaml"},
    "benchmarks": MEASURING,
    "lab": MEASURING,
}  # fmt: skip

FACADES = ("goban", "gojudge", "golearn", "tournament")

ONLY_THESE_PRINT = {
    "go.py": "verbose games, as the course's host has them",
    "go_play.py": "a command line",
    "players/manual_player.py": "a person at the terminal",
    "players/littlego.py": "a command line",
    "golearn/qlearning/command.py": "a command line",
    "golearn/patterns/training.py": "a command line",
    "golearn/environments/pettingzoo_envs.py": "an environment that is asked to, render_mode='human'",
    "goban/solver/truth.py": "a command line",
    "goban/solver/area/command.py": "a command line",
    "goban/solver/dataset.py": "a command line",
    "goban/solver/server.py": "a command line",
    "goban/solver/area/verify_proof.py": "a program of its own",
    "goban/solver/alphabeta/verify_course_proof.py": "a program of its own",
    "goban/solver/bookmaking.py": "a command line",
    "gojudge/inside/course_modules/host.py": "verbose games, as the course's host has them",
    "golearn/watching.py": "a command line",
    "my_player_table.py": "one line on stderr when the table is missing",
    "players/shipped/my_player_table.py": "the same file",
}


# `tests` in another sense.
NO_FOLDER = dict.fromkeys(
    ("tournament/results/course_systems.py", "tournament/results/course_systems.py"), "a field that course systems read"
)

STARTERS = {"subprocess", "multiprocessing", "pty"}
STARTING_CALLS = re.compile(r"os\.(fork|forkpty|exec\w+|spawn\w+|posix_spawnp?|system|popen|startfile)")
# What starts processes besides `gojudge/sandbox`, and why that is no submission and no engine.
MAY_START_PROCESSES = {
    "goban/board/processes.py": "the players of a game in the browser, whom the person at this machine has named",
    "goban/common/terminals.py": "a fork of itself, which says how games stand if a player ends the process that plays them",
    "goban/engines.py": "an engine that the person at the command line, or whose program calls us, has named",
    "gojudge/inside/keeper.py": "in the sandbox: forks itself for a submission",
    "gojudge/inside/zygote.py": "in the sandbox: forks itself for a game",
    "gojudge/inside/program_zygote.py": "in the sandbox: forks itself for a move or an engine; turns forks into programs",
    "gojudge/refereeing/executors.py": "worker processes, which run our own code",
    "goban/solver/book_entries.py": "worker processes, which run our own code",
}


MAY_EDIT_THE_PATH = {"gojudge/inside/worker.py", "gojudge/inside/unprotected.py", "players/player_files.py"}


def dotted(path):
    """The name of a module."""
    return str(path.relative_to(ROOT).with_suffix("")).removesuffix("/__init__").replace("/", ".")


def room_of(module):
    """The room that a module of ours is in: of those whose names begin its name the longest."""
    names = module.split(".")
    return next((room for room in (".".join(names[:n]) for n in range(len(names), 0, -1)) if room in ROOMS), "")


@cache
def files_of(package):
    """All files of a package, or the one of a module at the top."""
    folder = ROOT / package
    found = sorted(folder.rglob("*.py")) if folder.is_dir() else [ROOT / f"{package}.py"]
    return [path for path in found if not path.is_relative_to(ATTACKS)]


@cache
def sources(room):
    """The files of a room."""
    return [path for path in files_of(room.split(".")[0]) if room_of(dotted(path)) == room]


@dataclass(frozen=True)
class Read:
    """What the tests ask of a file, wherever in it. calls: names, with at most one dot; classes: those outside of all else."""

    whole_imports: frozenset[str]
    imports_from: frozenset[tuple[str, str]]
    calls: frozenset[str]
    texts: frozenset[str]
    classes: frozenset[str]


@cache
def read(path):
    """A file is parsed once, and its tree not kept."""
    tree = ast.parse(path.read_text())
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    whole, inner, calls, texts = set(), set(), set(), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            whole |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert all(alias.name != "*" for alias in node.names), f"{path}: import *"
            inner |= {(node.module, alias.name) for alias in node.names}
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            calls.add(node.func.id)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            calls.add(f"{node.func.value.id}.{node.func.attr}")
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            texts.add(node.value)
    return Read(frozenset(whole), frozenset(inner), frozenset(calls), frozenset(texts), frozenset(classes))


def imports(path):
    """Every module a file imports, wherever in the file."""
    return read(path).whole_imports | {module for module, _ in read(path).imports_from}


def beside(path):
    """The modules that a file finds beside itself."""
    return {other.stem for other in path.parent.glob("*.py")} if path.parent in (COURSE, SHIPPED) else set()


def ties(facade):
    """The modules that a facade names as text, in its table of homes."""
    tree = ast.parse((ROOT / facade / "__init__.py").read_text())
    table = next(node.value for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "_HOMES")
    return {key.value for key in table.keys}


def tied(path):
    """What a facade imports for type checkers only: nothing of it is loaded before it is asked for."""
    return ties(path.parent.name) if path.name == "__init__.py" and path.parent.name in FACADES else set()


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_rooms_import_from_below_only(room):
    outside = OUTSIDE.get(room, set()) | OUTSIDE.get(room.split(".")[0], set())
    for path in sources(room):
        for module in set(imports(path)) - tied(path) - beside(path):
            top = module.split(".")[0]
            if (ROOT / top).is_dir() or (ROOT / f"{top}.py").is_file():
                known = room_of(module) in {room} | ROOMS[room]
            else:
                known = top in {"__future__"} | outside or top in sys.stdlib_module_names
            assert known, f"{path} imports {module}"


def test_the_registry_names_two_players_that_stand_above_it():
    """As text, so that nothing is imported before it is asked for."""
    tree = ast.parse((ROOT / "players/registry.py").read_text())
    named = next(node.value for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "NAMES")
    texts = {key.value: ast.unparse(value).strip("'") for key, value in zip(named.keys, named.values, strict=True)}
    assert {name for name, text in texts.items() if not text.startswith("players.")} == {"my", "zero"}
    assert texts["zero"].startswith("golearn.alphazero.")


def test_the_facade_of_goban_ties_it_to_its_own_rooms_and_to_one_package_above():
    assert {room_of(module) for module in ties("goban")} - LIBRARY - SEARCHES == {"golearn"}


@pytest.mark.parametrize("facade", ["gojudge", "golearn", "tournament"])
def test_facades_name_modules_of_their_own(facade):
    assert {module.split(".")[0] for module in ties(facade) - {"goban.common.facades"}} <= {facade, "gojudge"}


def test_the_judge_knows_go_through_one_module():
    """But for what runs inside a sandbox, where strangers are shown Go itself."""
    for room in JUDGE.keys() - {"gojudge.inside", "gojudge.game"}:
        for path in sources(room):
            known = {module for module in imports(path) if module.split(".")[0] == "goban"}
            assert {module for module in known - NO_RULES if room_of(module) != "goban.common"} == set(), path


def test_every_room_is_known_to_this_test():
    found = {p.parent.name for p in ROOT.glob("*/*.py")} | {p.stem for p in ROOT.glob("*.py")}
    assert found - {"tests", "build", "setup"} <= {room.split(".")[0] for room in ROOMS}
    assert [str(path) for room in ("gojudge", "tournament") for path in sources(room) if path.name != "__init__.py"] == []
    assert [room for room in ROOMS if not sources(room)] == []


@pytest.mark.parametrize("room", sorted(ROOMS.keys() - {"benchmarks", "lab"}))
def test_only_command_lines_print(room):
    for path in sources(room):
        name = str(path.relative_to(ROOT))
        prints = "print" in read(path).calls
        command_line = path.name == "__main__.py" or path.parent.name == "commands"
        assert not prints or name in ONLY_THESE_PRINT or command_line, f"{name} prints"


def everything():
    """Every source file of ours that is no test, with its path from the top."""
    return [(path, str(path.relative_to(ROOT))) for room in sorted(ROOMS) for path in sources(room)]


def test_only_the_store_knows_sql():
    users = {name for path, name in everything() if "sqlite3" in imports(path)}
    # A lock of SQLite's needs no tables.
    locks = "goban/common/files.py"
    assert {name.rpartition("/")[0] for name in users - {locks}} == {"tournament/store"}
    assert not re.search(r"\b(SELECT|CREATE|INSERT|UPDATE)\b", (ROOT / locks).read_text())


def test_what_runs_in_a_sandbox_imports_only_what_is_there():
    for path in sources("gojudge.inside"):
        for module in imports(path):
            top = module.split(".")[0]
            known = room_of(module) in CORE | {"go", "gojudge.inside"} or top in beside(path)
            assert known or top in sys.stdlib_module_names, f"{path} imports {module}"


def test_only_the_sandbox_starts_processes():
    """For a submission or an engine; whoever else starts one is named, with what it is for."""
    found = set()
    for path, name in everything():
        if name.startswith(("gojudge/sandbox/", "benchmarks/", "lab/")):
            continue
        used = {module.split(".")[0] for module in imports(path)} & STARTERS or "ProcessPoolExecutor" in path.read_text()
        if used or any(map(STARTING_CALLS.fullmatch, read(path).calls)):
            found.add(name)
    assert found == {name for name in MAY_START_PROCESSES if (ROOT / name).exists()}


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_nobody_reads_the_tests(room):
    """Neither as modules nor as files; they are no part of what is installed."""
    for path in sources(room):
        for text in imports(path) | read(path).texts:
            found = re.match(r"(\./)?tests([./\\]|$)", text)
            assert not found or str(path.relative_to(ROOT)) in NO_FOLDER, f"{path} names {text!r}"


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_nobody_edits_the_import_path(room):
    for path in sources(room):
        # Our own modules must not be found among those of a submission, nor the other way round.
        assert "sys.path" not in path.read_text() or str(path.relative_to(ROOT)) in MAY_EDIT_THE_PATH, path


def test_files_are_named_by_no_module_of_the_standard_library():
    for room in sorted(ROOMS):
        for path in sources(room):
            assert path.stem.startswith("__") or path.stem not in sys.stdlib_module_names, path


@pytest.mark.parametrize("room", [*sorted(ROOMS)])
def test_docstrings_have_no_halves_of_characters(room):
    """From 3.13 on Python does not compile a file with such a docstring."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for path in sources(room):
        text = path.read_text(encoding="utf-8")
        # They are nowhere but in escapes.
        for node in ast.walk(ast.parse(text)) if re.search(r"\\(u|U0000)[dD]", text) else ():
            if isinstance(node, documented):
                halves = re.findall(r"[\ud800-\udfff]", ast.get_docstring(node, clean=False) or "")
                assert not halves, f"{path}, line {getattr(node, 'lineno', 1)}: write it as a raw string"


def test_a_game_needs_nothing_but_the_standard_library():
    """Without site packages, and no heavy module imported on the way."""
    code = (
        "import sys, runpy; sys.argv = ['go_play.py', '-p1=smart', '-p2=greedy', '-t=2'];\n"
        "try: runpy.run_path('go_play.py', run_name='__main__')\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        "print(sorted({'numpy', 'numba', 'tqdm', 'tabulate', 'goban.kernels', 'goban.solver', 'golearn'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


def modules():
    """Every module of ours by its name, but for those that programs of a course find beside themselves."""
    return {dotted(path): path for path, _ in everything() if not path.is_relative_to(COURSE)}


def imported(name, path, known):
    """The modules of ours that a module imports, wherever in the file; of a facade's ties none."""
    inner = {(module, f"{module}.{name}") for module, name in read(path).imports_from}
    found = read(path).whole_imports | {module if module in known else outer for outer, module in inner}
    facade = path.name == "__init__.py"
    return set() if facade else (found & set(known)) - {name}


def circles(graph):
    """The sets of modules each of which reaches all others of its set."""
    reached = {name: set(others) for name, others in graph.items()}
    for middle in graph:
        for others in reached.values():
            if middle in others:
                others |= reached[middle]
    return {frozenset(other for other in reached[name] if name in reached[other]) for name in graph if name in reached[name]}


def test_circles_are_found():
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": {"a", "d"}}) == {frozenset("bc"), frozenset("d")}


def test_no_files_import_each_other():
    known = modules()
    assert len(known) > 300
    graph = {name: imported(name, path, known) for name, path in known.items()}
    assert circles(graph) == set()
