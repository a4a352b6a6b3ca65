"""What README and docs/ name exists: links, anchors, files, options, targets. README stays one page."""

import ast
import importlib
import re
import subprocess
import tomllib
from collections import defaultdict
from functools import cache
from urllib.parse import urlsplit

import pytest

from tests.support.documents import README, ROOT, Command, Saved, commands, documents, linked, printed_by, steps

PAGES = [*documents(), ROOT / "docs/index.md", *sorted((ROOT / "docs/api").glob("*.md")), ROOT / "CONTRIBUTING.md"]
NAMES = [str(path.relative_to(ROOT)) for path in PAGES]

# Names in prose that are no files of the project: the reader's own, those of a submission, and what `make` makes.
OTHERS = {"build/", "build/fuzz/", "plan.toml", "file.py", "path/to/file.py", "my_player11.cpp"}

SAVED = {step.name.rpartition("/")[2] for path in documents() for step in steps(path) if isinstance(step, Saved)}

DASK_OPTIONS = ("--memory-limit", "--host", "--worker-port", "--nanny-port")
GNUGO_OPTIONS = ("--capture-all-dead", "--positional-superko", "--situational-superko")

# Command lines other than those of `python3 -m tournament`.
COMMAND_LINES = [
    ["go_play.py"],
    ["my_player.py", "learn"],
    *(["goban.solver.truth", *name] for name in ([], ["prove"], ["serve"], ["dataset"], ["explorer"])),
    ["goban.solver.bookmaking"],
    ["goban.montecarlo", "table"],
    ["golearn.qlearning"],
    ["golearn.patterns"],
    ["players.littlego"],
    ["players.gtp_engine"],
]


def prose(path):
    """A document without its blocks of code."""
    return re.sub(r"^```.*?^```", "", path.read_text(), flags=re.S | re.M)


def anchors(path):
    """The anchors of a document's headings, as GitHub and Zensical make them."""
    heads = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", path.read_text(), flags=re.S | re.M), re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


def test_the_first_screen_shows_how_to_play_and_how_to_test():
    first_screen = README.read_text().splitlines()[:24]
    assert "python3 go_play.py -p1=my -p2=greedy -t=50" in first_screen
    assert "make test" in first_screen


@pytest.mark.parametrize(("name", "most"), [("README.md", 150), ("docs/measurements.md", 300)])
def test_a_page_for_everybody_is_short(name, most):
    assert len((ROOT / name).read_text().splitlines()) <= most


@pytest.mark.parametrize("name", ["README.md", "docs/first-hour.md", "docs/running-a-course.md"])
def test_what_marks_need_is_named_before_the_first_command_that_gives_some(name):
    before, *after = re.split(r"^python3 -m tournament (?:grade|round-robin)", (ROOT / name).read_text(), flags=re.M)
    assert after
    assert re.search(r"sudo apt\sinstall\s[a-z0-9 -]*bubblewrap", before)


def test_readme_links_every_document():
    names = {path.name for path in (ROOT / "docs").glob("*.md")} - {"index.md"}
    assert {path.name for path in linked(README.read_text())} == names


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_every_link_and_anchor_leads_somewhere(path):
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(path)):
        parts = urlsplit(target)
        if parts.scheme:
            continue
        there = (path.parent / parts.path).resolve() if parts.path else path
        assert there.is_relative_to(ROOT), target
        assert there.exists(), target
        assert not parts.fragment or parts.fragment in anchors(there), target


@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_every_named_file_and_folder_exists(path):
    for name in re.findall(r"`([\w./-]+(?:/|\.py|\.md|\.toml|\.c|\.js))`", path.read_text()):
        # In a list under its folder's name, a file is named without it. Files that a reader saves exist too.
        folders = [ROOT, ROOT / "docs", *(ROOT / folder for folder in re.findall(r"`([\w/]+/)`", path.read_text()))]
        assert name in OTHERS or name.rpartition("/")[2] in SAVED or any((folder / name).exists() for folder in folders), name


def test_what_examples_import_exists():
    examples = [code for path in PAGES for code in re.findall(r"```python\n(.*?)^```", path.read_text(), re.S | re.M)]
    imported = [node for code in examples for node in ast.walk(ast.parse(code)) if isinstance(node, ast.ImportFrom)]
    # The course's own modules exist in a sandbox only, and what a reader saves in their folder.
    others = {"__future__", "host", "read", "write"} | {name.removesuffix(".py") for name in SAVED}
    ours = [node for node in imported if node.module not in others]
    assert len(ours) >= 5
    for node in ours:
        if not is_here(node.module):
            continue
        for alias in node.names:
            assert hasattr(importlib.import_module(node.module), alias.name), f"{node.module}.{alias.name}"


