"""Plants faults in a copy of our sources, one at a time, and says which of them the short suite and the whole one find.

    .venv/bin/python -m pip install coverage
    .venv/bin/python -m tests.planted_faults                    hours, once; what is done is kept, and goes on when called again
    .venv/bin/python -m tests.planted_faults --table            what has been found so far, by room

The short suite runs once with `coverage`, which notes what tests reach what line: folder after folder of `tests/`, so that a
run that was stopped goes on with the next. Faults are drawn over all rooms with a fixed seed. For each one the tests that reach
its line are run, nearest first, up to the first that fails. Then the same is done with the slow tests, for the faults that are
left. Lines that run compiled, in a sandbox, or while tests are collected are seen by no `coverage`: so tests that lie nearby,
or name the module or one that imports it, are run after those that reach a line. Everything lies in `build/planted`; take that
folder away to begin anew.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("goban", "gojudge", "golearn", "players", "tournament")
LARGE = (("goban",), ("gojudge",), ("golearn",), ("tournament",))
# Seconds of processors after which tests of a fault hang; the fault is found by that. So it is after as long by the clock as
# even a busy machine does not take.
HANGS, WAITS = 600, 7200.0
SUITES = {"short": "not slow and not long", "slow": "slow and not long"}

# What runs in a sandbox only, and where its tests lie.
ELSEWHERE = {"gojudge/inside": "tests/gojudge/sandbox/"}

# Bad code on purpose, and copies of ours.
LEFT_OUT = ("setup.py", "gojudge/shelf/attacks/", "players/shipped/")

SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn,
    ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


@dataclass(frozen=True)
class Fault:
    """In `path` the text between two offsets, in bytes, is replaced. line: counted from 1."""

    path: str
    line: int
    kind: str
    start: int
    end: int
    text: str

    @property
    def room(self) -> str:
        """The package, or the part of a large one, that the file lies in."""
        folders = Path(self.path).parts[:-1]
        return "/".join(folders[: 2 if folders[:1] in LARGE else 1]) or "the course's files"


@dataclass(frozen=True)
class Outcome:
    """suite: 'short', 'slow' or '' for nobody. tests: how many reach the line. cut: not all of
    them were run, since they take too long. test: the first that failed, '' for a file that cannot be loaded. whole: whether
    slow tests were tried as well, or need not be."""

    fault: Fault
    suite: str
    tests: int
    cut: bool = False
    test: str = ""
    whole: bool = True


# Where faults can be


def faults(path: str, source: str) -> Iterator[Fault]:
    """Return every fault that can be planted in a source."""
    tree, starts = ast.parse(source), [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def fault(node: ast.expr | ast.stmt, kind: str, text: str) -> Fault:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        ends = starts[node.end_lineno - 1] + node.end_col_offset
        return Fault(path, node.lineno, kind, starts[node.lineno - 1] + node.col_offset, ends, text)

    for node in _code(tree):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            changed = ast.Compare(node.left, [SWAPPED[type(node.ops[0])]()], node.comparators)  # type: ignore[list-item]
            yield fault(node, "comparison", f"({ast.unparse(changed)})")
        elif isinstance(node, ast.BoolOp):
            yield fault(node, "and/or", f"({ast.unparse(ast.BoolOp(SWAPPED[type(node.op)](), node.values))})")  # type: ignore[arg-type]
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield fault(node, "not", f"({ast.unparse(node.operand)})")
        elif isinstance(node, ast.BinOp) and type(node.op) in SWAPPED and not _is_text(node.left) and not _is_text(node.right):
            changed_sum = ast.BinOp(node.left, SWAPPED[type(node.op)](), node.right)  # type: ignore[arg-type]
            yield fault(node, "operator", f"({ast.unparse(changed_sum)})")
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            yield fault(node, "constant", f"({node.value + (1 if node.lineno % 2 else -1)})")
        elif isinstance(node, ast.AugAssign | ast.Raise | ast.Continue | ast.Break) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        ):
            yield fault(node, "statement", "pass")


def _code(tree: ast.AST) -> Iterator[ast.AST]:
    """Return the nodes that do something: none of annotations, decorators and formatted strings."""
    for name, value in ast.iter_fields(tree):
        if name not in ("annotation", "returns", "decorator_list"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                    yield child
                    yield from _code(child)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def draw(root: Path, count: int, seed: int) -> list[Fault]:
    """Return so many faults, at least three in every room, else by its size; of a line at most one."""
    sources = [*root.glob("*.py"), *(path for room in ROOMS for path in (root / room).rglob("*.py"))]
    rooms: dict[str, list[Fault]] = {}
    for path in sorted(str(source.relative_to(root)) for source in sources):
        if not path.startswith(LEFT_OUT):
            for fault in faults(path, (root / path).read_text()):
                rooms.setdefault(fault.room, []).append(fault)
    rng, drawn = random.Random(seed), []
    total = sum(map(len, rooms.values()))
    for _, room in sorted(rooms.items()):
        rng.shuffle(room)
        # As many of each kind as there are, not ten constants for each removed `not`.
        kinds = Counter[str]()
        by_kind = []
        for fault in {(fault.path, fault.line): fault for fault in room}.values():
            kinds[fault.kind] += 1
            by_kind.append((kinds[fault.kind], fault))
        by_kind.sort(key=lambda each: each[0])
        drawn += [fault for _, fault in by_kind[: max(3, round(count * len(room) / total))]]
    # So that the first of them, if time ends, are of all rooms as well.
    rng.shuffle(drawn)
    return drawn


# As a plugin of pytest: what a test reaches, or only the tests that are asked for


class Reached:
    """Notes what lines each test reaches; of the tests, those that pass, with their seconds of processors."""

    def __init__(self, work: Path) -> None:
        import coverage

        options = {"data_suffix": str(os.getpid()), "config_file": False, "messages": False}
        tree = (work / "tree").resolve()
        include = [f"{tree}/*.py", *(f"{tree}/{room}/*" for room in ROOMS)]
        self.coverage = coverage.Coverage(str(work / ".coverage"), include=include, **options)
        self.notes = work / f"tests.{os.getpid()}.jsonl"
        self.tests = 0

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item):
        before, self.has_failed = os.times(), False
        # Anew for each test: Python takes a tracer away in which an error was raised, as by recursion that is too deep.
        self.coverage.start()
        self.coverage.switch_context(item.nodeid)
        result = yield
        self.coverage.switch_context("")
        self.coverage.stop()
        seconds = sum(os.times()[:4]) - sum(before[:4])
        if not self.has_failed:
            is_slow = item.get_closest_marker("slow") is not None
            with self.notes.open("a") as file:
                print(json.dumps([item.nodeid, round(seconds, 2), is_slow]), file=file)
        return result

    def pytest_runtest_logfinish(self):
        self.tests += 1
        if self.tests % 200 == 0:
            self.coverage.save()

    def pytest_runtest_logreport(self, report):
        self.has_failed |= not report.passed

    def pytest_sessionfinish(self):
        self.coverage.save()


class Asked:
    """Runs the tests that are asked for, in that order."""

    def __init__(self, tests: list[str]) -> None:
        self.order = {name: place for place, name in enumerate(tests)}

    def pytest_collection_modifyitems(self, config, items):
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in self.order])
        items[:] = sorted((item for item in items if item.nodeid in self.order), key=lambda item: self.order[item.nodeid])


def pytest_configure(config):
    runs_tests = hasattr(config, "workerinput") or not config.getoption("numprocesses", None)
    if runs_tests and (work := os.environ.get("PLANTED_REACHED")):
        config.pluginmanager.register(Reached(Path(work)))
    if asked := os.environ.get("PLANTED_ASKED"):
        config.pluginmanager.register(Asked(json.loads(Path(asked).read_text())))


# What finds a fault


class Bench:
    """A copy of the project in which faults are planted, and what is known of its tests."""

    def __init__(self, work: Path, seconds: float) -> None:
        self.work, self.tree, self.seconds = work, (work / "tree").resolve(), seconds
        if not self.tree.exists():
            listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
            for name in filter(None, listed.split("\0")):
                (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, self.tree / name)
        self.before = work / "before.json"
        self.mend()

    def reach(self, suite: str) -> None:
        """Note what the tests of a suite reach, those of each folder once, and look at these tests from now on."""
        done = self.work / f"reached-{suite}.txt"
        reached = done.read_text().splitlines() if done.exists() else []
        for folder in sorted(test_folders(self.tree) - {*reached}):
            tests = sorted(str(path) for path in (self.tree / folder).glob("test_*.py"))
            self.pytest("-n", "auto", "-m", SUITES[suite], *tests, PLANTED_REACHED=str(self.work))
            with done.open("a") as file:
                print(folder, file=file)
        self.costs: dict[str, float] = {}
        for path in self.work.glob("tests.*.jsonl"):
            for test, seconds, is_slow in map(json.loads, path.read_text().splitlines()):
                if is_slow == (suite == "slow"):
                    self.costs[test] = seconds
        self.contexts: dict[str, dict[int, list[str]]] = {}

    def mend(self) -> None:
        """Take a fault out, also one that a run which was killed has left."""
        if self.before.exists():
            path, source = json.loads(self.before.read_text())
            (self.tree / path).write_text(source)
            self.before.unlink()

    def pytest(self, *options: str, limit: float | None = None, **variables: str) -> tuple[int, str]:
        """Run tests of the copy; return pytest's status, 1 if they do not end, and what it prints."""
        paths = {**os.environ, "PYTHONPATH": str(self.tree), **variables}
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "tests.planted_faults", *options]
        if limit is not None:
            command = ["prlimit", f"--cpu={HANGS}", "--", *command]
        try:
            done = subprocess.run(command, cwd=self.tree, env=paths, capture_output=True, text=True, timeout=limit)
        except subprocess.TimeoutExpired:
            return 1, ""
        return done.returncode, done.stdout

    def reaching(self, fault: Fault) -> list[str]:
        """Return the tests that reach the line of a fault, nearest first."""
        import coverage

        if fault.path not in self.contexts:
            lines: dict[int, list[str]] = {}
            for path in self.work.glob(".coverage*"):
                data = coverage.CoverageData(str(path))
                data.read()
                for line, names in data.contexts_by_lineno(str(self.tree / fault.path)).items():
                    lines.setdefault(line, []).extend(name for name in names if name in self.costs)
            self.contexts[fault.path] = lines
        return nearest(set(self.contexts[fault.path].get(fault.line, [])), fault)

    def about(self, fault: Fault) -> list[str]:
        """Return the tests that lie near a fault, and those that may have it from a module that they name, nearest first."""
        files, folder = files_about(self.tree, fault.path), ELSEWHERE.get(fault.room, "no folder")
        named = {test for test in self.costs if test.partition("::")[0] in files or test.startswith(folder)}
        return nearest(named.union(test for test in self.costs if distance(test, fault)[:2] != (True, True)), fault)

    def outcome(self, fault: Fault, suite: str) -> Outcome:
        """Plant a fault, and return whether the tests of a suite find it, those that were looked at last."""
        reaching, path = self.reaching(fault), self.tree / fault.path
        tests = list(dict.fromkeys([*reaching, *self.about(fault)]))
        source = path.read_bytes()
        self.before.write_text(json.dumps([fault.path, source.decode()]))
        try:
            path.write_bytes(source[: fault.start] + fault.text.encode() + source[fault.end :])
            is_found, cut, test = self.find(tests)
        finally:
            self.mend()
        return Outcome(fault, suite if is_found else "", len(reaching), cut, test, is_found or suite == "slow")

    def find(self, tests: list[str]) -> tuple[bool, bool, str]:
        """Return whether one of these tests fails, whether some were left out since they take long, and the one that fails."""
        chosen, spent = [], 0.0
        for test in tests:
            spent += self.costs[test]
            if spent > self.seconds and chosen:
                break
            chosen.append(test)
        if not chosen:
            return False, False, ""
        asked = self.work / "asked.json"
        asked.write_text(json.dumps(chosen))
        files = list(dict.fromkeys(test.partition("::")[0] for test in chosen))
        # Neither 'all passed' nor 'there were none'.
        status, printed = self.pytest("-x", *files, limit=WAITS, PLANTED_ASKED=str(asked))
        failed = re.search(r"^(?:FAILED|ERROR) (\S+)", printed, re.M)
        return status not in (0, 5), len(chosen) < len(tests), failed[1] if failed else ""


