"""The words that a line of values in a pattern file may have, and the combinations of properties for which each holds.

    near, far               the move is, or is not, near what the move before it has changed
    osafe, ounsafe          the string of the stone would have two liberties or more, or fewer
    xsafe, xunsafe          the same for a stone of the opponent there; suicide is unsafe
    xsuicide, xnosuicide    the opponent's move there would be suicide, or not
    ocap0 to ocap3          so many stones the move would capture, 3 standing for more as well
    ocap1+, ocap2+          so many or more
    ocap1-, ocap2-          so many or fewer
    xcap...                 the same eight for the opponent's move there

All words of a line must hold. Words that exclude each other hold for no combination.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from common.excerpts import quoted
from kernels.patterns.neighbourhoods import Bools
from kernels.patterns.properties import (
    COMBINATIONS,
    MOST_CAPTURES,
    NEAR,
    OTHER_ATARI,
    OTHER_CAPTURES,
    OTHER_SUICIDE,
    OWN_ATARI,
    OWN_CAPTURES,
)
from search.errors import BadPatternError


@cache
def combinations_of_word() -> dict[str, Bools]:
    """Return for each of the 24 words the combinations, of all 256, for which it holds. Shared: not to be written to."""
    index = np.arange(COMBINATIONS)
    found = {}
    yes_and_no = (
        ("near", "far", NEAR), ("ounsafe", "osafe", OWN_ATARI), ("xunsafe", "xsafe", OTHER_ATARI),
        ("xsuicide", "xnosuicide", OTHER_SUICIDE),
    )  # fmt: skip
    for yes, no, bit in yes_and_no:
        found[yes] = index >> bit & 1 == 1
        found[no] = ~found[yes]
    for letter, bit in (("o", OWN_CAPTURES), ("x", OTHER_CAPTURES)):
        stones = index >> bit & MOST_CAPTURES
        found |= {f"{letter}cap{number}": stones == number for number in range(MOST_CAPTURES + 1)}
        for number in (1, 2):
            found[f"{letter}cap{number}+"] = stones >= number
            found[f"{letter}cap{number}-"] = stones <= number
    return found


def checked_words(words: Sequence[str]) -> tuple[str, ...]:
    """Return words, all of which are of the 24; raises BadPatternError, which lists these, for any other."""
    known = combinations_of_word()
    for word in words:
        if word not in known:
            raise BadPatternError(f"expected one of {', '.join(known)}, got {quoted(word)}")
    return tuple(words)


def combinations_of(words: tuple[str, ...]) -> Bools:
    """Return the combinations, of all 256, for which all of the words hold; without words all of them."""
    holds = np.ones(COMBINATIONS, np.bool_)
    for word in words:
        holds &= combinations_of_word()[word]
    return holds
