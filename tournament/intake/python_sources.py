"""The sources of a submission as Python reads them: decoded and parsed, never imported or run.

    python_tree(files, path)     the syntax tree of one of them, or one line that says where it cannot be read
"""

from __future__ import annotations

import ast
import codecs
import io
import re
import tokenize
import warnings
from pathlib import PurePosixPath

from common.excerpts import printable, quoted
from tournament.errors import BadSubmissionError
from tournament.intake.archives import Files

_MOST_SOURCE_BYTES = 2**20
# Python itself accepts any codec named in a comment, and with some of them decoding never ends.
_CODINGS = re.compile(r"utf-8(-sig)?|ascii|iso8859-\d+|cp\d+|gb\w+|big5\w*|euc_\w+|shift_jis\w*|koi8-\w|mac-\w+")
_PYTHON_2 = re.compile(r"Missing parentheses in call|multiple exception types must be|inconsistent use of tabs|leading zeros")


def shown(path: PurePosixPath) -> str:
    """Return a file's name as messages have it."""
    return printable(str(path), 100)


def python_tree(files: Files, path: PurePosixPath) -> ast.Module:
    """Return a source as Python reads it; raises BadSubmissionError with the line."""
    text = _text(files[str(path)], path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        said = printable(str(error.msg), 120)
        hint = " (this looks like Python 2)" if _PYTHON_2.search(said) else ""
        raise BadSubmissionError(f"{shown(path)}, line {error.lineno or 1}: {type(error).__name__}: {said}{hint}") from error
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        raise BadSubmissionError(f"{shown(path)}: its source is nested too deeply to be read") from error


def _text(data: bytes, path: PurePosixPath) -> str:
    """Return a source as text, decoded as Python would; raises BadSubmissionError with the line."""
    if len(data) > _MOST_SOURCE_BYTES:
        raise BadSubmissionError(
            f"{shown(path)}: expected at most {_MOST_SOURCE_BYTES >> 20} MiB of Python, got {len(data) / 2**20:.1f}; "
            "tables belong in a file of their own"
        )
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise BadSubmissionError(f"{shown(path)}: expected UTF-8, got UTF-16; save it as UTF-8")
    if b"\0" in data:
        raise BadSubmissionError(f"{shown(path)}, line {_line(data, data.index(0))}: expected text, got a NUL byte")
    coding = _coding(data, path)
    try:
        return data.decode(coding)
    except UnicodeDecodeError as error:
        where = f"{shown(path)}, line {_line(data, error.start)}"
        got = f"the byte 0x{data[error.start]:02x}"
        raise BadSubmissionError(f"{where}: expected {coding} text, got {got}; save it as UTF-8") from error


def _coding(data: bytes, path: PurePosixPath) -> str:
    try:
        coding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        said = printable(str(error), 80)
        if "missing" in said:
            # Not UTF-8. The decoding will say where.
            return "utf-8"
        raise BadSubmissionError(f"{shown(path)}, line 1: {said}") from error
    if not _CODINGS.fullmatch(codecs.lookup(coding).name):
        raise BadSubmissionError(f"{shown(path)}, line 1: expected a coding such as utf-8, got {quoted(coding)}")
    return coding


def _line(data: bytes, position: int) -> int:
    return data.count(b"\n", 0, position) + 1
