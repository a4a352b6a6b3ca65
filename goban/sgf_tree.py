r"""SGF as text: from characters to nodes and back; what the properties mean is `goban.sgf`'s job.

    (;FF[4]SZ[5]C[root];B[cc];W[bc](;B[cb])(;B[bb]C[variation]))
     ^ a node: properties, each an identifier in capitals and one or more *raw* values, between brackets

A raw value is what stands between the brackets, escapes and all: `\]` for `]`, `\\` for a backslash. Raw values are
what we keep of properties we do not know: only their type says what a backslash or a colon in them means.

The *main line* takes the first branch everywhere, so it is all the nodes before the first `)`.

Read leniently: text before `(;`, and between properties anything that is none, is skipped; capitals alone count in an
identifier (`AddBlack` is `AB`, as up to FF[3]). A crash may leave half a game in a file that the next run appends to:
`HEADER`, with which all our games begin, therefore begins a game wherever it stands, even where a value seems to be
open. No text can look like that: its `]` are escaped.

Source: https://www.red-bean.com/sgf/sgf4.html (syntax, Text, SimpleText), https://www.red-bean.com/sgf/ff1_3/ff3.html.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator

from goban.errors import SgfError

Property = tuple[str, tuple[str, ...]]
"""(identifier in capitals, raw values). Read from a file it may lack values, where the brackets were forgotten."""

HEADER = "FF[4]GM[1]CA[UTF-8]SZ["
"""How the root of every game of ours begins; `goban.sgf.write_sgf` sees to it."""

# Possessive (`*+`): a megabyte of backslashes must not be remembered for backtracking.
_RAW = r"[^\\\]]*+(?:\\.[^\\\]]*+)*+"
_TOKEN = re.compile(rf"([;()])|([A-Za-z]++)((?:\s*+\[{_RAW}\])*+)|\[{_RAW}\]|(\[)", re.DOTALL)
_VALUES = re.compile(rf"\[({_RAW})\]", re.DOTALL)
_RAW_VALUE = re.compile(_RAW, re.DOTALL)
_IDENTIFIER = re.compile(r"[A-Z]{1,64}")
_GAME = re.compile(r"\(\s*;")
_OUR_GAME = re.compile(re.escape(f"(;{HEADER}"))
_GAME_BYTES = re.compile(rb"(?=\(;FF\[[1-9]\])")

_LINE_BREAK = re.compile(r"\r\n|\n\r|\r")
_OTHER_SPACE = str.maketrans("\t\v\f", "   ")
_ESCAPED = re.compile(r"\\(.?)", re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")
_WIDTH = 80

_CHARSET = re.compile(rb"CA\s*\[\s*([A-Za-z0-9_. :-]{1,30})\]")
# Charsets met in Go files. A list of our own: Python would take `CA[unicode_escape]` or `CA[punycode]` at its word.
_CODECS = {
    "utf8": "utf-8", "ascii": "ascii", "usascii": "ascii", "latin1": "latin-1", "iso88591": "latin-1",
    "iso88592": "iso8859-2", "iso88595": "iso8859-5", "iso885915": "iso8859-15", "windows1250": "cp1250",
    "windows1251": "cp1251", "windows1252": "cp1252", "cp1252": "cp1252", "cp1251": "cp1251", "koi8r": "koi8-r",
    "shiftjis": "cp932", "sjis": "cp932", "windows31j": "cp932", "cp932": "cp932", "eucjp": "euc_jp",
    "gb2312": "gb18030", "gbk": "gb18030", "cp936": "gb18030", "gb18030": "gb18030", "big5": "cp950",
    "cp950": "cp950", "euckr": "cp949", "cp949": "cp949", "ksc56011987": "cp949",
}  # fmt: skip
_BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def decode(data: str | bytes) -> str:
    """Return the characters of a file, line breaks of any kind as `\\n`; never fails.

    Bytes are read game by game (where `(;FF[4]` or the like tells the games apart), for each has its own CA: as that
    says if it stands within 4096 bytes, else as UTF-8, and as Latin-1 if the charset is unknown or does not fit. A
    byte order mark at the start of the file overrules CA. Half a character at the end of a game that was cut off is
    dropped. Lone surrogates, which no file could hold, become U+FFFD.
    """
    return _storable(_decoded(data) if isinstance(data, bytes) else data)


def _storable(text: str) -> str:
    return _SURROGATE.sub("\ufffd", _LINE_BREAK.sub("\n", text))


def _decoded(data: bytes) -> str:
    if data.isascii():
        return data.decode("ascii")
    for mark, codec in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            text = _decoded_as(codec, data)
            return data.decode("latin-1") if text is None else text
    return "".join(map(_decoded_game, _GAME_BYTES.split(data)))


def _decoded_game(data: bytes) -> str:
    named = _CHARSET.search(data, 0, 4096)
    name = re.sub("[^a-z0-9]", "", named[1].decode("ascii").lower()) if named else "utf8"
    for codec in (_CODECS.get(name, "utf-8"), "utf-8"):
        text = _decoded_as(codec, data)
        if text is not None:
            return text
    return data.decode("latin-1")


def _decoded_as(codec: str, data: bytes) -> str | None:
    try:
        # Not final: what was cut off within a character is still in this charset.
        return codecs.getincrementaldecoder(codec)().decode(data)
    except UnicodeError:
        return None


def main_lines(text: str) -> Iterator[list[list[Property]] | None]:
    """Yield the nodes of every game's main line, root first; None for a game that was cut off before its last `)`.

    Never fails, takes time in proportion to the text, and yields nothing where no game begins.
    """
    our_games = [found.start() for found in _OUR_GAME.finditer(text)]
    our_games.append(len(text))
    following = 0
    position = 0
    while (start := _GAME.search(text, position)) is not None:
        while our_games[following] <= start.start():
            following += 1
        position = our_games[following]
        nodes, end = _main_line(text, start.start(), position)
        if end is None:
            yield None
        else:
            yield nodes
            position = end


def _main_line(text: str, start: int, stop: int) -> tuple[list[list[Property]], int | None]:
    """Return the main line of the game that begins at `start`, and where the game ends: None if not before `stop`."""
    nodes: list[list[Property]] = []
    depth, growing = 0, True
    for token in _TOKEN.finditer(text, start, stop):
        delimiter, name, values, open_bracket = token.groups()
        if delimiter == "(":
            depth += 1
        elif delimiter == ")":
            growing = False
            depth -= 1
            if not depth:
                return nodes, token.end()
        elif open_bracket:
            break
        elif growing and delimiter:
            nodes.append([])
        elif growing and name:
            identifier = name if name.isupper() else "".join(filter(str.isupper, name))
            if identifier:
                nodes[-1].append((identifier, tuple(_VALUES.findall(values))))
    return nodes, None


def plain(text: str) -> str:
    """Return text as an SGF Text value can hold it.

    Line breaks of any kind become `\\n`, other white space (tab, VT, FF) a space, lone surrogates U+FFFD.
    """
    return _storable(text).translate(_OTHER_SPACE)


def plain_line(text: str) -> str:
    """Return text as an SGF SimpleText value can hold it: as `plain`, with line breaks turned into spaces."""
    return plain(text).replace("\n", " ")


def escape(text: str) -> str:
    """Return the raw value that stands for `plain(text)`. Colons stay: they need a backslash only in composed values."""
    return plain(text).replace("\\", "\\\\").replace("]", "\\]")


def text_value(raw: str) -> str:
    """Return the text a raw value stands for, with `\\n` for line breaks that are not soft (backslash, line break)."""
    return _ESCAPED.sub(lambda found: "" if found[1] == "\n" else found[1], plain(raw))


def serialise(nodes: Iterable[Iterable[Property]]) -> str:
    """Return one game without variations, lines broken between nodes, a line break at its end.

    Raises SgfError for what could not be read again: an identifier that is not 1 to 64 capitals, a property without a
    value, a raw value that holds a `]` or an end that is not escaped, `HEADER` after a value that ends in `(;`.
    """
    lines, line = [], "("
    for node in nodes:
        piece = ";" + "".join(_property(identifier, values) for identifier, values in node)
        if len(line) + len(piece) > _WIDTH and line != "(":
            lines.append(line)
            line = ""
        line += piece
    text = "\n".join([*lines, line]) + ")\n"
    if inner := _OUR_GAME.search(text, 1):
        raise SgfError(f"expected one game, got what begins another: {quoted(text[inner.start():])}")
    return _storable(text)


def _property(identifier: str, values: tuple[str, ...]) -> str:
    if not _IDENTIFIER.fullmatch(identifier):
        raise SgfError(f"expected a property of 1 to 64 capital letters, got {quoted(identifier)}")
    if not values:
        raise SgfError(f"expected a value for the property {identifier}, got none")
    for value in values:
        if not _RAW_VALUE.fullmatch(value):
            raise SgfError(f"expected an escaped value for the property {identifier}, got {quoted(value)}")
    return identifier + "".join(f"[{value}]" for value in values)


def quoted(text: str) -> str:
    """Return a text as a short, harmless piece of a message."""
    return ascii(text) if len(text) <= 40 else ascii(text[:37]) + "..."