def test_folders(root: Path) -> set[str]:
    """Return the folders that have files of tests."""
    return {str(path.parent.relative_to(root)) for path in (root / "tests").rglob("test_*.py")}


def files_about(root: Path, path: str) -> set[str]:
    """Return the files of tests that name a module, or one that imports it."""
    files = [*root.glob("*.py"), *(file for room in (*ROOMS, "tests") for file in (root / room).rglob("*.py"))]
    texts = {str(file.relative_to(root)): file.read_text(errors="replace") for file in files}
    named = [name for name, text in texts.items() if _names(text, [path])]
    return {name for name, text in texts.items() if Path(name).name.startswith("test_") and _names(text, [path, *named])}


def _names(text: str, paths: Iterable[str]) -> bool:
    """Tell whether a text names one of these files as a module."""
    modules = [path.removesuffix(".py").removesuffix("/__init__").split("/") for path in paths]
    ways = [f"{re.escape('.'.join(module))}(?![\\w.])" for module in modules]
    ways += [rf"from {re.escape('.'.join(room))} import [^\n]*\b{name}\b" for *room, name in modules if room]
    return re.search(rf"\b(?:{'|'.join(ways)})", text) is not None


def nearest(tests: Iterable[str], fault: Fault) -> list[str]:
    """Return tests in the order in which they are likely to find a fault."""
    return sorted(tests, key=lambda test: (*distance(test, fault), test))


