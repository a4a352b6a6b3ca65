"""SGF as it lies about, made into SGF as the format has it: whatever the encoding, the blanks and the ends of a file.

    as_utf8(data)         the file in UTF-8, where it can be told what it is written in
    mended_line(line)     a main line without what no reader expects: small letters in names, blanks in values, words between
    komi_notes("KM", "375")     what there is to say of a komi that is written in another way

The first two return what was changed, in words, besides. Programs of Fox, Tygem and Nihon Ki-in write names in the encodings of
their countries and do not say so. UTF-8 is whatever is valid as such; then the charset counts that CA names, if the file can be
read in it; then the East Asian encoding whose common characters most of the file consists of.

Source of the common ranges: the code charts of GB 2312 (level 1: rows 16-55), KS X 1001 (Hangul: rows 16-40), JIS X 0208 in
Shift_JIS (kana, level 1) and Big5 (level 1).
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from goban.common.excerpts import printable, quoted
from goban.sgf import komi_of

Notes = list[str]
"""What was mended, one line each."""

_CHARSET = re.compile(rb"\bCA\s*\[([^\]]{0,40})\]")
# Possessive (`*+`): a megabyte of backslashes must not be remembered for backtracking.
_VALUE = re.compile(rb"\[([^\\\]]*+(?:\\.[^\\\]]*+)*+)\]", re.DOTALL)
_WORD = re.compile(rb";|[A-Za-z]++")
_LONGEST_NAME = 64
"""In characters, as sgfmill reads them."""
_CAPITALS = re.compile(rb"[^A-Z]++")
_MOVES = frozenset({b"B", b"W"})
_STONES = frozenset({b"AB", b"AW", b"AE"})
_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16", codecs.BOM_UTF8: "utf-8-sig"}

# What a charset must leave as it is. Python would also take `CA[punycode]` or `CA[unicode_escape]` at its word.
_ASCII = bytes(range(32, 127)).replace(b"\\", rb"\u0041")


@dataclass(frozen=True)
class _Encoding:
    """An encoding of two bytes a character. common: first bytes of the characters that most texts are made of.

    familiar: characters that records of Go have in it.
    """

    name: str
    common: frozenset[int]
    familiar: str


_EAST_ASIAN = (
    _Encoding("euc_kr", frozenset(range(0xB0, 0xC9)), "흑백승패불계집반단급초대국"),
    _Encoding("gb18030", frozenset(range(0xB0, 0xD8)), "黑白胜负中盘目半子段级赛棋"),
    _Encoding("shift_jis", frozenset({0x82, 0x83, *range(0x88, 0x98)}), "黒白勝負中押目半段級戦棋"),
    _Encoding("big5", frozenset(range(0xA4, 0xC7)), "黑白勝負中盤目半子段級賽棋"),
)


def is_text(charset: str) -> bool:
    """Tell whether Python knows a charset, and whether it leaves ASCII as it is."""
    try:
        return _ASCII.decode(charset, "replace") == _ASCII.decode("ascii")
    except (ValueError, LookupError):
        return False


def as_utf8(data: bytes) -> tuple[bytes, bool, Notes]:
    """Return a file's bytes, whether they are all UTF-8 now, whatever CA says, and what was done to them.

    If not, each game is to be read in its own charset: the file names several, or is all ASCII.
    """
    for mark, name in _MARKS.items():
        if data.startswith(mark):
            text = data.decode(name, "replace")
            return text.encode(), True, [] if name == "utf-8-sig" else ["it is written in UTF-16"]
    if data.isascii():
        named = sorted(_charset_names(data))
        if named and not any(map(_is_known, named)):
            return data, True, [f"CA[{printable(named[0], 20)}] is no known charset, and is not needed"]
        return data, False, []
    text = data.decode("utf-8", "replace")
    if bad := text.count("\ufffd"):
        # A game that was cut off may end within a character.
        most = sum(char > "\x7f" for char in text) >= 2 * bad
        return (data, True, []) if most and _charset_names(data) <= {"utf-8", "utf8"} != set() else _from_another(data)
    # A few characters of two bytes each may be valid by chance.
    by_chance = max(text) < "\u0800" and any(_has_two_bytes(name) for name in _charset_names(data))
    return _from_another(data) if by_chance else (data, True, [])


def _charset_names(data: bytes) -> set[str]:
    return {name.strip().decode("latin-1").lower() for name in _CHARSET.findall(data)}


def _is_known(charset: str) -> bool:
    try:
        codecs.lookup(charset)
    except (ValueError, LookupError):
        return False
    return True


def _has_two_bytes(charset: str) -> bool:
    """Tell whether this is an encoding of Chinese, Japanese or Korean in two bytes a character."""
    try:
        return is_text(charset) and len("表".encode(charset)) == 2
    except UnicodeEncodeError:
        return False


def _from_another(data: bytes) -> tuple[bytes, bool, Notes]:
    named = _charset_names(data)
    if len(named) > 1:
        return data, False, []
    for name in named:
        if is_text(name) and name.replace("-", "") != "utf8" and (text := _decode(data, name)):
            return text.encode(), True, []
    guessed = max(_EAST_ASIAN, key=lambda one: _plausibility(data, one))
    if _plausibility(data, guessed) > (0.5, 0):
        text, name = _decode(data, guessed.name), guessed.name
    else:
        text, name = data.decode("cp1252", "replace"), "windows-1252"
    return text.encode(), True, [f"its encoding is taken for {name}"]


def _decode(data: bytes, name: str) -> str:
    """Return a file's text; '' if these bytes are none, or if brackets would vanish into characters."""
    try:
        text = _without_doubled(data.decode(name), name)
    except (ValueError, LookupError):
        return ""
    return text if text.count("[") == text.count("]") or data.count(b"[") != data.count(b"]") else ""


