"""Packages as libraries: which names they show, where type checkers see them, and what is said of others."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

from goban.common.facades import lazy_names

PACKAGES = ["goban", "gojudge", "tournament"]


@pytest.mark.parametrize("name", PACKAGES)
def test_every_name_is_there_and_listed_once(name):
    package = import_module(name)
    assert [known for known in package.__all__ if getattr(package, known, None) is None] == ["PASS"] * (name == "goban")
    assert len(set(package.__all__)) == len(package.__all__)
    assert set(package.__all__) <= set(dir(package))


@pytest.mark.parametrize("name", PACKAGES)
def test_type_checkers_see_the_same_names_from_the_same_modules(name):
    package = import_module(name)
    conditions = [node for node in ast.parse(Path(package.__file__).read_text()).body if isinstance(node, ast.If)]
    (block,) = (node for node in conditions if ast.unparse(node.test) == "TYPE_CHECKING")
    seen = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names
    }  # fmt: skip
    tied = {}
    for home, names in vars(package)["_HOMES"].items():
        for theirs, _, ours in (each.partition("=") for each in names.split()):
            tied[ours or theirs] = home, theirs
    assert tied == seen
    assert set(tied) == set(package.__all__)


@pytest.mark.parametrize("name", PACKAGES)
def test_unknown_names_are_refused(name):
    with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'Goban'"):
        import_module(name).Goban  # noqa: B018


def test_a_name_is_imported_once_and_then_stands_in_the_package():
    package = import_module("goban")
    vars(package).pop("vertex", None)
    assert package.vertex is import_module("goban.points").vertex
    assert "vertex" in vars(package)


def test_a_module_that_is_our_own_and_missing_is_a_fault_of_ours():
    get, _ = lazy_names("goban", {"goban.no_such_module": "name"})
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'goban\.no_such_module'"):
        get("name")
