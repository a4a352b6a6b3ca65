"""Imports point down only: who may import whom, and who may import anything but the standard library."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# Bad code, on purpose; none of it is ours.
ATTACKS = ROOT / "tournament/shelf/attacks"

# room: the rooms it may import from, itself apart
ROOMS = {
    "common": set(),
    "goban": {"common"},
    "kernels": {"common", "goban"},
    "search": {"common", "goban", "kernels"},
    "players": {"common", "goban", "kernels", "search", "go"},
    "learning": {"common", "goban", "kernels", "search", "players", "go", "my_player"},
    "go": {"common", "goban"},
    "my_player": {"go"},
    "my_player3": {"common", "goban", "go", "my_player"},
    "tournament": {"common", "goban", "go", "search", "players"},
    "go_play": {"common", "goban", "go", "players"},
    "benchmarks": {"common", "goban", "kernels", "search", "players", "learning", "go", "my_player", "tournament", "tests"},
}

# What may be imported from outside the standard library; files not named here: nothing.
OUTSIDE = {
    "kernels": {"numpy", "numba", "llvmlite"},
    "search": {"numpy", "numba", "tabulate", "tqdm"},
    "learning": {"numpy", "numba", "tqdm", "matplotlib", "tabulate"},
    "tournament": {"numpy", "scipy", "tabulate", "tqdm", "jinja2", "markupsafe"},
    "benchmarks": {"numpy", "numba", "tabulate", "tqdm", "open_spiel", "pyspiel", "pgx", "jax"},
}

ONLY_THESE_PRINT = {
    "go.py": "verbose games, as the course's host has them",
    "go_play.py": "a command line",
    "players/manual_player.py": "a person at the terminal",
    "players/littlego.py": "a command line",
    "learning/qlearning/__main__.py": "a command line",
    "search/truth.py": "a command line",
    "search/bookmaking.py": "a command line",
    "tournament/inside/course_modules/host.py": "verbose games, as the course's host has them",
    "my_player.py": "one line on stderr when its table is missing",
}


def sources(room):
    folder = ROOT / room
    if not folder.is_dir():
        return [ROOT / f"{room}.py"]
    return sorted(path for path in folder.rglob("*.py") if not path.is_relative_to(ATTACKS))


def imports(path):
    """Every module a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert all(alias.name != "*" for alias in node.names), f"{path}: import *"
            yield node.module


def existing(rooms):
    return [room for room in sorted(rooms) if (ROOT / room).is_dir() or (ROOT / f"{room}.py").is_file()]


@pytest.mark.parametrize("room", existing(ROOMS))
def test_rooms_import_from_below_only(room):
    allowed = {room, "__future__"} | ROOMS[room] | OUTSIDE.get(room, set())
    for path in sources(room):
        for module in imports(path):
            top = module.split(".")[0]
            assert top in allowed or (top in sys.stdlib_module_names and top not in ROOMS), f"{path} imports {module}"


def test_every_room_is_known_to_this_test():
    found = {p.parent.name for p in ROOT.glob("*/*.py")} | {p.stem for p in ROOT.glob("*.py")}
    assert found - {"tests", "build"} <= set(ROOMS)


@pytest.mark.parametrize("room", existing(ROOMS.keys() - {"benchmarks"}))
def test_only_command_lines_print(room):
    for path in sources(room):
        name = str(path.relative_to(ROOT))
        calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
        prints = any(isinstance(call.func, ast.Name) and call.func.id == "print" for call in calls)
        command_line = path.name == "__main__.py" or path.parent.name == "commands"
        assert not prints or name in ONLY_THESE_PRINT or command_line, f"{name} prints"


def test_only_the_store_knows_sql():
    users = {str(path.relative_to(ROOT)) for room in existing(ROOMS) for path in sources(room) if "sqlite3" in imports(path)}
    assert users == {"tournament/store/store.py", "tournament/store/store_files.py", "tournament/store/stored_games.py"}


@pytest.mark.parametrize("room", existing(ROOMS))
def test_nobody_edits_the_import_path(room):
    for path in sources(room):
        # The worker's own modules must not be found among those of a submission, nor the other way round.
        assert "sys.path" not in path.read_text() or path == ROOT / "tournament/inside/worker.py", path


def test_files_are_named_by_no_module_of_the_standard_library():
    for room in existing(ROOMS):
        for path in sources(room):
            assert path.stem.startswith("__") or path.stem not in sys.stdlib_module_names, path


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
