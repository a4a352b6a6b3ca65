"""Every reader takes some hundred mutated inputs, and the command finds what a reader does wrong."""

import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.__main__ import main
from tests.fuzz.every import READERS
from tests.fuzz.fuzzing import inputs_of, try_here
from tests.fuzz.mutations import Mutator
from tests.support.waiting import PATIENCE

ROOT = Path(__file__).parents[2]

# Where an input takes milliseconds.
FEWER = {"gtp": 30, "network": 100, "patterns": 100, "store": 60, "table": 60}


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_a_reader_takes_mutated_inputs_or_refuses_them_in_one_line(name):
    tally = try_here(READERS[name], 1, FEWER.get(name, 400))
    assert tally.finding is None, (tally.finding.data[:2000], tally.finding.trace)
    assert tally.outcomes > 1


# These compile, train or play before they read.
LONG_TO_BEGIN = ("batch", "gtp", "run")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] * (name in LONG_TO_BEGIN)) for name in READERS]
)
def test_a_reader_takes_the_inputs_that_others_are_made_of(name, tmp_path):
    """Mutations of what is refused anyway would tell little."""
    seeds = READERS[name].seeds()
    taken = 0
    for data in seeds:
        try:
            READERS[name].read(data, tmp_path)
            taken += 1
        except READERS[name].refusals:
            continue
    assert taken >= len(seeds) / 2


def test_the_same_seed_gives_the_same_inputs():
    def first(seed):
        return [data for (data, keep), _ in zip(inputs_of(READERS["archive"], seed), range(200), strict=False)]

    assert first(1) == first(1) != first(2)


def test_no_input_is_too_long():
    mutator = Mutator(random.Random(1), most_bytes=50)
    assert max(len(mutator.mutated(b"x" * 40, b"y" * 40)) for _ in range(2000)) == 50


# Readers with a fault each, in a process of their own.
PLANTED = '''
import os, sys, time
from tests.fuzz.__main__ import main
from tests.fuzz.readers import Reader

def odd(data, folder):
    if b"x" not in data:
        return "read"
    {fault}

sys.exit(main(sys.argv[1:], {{"odd": Reader(lambda: [b"abxab"[:2] + b"ab"], odd, (ValueError,), (b"x",))}}))
'''
FAULTS = [
    ("raise KeyError(data)", "KeyError: b'"),
    ("raise ValueError('two\\nlines')", r"FaultError: expected a message of one printable line, got 'two\nlines'"),
    ("raise ValueError", "FaultError: expected a message of one printable line, got ''"),
    ("sys.exit()", "SystemExit: "),
    ("os.abort()", "the process ended with status -6"),
    ("bytearray(10**11)", "MemoryError: "),
    ("sum(range(10**12))", "a hang: more than 1 s of CPU"),
]


def fuzz(folder, fault, *arguments):
    script = folder / "planted.py"
    script.write_text(PLANTED.format(fault=fault))
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, script, *arguments], cwd=folder, env=environment, capture_output=True, text=True)


@pytest.mark.slow
@pytest.mark.parametrize(("fault", "said"), FAULTS, ids=[said.partition(":")[0] for _, said in FAULTS])
def test_a_fault_is_found_kept_and_found_again(tmp_path, fault, said):
    found = fuzz(tmp_path, fault, "--runs", "5000", "--cpu-seconds", "1")
    assert found.returncode == 1, found.stderr
    assert found.stdout.rstrip().endswith("A FAULT")
    assert f"odd: {said}" in found.stderr
    path = re.search(r"^again: python3 -m tests\.fuzz odd --input (\S+)$", found.stderr, re.M)[1]
    assert b"x" in (tmp_path / path).read_bytes()
    again = fuzz(tmp_path, fault, "odd", "--input", path, "--cpu-seconds", "1")
    assert (again.returncode, again.stdout.startswith(f"odd: {said}")) == (1, True)
    mended = fuzz(tmp_path, "return 'read'", "odd", "--input", path)
    assert (mended.returncode, mended.stdout) == (0, "odd: no fault\n")


def test_ctrl_c_ends_it_after_the_input_it_is_at(tmp_path):
    script = tmp_path / "planted.py"
    begun = "(folder / 'said').exists() or (folder / 'said').touch() or os.write(1, b'begun\\n'); return 'read'"
    script.write_text(PLANTED.format(fault=begun))
    running = subprocess.Popen(
        [sys.executable, script, "--runs", "1000000000"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    assert running.stdout.readline() == "begun\n"
    os.killpg(running.pid, signal.SIGINT)
    printed, complaints = running.communicate(timeout=PATIENCE)
    assert (running.returncode, complaints) == (130, "")
    assert re.fullmatch(r"odd: stopped after [\d,]+ inputs, .*; no fault\n", printed)


BAD = [
    (["nobody"], "fuzz: expected readers of gtp, sgf, "),
    (["--input", "x"], "fuzz: --input: expected the one reader that it is for"),
    (["sgf", "--input", "none"], "fuzz: none: No such file or directory"),
    (["sgf", "--runs", "0"], "fuzz: argument --runs: expected a number of inputs from 1 to "),
]


@pytest.mark.parametrize(("words", "said"), BAD)
def test_a_command_line_that_makes_no_sense_is_one_line(words, said, capsys):
    try:
        status = main(words)
    except SystemExit as end:
        status = end.code
    printed, complaints = capsys.readouterr()
    assert (status, complaints.count("\n"), printed) == (2, 1, "")
    assert complaints.startswith(said)
