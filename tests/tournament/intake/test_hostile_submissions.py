"""Submissions made to stop whoever reads them: each is taken in or refused in one line, and the next one is read as ever."""

import pytest

from tests.support.deep_sources import PLAYABLE, player, with_calls, with_elifs, with_terms
from tournament.intake.submissions import take_in


def take_in_beside_a_good_one(folder, name, contents):
    """Take in a class of two; return why this one was refused, '' if it was not."""
    hw, copies = folder / "hw", folder / "copies"
    hw.mkdir()
    (hw / name).write_bytes(contents)
    (hw / "zoe.py").write_text(player())
    intake = take_in([hw], copies)
    assert "zoe" in [entrant.name for entrant in intake.entrants]
    assert sorted(copies.iterdir()) == sorted(entrant.folder for entrant in intake.entrants)
    reasons = [one.reason for one in intake.refused]
    assert len(reasons) + len(intake.entrants) == 2
    assert all(reason and reason.isascii() and reason.isprintable() for reason in reasons)
    return "".join(reasons)


@pytest.mark.parametrize("name", PLAYABLE)
def test_a_deep_or_large_source_is_taken_in(tmp_path, name):
    assert take_in_beside_a_good_one(tmp_path, "ann.py", PLAYABLE[name].encode()) == ""


DEEPER = {"elifs": with_elifs(5000), "terms": with_terms(50_000), "calls": with_calls(25_000)}


@pytest.mark.parametrize("name", DEEPER)
def test_what_is_deeper_than_python_runs_is_read_all_the_same(tmp_path, name):
    """Whether it runs is for the game to say."""
    assert take_in_beside_a_good_one(tmp_path, "ann.py", DEEPER[name].encode()) == ""


TOO_DEEP = {
    "signs": "-" * 100_000 + "1",
    "attributes": "a" + ".b" * 100_000,
    "nots": "x = " + "not " * 10_000 + "1",
    "lambdas": "lambda: " * 10_000 + "1",
    "comparisons": "(a<" * 199 + "a" + ")" * 199,
}


@pytest.mark.parametrize("name", TOO_DEEP)
def test_what_is_too_deep_is_refused_by_file(tmp_path, name):
    reason = take_in_beside_a_good_one(tmp_path, "ann.py", TOO_DEEP[name].encode())
    assert reason == "ann.py: its source is nested too deeply to be read"


def test_a_name_of_very_many_parts_takes_too_much_memory(tmp_path):
    """Python's parser makes a new text for every part."""
    reason = take_in_beside_a_good_one(tmp_path, "ann.py", b"import a" + b".a" * 100_000)
    assert reason == "ann.py: its source is nested too deeply to be read"


def test_parameters_of_any_depth_are_told_in_short(tmp_path):
    source = f"class MyPlayer:\n    def get_input(self, go: {'-' * 500}1, a, b, c={'1+' * 2000}1, *, d): pass\n"
    reason = take_in_beside_a_good_one(tmp_path, "ann.py", source.encode())
    assert reason.endswith("got get_input(self, go, a, b, c=..., *, d)")
