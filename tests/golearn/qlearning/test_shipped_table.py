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
    table = tmp_path / "table.bin"
    options = ["--rule", "minimax", "--table", str(table), "--evaluation-games", "1"]
    subprocess.run([sys.executable, "-m", "golearn.qlearning", *options], cwd=ROOT, check=True, capture_output=True)
    # What zlib makes of the same bytes may differ from one version of it to the next.
    assert zlib.decompress(table.read_bytes()) == zlib.decompress(TABLE.read_bytes())
