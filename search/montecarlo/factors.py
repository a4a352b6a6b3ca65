"""Learned sets of patterns: a built-in set whose weights are multiplied by factors, one for the class of a neighbourhood and
one for the combination of properties. `learning.patterns` finds them.

A file is JSON, with `base`, the name of the set, and 100 times the natural logarithms of the factors as whole numbers: a list
`classes` of CLASSES of them and a list `combinations` of COMBINATIONS. Products are rounded to hundredths of what the weights
of the base are; a move that was worth anything keeps one of these at least, and one that was worth nothing stays at 0.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from common.excerpts import quoted_path
from kernels.patterns.neighbourhoods import CLASSES
from kernels.patterns.properties import COMBINATIONS
from search.errors import BadPatternError
from search.montecarlo.pattern_tables import ADVISED_VALUE, PatternTable

ENDING = ".json"
UNIT = 100
"""What a weight of 1 becomes with a factor of 1."""
PARTS = 100
"""Of a logarithm that is 1."""
MOST = 4
"""The largest logarithm, either way."""

Logarithms = npt.NDArray[np.float64]


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
        raise BadPatternError(f"{quoted_path(path)}: expected a learned set of patterns, as learning.patterns writes it")
    return LearnedFactors(base, *logarithms)


def _logarithms(found: Any, number: int) -> Logarithms:  # noqa: ANN401
    """Return a list of so many whole numbers as logarithms; raises ValueError for any other."""
    if not isinstance(found, list) or len(found) != number:
        raise ValueError
    if not all(type(one) is int and abs(one) <= MOST * PARTS for one in found):
        raise ValueError
    return np.array(found) / PARTS
