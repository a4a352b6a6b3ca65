"""What a run says last of the tests it skipped, as whoever typed the command reads it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.missing import no_package, no_program
from tests.support.submissions import TOLD

ROOT = Path(__file__).parents[2]
# One test at two tiers that need bubblewrap, and one that needs nothing.
SOME = "tests/gojudge/sandbox/test_tiers.py"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere bubblewrap would not help")
@pytest.mark.parametrize("parallel", [(), ("-n", "1")])
def test_the_last_line_says_what_is_missing_and_how_to_install_it(tmp_path, parallel):
    command = [sys.executable, "-m", "pytest", *parallel, SOME, "-k", "no_rights or does_not_exist"]
    environment = os.environ | {"PATH": str(tmp_path), TOLD: ""}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    *_, count, last = done.stdout.splitlines()
    assert count.startswith("1 passed, 2 skipped")
    assert last == "2 skipped: bubblewrap is not installed (apt-get install bubblewrap)"


@pytest.mark.slow
def test_where_nothing_is_missing_nothing_is_said():
    command = [sys.executable, "-m", "pytest", SOME, "-k", "does_not_exist"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1].startswith("1 passed")


def test_a_program_is_looked_for_on_the_path(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert no_program("javac", "default-jdk-headless") == "there is no javac here (apt-get install default-jdk-headless)"
    (tmp_path / "gcc").touch(mode=0o755)
    assert no_program("gcc") == ""


def test_a_package_may_be_too_old():
    assert no_package("pytest", 1) == ""
    assert no_package("pytest", 1000) == 'pytest 1000 or newer is not installed (pip install -e ".[test]")'
    assert no_package("no-such-package") == 'no-such-package is not installed (pip install -e ".[test]")'
