"""Gives inputs to a reader, one after the other, and tells what it may do from what it must not."""

from __future__ import annotations

import hashlib
import random
import re
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.mutations import Mutator
from tests.fuzz.readers import Reader

Inputs = Iterator[tuple[bytes, Callable[[bool], None]]]
"""Inputs, each with what is to be called if its outcome was a new one, and told whether it was refused."""

_LONGEST_MESSAGE = 1000
# What differs between two messages that say the same.
_DETAILS = re.compile(r"""'[^']*'?|"[^"]*"?|[0-9]+|\\x..""")


class FaultError(Exception):
    """A reader did what it must not do, without an exception of another kind; the message says what."""


@dataclass(frozen=True)
class Finding:
    """An input and what it did. trace: a traceback, '' if there is none."""

    data: bytes
    what: str
    trace: str = ""

    @property
    def digest(self) -> str:
        """A short name for the input."""
        return hashlib.sha256(self.data).hexdigest()[:12]


@dataclass
class Tally:
    """What came of some inputs. slowest: seconds of CPU for one; seconds: of the clock, for all."""

    inputs: int = 0
    refused: int = 0
    outcomes: int = 0
    slowest: float = 0.0
    seconds: float = 0.0
    finding: Finding | None = None
    interrupted: bool = False


def outcome_of(reader: Reader, data: bytes, folder: Path) -> tuple[bool, str]:
    """Return whether an input was refused, and what came of it, the same text for inputs that went the same way.

    Raises FaultError, or whatever the reader raises that is no error of its own.
    """
    try:
        return False, reader.read(data, folder)
    except reader.refusals as error:
        line = str(error)
    if not line.isprintable() or not line or len(line) > _LONGEST_MESSAGE:
        raise FaultError(f"expected a message of one printable line, got {line[:300]!r}")
    return True, _DETAILS.sub("_", line)[:80]


def inputs_of(reader: Reader, seed: int) -> Inputs:
    """Yield inputs without end: first the seeds as they are, then what is made of them, and of inputs with new outcomes."""
    rng = random.Random(seed)
    seeds = list(reader.seeds())
    # Most of what is made of a refused input is refused for the same reason.
    pools: dict[bool, list[bytes]] = {False: list(seeds), True: list(seeds)}
    mutator = Mutator(rng, reader.words, reader.most_bytes)
    for data in seeds:
        yield data, lambda refused: None
    while True:
        if reader.makers and rng.random() < 0.5:
            data = rng.choice(reader.makers)(rng)
        else:
            pool = rng.choice((seeds, pools[False], pools[rng.random() < 0.5]))
            data = mutator.mutated(rng.choice(pool), rng.choice(pool))
        yield data, lambda refused, data=data: pools[refused].append(data)  # type: ignore[misc]


@dataclass
class Trial:
    """A reader at work. folder: for its files, emptied by nobody."""

    reader: Reader
    folder: Path
    tally: Tally = field(default_factory=Tally)
    _seen: set[str] = field(default_factory=set)

    def give(self, data: bytes, keep: Callable[[bool], None]) -> None:
        """Give the reader an input; have it kept if its outcome is new. A fault comes into the tally."""
        tally, started = self.tally, time.process_time()
        tally.inputs += 1
        try:
            refused, outcome = outcome_of(self.reader, data, self.folder)
        except BaseException as error:
            tally.finding = Finding(data, f"{type(error).__name__}: {error}"[:500], traceback.format_exc())
            return
        tally.slowest = max(tally.slowest, time.process_time() - started)
        tally.refused += refused
        if outcome not in self._seen:
            self._seen.add(outcome)
            tally.outcomes += 1
            keep(refused)


def try_here(reader: Reader, seed: int, runs: int) -> Tally:
    """Give a reader inputs in this process, without limits, until there is a fault; return what came of them."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        trial = Trial(reader, Path(folder))
        for data, keep in inputs_of(reader, seed):
            if trial.tally.inputs >= runs or trial.tally.finding:
                return trial.tally
            trial.give(data, keep)
    raise AssertionError("inputs have no end")
