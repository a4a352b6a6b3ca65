r"""SGF as text: from nodes to characters and back; what the properties mean is `goban.sgf`'s and `goban.reviews`' job.

    (;FF[4]SZ[5]C[root];B[cc];W[bc])
     ^ a node: properties, each an identifier in capitals and one or more *raw* values, between brackets

A raw value is what stands between the brackets, escapes and all: `\]` for `]`, `\\` for a backslash.

All our games begin with `HEADER`, and no text can look like it: its `]` are escaped. So a reader finds the next game even
after one that a crash has cut off.

Source: https://www.red-bean.com/sgf/sgf4.html (syntax, Text, SimpleText).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from goban.errors import SgfError

Property = tuple[str, tuple[str, ...]]
"""(identifier in capitals, raw values)."""

MOST_NODES = 20_000
"""Of a tree that is read."""


@dataclass
class SgfNode:
    """A node of a tree. parent: the place of the one before it, -1 for the root; properties: identifier -> raw values."""

    parent: int
    properties: dict[str, list[str]] = field(default_factory=dict)

HEADER = "FF[4]GM[1]CA[UTF-8]SZ["
"""How the root of every game of ours begins; `goban.sgf.write_sgf` sees to it."""

_RAW_VALUE = re.compile(r"[^\\\]]*+(?:\\.[^\\\]]*+)*+", re.DOTALL)
_IDENTIFIER = re.compile(r"[A-Z]{1,64}")
# Possessive (`*+`): a megabyte of backslashes must not be remembered for backtracking.
_TOKEN = re.compile(r"[();]|[A-Za-z]++|\[([^\\\]]*+(?:\\.[^\\\]]*+)*+)(\])?", re.DOTALL)
_START = re.compile(r"\(\s*+(?=;|[A-Za-z]{1,64}\s*+\[)")
_CAPITALS = re.compile(r"[^A-Z]++")
_OUR_GAME = re.compile(re.escape(f"(;{HEADER}"))

# A break after a backslash is none; any other character stands for itself.
_ESCAPED = re.compile(r"\\(?:\n|(.))", re.DOTALL)
_LINE_BREAK = re.compile(r"\r\n|\n\r|\r")
_OTHER_SPACE = str.maketrans("\t\v\f", "   ")
_SURROGATE = re.compile("[\ud800-\udfff]")
_WIDTH = 80


def _storable(text: str) -> str:
    return _SURROGATE.sub("\ufffd", _LINE_BREAK.sub("\n", text))


def read_tree(text: str) -> list[SgfNode]:
    """Return the first game of a text, with all its variations, every node after its parent.

    A game that is cut off goes as far as its last whole value. What is neither a node nor a property is skipped. Identifiers
    keep their capitals only, as old files meant them, and all letters if they have none. Raises SgfError for a text without a
    game, and for more than MOST_NODES nodes.
    """
    start = _START.search(text)
    if start is None:
        raise SgfError(f"expected a game, '(;' to ')', got {quoted(text[:40])}")
    nodes: list[SgfNode] = []
    branches: list[int] = []
    at, values = -1, None
    for token in _TOKEN.finditer(text, start.start()):
        sign = token[0]
        if sign[0] == "[":
            if token[2] is None:
                break
            if values is not None:
                values.append(token[1])
            continue
        values = None
        if sign == "(":
            branches.append(at)
        elif sign == ")":
            at = branches.pop()
            if not branches:
                break
        else:
            # A game may begin without its `;`.
            if sign == ";" or not nodes:
                at = _add(nodes, at)
            if sign != ";":
                values = nodes[at].properties.setdefault(_CAPITALS.sub("", sign) or sign.upper(), [])
    return nodes


def _add(nodes: list[SgfNode], parent: int) -> int:
    """Add a node; return its place."""
    if len(nodes) == MOST_NODES:
        raise SgfError(f"expected up to {MOST_NODES} nodes, got more")
    nodes.append(SgfNode(parent))
    return len(nodes) - 1


def text_of(raw: str) -> str:
    """Return the text that a raw value stands for."""
    return _ESCAPED.sub(r"\1", _storable(raw)).translate(_OTHER_SPACE)


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
