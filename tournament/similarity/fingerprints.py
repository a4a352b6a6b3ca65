"""Fingerprints of sources: what a text says, however its names, numbers, comments and layout were changed.

A source is cut into tokens by Pygments; names, numbers and texts become one sign each, comments and white space go. Every K
tokens in a row are hashed, and of each WINDOW such hashes the least is kept (S. Schleimer, D. Wilkerson and A. Aiken,
"Winnowing: local algorithms for document fingerprinting", 2003). So two sources that share SURE tokens in a row share a
fingerprint, and what is shorter than K tokens never counts.

Winnowing is our own: copydetect, a kept library, takes Python's `hash` of texts, so what it finds changes from process to
process, and cannot be imported without matplotlib.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from tournament.intake.archives import Files, read_files
from tournament.sandbox.reading import Answer, read_apart

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

K = 24
WINDOW = 17
SURE = K + WINDOW - 1
MOST_BYTES = 256 * 1024
"""Of one submission's sources so much is read, its entry first."""
# Odd, and its bits look random: that of SplitMix64.
_FACTOR = 0x9E3779B97F4A7C15
# Rows of literals are alike in all programs: S , S , S.
_FEWEST = 6

_ROOT = Path(__file__).resolve().parents[2]
_OURS = ("*.py", "goban/*.py", "players/*.py", "tournament/inside/course_modules/*.py")
_LEXERS = {".py": "PythonLexer", ".cpp": "CppLexer", ".h": "CppLexer", ".hpp": "CppLexer", ".java": "JavaLexer"}

Token = tuple[str, int]
"""What a token says, and its line, from 1."""


@dataclass(frozen=True)
class Fingerprint:
    """K tokens in a row. start: the first one's number in the file; first, last: the lines they are in."""

    hash: int
    path: str
    start: int
    first: int
    last: int


@dataclass(frozen=True)
class Sources:
    """Those of a submission. cut: whether there is more than MOST_BYTES of them, and the rest was not read."""

    prints: tuple[Fingerprint, ...]
    cut: bool = False


def sources_of(folder: Path, entry: str) -> Sources:
    """Return the fingerprints of a submission's copy, without what this project gave to everybody; read in a process apart.

    Raises BadSubmissionError and OSError.
    """
    said = read_apart(lambda: _read(read_files(folder), entry))
    given = given_out()
    found = (Fingerprint(*values) for values in said["prints"])
    return Sources(tuple(one for one in found if one.hash not in given), bool(said["cut"]))


def fingerprints(path: str, text: str) -> list[Fingerprint]:
    """Return the fingerprints of one source, in order; none of a file in a language that is not known."""
    tokens = list(_tokens(path, text))
    texts = [said for said, _ in tokens]
    hashes = _hashes(texts)
    places = [at for at in _winnowed(hashes) if len(set(texts[at : at + K])) >= _FEWEST]
    return [Fingerprint(int(hashes[at]), path, at, tokens[at][1], tokens[at + K - 1][1]) for at in places]


def lines_of(text: str) -> list[str]:
    """Return the lines of a source as fingerprints count them, whatever ends them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


@cache
def given_out() -> frozenset[int]:
    """Return the hashes of all K tokens in a row in the course's files, and in our host and reference players."""
    found: set[int] = set()
    for pattern in _OURS:
        for path in _ROOT.glob(pattern):
            found.update(_hashes([said for said, _ in _tokens(path.name, path.read_text(encoding="utf-8"))]).tolist())
    return frozenset(found)


def _tokens(path: str, text: str) -> Iterator[Token]:
    from pygments import lexers
    from pygments.token import Comment, Literal, Name, Number, String, Text

    kind = _LEXERS.get(PurePosixPath(path).suffix.lower())
    if kind is None:
        return
    line, before = 1, ""
    for token, value in getattr(lexers, kind)(stripnl=False).get_tokens(text):
        said = value
        if token in Comment or token in Text or token in String.Doc or not value.strip():
            said = ""
        elif token in Name and (token not in Name.Builtin or token in Name.Builtin.Pseudo):
            said = "V"
        elif token in Number:
            said = "N"
        elif token in Literal:
            said = "S"
        # A text comes in several tokens.
        if said and not said == before == "S":
            yield said, line
        before = said or before
        line += value.count("\n")


def _hashes(tokens: list[str]) -> npt.NDArray[np.uint64]:
    """Return the hash of every K tokens in a row; the same in every process."""
    import numpy as np

    digests = {token: blake2b(token.encode("utf-8", "backslashreplace"), digest_size=8).digest() for token in set(tokens)}
    values = np.array([int.from_bytes(digests[token]) for token in tokens], dtype=np.uint64)
    factor = np.uint64(_FACTOR)
    found = np.zeros(max(0, len(tokens) - K + 1), dtype=np.uint64)
    for place in range(K):
        found = found * factor + values[place : place + len(found)]
    # The low bits of a product depend on low bits only.
    return (found ^ found >> np.uint64(29)) * factor


def _winnowed(hashes: npt.NDArray[np.uint64]) -> list[int]:
    """Return the places of the least hash of each window, the last of several that are least; of the whole if it is shorter."""
    import numpy as np

    if not len(hashes):
        return []
    width = min(WINDOW, len(hashes))
    backwards = np.lib.stride_tricks.sliding_window_view(hashes, width)[:, ::-1]
    places = np.arange(len(backwards)) + width - 1 - backwards.argmin(axis=1)
    return [int(place) for place in np.unique(places)]


# In the process that reads


def _read(files: Files, entry: str) -> Answer:
    left, prints = MOST_BYTES, list[list[int | str]]()
    names = _sources(files, entry)
    for name in names:
        data = files[name][:left]
        left -= len(data)
        prints += [list(vars(one).values()) for one in fingerprints(name, data.decode("utf-8", "replace"))]
    return {"prints": prints, "cut": sum(len(files[name]) for name in names) > MOST_BYTES}


def _sources(files: Iterable[str], entry: str) -> list[str]:
    """Return the sources, the one that plays first."""
    names = [name for name in files if PurePosixPath(name).suffix.lower() in _LEXERS]
    return sorted(names, key=lambda name: (name != entry, name))
