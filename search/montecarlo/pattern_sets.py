"""The pattern sets that come with the project, the first three under the names that GNU Go 3.8 has for its own.

    uniform            every move but into one's own eyes, all alike
    mogo_classic       captures and escapes first, then the shapes of MoGo's playouts
    montegnu_classic   captures by their size, connections and cuts before the rest
    learned            montegnu_classic with factors learned from games, see `factors`

A name may have `mc_` before it. Each .db file in `patterns/` was written for this project from descriptions, and its table
equals that of GNU Go's set of the same name.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from common.excerpts import quoted, quoted_path
from search.errors import BadPatternError
from search.montecarlo.factors import ENDING, read_factors
from search.montecarlo.pattern_files import parse_patterns, read_pattern_file
from search.montecarlo.pattern_tables import PatternTable, make_table

GNUGO_NAMES = ("uniform", "mogo_classic", "montegnu_classic")
GNUGO_DEFAULT = "montegnu_classic"
DEFAULT = "learned"
NAMES = (*GNUGO_NAMES, DEFAULT)
_PREFIX = "mc_"
_FOLDER = Path(__file__).parent / "patterns"


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
    """Return the table of a user's file, drawn or learned; raises OSError, and BadPatternError with the file and the line."""
    if Path(path).suffix == ENDING:
        return _learned(Path(path), str(path))
    return make_table(read_pattern_file(path), str(path))


def _learned(path: Path, name: str) -> PatternTable:
    factors = read_factors(path)
    if factors.base not in GNUGO_NAMES:
        raise BadPatternError(f"{quoted_path(path)}: expected a base of {', '.join(GNUGO_NAMES)}, got {quoted(factors.base)}")
    return factors.apply(set_named(factors.base), name)


@cache
def _built_in(name: str) -> PatternTable:
    if name not in GNUGO_NAMES:
        return _learned(_FOLDER / f"{name}{ENDING}", name)
    path = _FOLDER / f"{name}.db"
    return make_table(parse_patterns(path.read_bytes(), path.name), name)
