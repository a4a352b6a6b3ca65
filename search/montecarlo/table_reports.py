"""Pattern tables as text, for people."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from tabulate import tabulate

from kernels.patterns.neighbourhoods import class_of_code
from search.errors import BadPatternError
from search.montecarlo.pattern_tables import BY_DEFAULT, PatternTable
from search.montecarlo.property_words import combinations_of

_MOST_VALUES = 20
"""That are listed: more than this many are counted only."""


def summary(table: PatternTable) -> str:
    """Return counts, the digest, how often each value occurs, and the warnings, as lines."""
    patterns = len({rule.pattern for rule in table.rules})
    lines = [
        f"{patterns} patterns with {len(table.rules)} lines of values",
        *([f"times learned factors, in hundredths of the weights of {table.base.name}"] if table.base else []),
        f"digest {table.digest}",
        *_frequencies(table),
        *(f"warning: {warning}" for warning in table.warnings),
    ]
    return "\n".join(lines)


def _frequencies(table: PatternTable) -> list[str]:
    values, counts = np.unique(table.values, return_counts=True)
    share = f"of {table.values.size:,} classes and combinations"
    if len(values) > _MOST_VALUES:
        return [f"{len(values)} different values {share}"]
    listed = ", ".join(f"{value} in {count:,}" for value, count in zip(values.tolist(), counts.tolist(), strict=True))
    return [f"values {share}: {listed}"]


def _range(values: npt.NDArray[np.uint32]) -> str:
    """Return what some weights are: one value, or from the least to the most where factors have been learned."""
    low, high = int(values.min()), int(values.max())
    return str(low) if low == high else f"{low} to {high}"


def explanation(table: PatternTable, code: int, words: tuple[str, ...]) -> str:
    """Return what a neighbourhood is worth with each combination of properties for which the words hold, and why.

    That is a row for each rule that decides for some of them, in the order of the file, with the number of these. Raises
    BadPatternError if the words exclude each other.
    """
    row = class_of_code()[code]
    holds = combinations_of(words)
    if not holds.any():
        raise BadPatternError(f"expected words that may hold together, got {','.join(words)!r}")
    sources, values = table.sources[row][holds], table.values[row][holds]
    by_rules: list[tuple[object, ...]] = []
    rest: list[tuple[object, ...]] = []
    for source in np.unique(sources).tolist():
        worth = values[sources == source]
        if source == BY_DEFAULT:
            rest.append((_range(worth), len(worth), "no rule", ""))
        else:
            rule = table.rules[source]
            drawing = f"{' '.join(rule.pattern.rows)} in line {rule.pattern.line}"
            by_rules.append((_range(worth), len(worth), f"{rule} in line {rule.line}", drawing))
    headers = ("value", f"of {holds.sum()} combinations", "set by", "below")
    return tabulate(by_rules + rest, headers=headers, disable_numparse=True, colalign=("right", "right"))
