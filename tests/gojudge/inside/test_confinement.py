"""What a process that Landlock confines can still open, and how many files it needs to hand over its listener."""

import subprocess
import sys

import pytest

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
