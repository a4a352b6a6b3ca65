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

# room: the rooms it may import from, itself apart
ROOMS = {
    "common": set(),
    "goban": {"common"},
    "kernels": {"common", "goban"},
    "search": {"common", "goban", "kernels"},
    "players": {"common", "goban", "kernels", "search", "go"},
    "learning": {"common", "goban", "board", "kernels", "search", "players", "go"},
    "go": {"common", "goban"},
    "my_player_search": {"go"},
    "my_player_table": {"goban"},
    "my_player": {"go", "goban", "players", "my_player_search", "my_player_table"},
    "my_player3": {"common", "goban", "go", "my_player"},
    "board": {"common", "goban"},
    "tournament": {"common", "goban", "go", "board", "search", "players"},
    "go_play": {"common", "goban", "go", "board", "players"},
    "benchmarks": {
        "common", "goban", "board", "kernels", "search", "players", "learning", "go", "my_player", "my_player_table",
        "tournament",
    },
}


def _tournament():
    """Inside `tournament` the same, a file at its top being a room; none of a line imports another of that line."""
    rooms = {"inside": set(), "errors": set(), "times": set(), "verdicts": {"times"}}
    rooms |= {"records": {"times", "verdicts"}, "seats": {"times", "records", "verdicts"}}
    upwards = (
        "sandbox", "intake events", "refereeing", "cluster", "store", "results shelf probing", "pages similarity", "courses",
        "application", "commands", "__main__",
    )  # fmt: skip
    for line in upwards:
        rooms |= dict.fromkeys(line.split(), frozenset(rooms))
    return rooms


TOURNAMENT = _tournament()

# What the course put beside every submission, where files find one another without their package.
COURSE = ROOT / "gojudge/inside/course_modules"
# The copies of my_player.py and what it imports are loaded as a student's files are.
SHIPPED = ROOT / "players/shipped"

# What may be imported from outside the standard library; files not named here: nothing.
OUTSIDE = {
    "common": {"numpy", "scipy"},
    "kernels": {"numpy", "numba", "llvmlite"},
    "search": {"numpy", "numba", "tabulate", "tqdm", "sgfmill"},
    "learning": {
        "numpy", "numba", "tqdm", "matplotlib", "tabulate", "gymnasium", "pettingzoo", "torch", "jax", "stable_baselines3",
        "tensorboard", "tensorboardX", "onnx",
    },
    "tournament": {
        "numpy", "scipy", "tabulate", "tqdm", "jinja2", "markupsafe", "dask", "distributed", "cryptography", "pygments", "yaml",
    },
    "benchmarks": {
        "numpy", "numba", "tabulate", "tqdm", "playwright", "open_spiel", "pyspiel", "pgx", "jax", "pettingzoo", "torch",
    },
}  # fmt: skip

ONLY_THESE_PRINT = {
    "go.py": "verbose games, as the course's host has them",
    "go_play.py": "a command line",
    "players/manual_player.py": "a person at the terminal",
    "players/littlego.py": "a command line",
    "golearn/qlearning/command.py": "a command line",
    "golearn/patterns/command.py": "a command line",
    "golearn/environments/pettingzoo_envs.py": "an environment that is asked to, render_mode='human'",
    "goban/solver/truth.py": "a command line",
    "goban/solver/area/command.py": "a command line",
    "goban/solver/area/verify_proof.py": "a program of its own",
    "goban/solver/bookmaking.py": "a command line",
    "gojudge/inside/course_modules/host.py": "verbose games, as the course's host has them",
    "golearn/watching.py": "a command line",
    "my_player_table.py": "one line on stderr when the table is missing",
    "players/shipped/my_player_table.py": "the same file",
}


# `tests` in another sense.
NO_FOLDER = dict.fromkeys(
    ("tournament/results/gradescope.py", "tournament/results/course_systems.py"), "a field that course systems read"
)

STARTERS = {"subprocess", "multiprocessing", "pty"}
STARTING_CALLS = re.compile(r"os\.(fork|forkpty|exec\w+|spawn\w+|posix_spawnp?|system|popen|startfile)")
# What starts processes besides `tournament/sandbox`, and why that is no submission and no engine.
MAY_START_PROCESSES = {
    "goban/board/processes.py": "the players of a game in the browser, whom the person at this machine has named",
    "goban/engines.py": "an engine that the person at the command line, or whose program calls us, has named",
    "gojudge/inside/keeper.py": "in the sandbox: forks itself for a submission",
    "gojudge/inside/engine_starter.py": "in the sandbox: forks itself for an engine",
    "gojudge/inside/executing.py": "in the sandbox: turns such a fork into a program or an engine",
    "gojudge/inside/zygote.py": "in the sandbox: forks itself for a game",
    "gojudge/inside/program_zygote.py": "in the sandbox: forks itself for a move",
    "gojudge/refereeing/executors.py": "worker processes, which run our own code",
    "goban/solver/book_entries.py": "worker processes, which run our own code",
}


MAY_EDIT_THE_PATH = {"gojudge/inside/worker.py", "gojudge/inside/unprotected.py", "players/player_files.py"}


def sources(room):
    folder = ROOT / room
    if not folder.is_dir():
        return [ROOT / f"{room}.py"]
    return sorted(path for path in folder.rglob("*.py") if not path.is_relative_to(ATTACKS))


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


def ties():
    """The modules above `goban` that its facade names as text, once in the table of ties."""
    tree = ast.parse((ROOT / "goban/__init__.py").read_text())
    table = next(node.value for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "_HOMES")
    return {key.value for key in table.keys if not key.value.startswith("goban.")}


