"""The folder with our own modules that a sandbox is shown.

Interpreters in awkward places: below /tmp, which every game has to itself; behind links; among our own files.

What bubblewrap is told to show, and what it must not show.
"""

import importlib.util
import marshal
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
from pathlib import Path

import pytest

from goban.rulesets import COURSE, LITTLEGO
from gojudge.errors import HarnessFaultError, SandboxError
from gojudge.sandbox import launching, leftovers
from gojudge.sandbox import tiers as sandbox
from gojudge.sandbox.launching import Interpreter, interpreter, place_of
from tests.support import programs
from tests.support.submissions import LIMITS, answers, submission, tiers

HERE = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_the_host_consists_of_what_a_worker_needs():
    folder = launching.host_folder()
    sources = {path.relative_to(folder) for path in folder.rglob("*.py")}
    assert sources >= {Path("go.py"), Path("goban/grids.py"), Path("gojudge/inside/worker.py")}
    assert {path.parts[0] for path in sources} == {"go.py", "goban", "gojudge"}
    assert {path.parts[1] for path in sources if path.parts[0] == "gojudge"} == {"inside"}
    # A submission's folder may have that name, too.
    assert Path("gojudge/__init__.py") not in sources
    # No solver is shown.
    assert {path.parts[1] for path in sources if path.parts[0] == "goban" and len(path.parts) > 2} == {"common"}
    assert all((folder / path).read_bytes() == (HERE / path).read_bytes() for path in sources)


def test_every_module_is_there_compiled_whatever_its_time():
    folder = launching.host_folder()
    for path in folder.rglob("*.py"):
        form = Path(importlib.util.cache_from_source(path)).read_bytes()
        assert form[:8] == importlib.util.MAGIC_NUMBER + bytes((1, 0, 0, 0))
        assert marshal.loads(form[16:]).co_filename == f"/host/{path.relative_to(folder)}"


def test_it_is_made_once_and_anew_if_somebody_has_removed_it():
    folder = launching.host_folder()
    before = folder.stat().st_ino
    assert launching.host_folder().stat().st_ino == before
    folder.rename(folder.with_name("elsewhere"))
    assert launching.host_folder() == folder
    assert folder.stat().st_ino != before


def test_others_may_read_it_whatever_this_process_keeps_to_itself():
    before = os.umask(0o077)
    try:
        folder = launching.host_folder()
    finally:
        os.umask(before)
    modes = {path.stat().st_mode & 0o777 for path in (folder, *folder.rglob("*"))}
    assert modes == {0o755, 0o644}


def test_a_folder_that_cannot_be_made_is_nobodys_fault(monkeypatch):
    monkeypatch.setattr(leftovers, "cache_folder", lambda kind: Path("/proc/nobody"))
    with pytest.raises(HarnessFaultError, match="a folder for the host's modules could not be made"):
        launching.host_folder()


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


BELOW_TMP = Interpreter(Path("/tmp/python/bin/python3"), (Path("/tmp/python"),), (Path("/tmp/clone/.venv/site-packages"),))
PYTHON = Interpreter(Path("/opt/python/bin/python3"), (Path("/opt/python"),), (Path("/home/me/venv/site-packages"),))


def arguments(root="/home/me/harness", python=PYTHON, as_root=True):
    return launching.bubblewrap_arguments(python, Path(root), Path("/home/me/.cache/host"), Path("/home/me/alice"), as_root)


def shown(options):
    """Return every (path outside, path inside) that is bound."""
    return [(options[k + 1], options[k + 2]) for k, option in enumerate(options) if option.startswith("--ro-bind")]


def test_nothing_is_shown_writable():
    assert not [option for option in arguments() if option in ("--bind", "--bind-try", "--dev-bind-try")]


def test_only_devices_that_hold_nothing_are_shown():
    options = arguments()
    devices = [options[k + 1] for k, option in enumerate(options) if option == "--dev-bind"]
    assert devices == ["/dev/null", "/dev/random", "/dev/urandom"]
    assert "--dev" not in options


def test_only_the_interpreter_its_packages_the_host_and_one_submission_are_shown():
    places = {outside for outside, _ in shown(arguments())}
    ours = {place for place in places if place.startswith("/home")}
    assert ours == {"/home/me/venv/site-packages", "/home/me/.cache/host", "/home/me/alice"}
    assert "/opt/python" in places