def _without_doubled(text: str, name: str) -> str:
    """Return a text without the backslashes that programs put in which escape byte by byte, as the format's letter has it.

    In Big5, Shift_JIS and GBK the second byte of some characters is a backslash. These programs double it, and then behind
    each such character there is another one.
    """
    ends = "".join(char for char in set(text) if char > "\x7f" and char.encode(name, "ignore").endswith(b"\\"))
    doubled = len(re.findall(rf"[{ends}]\\", text)) if ends else 0
    return re.sub(rf"([{ends}])\\", r"\1", text) if doubled and doubled == sum(map(text.count, ends)) else text


def _plausibility(data: bytes, encoding: _Encoding) -> tuple[float, int]:
    """Return which share of a file's characters beyond ASCII is common in an encoding, and how many records of Go have."""
    text = _decode(data, encoding.name)
    beyond = [char.encode(encoding.name) for char in text if ord(char) > 127 and char.isalpha()]
    common = sum(len(code) == 2 and code[0] in encoding.common for code in beyond)
    return (common / len(beyond) if beyond else 0.0), sum(char in encoding.familiar for char in text)


def mend_line(line: bytes) -> tuple[bytes, Notes]:
    """Return a game without variations, from '(' to ')', as the format has it, and what was changed.

    Properties keep their capitals only, as old files meant them, and all letters if they have none. Points are written in small
    letters, without blanks, each in its own brackets. A property without a value is left out, and so are what is neither a
    property nor a node, further points of a move, a player's second move in a node, and empty nodes before the root's
    properties. A board without a size has 19 rows.
    """
    pieces: list[bytes] = [b"("]
    left: list[bytes] = []
    notes: Notes = []
    name, begun = b"", 0
    moved: set[bytes] = set()
    inside = line[1:-1]
    for value in _VALUE.finditer(inside):
        before = inside[begun : value.start()]
        if words := _WORD.findall(before):
            name = _property_name(words, pieces, left)
            moved = set() if b";" in words else moved
            if name not in moved:
                pieces.append(name)
        left += _WORD.sub(b" ", before).split()
        if name in moved:
            notes.append(f"left out {quoted(as_text(value[0])[:20])}: a move is one point")
        elif name == b"SZ" and not value[1].strip():
            notes.append("SZ[] is taken for SZ[19]")
            pieces.append(b"[19]")
        elif name:
            pieces.append(b"[%b]" % _value(name, value[1]))
            moved |= {name} & _MOVES
        begun = value.end()
    rest = inside[begun:]
    _property_name([*_WORD.findall(rest), b""], pieces, left)
    left += _WORD.sub(b" ", rest).split()
    if not (line.startswith((b"(;", b"()")) or b";" in line[: line.find(b"[") + 1]):
        notes.insert(0, "the first node begins without ';'")
    return b"".join([*pieces, b")"]), [*notes, *_tell_left_out(left)]


def _property_name(words: list[bytes], pieces: list[bytes], left: list[bytes]) -> bytes:
    """Add the nodes that begin before a value, and return what its property is called: the last word, '' if that is a node."""
    *others, last = words
    if last == b";":
        others, last = words, b""
    if len(pieces) == 1:
        pieces.append(b";")
    elif pieces[-1] != b";":
        pieces += [word for word in others if word == b";"]
    left += [word for word in others if word != b";"]
    return (_CAPITALS.sub(b"", last) or last.upper())[:_LONGEST_NAME]


def _tell_left_out(words: list[bytes]) -> Notes:
    if not words:
        return []
    first = ", ".join(quoted(as_text(word)[:20]) for word in words[:3])
    return [f"left out {first}{f' and {len(words) - 3} more' if len(words) > 3 else ''}, which no property begins or ends"]


def as_text(raw: bytes) -> str:
    """Return bytes of a game as a message quotes them: as UTF-8, which most files are by then, otherwise as Latin-1."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def _value(name: bytes, value: bytes) -> bytes:
    if name == b"SZ":
        # '19:19' is a square, too.
        one, _, other = value.partition(b":")
        return one.strip() if other.strip() in (b"", one.strip()) else value
    if name not in _MOVES | _STONES:
        return value
    points = b"".join(value.split()).lower()
    return points.replace(b",", b"][") if name in _STONES else points


def komi_notes(name: str, text: str) -> Notes:
    """Return what is not read as a file says its komi, by a value of KM or KO."""
    _, what = komi_of(name, text)
    return [f"{name}[{printable(text, 10)}] {what}"] if what else []
