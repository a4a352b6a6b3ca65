"""The pattern sets that come with the project, the first three under the names that GNU Go 3.8 has for its own.

    uniform            every move but into one's own eyes, all alike
    mogo_classic       captures and escapes first, then the shapes of MoGo's playouts
    montegnu_classic   captures by their size, connections and cuts before the rest
    learned            montegnu_classic with factors learned from games

A name may have `mc_` before it. Each .db file in `patterns/` was written for this project from descriptions, and its table
equals that of GNU Go's set of the same name.

A learned set is a built-in one whose weights are multiplied by factors, one for the class of a neighbourhood and one for the
combination of properties. `golearn.patterns` finds them. Its file is JSON, with `base`, the name of the set, and 100 times the
natural logarithms of the factors as whole numbers: a list `classes` of CLASSES of them and a list `combinations` of
COMBINATIONS. Products are rounded to hundredths of what the weights of the base are; a move that was worth anything keeps one
of these at least, and one that was worth nothing stays at 0.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from goban.common.excerpts import quoted, quoted_path
from goban.kernels.patterns.neighbourhoods import CLASSES, COMBINATIONS
from goban.montecarlo.pattern_files import parse_patterns, read_pattern_file
from goban.montecarlo.pattern_tables import ADVISED_VALUE, PatternTable, make_table
from goban.solver.errors import BadPatternError

GNUGO_NAMES = ("uniform", "mogo_classic", "montegnu_classic")
GNUGO_DEFAULT = "montegnu_classic"
DEFAULT = "learned"
NAMES = (*GNUGO_NAMES, DEFAULT)
_PREFIX = "mc_"
_FOLDER = Path(__file__).parent / "patterns"

ENDING = ".json"
UNIT = 100
"""What a weight of 1 becomes with a factor of 1."""
PARTS = 100
"""Of a logarithm that is 1."""
MOST = 4
"""The largest logarithm, either way."""

Logarithms = npt.NDArray[np.float64]


def set_named(name: str) -> PatternTable:
    """Return the table of a built-in set; raises BadPatternError, which lists the names, for any other."""
    if not is_name(name):
        raise BadPatternError(f"expected one of {', '.join(NAMES)}, got {quoted(name)}")
    return _read_built_in(name.removeprefix(_PREFIX))


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
        return _read_learned(Path(path), str(path))
    return make_table(read_pattern_file(path), str(path))


def _read_learned(path: Path, name: str) -> PatternTable:
    factors = read_factors(path)
    if factors.base not in GNUGO_NAMES:
        raise BadPatternError(f"{quoted_path(path)}: expected a base of {', '.join(GNUGO_NAMES)}, got {quoted(factors.base)}")
    return factors.apply(set_named(factors.base), name)


@cache
def _read_built_in(name: str) -> PatternTable:
    if name not in GNUGO_NAMES:
        return _read_learned(_FOLDER / f"{name}{ENDING}", name)
    path = _FOLDER / f"{name}.db"
    return make_table(parse_patterns(path.read_bytes(), path.name), name)


@dataclass(frozen=True, eq=False)
class LearnedFactors:
    """Logarithms of factors, of shapes (CLASSES,) and (COMBINATIONS,), from -MOST to MOST. base: the name of a built-in set."""

    base: str
    classes: Logarithms
    combinations: Logarithms

    def apply(self, table: PatternTable, name: str) -> PatternTable:
        """Return the base's table with the factors in its weights. Rules and their lines stay those of the base."""
        weights = table.values * UNIT * np.exp(self.classes)[:, None] * np.exp(self.combinations)
        values = np.where(table.values == 0, 0, np.clip(np.rint(weights), 1, UNIT * ADVISED_VALUE))
        return replace(table, name=name, values=values.astype(np.uint32), base=table)

    def text(self) -> str:
        """Return the contents of a file."""
        classes, combinations = (np.rint(PARTS * logs).astype(int).tolist() for logs in (self.classes, self.combinations))
        return json.dumps({"base": self.base, "classes": classes, "combinations": combinations}) + "\n"


def read_factors(path: Path) -> LearnedFactors:
    """Return the factors in a file; raises BadPatternError, or OSError if it cannot be opened."""
    try:
        values = json.loads(path.read_bytes())
        logarithms = (_logarithms(values["classes"], CLASSES), _logarithms(values["combinations"], COMBINATIONS))
        base = values["base"]
    except (ValueError, KeyError, TypeError, RecursionError):
        base = None
    if not isinstance(base, str):
        raise BadPatternError(f"{quoted_path(path)}: expected a learned set of patterns, as golearn.patterns writes it")
    return LearnedFactors(base, *logarithms)


def _logarithms(found: Any, number: int) -> Logarithms:  # noqa: ANN401
    """Return a list of so many whole numbers as logarithms; raises ValueError for any other."""
    if not isinstance(found, list) or len(found) != number:
        raise ValueError
    if not all(type(one) is int and abs(one) <= MOST * PARTS for one in found):
        raise ValueError
    return np.array(found) / PARTS
