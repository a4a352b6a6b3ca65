"""Planted faults are changes of what a program does, one at a time, and the same for the same seed."""

import ast
import json
import textwrap

import pytest

from tests.planted_faults import ROOT, Bench, Fault, Outcome, draw, faults, files_about, table

SOURCE = textwrap.dedent('''
    """Text."""
    LIMIT: "a < b" = 5


    def f(é: int, b: list[int]) -> int:
        if not é and b[LIMIT] <= 3:
            raise ValueError(f"{é + 1} is wrong")
        b.append(é + 1)
        return é * 2 + len("a" + "b")
''')
PLANTED = {
    ("constant", "LIMIT: 'a < b' = 6"),
    ("not", "if é and b[LIMIT] <= 3:"),
    ("and/or", "if not é or b[LIMIT] <= 3:"),
    ("comparison", "if not é and b[LIMIT] < 3:"),
    ("constant", "if not é and b[LIMIT] <= 4:"),
    ("statement", "pass"),
    ("operator", "b.append(é - 1)"),
    ("constant", "b.append(é + 2)"),
    ("operator", "return é // 2 + len('a' + 'b')"),
    ("operator", "return é * 2 - len('a' + 'b')"),
    ("constant", "return é * 1 + len('a' + 'b')"),
}


def planted(source, fault):
    data = source.encode()
    return (data[: fault.start] + fault.text.encode() + data[fault.end :]).decode()


def test_each_fault_changes_one_line():
    before = ast.unparse(ast.parse(SOURCE)).splitlines()
    found = []
    for fault in faults("f.py", SOURCE):
        after = ast.unparse(ast.parse(planted(SOURCE, fault))).splitlines()
        (changed,) = [new.strip() for old, new in zip(before, after, strict=True) if old != new]
        found.append((fault.kind, changed))
    assert set(found) == PLANTED


def test_the_same_seed_draws_the_same_faults(tmp_path):
    (tmp_path / "go.py").write_text(SOURCE * 9)
    assert draw(tmp_path, 3, 1) == draw(tmp_path, 3, 1) != draw(tmp_path, 3, 2)


@pytest.mark.slow
def test_faults_are_drawn_in_every_room_and_each_is_a_program():
    drawn = draw(ROOT, 120, 1)
    assert len(drawn) >= 120
    assert len({(fault.path, fault.line) for fault in drawn}) == len(drawn)
    assert {"goban", "goban/kernels", "goban/solver", "gojudge/sandbox", "tournament/pages"} <= {fault.room for fault in drawn}
    for fault in drawn:
        ast.parse(planted((ROOT / fault.path).read_text(), fault))


def test_tests_are_about_a_module_that_they_or_what_they_import_names():
    found = files_about(ROOT, "goban/kernels/environments/opponents.py")
    assert {f"tests/golearn/environments/test_{name}.py" for name in ("baselines", "network_opponents")} <= found
    assert "tests/test_go.py" not in found


def test_tests_of_the_sandbox_are_about_what_runs_in_it(tmp_path):
    (tmp_path / "tree").mkdir()
    bench = Bench(tmp_path, 60)
    near, far, other = "tests/gojudge/inside/test_images.py::f", "tests/gojudge/sandbox/test_tiers.py::f", "tests/test_go.py::f"
    bench.costs = dict.fromkeys((other, far, near), 1.0)
    assert bench.about(Fault("gojudge/inside/keeper.py", 1, "not", 0, 1, "x")) == [near, far]
    assert bench.about(Fault("goban/states.py", 1, "not", 0, 1, "x")) == []


def test_the_table_counts_what_each_suite_finds():
    fault = Fault("goban/states.py", 1, "not", 0, 1, "x")
    outcomes = [Outcome(fault, suite, 1) for suite in ("short", "slow", "", "short")]
    assert table(outcomes).splitlines()[-2:] == ["| goban | 4 | 3 | 2 |", "| all | 4 | 3 | 2 |"]
    left = table([*outcomes, Outcome(fault, "", 1, whole=False)]).splitlines()
    assert left[-1] == "Slow tests were not tried yet for 1 of them."


def test_a_fault_that_a_killed_run_has_left_is_taken_out(tmp_path):
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree/f.py").write_text(SOURCE.replace("<=", "<"))
    (tmp_path / "before.json").write_text(json.dumps(["f.py", SOURCE]))
    Bench(tmp_path, 60)
    assert (tmp_path / "tree/f.py").read_text() == SOURCE
    assert not (tmp_path / "before.json").exists()
