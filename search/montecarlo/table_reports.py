"""Pattern tables as text, for people."""

from __future__ import annotations

import numpy as np
from tabulate import tabulate

from kernels.patterns.neighbourhoods import class_of_code
from search.errors import BadPatternError
from search.montecarlo.pattern_tables import BY_DEFAULT, DEFAULT, PatternTable
from search.montecarlo.property_words import combinations_of

_MOST_VALUES = 20
"""That are listed: more than this many are counted only."""


def summary(table: PatternTable) -> str:
    """Return counts, the digest, how often each value occurs, and the warnings, as lines."""
    patterns = len({rule.pattern for rule in table.rules})
    lines = [
        f"{patterns} patterns with {len(table.rules)} lines of values",
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


def explanation(table: PatternTable, code: int, words: tuple[str, ...]) -> str:
    """Return what a neighbourhood is worth with each combination of properties for which the words hold, and why.

    That is a row for each rule that decides for some of them, in the order of the file, with the number of these. Raises
    BadPatternError if the words exclude each other.
    """
    row = class_of_code()[code]
    holds = combinations_of(words)
    if not holds.any():
        raise BadPatternError(f"expected words that may hold together, got {','.join(words)!r}")
    sources, counts = np.unique(table.sources[row][holds], return_counts=True)
    found = dict(zip(sources.tolist(), counts.tolist(), strict=True))
    rest = found.pop(BY_DEFAULT, 0)
    lines: list[tuple[object, ...]] = []
    for source, count in found.items():
        rule = table.rules[source]
        drawing = " ".join(rule.pattern.rows)
        lines.append((rule.value, count, f"{rule} in line {rule.line}", f"{drawing} in line {rule.pattern.line}"))
    if rest:
        lines.append((DEFAULT, rest, "no rule", ""))
    headers = ("value", f"of {holds.sum()} combinations", "set by", "below")
    return tabulate(lines, headers=headers, disable_numparse=True, colalign=("right", "right"))