def is_here(module):
    """Whether a module can be imported; false for another project's that is not installed, and for what needs such a one."""
    try:
        importlib.import_module(module)
    except ImportError as error:
        missing = (error.name or module).partition(".")[0]
        # What is our own and cannot be imported is a fault, of which the caller's import tells.
        return (ROOT / missing).exists() or (ROOT / f"{missing}.py").exists()
    return True


def test_make_knows_the_targets_that_are_named():
    texts = "\n".join(path.read_text() for path in PAGES)
    targets = set(re.findall(r"`make ([\w-]+)`", texts)) | {c.line.split()[1] for c in commands() if c.line.startswith("make ")}
    assert targets >= {"test", "bench", "train", "docs", "sample"}
    for target in sorted(targets):
        done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


def test_no_two_commands_play_different_events_under_one_name():
    """Whoever types all documents into one folder would be refused the second."""
    events = defaultdict(set)
    for line in (command.line for command in commands()):
        start = re.search(r"-m tournament (grade|round-robin|gauntlet) (?!-h)(.*)", line)
        if start:
            name = re.search(r"--name (\S+)", line) or re.search(r"--event (\S+)\.toml", line)
            events[name[1] if name else start[1]].add(start[0])
    for path in documents():
        for option in re.findall(r"`--store (\S+)\.db`", path.read_text()):
            events[option].add(f"check --store, in {path.name}")
    assert len(events) > 10
    assert {name: lines for name, lines in events.items() if len(lines) > 1} == {}


@cache
def help_texts():
    asked = list(COMMAND_LINES)
    for module, least in (("tournament", 13), ("golearn.alphazero", 4)):
        (overview,) = printed_by([[module, "-h"]])
        names = re.findall(r"^  ([\w-]+)  ", overview.partition("commands:")[2] or overview, re.M)
        assert len(names) >= least
        asked += [[module, name] for name in names]
    return "\n".join(printed_by([[*words, "-h"] for words in asked]))


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES, ids=NAMES)
def test_every_option_that_is_named_exists(path):
    # Other programs have these, and so do benchmarks, whose help texts are not searched.
    others = {"--user", "--scope", "--security-opt", "--empty", "--sizes", "--positions", "--memory-mib", "--book"}
    others |= {*DASK_OPTIONS, *GNUGO_OPTIONS}
    for option in set(re.findall(r"`(--[a-z][\w-]*)", path.read_text())) - others:
        assert re.search(rf"{option}\b(?!-)", help_texts()), option


def test_the_site_has_every_document_and_modules_that_exist():
    named = set(re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text()))
    assert named == {str(path.relative_to(ROOT / "docs")) for path in (ROOT / "docs").rglob("*.md")}
    pages = [path.read_text() for path in (ROOT / "docs/api").glob("*.md")]
    modules = [module for page in pages for module in re.findall(r"^::: (\S+)", page, re.M)]
    assert {"go", "goban.states", "goban.solver.solver", "players.registry", "goban.kernels.bitboards"} <= set(modules)
    for module in modules:
        place = ROOT / module.replace(".", "/")
        assert place.with_suffix(".py").is_file() or (place / "__init__.py").is_file(), module


@pytest.mark.parametrize(("status", "lines", "ended"), [(0, 6, 0), (1, 6, 0), (2, 2, 2), (130, 2, 2)])
def test_the_day_in_one_script_ends_with_a_grading_that_could_not_be_done(status, lines, ended, tmp_path):
    """Each command is told instead of done; `check` finds fault, and `grade` ends with the status."""
    (script,) = (step for path in documents() for step in steps(path) if isinstance(step, Saved) and step.name == "day.sh")
    told = f'python3() {{ echo "$@"; case "$3" in check) return 1;; grade) return {status};; esac; }}\n'
    done = subprocess.run(["sh", "-c", told + script.text], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (len(done.stdout.splitlines()), done.returncode) == (lines, ended)


def test_a_page_names_the_extras_of_the_programs_that_it_has_its_reader_run():
    """The tests have them installed, and would not miss them."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    unnamed = []
    for path in documents():
        saved = {step.name: step.text for step in steps(path) if isinstance(step, Saved)}
        texts = [saved.get(step.line.split()[1], "") for step in steps(path) if isinstance(step, Command) and " " in step.line]
        for extra in ("env", "plots"):
            packages = "|".join(re.match(r"\w+", line)[0] for line in extras[extra])
            imports = rf"^(import|from) ({packages}|golearn\.environments\.(gymnasium|pettingzoo)_envs)\b"
            named = re.search(rf"\[[\w,]*\b{extra}\b[\w,]*\]", path.read_text())
            if not named and re.search(imports, "\n".join(texts), re.M):
                unnamed.append((path.name, extra))
    assert unnamed == []
