"""The pattern sets that come with the project, under the names that GNU Go 3.8 has for its own.

    uniform            every move but into one's own eyes, all alike
    mogo_classic       captures and escapes first, then the shapes of MoGo's playouts
    montegnu_classic   captures by their size, connections and cuts before the rest

A name may have `mc_` before it. Each file in `patterns/` was written for this project from descriptions, and its table equals
that of GNU Go's set of the same name.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from common.excerpts import quoted, quoted_path
from search.errors import BadPatternError
from search.montecarlo.pattern_files import parse_patterns, read_pattern_file
from search.montecarlo.pattern_tables import PatternTable, make_table

NAMES = ("uniform", "mogo_classic", "montegnu_classic")
DEFAULT = "montegnu_classic"
"""As in GNU Go."""
_PREFIX = "mc_"


def set_named(name: str) -> PatternTable:
    """Return the table of a built-in set; raises BadPatternError, which lists the names, for any other."""
    if not is_name(name):
        raise BadPatternError(f"expected one of {', '.join(NAMES)}, got {quoted(name)}")
    return _built_in(name.removeprefix(_PREFIX))


def table_of(given: str) -> PatternTable:
    """Return the table of a built-in set or of a user's file; raises BadPatternError or OSError."""
    if is_name(given):
        return set_named(given)
    try:
        return load_table(given)
    except FileNotFoundError:
        raise BadPatternError(f"expected a file of patterns or one of {', '.join(NAMES)}, got {quoted_path(given)}") from None


def is_name(text: str) -> bool:
    """Tell whether a text is the name of a built-in set."""
    return text.removeprefix(_PREFIX) in NAMES


def load_table(path: str | Path) -> PatternTable:
    """Return the table of a user's pattern file; raises OSError, and BadPatternError with the file and the line."""
    return make_table(read_pattern_file(path), str(path))


@cache
def _built_in(name: str) -> PatternTable:
    path = Path(__file__).parent / "patterns" / f"{name}.db"
    return make_table(parse_patterns(path.read_bytes(), path.name), name)
