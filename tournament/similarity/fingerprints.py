"""Fingerprints of sources: what a text says, however its names, numbers, comments and layout were changed.

A source is cut into tokens by Pygments; names, numbers and texts become one sign each, comments and white space go. Every K
tokens in a row are hashed, and of each WINDOW such hashes the least is kept (S. Schleimer, D. Wilkerson and A. Aiken,
"Winnowing: local algorithms for document fingerprinting", 2003). So two sources that share SURE tokens in a row share a
fingerprint, and what is shorter than K tokens never counts.

Winnowing is our own: copydetect, a kept library, takes Python's `hash` of texts, so what it finds changes from process to
process, and cannot be imported without matplotlib.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING

from gojudge.errors import BadSubmissionError
from gojudge.intake.archives import Files, read_files
from gojudge.sandbox.reading import Answer, read_apart
from tournament.similarity.handouts import LEXERS, Lexeme, course_lines, find_playing, is_named_as_handed_out, lex, suffix_of

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
_OURS = ("*.py", "goban/*.py", "players/*.py", "gojudge/inside/course_modules/*.py", "README.md", "docs/*.md")

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
class SourceFile:
    """A source of a submission. digest: of its text, whatever ends its lines. plays: whether the entry leads to it.

    shaped: which part of its fingerprints is shaped as the course's own, from 0 to 1. prints: hashes of all of them, also of
    what everybody has; none of a file that does not play, unless it is called like one of the course's.
    """

    path: str
    digest: str
    plays: bool
    shaped: float
    prints: frozenset[int]


@dataclass(frozen=True)
class Sources:
    """Those of a submission. prints: of the files that play, without what is shaped as the course's own.

    cut: whether there is more than MOST_BYTES of them, and the rest was not read. entry: the path of the one that plays first.
    files: all of them. shaped: hashes of what is shaped as the course's own, whether it plays or not.
    """

    prints: tuple[Fingerprint, ...]
    cut: bool = False
    entry: str = ""
    files: tuple[SourceFile, ...] = ()
    shaped: frozenset[int] = frozenset()


def sources_of(folder: Path, entry: str) -> Sources:
    """Return the fingerprints of a submission's copy, without what this project gave to everybody; read in a process apart.

    Raises BadSubmissionError and OSError.
    """
    return _sources_said(read_apart(lambda: _read(read_files(folder), entry)), entry)


def sources_in(files: Files, entry: str) -> Sources:
    """Return the same of files that nobody has to be protected from; read here."""
    return _sources_said(_read(files, entry), entry)


def _sources_said(said: Answer, entry: str) -> Sources:
    ours, prints, shaped, files = hash_own_files(), list[Fingerprint](), set[int](), list[SourceFile]()
    for path, digest, plays, rows in said["files"]:
        kept = [(hash_, place, is_shaped) for hash_, *place, is_shaped in rows if hash_ not in ours]
        prints += [Fingerprint(hash_, path, *place) for hash_, place, is_shaped in kept if plays and not is_shaped]
        shaped |= {hash_ for hash_, _, is_shaped in kept if is_shaped}
        hashes = frozenset(row[0] for row in rows)
        files.append(SourceFile(path, digest, plays, 1 - sum(not row[-1] for row in rows) / max(1, len(rows)), hashes))
    return Sources(tuple(prints), said["cut"], entry, tuple(files), frozenset(shaped))


def fingerprints(path: str, text: str) -> list[Fingerprint]:
    """Return the fingerprints of one source, in order; none of a file in a language that is not known."""
    return _prints(path, list(lex(path, text)))


def _prints(path: str, lexemes: Iterable[Lexeme]) -> list[Fingerprint]:
    tokens = list(_tokens(lexemes))
    texts = [said for said, _ in tokens]
    hashes = _hashes(texts)
    places = [at for at in _winnow(hashes) if len(set(texts[at : at + K])) >= _FEWEST]
    return [Fingerprint(int(hashes[at]), path, at, tokens[at][1], tokens[at + K - 1][1]) for at in places]


def lines_of(text: str) -> list[str]:
    """Return the lines of a source as fingerprints count them, whatever ends them."""
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


@cache
def hash_own_files() -> frozenset[int]:
    """Return the hashes of all K tokens in a row in our files that everybody has: the host, players, examples of documents."""
    found: set[int] = set()
    for pattern in _OURS:
        for path in sorted(_ROOT.glob(pattern)):
            text = path.read_text(encoding="utf-8")
            for name, source in [(path.name, text)] if path.suffix == ".py" else _examples(text):
                found |= rows_of(name, source)
    return frozenset(found)


def hash_handouts(folder: Path) -> frozenset[int]:
    """Return the hashes of all K tokens in a row in the sources of a folder or an archive that the course handed out.

    Raises BadSubmissionError if it cannot be read, or has none.
    """
    files = read_files(folder)
    found: set[int] = set()
    for path in _sources(files, ""):
        found |= rows_of(path, files[path].decode("utf-8-sig", "replace"))
    if not found:
        raise BadSubmissionError(f"expected sources in {', '.join(sorted(LEXERS))}, found none of more than {K} tokens")
    return frozenset(found)


def rows_of(path: str, text: str) -> set[int]:
    """Return the hashes of all K tokens in a row in one source."""
    return set(_hashes([said for said, _ in _tokens(lex(path, text))]).tolist())


def _examples(text: str) -> Iterator[tuple[str, str]]:
    """Yield the programs that a document shows."""
    for language, source in re.findall(r"^```(python|cpp|java)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        yield f"example.{language.replace('python', 'py')}", source


def _tokens(lexemes: Iterable[Lexeme]) -> Iterator[Token]:
    """Yield what counts of tokens: names, numbers and texts become one sign each."""
    from pygments.token import Literal, Name, Number

    before = ""
    for one in lexemes:
        said = one.text
        if one.kind in Name and (one.kind not in Name.Builtin or one.kind in Name.Builtin.Pseudo):
            said = "V"
        elif one.kind in Number:
            said = "N"
        elif one.kind in Literal:
            said = "S"
        # A text comes in several tokens.
        if not said == before == "S":
            yield said, one.line
        before = said


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


def _winnow(hashes: npt.NDArray[np.uint64]) -> list[int]:
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
    texts = {name: files[name].decode("utf-8-sig", "replace") for name in _sources(files, entry)}
    playing = find_playing(texts, entry)
    left, told = MOST_BYTES, list[list[object]]()
    for name, text in texts.items():
        plays = name in playing
        read = plays or is_named_as_handed_out(name)
        lexemes = list(lex(name, text[: max(0, left)])) if read else []
        left -= len(text) if read else 0
        parts = course_lines(name, lexemes, name == entry)
        rows = [
            [one.hash, one.start, one.first, one.last, any(first <= one.first and one.last <= last for first, last in parts)]
            for one in _prints(name, lexemes)
        ]
        told.append([name, _digest(text), plays, rows])
    return {"files": told, "cut": left < 0}


def _digest(text: str) -> str:
    """Return a digest of a text, whatever ends its lines and stands at their ends."""
    lines = "\n".join(line.rstrip() for line in lines_of(text)).strip()
    return blake2b(lines.encode("utf-8", "backslashreplace"), digest_size=16).hexdigest()


def _sources(files: Iterable[str], entry: str) -> list[str]:
    """Return the sources, the one that plays first."""
    names = [name for name in files if suffix_of(name) in LEXERS]
    return sorted(names, key=lambda name: (name != entry, name))
