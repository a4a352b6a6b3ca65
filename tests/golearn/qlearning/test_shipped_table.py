"""The table that is shipped is the one the documented command makes."""

import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from my_player import TABLE

ROOT = Path(__file__).parents[3]


@pytest.mark.long
def test_training_anew_gives_the_shipped_table(tmp_path):
    command = [sys.executable, "-m", "golearn.qlearning", "--table", str(tmp_path / "table.bin"), "--evaluation-games", "1"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    # What zlib makes of the same bytes may differ from one version of it to the next.
    assert zlib.decompress((tmp_path / "table.bin").read_bytes()) == zlib.decompress(TABLE.read_bytes())
