"""What a package offers changes on purpose only: its map names every module, and tests/public_names.txt every public name.

A change that is meant is written down by `python3 -m tests.test_public_names > tests/public_names.txt`.
"""

import ast
import importlib
import inspect
import re
from pathlib import Path
from typing import get_type_hints

import pytest

ROOT = Path(__file__).parent.parent
LIST = ROOT / "tests/public_names.txt"
PACKAGES = ("goban", "golearn", "players")
MAPPED = (*PACKAGES, "gojudge", "tournament")
# Bad code, on purpose, and a package for it alone.
ATTACKS = ROOT / "gojudge/shelf/attacks"


def modules():
    """Every module of the packages: its name and file, packages themselves apart."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if path.name != "__init__.py":
                yield ".".join(path.relative_to(ROOT).with_suffix("").parts), path


def public_names(path):
    """The names a module defines at its top, without those that begin with an underscore and those it imports."""
    names = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names |= {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)}
    return sorted(name for name in names if not name.startswith("_"))


def listing():
    """A line for every module."""
    return [f"{name}: {' '.join(public_names(path))}".strip() for name, path in modules()]


def test_the_public_names_are_those_written_down():
    written = LIST.read_text().splitlines()
    found = listing()
    assert [line for line in found if line not in written] == [], "new or changed"
    assert [line for line in written if line not in found] == [], "gone or changed"
    assert written == found


def test_types_are_written_where_type_checkers_find_none():
    """Where numpy has no types, its aliases are said to be some; of Gymnasium's spaces and of items no type is known."""
    aliases, attributes = r"^[A-Z]\w+ = .*\bnpt\.", r"^ +self\.[a-z][^:]* = facts\[|^ +self\.\w+_spaces? = "
    found = []
    for path in sorted((ROOT / "golearn").rglob("*.py")):
        wanted = f"{aliases}|{attributes}" if path.parent.name == "environments" else aliases
        found += [(path.name, line) for line in path.read_text().splitlines() if re.search(wanted, line)]
    assert found == []


def maps():
    found = (path for package in MAPPED for path in (ROOT / package).rglob("__init__.py"))
    return sorted(path.relative_to(ROOT) for path in found if not path.is_relative_to(ATTACKS))


@pytest.mark.parametrize("path", maps(), ids=str)
def test_the_map_of_a_package_names_every_module(path):
    drawn = ast.get_docstring(ast.parse((ROOT / path).read_text()))
    folder = (ROOT / path).parent
    there = {file.stem for file in folder.glob("*.py")} - {"__init__", "__main__"}
    rooms = {f"{file.parent.name}/" for file in folder.glob("*/__init__.py")}
    missing = [name for name in sorted(there | rooms) if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", drawn)]
    assert missing == []


if __name__ == "__main__":
    print("\n".join(listing()))


def members(shown):
    """A function itself; of a class all that it or its bases in our packages define and that has types."""
    for name, value in inspect.getmembers(shown) if isinstance(shown, type) else []:
        function = getattr(value, "fget", None) or getattr(value, "func", value)
        if name[0] != "_" and inspect.isfunction(function) and function.__module__.split(".")[0] in MAPPED:
            yield function
    if callable(shown) and hasattr(shown, "__annotations__"):
        yield shown


@pytest.mark.slow
@pytest.mark.parametrize("package", ["goban", "gojudge", "golearn", "tournament"])
def test_types_of_all_that_a_facade_shows_can_be_looked_up(package):
    """As tools do that make forms, or check values, of a function's types: a name that only type checkers know fails there."""
    facade = importlib.import_module(package)
    found = [function for name in facade.__all__ for function in members(getattr(facade, name))]
    assert [get_type_hints(function) for function in found]