def distance(test: str, fault: Fault) -> tuple[bool, bool, bool]:
    """Say whether a test is not of the file, of the folder, and of the room of a fault."""
    file, place = Path(test.partition("::")[0]), Path(fault.path)
    return (
        place.stem.removesuffix("s") not in file.stem,
        not file.is_relative_to(Path("tests") / place.parent),
        not file.is_relative_to(Path("tests") / fault.room),
    )


def table(outcomes: list[Outcome]) -> str:
    """Return what was found, by room, as a table of Markdown."""
    rows = ["| room | faults | found by the whole suite | by the short one |", "|---|---|---|---|"]
    planted = Counter(outcome.fault.room for outcome in outcomes)
    found = Counter(outcome.fault.room for outcome in outcomes if outcome.suite)
    short = Counter(outcome.fault.room for outcome in outcomes if outcome.suite == "short")
    rows += [f"| {room} | {planted[room]} | {found[room]} | {short[room]} |" for room in sorted(planted)]
    rows.append(f"| all | {planted.total()} | {found.total()} | {short.total()} |")
    if left := sum(not outcome.whole for outcome in outcomes):
        rows += ["", f"Slow tests were not tried yet for {left} of them."]
    return "\n".join(rows)


def main() -> None:
    given = argparse.ArgumentParser(prog="python -m tests.planted_faults", description="Plant faults, and see what finds them.")
    given.add_argument("--faults", type=int, default=150, metavar="N", help="about so many (default: 150)")
    given.add_argument("--seed", type=int, default=1, metavar="N", help="draws them (default: 1)")
    given.add_argument("--seconds", type=float, default=60, metavar="S", help="how many of tests for each (default: 60)")
    given.add_argument("--work", type=Path, default=ROOT / "build/planted", metavar="FOLDER", help="(default: build/planted)")
    given.add_argument("--table", action="store_true", help="print what has been found so far, and stop")
    options = given.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    kept = options.work / "found.jsonl"
    read = [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []
    # What is known last of a fault counts.
    outcomes = {(one := Fault(**each["fault"])): Outcome(**{**each, "fault": one}) for each in read}
    if not options.table:
        bench = Bench(options.work, options.seconds)
        drawn = draw(bench.tree, options.faults, options.seed)
        for suite in SUITES:
            left = [fault for fault in drawn if fault not in outcomes or (suite == "slow" and not outcomes[fault].whole)]
            if left:
                bench.reach(suite)
            for fault in left:
                outcomes[fault] = bench.outcome(fault, suite)
                with kept.open("a") as file:
                    print(json.dumps(asdict(outcomes[fault])), file=file)
    print(table([*outcomes.values()]))
    for outcome in outcomes.values():
        if not outcome.suite and outcome.whole:
            print(f"nobody: {outcome.fault.path}:{outcome.fault.line}: {outcome.fault.kind}: {outcome.fault.text}")


if __name__ == "__main__":
    main()
