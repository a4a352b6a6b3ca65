"""Sources as tokens: Python, C++ and Java, whatever is wrong with them, and which tokens make up a function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygments.token import _TokenType

LEXERS = {".py": "PythonLexer", ".cpp": "CppLexer", ".h": "CppLexer", ".hpp": "CppLexer", ".java": "JavaLexer"}
# Words before a bracket and a block that are no function's name.
_BLOCKS = frozenset({"if", "for", "while", "switch", "catch", "synchronized", "return", "else", "do", "new"})


@dataclass(frozen=True)
class Lexeme:
    """A token, comments and white space left out. kind: Pygments' own. line: from 1. column: from 0."""

    kind: _TokenType
    text: str
    line: int
    column: int


@dataclass(frozen=True)
class Function:
    """A function or a method. body: from its name on. start: the place of its name in the source's tokens."""

    name: str
    body: tuple[Lexeme, ...]
    start: int

    @property
    def lines(self) -> tuple[int, int]:
        """The first and the last line."""
        return self.body[0].line, self.body[-1].line


def suffix_of(path: str) -> str:
    """Return what a file's name ends in, in small letters."""
    return PurePosixPath(path).suffix.lower()


def lex(path: str, text: str) -> Iterator[Lexeme]:
    """Yield the tokens of one source, in order; none of a file in a language that is not known."""
    from pygments import lexers
    from pygments.token import Comment, String, Text

    name = LEXERS.get(suffix_of(path))
    if name is None:
        return
    line, column = 1, 0
    for kind, value in getattr(lexers, name)(stripnl=False).get_tokens(text):
        if value.strip() and not (kind in Comment or kind in Text or kind in String.Doc):
            yield from _parts(Lexeme(kind, value, line, column))
        line += value.count("\n")
        column = len(value) - value.rfind("\n") - 1 if "\n" in value else column + len(value)


def _parts(one: Lexeme) -> Iterator[Lexeme]:
    """Yield a token, and a number with a sign as two: C++ has `i-1` and `i - 1` otherwise."""
    from pygments.token import Number, Operator

    if one.kind in Number and one.text[0] in "+-" and len(one.text) > 1:
        yield Lexeme(Operator, one.text[0], one.line, one.column)
        yield Lexeme(one.kind, one.text[1:], one.line, one.column + 1)
    else:
        yield one


def functions(path: str, tokens: Sequence[Lexeme]) -> list[Function]:
    """Return the functions of a source in order; one within another is part of it, and also stands by itself."""
    ends = _indented if suffix_of(path) == ".py" else _braced
    return [Function(tokens[at].text, tuple(tokens[at:end]), at) for at, end in ends(tokens)]


def _indented(tokens: Sequence[Lexeme]) -> Iterator[tuple[int, int]]:
    """Yield where the names of Python's functions stand, and where their bodies end."""
    ends: dict[int, int] = {}
    open_: list[int] = []
    for at, one in enumerate(tokens):
        if (at == 0 or one.line > tokens[at - 1].line) and one.text not in ")]}":
            while open_ and one.column <= tokens[open_[-1]].column:
                ends[open_.pop()] = at
        if one.text == "def" and at + 1 < len(tokens):
            open_.append(at)
    ends |= dict.fromkeys(open_, len(tokens))
    yield from ((at + 1, ends[at]) for at in sorted(ends))


def _braced(tokens: Sequence[Lexeme]) -> Iterator[tuple[int, int]]:
    """Yield where names with brackets and a block after them stand, and where the block ends."""
    after = _closed(tokens)
    for at in range(len(tokens) - 1):
        if not tokens[at].text.isidentifier() or tokens[at].text in _BLOCKS or tokens[at + 1].text != "(":
            continue
        block = after.get(at + 1, len(tokens))
        # Between them: const, noexcept, throws java.io.IOException.
        while block < len(tokens) and (tokens[block].text.isidentifier() or tokens[block].text in (".", ",", "::")):
            block += 1
        if block < len(tokens) and tokens[block].text == "{":
            yield at, after.get(block, len(tokens))


def _closed(tokens: Sequence[Lexeme]) -> dict[int, int]:
    """Return the place after the end of each pair of brackets by where it begins; those without an end are left out."""
    found: dict[int, int] = {}
    open_: dict[str, list[int]] = {"(": [], "{": []}
    for at, one in enumerate(tokens):
        if one.text in open_:
            open_[one.text].append(at)
        elif one.text in (")", "}") and (begun := open_["(" if one.text == ")" else "{"]):
            found[begun.pop()] = at + 1
    return found
