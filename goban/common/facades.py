"""What the `__init__` of a package shows: names of its modules, each imported when it is first asked for.

    __all__ = ["Solver", "new_game", "read"]
    HOMES = {"goban.states": "new_game", "goban.solver.solver": "Solver", "goban.sgf": "read_sgf=read"}
    __getattr__, __dir__ = lazy_names(__name__, HOMES)
"""

from __future__ import annotations

# As in `typing`, which takes longer to import than all the rest.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__version__ = "0.3.10"
"""The project's, as in pyproject.toml, which is no longer there once it is installed."""


def lazy_names(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Return what a package has as `__getattr__` and `__dir__`.

    homes: module -> the names that the package shows of it, with blanks between; 'theirs=ours' where the package calls one
    otherwise. Together they are its `__all__`. A name that needs an installed package raises ModuleNotFoundError with the
    command that installs it.
    """
    places = {}
    for home, shown in homes.items():
        for theirs, _, ours in (each.partition("=") for each in shown.split()):
            places[ours or theirs] = home, theirs

    def find(name: str) -> object:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home, theirs = places[name]
        value = getattr(_load(home, f"{package}.{name}"), theirs)
        setattr(_load(package, package), name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(_load(package, package)), *places})

    return find, names


def _load(module: str, wanted: str) -> object:
    """Import a module. wanted: what somebody asked for, for the message where a package is missing."""
    from importlib import import_module

    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        from goban.common.command_lines import missing_package, what_is_needed

        package = missing_package(error)
        if not package:
            raise
        raise ModuleNotFoundError(what_is_needed(package, wanted), name=package) from None