def existing(rooms):
    return [room for room in sorted(rooms) if (ROOT / room).is_dir() or (ROOT / f"{room}.py").is_file()]


@pytest.mark.parametrize("room", existing(ROOMS))
def test_rooms_import_from_below_only(room):
    allowed = {room, "__future__"} | ROOMS[room] | OUTSIDE.get(room, set())
    for path in sources(room):
        # For type checkers only: nothing of them is loaded before it is asked for.
        tied = ties() if path == ROOT / "goban/__init__.py" else set()
        for module in set(imports(path)) - tied:
            top = module.split(".")[0]
            known = top in allowed | beside(path)
            assert known or (top in sys.stdlib_module_names and top not in ROOMS), f"{path} imports {module}"


def test_the_registry_names_two_players_that_stand_above_it():
    """As text, so that nothing is imported before it is asked for."""
    tree = ast.parse((ROOT / "players/registry.py").read_text())
    named = next(node.value for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "NAMES")
    texts = {key.value: ast.unparse(value).strip("'") for key, value in zip(named.keys, named.values, strict=True)}
    assert {name for name, text in texts.items() if not text.startswith("players.")} == {"my", "zero"}
    assert texts["zero"].startswith("golearn.alphazero.")


def test_the_facade_of_goban_ties_it_to_few_packages_above():
    assert {module.split(".")[0] for module in ties()} == {"board", "learning", "search"}


def test_every_room_is_known_to_this_test():
    found = {p.parent.name for p in ROOT.glob("*/*.py")} | {p.stem for p in ROOT.glob("*.py")}
    assert found - {"tests", "build", "setup"} <= set(ROOMS)


@pytest.mark.parametrize("room", existing(ROOMS.keys() - {"benchmarks"}))
def test_only_command_lines_print(room):
    for path in sources(room):
        name = str(path.relative_to(ROOT))
        prints = "print" in read(path).calls
        command_line = path.name == "__main__.py" or path.parent.name == "commands"
        assert not prints or name in ONLY_THESE_PRINT or command_line, f"{name} prints"


def everything():
    """Every source file of ours that is no test, with its path from the top."""
    return [(path, str(path.relative_to(ROOT))) for room in existing(ROOMS) for path in sources(room)]


def test_only_the_store_knows_sql():
    users = {name.rpartition("/")[0] for path, name in everything() if "sqlite3" in imports(path)}
    assert users == {"tournament/store"}


def rooms_of_the_tournament():
    """Every room of `tournament` there is, with its files; a file at the top is a room."""
    rooms = {}
    for path in sources("tournament"):
        rooms.setdefault(path.relative_to(ROOT / "tournament").parts[0].removesuffix(".py"), []).append(path)
    del rooms["__init__"]
    return rooms


@pytest.mark.parametrize("room", rooms_of_the_tournament())
def test_rooms_of_the_tournament_import_from_below_only(room):
    allowed = {room} | TOURNAMENT[room]
    for path in rooms_of_the_tournament()[room]:
        for module in imports(path):
            top, _, rest = module.partition(".")
            assert top != "tournament" or rest.split(".")[0] in allowed, f"{path} imports {module}"


def test_what_runs_in_a_sandbox_imports_only_what_is_there():
    for path in sources("tournament/inside"):
        for module in imports(path):
            top = module.split(".")[0]
            known = top in {"common", "go", "goban"} | beside(path) or module.startswith("gojudge.inside")
            assert known or top in sys.stdlib_module_names, f"{path} imports {module}"


def test_only_the_sandbox_starts_processes():
    """For a submission or an engine; whoever else starts one is named, with what it is for."""
    found = set()
    for path, name in everything():
        if name.startswith(("gojudge/sandbox/", "benchmarks/")):
            continue
        used = {module.split(".")[0] for module in imports(path)} & STARTERS or "ProcessPoolExecutor" in path.read_text()
        if used or any(map(STARTING_CALLS.fullmatch, read(path).calls)):
            found.add(name)
    assert found == {name for name in MAY_START_PROCESSES if (ROOT / name).exists()}


@pytest.mark.parametrize("room", existing(ROOMS))
def test_nobody_reads_the_tests(room):
    """Neither as modules nor as files; they are no part of what is installed."""
    for path in sources(room):
        for text in imports(path) | read(path).texts:
            found = re.match(r"(\./)?tests([./\\]|$)", text)
            assert not found or str(path.relative_to(ROOT)) in NO_FOLDER, f"{path} names {text!r}"


@pytest.mark.parametrize("room", existing(ROOMS))
def test_nobody_edits_the_import_path(room):
    for path in sources(room):
        # Our own modules must not be found among those of a submission, nor the other way round.
        assert "sys.path" not in path.read_text() or str(path.relative_to(ROOT)) in MAY_EDIT_THE_PATH, path


def test_files_are_named_by_no_module_of_the_standard_library():
    for room in existing(ROOMS):
        for path in sources(room):
            assert path.stem.startswith("__") or path.stem not in sys.stdlib_module_names, path


@pytest.mark.parametrize("room", [*existing(ROOMS), "tests"])
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
        "print(sorted({'numpy', 'numba', 'tqdm', 'tabulate', 'kernels', 'search', 'learning'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


# Modules that import each other, one of them not before it is asked for or for types only, and why that stays.
IN_CIRCLES = {
    frozenset({"golearn.alphazero.go_games", "golearn.alphazero.go_states"}): "rows bring numba, which a player may lack",
}


def modules():
    """Every module of ours by its name, but for those that programs of a course find beside themselves."""
    found = {}
    for path, name in everything():
        if not path.is_relative_to(COURSE):
            found[name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")] = path
    return found


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
    assert circles(graph) == set(IN_CIRCLES)
