import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


def without_packages(*words):
    return subprocess.run([sys.executable, "-S", *words], cwd=ROOT, capture_output=True, text=True)


PROGRAMS = [("learning.qlearning", "numpy and tqdm"), ("search.truth", "numpy and tabulate and tqdm")]


@pytest.mark.parametrize(("program", "needs"), PROGRAMS)
def test_a_command_line_without_its_packages_says_so_in_one_line(program, needs):
    done = without_packages("-m", program, "-h")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"This needs {needs}: pip install -e . (or run it with .venv/bin/python).\n"


def test_a_program_that_imports_them_gets_the_usual_error():
    done = without_packages("-c", "import search.solver")
    assert "ModuleNotFoundError" in done.stderr
