"""The switch between compiled and plain kernels, each in a process of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from goban.kernels.numba_tools.compile import _link_compiled, cache_folder
from tests.support.missing import needs, no_package

ROOT = Path(__file__).parents[4]

NOTHING_COMPILED = """
import goban.kernels.bitboards as boards
from goban.kernels.numba_tools.compile import HAVE_NUMBA
assert HAVE_NUMBA
print(sum(len(kernel.signatures) for kernel in vars(boards).values() if hasattr(kernel, "signatures")))
"""

PLAY = """
import sys
if "plain" in sys.argv:
    sys.modules["numba"] = None
import numpy as np
from goban.kernels.bitboards import ZERO, board_shape, captures, ko_of, legal_mask, random_point, random_states
own = other = ko = last = ZERO
shape, state = board_shape(8), random_states(3, 0, 1)[0]
for _ in range(63):
    legal = np.uint64(legal_mask(own, other, ko, last, shape))
    if not legal:
        break
    last = np.uint64(random_point(legal, state))
    taken = np.uint64(captures(last, own, other, shape))
    own, other, ko = other ^ taken, own | last, np.uint64(ko_of(taken))
    print(hex(own), hex(other))
"""


def run(code: str, *arguments: str) -> str:
    command = [sys.executable, "-W", "error", "-c", code, *arguments]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def test_importing_kernels_compiles_nothing():
    assert run(NOTHING_COMPILED) == "0\n"


ALIKE = """
import sys
import numpy as np
from numba.np import linalg
from goban.kernels.numba_tools.compile import njit
@njit
def doubled(number, is_odd):
    return 2 * number + (1 if is_odd else 0)
@njit
def sums(numbers, n):
    return doubled(1, True) + doubled(-3, True) + doubled(n, True) + doubled(number=numbers[0], is_odd=True)
print(sums(np.array([-5], dtype=np.int32), 7), sorted(str(kinds[0]) for kinds in doubled.signatures))
print("scipy.linalg" in sys.modules, linalg.ensure_blas.__name__)
"""


@needs(no_package("numba"))
def test_for_numbers_written_out_and_narrow_ones_nothing_is_compiled_again(tmp_path):
    """And scipy's functions for matrices, of which numba only asks whether they are there, are not imported for that."""
    (tmp_path / "alike.py").write_text(ALIKE)
    printed = run("import runpy, sys; runpy.run_path(sys.argv[1])", str(tmp_path / "alike.py"))
    assert printed == "4 ['int64']\nFalse ensure_blas\n"


@pytest.mark.slow
def test_a_game_is_the_same_without_numba():
    compiled = run(PLAY)
    assert compiled.count("\n") > 40
    assert run(PLAY, "plain") == compiled


@pytest.mark.parametrize(
    ("changed", "kept_in", "is_kept"),
    [
        ("goban/kernels/numba_tools/bits.py", "goban/kernels/playouts", False),
        ("goban/kernels/playouts/arrays.py", "goban/kernels", False),
        ("goban/kernels/playouts/arrays.py", "goban/solver/alphabeta", False),
        ("goban/solver/book.py", "goban/solver/alphabeta", False),
        ("goban/solver/alphabeta/moves.py", "goban/solver", False),
        ("goban/solver/book.py", "goban/kernels", True),
    ],
)
def test_a_change_in_one_kernel_leaves_no_other_stale(tmp_path, changed, kept_in, is_kept):
    names = ("kernels/numba_tools/bits.py", "kernels/playouts/arrays.py", "solver/book.py", "solver/alphabeta/moves.py")
    for name in (f"goban/{name}" for name in names):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("ONE = 1\n")
    before = cache_folder("", tmp_path / kept_in, tmp_path)
    (tmp_path / changed).write_text("ONE = 2\n")
    cache_folder.cache_clear()
    assert (cache_folder("", tmp_path / kept_in, tmp_path) == before) is is_kept
    assert before.parent == tmp_path / kept_in / "__pycache__"


def test_links_to_the_sources_share_what_is_compiled(tmp_path):
    (tmp_path / "project").symlink_to(ROOT)
    assert cache_folder("", tmp_path / "project/goban/kernels/playouts") == cache_folder("", ROOT / "goban/kernels/playouts")


HITS = """
import numpy as np
from goban.kernels.bitboards import board_shape, captures, ZERO
captures(ZERO, ZERO, ZERO, board_shape(8))
print(sum(captures.stats.cache_hits.values()))
"""


