"""The readers of what comes from outside, with real inputs to begin from.

    games.py         SGF files, drawn positions, input.txt, notes of programs
    tables.py        event files, rosters, rubrics, points, nicknames
    answers.py       output.txt, the messages of a player's process
    submissions.py   archives, sources, course systems' exports, packs of git
    binaries.py      books of positions, tables of learned values
    arrays.py        files of arrays, networks, positions with exact values
    runs.py          training runs, batches of games, books that are being made
    stores.py        results files
    patterns.py      pattern files for Monte Carlo Go
    requests.py      what a page asks of the board's server
    every.py         all of them by name
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Reader:
    """A reader and its inputs.

    seeds: returns inputs that it takes. read: is given an input and a folder for files, and returns in few words what it
    has read, the same for inputs of the same kind. refusals: its own errors. words: what it looks for in an input. makers:
    make inputs that byte by byte changes would hardly come to. most_bytes: of an input.
    """

    seeds: Callable[[], list[bytes]]
    read: Callable[[bytes, Path], str]
    refusals: tuple[type[Exception], ...]
    words: tuple[bytes, ...] = ()
    makers: tuple[Callable[[random.Random], bytes], ...] = ()
    most_bytes: int = 2**16