def test_a_harness_below_what_is_shown_is_hidden_again():
    options = arguments(root="/opt/python/harness")
    assert options[options.index("/opt/python/harness") - 1] == "--tmpfs"


def test_what_lies_below_tmp_is_shown_elsewhere():
    options = arguments(python=BELOW_TMP)
    moved = [places for places in shown(options) if places[0].startswith("/tmp")]
    assert moved == [(path, f"/elsewhere{path}") for path in ("/tmp/python", "/tmp/clone/.venv/site-packages")]
    assert options[options.index("LD_LIBRARY_PATH") + 1] == "/elsewhere/tmp/python/lib"
    assert "LD_LIBRARY_PATH" not in arguments()


@pytest.mark.parametrize("place", ["/tmp", "/tmp/a", "/dev/shm/a", "/stage/a", "/player", "/host/a", "/elsewhere/tmp/a"])
def test_no_place_that_is_taken_in_the_sandbox_is_used(place):
    assert launching.place_of(Path(place)) == Path("/elsewhere" + place)


@pytest.mark.parametrize("place", ["/usr/bin", "/opt/tmp", "/tmpfiles", "/home/player"])
def test_everything_else_is_shown_where_it_lies(place):
    assert launching.place_of(Path(place)) == Path(place)


def test_a_harness_below_what_is_shown_elsewhere_is_hidden_again():
    options = arguments(root="/tmp/python/harness", python=BELOW_TMP)
    assert options[options.index("/elsewhere/tmp/python/harness") - 1] == "--tmpfs"


def test_packages_within_a_harness_that_is_hidden_are_shown_and_can_be_reached():
    site = "/opt/python/harness/.venv/site"
    python = Interpreter(PYTHON.executable, PYTHON.prefixes, (Path(site),))
    options = arguments(root="/opt/python/harness", python=python)
    after = options[options.index("--tmpfs") :]
    assert (site, site) in shown(after)
    for folder in ("/opt/python/harness/.venv", site):
        assert after[after.index(folder) - 3 : after.index(folder)] == ["--perms", "0755", "--dir"]


def installed_in(site):
    """Return an interpreter whose folder of packages has us installed, beside numpy."""
    record = site / "go_competition_harness-0.2.0.dist-info/RECORD"
    for path in (record, site / "players/smart_player.py", site / "go.py", site / "numpy/core.py", site / "six.py"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    record.with_name("METADATA").write_text("Metadata-Version: 2.1\nName: go-competition-harness\nVersion: 0.2.0\n")
    record.write_text(f"go.py,,\nplayers/smart_player.py,,\n../../../bin/go-play,,\n{record.parent.name}/RECORD,,\n")
    return Interpreter(PYTHON.executable, PYTHON.prefixes, (site,))


@pytest.mark.parametrize("linked", [False, True])
def test_installed_among_other_packages_only_those_are_shown(tmp_path, linked):
    site = tmp_path / "site-packages"
    python = installed_in(site)
    if linked:
        (tmp_path / "link").symlink_to(tmp_path)
        python = Interpreter(PYTHON.executable, PYTHON.prefixes, (tmp_path / "link/site-packages",))
    options = arguments(root=site.resolve(), python=python)
    place = str(place_of(python.site[0]))
    packages = [inside for _, inside in shown(options) if inside.startswith(place)]
    assert packages == [f"{place}/{name}" for name in ("numpy", "six.py")]
    assert options.index(f"{place}/numpy") > options.index("--tmpfs")


@pytest.mark.parametrize("wall", ["--unshare-net", "--unshare-pid", "--unshare-ipc", "--die-with-parent", "--new-session"])
def test_every_wall_is_up(wall):
    assert wall in arguments()
    assert wall in arguments(as_root=False)


def test_an_ordinary_user_gets_a_user_namespace():
    assert "--unshare-user" in arguments(as_root=False)
    assert "--unshare-user" not in arguments(as_root=True)


def test_the_environment_is_ours_and_hashes_are_the_same_every_time():
    options = arguments()
    assert "--clearenv" in options
    assert options[options.index("PYTHONHASHSEED") + 1] == "0"
    assert set(launching.environment("/tmp")) >= {"PYTHONHASHSEED", "TMPDIR", "PATH"}