READ_ONLY = """
import tempfile
there = tempfile.TemporaryFile
def refused(*args, dir, **more):
    if "__pycache__" in str(dir):
        raise PermissionError(13, "read-only", str(dir))
    return there(*args, dir=dir, **more)
tempfile.TemporaryFile = refused
"""
"""Root may write everywhere, so that a folder in which one may only read has to be feigned."""


def site(folder):
    """Make a folder as if somebody had installed us there."""
    left_out = shutil.ignore_patterns("__pycache__", "board", "montecarlo", "solver")
    shutil.copytree(ROOT / "goban", folder / "goban", ignore=left_out)
    return folder


def hits(site, cache, before=""):
    """How many kernels of a process came from a cache, that beside the source or the user's."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("NUMBA_CACHE_DIR", None)
    command = [sys.executable, "-W", "error", "-c", before + HITS]
    done = subprocess.run(command, cwd=site, env=environment, capture_output=True, text=True)
    assert done.stderr == ""
    return int(done.stdout)


def hits_of_two_runs(tmp_path, cache):
    """The same of two processes, where no `__pycache__` can be made, nor the user's cache perhaps."""
    kernels = site(tmp_path) / "goban/kernels"
    for folder in [kernels, *(path for path in kernels.iterdir() if path.is_dir())]:
        # Root may write everywhere, but not into a file.
        (folder / "__pycache__").write_text("")
    return [hits(tmp_path, cache) for _ in range(2)]


@pytest.mark.slow
def test_kernels_are_kept_for_the_user_where_they_cannot_be_kept_beside_the_source(tmp_path):
    assert hits_of_two_runs(tmp_path / "site", tmp_path / "cache") == [0, 1]
    assert list((tmp_path / "cache/go-competition-harness").glob("compiled-*/**/*.nbc"))


def test_what_is_compiled_in_other_folders_is_linked_the_newest_first(tmp_path):
    for time, (folder, names) in enumerate({"old": "xy", "new": "xz", "own": "z"}.items()):
        (tmp_path / folder).mkdir()
        for name in names:
            (tmp_path / folder / f"{name}.nbc").write_text(folder)
        os.utime(tmp_path / folder, (time, time))
    (tmp_path / "no folder").touch()
    _link_compiled(tmp_path, tmp_path / "own")
    found = {path.stem: (path.read_text(), path.is_symlink()) for path in (tmp_path / "own").iterdir()}
    assert found == {"x": ("new", True), "y": ("old", True), "z": ("own", False)}


@pytest.mark.slow
def test_what_is_compiled_beside_the_source_is_used_where_it_cannot_be_written(tmp_path):
    installed, cache = site(tmp_path / "site"), tmp_path / "cache"
    assert [hits(installed, cache), hits(installed, cache)] == [0, 1]
    assert not cache.exists()
    assert hits(installed, cache, READ_ONLY) == 1
    # A sandbox shows it at another place.
    installed.rename(tmp_path / "view")
    assert hits(tmp_path / "view", cache, READ_ONLY) == 1
    assert {path.is_symlink() for path in cache.rglob("*.nb?")} == {True}
    assert {path.is_symlink() for path in (tmp_path / "view").rglob("*.nb?")} == {False}
    # So may one in which it can be written, and whoever moves it twice.
    for moved in ("moved", "again"):
        (tmp_path / "view").rename(tmp_path / moved)
        assert hits(tmp_path / moved, cache) == 1
        (tmp_path / moved).rename(tmp_path / "view")


@pytest.mark.slow
def test_what_else_is_compiled_there_is_kept_for_the_user(tmp_path):
    installed, cache = site(tmp_path / "site"), tmp_path / "cache"
    # Something is compiled, but not what is asked for.
    assert hits(installed, cache, "from goban.kernels.bitboards import board_shape; board_shape(5)\n") == 0
    for path in installed.rglob("bitboards.captures-*"):
        path.unlink()
    assert [hits(installed, cache, READ_ONLY), hits(installed, cache, READ_ONLY)] == [0, 1]


@pytest.mark.slow
def test_kernels_are_compiled_anew_where_they_cannot_be_kept_at_all(tmp_path):
    (tmp_path / "cache").write_text("")
    assert hits_of_two_runs(tmp_path / "site", tmp_path / "cache") == [0, 0]
