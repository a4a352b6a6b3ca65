"""Interpreters in awkward places: below /tmp, which every game has to itself; behind links; among our own files."""

import shutil
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
from pathlib import Path

import pytest

from goban.rulesets import COURSE, LITTLEGO
from gojudge.errors import SandboxError
from gojudge.sandbox import tiers as sandbox
from gojudge.sandbox.bubblewrap import place_of
from gojudge.sandbox.interpreters import interpreter
from tests.support import programs
from tests.support.submissions import LIMITS, answers, submission, tiers

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="there is a /tmp like that on Linux")
CLASS = """
    import only_here

    class MyPlayer:
        def get_input(self, go, piece_type):
            import statistics
            return only_here.ANSWER
"""
PROGRAM = """
    import only_here, statistics, subprocess, sys
    ask = [sys.executable, "-c", "import only_here; print(only_here.ANSWER[0])"]
    said = subprocess.run(ask, capture_output=True, text=True).stdout.strip()
    open("output.txt", "w").write(f"{said},{only_here.ANSWER[1]}")
"""


def with_a_package(python):
    """Install a package into an interpreter that no other has; return the interpreter."""
    ask = [python, "-c", "import site; print(site.getsitepackages()[0])"]
    folder = Path(subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip())
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "only_here.py").write_text("ANSWER = 1, 2\n")
    return str(python)


def environment(folder, python=sys.executable):
    subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
    return with_a_package(folder / "bin/python")


@pytest.fixture(scope="module")
def below_tmp():
    folder = Path(tempfile.mkdtemp(prefix="test-python-", dir="/tmp"))
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def environment_below_tmp(below_tmp):
    return environment(below_tmp / "environment")


@pytest.fixture(scope="module")
def python_below_tmp(below_tmp):
    """Copy a whole Python with its library from one that allows it: of this version, and in one folder."""
    ask = (
        "import sys, sysconfig; whole = 'libpython' not in open('/proc/self/maps').read(); "
        "print(sys.version_info >= (3, 11) and whole, sysconfig.get_path('stdlib'))"
    )
    for original in filter(shutil.which, (sys.executable, "/usr/bin/python3")):
        told = subprocess.run([original, "-I", "-c", ask], capture_output=True, text=True, check=True).stdout.split()
        if told[0] == "True":
            return with_a_package(copied(Path(original).resolve(), Path(told[1]), below_tmp / "python"))
    pytest.skip("no Python here can be copied to another place")


def copied(python, library, prefix):
    (prefix / "bin").mkdir(parents=True)
    heavy = shutil.ignore_patterns("test", "tests", "site-packages", "dist-packages", "__pycache__", "idlelib", "config-*")
    shutil.copytree(library, prefix / "lib" / library.name, ignore=heavy)
    return shutil.copy2(python, prefix / "bin")


def answer_of(entrant, tier, python, rules=COURSE, limits=LIMITS, real_starts=False):
    seat = sandbox.open_seat(entrant, rules, 5, limits, tier, python, real_starts)
    try:
        (answer,) = answers(seat, rules=rules)
        return tuple(answer)
    finally:
        seat.close()


@LINUX
@tiers()
@pytest.mark.parametrize("python", ["environment_below_tmp", "python_below_tmp"])
def test_an_interpreter_below_tmp_finds_its_library_and_packages(python, tier, request, tmp_path):
    entrant = submission(tmp_path / "alice", CLASS)
    assert answer_of(entrant, tier, request.getfixturevalue(python)) == (1, 2)


@LINUX
@tiers()
@pytest.mark.parametrize("real_starts", [False, True])
@pytest.mark.parametrize("python", ["environment_below_tmp", "python_below_tmp"])
def test_so_does_a_program_and_what_it_starts(python, real_starts, tier, request, tmp_path):
    entrant = programs.program(tmp_path / "alice", PROGRAM)
    python = request.getfixturevalue(python)
    assert answer_of(entrant, tier, python, LITTLEGO, programs.LIMITS, real_starts) == (1, 2)


@LINUX
@tiers("T3", "T2")
def test_nothing_else_that_lies_below_tmp_is_seen(environment_below_tmp, tier, tmp_path):
    source = """
        import os

        class MyPlayer:
            def get_input(self, go, piece_type):
                return [len(os.listdir("/tmp")), len(os.listdir("/elsewhere/tmp"))]
    """
    assert answer_of(submission(tmp_path / "alice", source), tier, environment_below_tmp) == (0, 1)


@tiers()
def test_an_interpreter_behind_a_link_has_its_own_library(tier, tmp_path):
    (tmp_path / "link").symlink_to(sys.base_prefix)
    python = environment(tmp_path / "environment", tmp_path / "link/bin" / f"python3.{sys.version_info.minor}")
    library = Path(sysconfig.get_path("stdlib")).resolve()
    source = f"""
        import os

        class MyPlayer:
            def get_input(self, go, piece_type):
                return (1, 2) if os.path.realpath(os.__file__) in {(f"{library}/os.py", f"{place_of(library)}/os.py")} else None
    """
    assert answer_of(submission(tmp_path / "alice", source), tier, python) == (1, 2)


REFUSED = [
    ("/nonexistent/python", r"expected a Python interpreter, got '/nonexistent/python': .*No such file"),
    ("/bin/true", r"expected a Python interpreter, got '/bin/true': "),
]


@pytest.mark.parametrize(("command", "message"), REFUSED)
def test_what_is_no_interpreter_is_refused_in_one_line(command, message):
    with pytest.raises(SandboxError, match=message) as caught:
        interpreter(command)
    assert "\n" not in str(caught.value)


def test_an_older_python_is_refused(tmp_path):
    old = tmp_path / "python2"
    old.write_text(textwrap.dedent("""\
        #!/bin/sh
        echo '[[2, 7], "/usr/bin/python2", "/usr", "/usr", []]'
    """))
    old.chmod(0o755)
    with pytest.raises(SandboxError, match=r"expected Python 3.11 or later, but '.*/python2' is 2.7"):
        interpreter(str(old))
