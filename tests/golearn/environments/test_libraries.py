"""Each library that docs/from-your-library.md names takes our environments as that page says."""

import os
import subprocess
import sys

import pytest

from tests.support.documents import ROOT, Saved, steps
from tests.support.missing import no_package, skip_if

PAGE = ROOT / "docs/from-your-library.md"
PROGRAMS = {step.name: step.text for step in steps(PAGE) if isinstance(step, Saved)}
# What a program of the page needs, and what it prints at its end.
NEEDED = {
    "from_sb3.py": ("sb3-contrib", "games"),
    "from_cleanrl.py": ("torch", "games ended"),
    "from_torchrl.py": ("torchrl", "were won"),
    "from_tianshou.py": ("tianshou", "Black won"),
    "from_rllib.py": ("ray", "a game"),
    "from_minari.py": ("minari", "are kept"),
}


def test_every_program_of_the_page_is_run_here():
    assert set(NEEDED) == set(PROGRAMS)


@pytest.mark.parametrize("name", NEEDED)
def test_a_library_takes_our_environments(name, tmp_path):
    package, ending = NEEDED[name]
    skip_if(no_package(package, extra={"sb3-contrib": "sb3", "torch": "zero"}.get(package, "")))
    skip_if(no_package("gymnasium", 1))
    (tmp_path / name).write_text(PROGRAMS[name])
    # Their own warnings are theirs.
    settings = {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "HOME": str(tmp_path), "PYTHONWARNINGS": "ignore"}
    settings["MINARI_DATASETS_PATH"] = str(tmp_path)
    done = subprocess.run([sys.executable, name], cwd=tmp_path, env=os.environ | settings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert ending in done.stdout.splitlines()[-1]
