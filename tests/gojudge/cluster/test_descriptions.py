"""Which machines may play for another: the same program, interpreter and processor, and nearly the same speed."""

from dataclasses import asdict, replace

import pytest

from gojudge.cluster import replies
from gojudge.cluster.replies import Description, NonsenseError, describe, description_of, program_files, versions, why_not

OURS = Description("head", 4, "T3", "", 0.010, "x", {"Python": "3.11.7", "this program": "abc", "numpy": "2.4.6"})


def test_a_machine_like_ours_may_play():
    assert why_not(replace(OURS, host="other", cores=64, seconds=0.011), OURS) == ""


@pytest.mark.parametrize(("seconds", "factor"), [(0.0151, "0.66"), (0.005, "2.00")])
def test_a_machine_much_slower_or_faster_may_not_since_limits_of_cpu_time_would_mean_something_else(seconds, factor):
    reason = why_not(replace(OURS, seconds=seconds), OURS)
    assert reason == (
        f"it is {factor} times as fast as this machine, expected 0.67 to 1.50: "
        "limits of CPU time would mean something else there"
    )


def test_a_machine_is_as_fast_as_itself_however_busy_it_was_when_it_was_measured():
    ours = replace(OURS, machine="7f3c")
    assert why_not(replace(ours, seconds=0.018), ours) == ""
    assert why_not(replace(ours, seconds=0.018, machine="91aa"), ours).startswith("it is 0.56 times as fast")
    assert why_not(replace(ours, seconds=0.018, machine=""), replace(ours, machine="")).startswith("it is 0.56 times as fast")


@pytest.mark.parametrize(("name", "there"), [("Python", "3.12.0"), ("this program", "abd"), ("numpy", "none")])
def test_other_versions_may_not(name, there):
    assert why_not(replace(OURS, versions={**OURS.versions, name: there}), OURS).startswith(f"{name} is {there} there, ")


def test_a_version_that_is_not_told_is_another_one():
    assert why_not(replace(OURS, versions={}), OURS) == "Python is none there, 3.11.7 here"


def test_the_program_is_everything_by_which_players_play():
    files = set(map(str, program_files()))
    assert files >= {"go.py", "players/smart_player.py", "golearn/alphazero/go_zero.py", "gojudge/inside/zygote.py"}
    assert files >= {"my_player_table.bin", "goban/solver/book_course.bin"}
    assert {path.suffix for path in program_files()} == {".py", ".bin", ".db", ".npz"}


def test_a_program_with_another_file_or_other_text_in_it_is_another_one(tmp_path, monkeypatch):
    monkeypatch.setattr(replies, "_ROOT", tmp_path)
    found = []
    for name, text in (("go.py", "1"), ("go.py", "2"), ("my_player.py", "2")):
        (tmp_path / name).write_text(text)
        found.append(replies._digest())
    assert len({*found}) == 3


def test_this_machine_may_play_for_itself():
    here = describe(sandboxed=False)
    assert description_of(asdict(here)) == here
    assert why_not(here, here) == ""
    assert set(versions()) >= {"Python", "this program", "numpy"}


@pytest.mark.parametrize("wrong", [
    {"host": 1}, {"cores": "4"}, {"seconds": 0.0}, {"seconds": float("nan")}, {"seconds": 1}, {"versions": []}, {"more": 1},
    {"versions": {"Python": 3}}, {"why_not": "two\nlines"}, {"tier": None}, {"place": "x" * 2000}, {"cores": True},
    {"machine": 7},
])  # fmt: skip
def test_what_is_no_description_is_nonsense(wrong):
    with pytest.raises(NonsenseError):
        description_of({**asdict(OURS), **wrong})
