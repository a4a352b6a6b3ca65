"""What a process that Landlock confines can still open."""

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
