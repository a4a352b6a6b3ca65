"""What a process that Landlock confines can still open, and how many files it needs to hand over its listener."""

import os
import struct
import subprocess
import sys

import pytest

from gojudge.inside import confinement
from gojudge.inside.confinement import landlock_version
from tests.support.documents import ROOT

# PR_SET_NO_NEW_PRIVS is 38.
CONFINED = """
import ctypes, sys
from pathlib import Path
from gojudge.inside.confinement import restrict
ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)
restrict([Path("folder"), Path("read"), Path("missing")], [Path("written")])
for name, mode in (("folder/within", "r"), ("read", "r"), ("read", "w"), ("written", "w"), ("other", "r")):
    try:
        open(name, mode).close()
        print(name, mode)
    except PermissionError:
        print(name, mode, "refused")
"""


@pytest.mark.skipif(not sys.platform.startswith("linux") or not landlock_version(), reason="needs Linux with Landlock")
def test_files_and_folders_that_are_named_stay_open_to_what_they_are_named_for(tmp_path):
    (tmp_path / "folder").mkdir()
    for name in ("folder/within", "read", "written", "other"):
        (tmp_path / name).touch()
    command = [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{CONFINED}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.stderr, done.stdout.splitlines()) == (
        "", ["folder/within r", "read r", "read w refused", "written w", "other r refused"]
    )  # fmt: skip


# Version of Landlock; how many bytes of a set of rules it knows, and how many kinds of access to files.
KNOWN = [(1, 8, 13), (2, 8, 14), (3, 8, 15), (4, 16, 15), (5, 16, 16), (6, 24, 16), (8, 24, 16)]
EXECUTE, WRITE, READ, LIST, TRUNCATE, IOCTL = 1, 2, 4, 8, 1 << 14, 1 << 15


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Landlock is Linux's")
@pytest.mark.parametrize(("version", "size", "kinds"), KNOWN)
def test_a_kernel_is_asked_for_what_its_version_of_landlock_knows(version, size, kinds, tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    asked, made = [], os.open(os.devnull, os.O_RDONLY)
    monkeypatch.setattr(confinement, "landlock_version", lambda: version)
    monkeypatch.setattr(confinement, "_call", lambda *call: asked.append(call) or made)
    confinement.restrict([tmp_path, tmp_path / "file", tmp_path / "none"], [tmp_path, tmp_path / "file"])
    (create, attributes, given, _), *added, (confine, ours, _) = asked
    assert (create, struct.unpack("=QQQ", attributes), given, ours) == (444, ((1 << kinds) - 1, 3, 3), size, made)
    allowed = [struct.unpack("=Qi", rule)[0] for _, _, _, rule, _ in added]
    of_files = (EXECUTE | WRITE | READ | TRUNCATE | IOCTL) & ((1 << kinds) - 1)
    assert allowed == [EXECUTE | READ | LIST, EXECUTE | READ, (1 << kinds) - 1, of_files]
    assert ([call[0] for call in added], confine) == ([445] * 4, 446)


# RLIMIT_NOFILE: so many at first, and at most.
HATCHED = """
import os, resource, sys
from gojudge.inside.confinement import open_hatch
from gojudge.inside.seccomp import HATCH
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), int(sys.argv[2])))
try:
    open_hatch(0)
    print(os.fstat(HATCH) == os.fstat(0))
except OSError as error:
    print(error)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="sandboxes with filters are Linux's")
@pytest.mark.parametrize(("soft", "hard", "said"), [
    (64, 257, "True"), (1024, 1024, "True"), (64, 4096, "True"),
    (64, 256, "[Errno 24] expected a limit of open files (ulimit -Hn) above 256, got 256"),
])  # fmt: skip
def test_a_listener_is_handed_over_where_more_than_256_files_may_be_open(soft, hard, said):
    command = [sys.executable, "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{HATCHED}", str(soft), str(hard)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert (done.stderr, done.stdout) == ("", f"{said}\n")
