"""Pattern tables: what a move is worth in every neighbourhood with every combination of properties, and by which rule.

The first rule that matches counts, in the order of the file, and each rule for itself: what the rules of one pattern leave
out may be set by later patterns. Values decide nothing about the order. What no rule sets is worth DEFAULT. At the end of the
file a table becomes text, for people.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from goban.common.excerpts import quoted
from goban.kernels.patterns.neighbourhoods import (
    CLASSES,
    COMBINATIONS,
    EDGE,
    EMPTY,
    OTHER,
    OWN,
    STEPS,
    Bools,
    all_codes,
    class_of_code,
    contents,
)
from goban.montecarlo.pattern_files import Pattern, Rule, check_row, combinations_of
from goban.solver.errors import BadPatternError

DEFAULT = 1
BY_DEFAULT = -1
"""In `sources`: no rule has set this."""
ADVISED_VALUE = 10_000_000
"""GNU Go adds weights in 32 bits, and warns of values above this one."""

_CONTENTS = {
    ".": (EMPTY,), "O": (OWN,), "X": (OTHER,), "o": (EMPTY, OWN), "x": (EMPTY, OTHER), "?": (EMPTY, OWN, OTHER),
    "%": (EMPTY, OWN, OTHER, EDGE), "|": (EDGE,), "-": (EDGE,), "+": (EDGE,),
}  # fmt: skip
# Eyes that everybody leaves alone: in the middle, at a side, in a corner.
_EYES = (("OOO", "O*O", "OOO"), ("OOO", "O*O", "---"), ("|OO", "|*O", "+--"))


@dataclass(frozen=True, eq=False)
class PatternTable:
    """The weights that a file's rules come to.

    values: uint32, shape (CLASSES, COMBINATIONS). sources: int32 of the same shape, which of `rules` has set a value, or
    BY_DEFAULT. warnings: of the file, each with its line where it has one. base: the table whose weights were multiplied by
    learned factors to get these, see `pattern_sets`. Arrays are not to be written to.
    """

    name: str
    rules: tuple[Rule, ...]
    values: npt.NDArray[np.uint32]
    sources: npt.NDArray[np.int32]
    warnings: tuple[str, ...]
    base: PatternTable | None = None

    def value(self, code: int, combination: int) -> int:
        """Return the weight of a move, by the code of its neighbourhood and the combination of its properties."""
        return int(self.values[class_of_code()[code], combination])

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the values of all codes, ascending, 256 little-endian words of 32 bits each: free of any numbering."""
        return hashlib.sha256(self.values[class_of_code()[all_codes()]].astype("<u4").tobytes()).hexdigest()


def make_table(rules: tuple[Rule, ...], name: str) -> PatternTable:
    """Return the table of a file's rules, with warnings of what is valid and hardly meant."""
    values = np.full((CLASSES, COMBINATIONS), DEFAULT, np.uint32)
    sources = np.full(values.shape, BY_DEFAULT, np.int32)
    warnings: list[str] = []
    classes: dict[Pattern, Bools] = {}
    for number, rule in enumerate(rules):
        if rule.pattern not in classes:
            classes[rule.pattern] = _classes_of(rule.pattern.rows)
            if not classes[rule.pattern].any():
                warnings.append(f"line {rule.pattern.line}: this pattern never matches: no board has such an edge")
        warnings += _set_values(values, sources, number, rule, classes[rule.pattern])
    return PatternTable(name, rules, values, sources, (*warnings, *_warnings_of_eyes(values)))


def _set_values(
    values: npt.NDArray[np.uint32], sources: npt.NDArray[np.int32], number: int, rule: Rule, classes: Bools
) -> list[str]:
    """Set what the rule is the first to match; return warnings of the rule."""
    warnings = []
    if rule.value > ADVISED_VALUE:
        warnings.append(f"line {rule.line}: {rule.value} is more than {ADVISED_VALUE}: sums may overflow in GNU Go")
    holds = combinations_of(rule.words)
    rows = np.flatnonzero(classes)
    unset = (sources[rows] == BY_DEFAULT) & holds
    changed = unset.any(axis=1)
    rows, unset = rows[changed], unset[changed]
    values[rows] = np.where(unset, np.uint32(rule.value), values[rows])
    sources[rows] = np.where(unset, np.int32(number), sources[rows])
    if not holds.any():
        warnings.append(f"line {rule.line}: {quoted(str(rule))} never matches: its words exclude each other")
    elif classes.any() and not len(rows):
        warnings.append(f"line {rule.line}: {quoted(str(rule))} sets nothing: lines above it set all that it matches")
    return warnings


def _warnings_of_eyes(values: npt.NDArray[np.uint32]) -> list[str]:
    filled = [" ".join(eye) for eye in _EYES if values[_classes_of(eye)].any()]
    return [f"moves into eyes are not worth 0, so playouts may run to their limit: {', '.join(filled)}"] if filled else []


def _classes_of(rows: tuple[str, str, str]) -> Bools:
    """Return which classes of neighbourhoods a drawing matches, turned and mirrored in any way: shape (CLASSES,)."""
    allowed = [sum(1 << thing for thing in _CONTENTS[rows[1 + row][1 + col]]) for row, col in STEPS]
    fits = (np.array(allowed) >> contents(all_codes()) & 1).all(axis=1)
    found = np.zeros(CLASSES, np.bool_)
    found[class_of_code()[all_codes()[fits]]] = True
    return found


def parse_neighbourhood(text: str) -> int:
    """Return the code of one neighbourhood, drawn as 'XO./O*./---' with . O X and edges only.

    Raises BadPatternError for any other text, and if no point of a board looks so.
    """
    rows = text.split("/")
    if len(rows) != 3:
        raise BadPatternError(f"expected three rows with '/' between them, as 'XO./O*./...', got {quoted(text)}")
    rows = [check_row(row, place) for place, row in enumerate(rows)]
    code = 0
    for place, (row, col) in enumerate(STEPS):
        symbol = rows[1 + row][1 + col]
        if len(_CONTENTS[symbol]) > 1:
            raise BadPatternError(f"expected one neighbourhood, drawn with . O X | - +, got {symbol!r} in {quoted(text)}")
        code |= _CONTENTS[symbol][0] << 2 * place
    if class_of_code()[code] == CLASSES:
        raise BadPatternError(f"expected no edge, or that of a side or a corner, got {quoted(text)}")
    return code


# As text

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
    # Brought for this alone; searches do without it.
    from tabulate import tabulate

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
