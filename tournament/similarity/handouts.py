"""Finds what in a submission is the course's and not its author's: files that never play, and code shaped like the course's.

    reached         the files that play: the entry, and what it imports, includes or names as a class, from file to file
    course_lines    the lines of a file that are shaped as what courses hand out

Courses hand out a host that knows the rules, modules that read and write the game's files, players that move at random or
greedily, and a script that plays games; each university's are its own. A file that is called so is the course's only if it
reads so: names prove nothing, since a copy can lie in a file of any name. Then the course's are

    by the names of GO's interface      functions with these names, wherever somebody has put them
    by shape, in a file called so       rules of Go (a board, its neighbours, groups), files read and written, a small player

and never a function that thinks: one that goes deeper move by move, that keeps the best of what it has seen, or that weighs
points. So a search, or an evaluation, is its author's even in a file called host.py.

Sources are read as tokens: Python, C++ and Java, whatever is wrong with them, and which tokens make up a function.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
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
    ends = _find_indented if suffix_of(path) == ".py" else _find_braced
    return [Function(tokens[at].text, tuple(tokens[at:end]), at) for at, end in ends(tokens)]


def _find_indented(tokens: Sequence[Lexeme]) -> Iterator[tuple[int, int]]:
    """Yield where the names of Python's functions stand, and where their definitions end."""
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


def _find_braced(tokens: Sequence[Lexeme]) -> Iterator[tuple[int, int]]:
    """Yield where names with brackets and a block after them stand, and where the block ends."""
    after = _match_brackets(tokens)
    for at in range(len(tokens) - 1):
        if not tokens[at].text.isidentifier() or tokens[at].text in _BLOCKS or tokens[at + 1].text != "(":
            continue
        block = after.get(at + 1, len(tokens))
        # Between them: const, noexcept, throws java.io.IOException.
        while block < len(tokens) and (tokens[block].text.isidentifier() or tokens[block].text in (".", ",", "::")):
            block += 1
        if block < len(tokens) and tokens[block].text == "{":
            yield at, after.get(block, len(tokens))


def _match_brackets(tokens: Sequence[Lexeme]) -> dict[int, int]:
    """Return the place after the end of each pair of brackets by where it begins; those without an end are left out."""
    partners: dict[int, int] = {}
    open_: dict[str, list[int]] = {"(": [], "{": []}
    for at, one in enumerate(tokens):
        if one.text in open_:
            open_[one.text].append(at)
        elif one.text in (")", "}") and (begun := open_["(" if one.text == ")" else "{"]):
            partners[begun.pop()] = at + 1
    return partners


_HOST, _FILES, _PLAYER, _SCRIPT = "host", "files", "player", "script"
_NAMES = {
    "host": _HOST, "go": _HOST, "read": _FILES, "write": _FILES, "goplay": _SCRIPT, "randomplayer": _PLAYER,
    "greedyplayer": _PLAYER, "aggressiveplayer": _PLAYER, "smartplayer": _PLAYER,
}  # fmt: skip
_OF_FILES = frozenset({"readinput", "readoutput", "writeoutput", "writepass", "writenextinput"})
_ENOUGH = 6
"""So many functions with names of GO's interface make up the course's class."""
_FEWEST, _LOOPS = 5, 3
"""A file of functions of its own is a host with so many of them, and so many loops, at least."""
_NEAR, _STEPS = 120, 7
"""Within so many tokens a source names the neighbours of a point, and so many are a list: 0, 0, 1, -1."""
_OF_STEPS = frozenset({"0", "1", "+", "-", ",", "(", ")", "[", "]", "{", "}"})
_LONGEST = {_HOST: 400, _FILES: 150}
"""Tokens of a function that the course has handed out. The longest one known plays a game, and has 300."""
_SMALL = 600
"""Tokens of a file that reads and writes, or of a player that moves at random or greedily."""
_SCRIPTED = 1500
"""Tokens of a script that plays games."""
_OPENS = frozenset({"open", "ifstream", "ofstream", "fopen", "freopen", "FileReader", "FileWriter", "Scanner", "Files"})
# How groups are gathered, in any language.
_GATHERS = frozenset({"append", "pop", "push", "push_back", "add", "poll", "insert", "emplace", "emplace_back", "extend"})
_THINKERS = re.compile(r"minimax|negamax|alphabeta|heuristic|evaluat|bestmove|utility|qvalue|rollout|playout|montecarlo|mcts")
# Numbers that stand in rules: sizes, colours, neighbours, moves and komi of 5x5 to 19x19. Others weigh something.
_OF_RULES = frozenset({"0", "1", "2", "3", "4", "5", "7", "9", "10", "13", "19", "24", "25", "2.5", "0.5"})
_ENDS, _OPERATORS = frozenset(";{}"), frozenset("=!<>+-*/%&|^")
_ANYTHING = re.compile(r"__import__|import_module|spec_from_file|runpy|\bexec\s*\(|\bexecfile\b")
_IMPORT = re.compile(
    r"(?:^|[;:])[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import\b[ \t]*(\([^)]*\)|[^\n;#]*)|import[ \t]+([^\n;#]*))", re.MULTILINE
)
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">\n]+)[">]', re.MULTILINE)
_QUOTED = re.compile(r"""["']([\w./-]+\.(?:py|cpp|h|hpp|java))["']""")


# Which files play


def find_playing(files: Mapping[str, str], entry: str) -> frozenset[str]:
    """Return the paths of the sources that play. files: path -> text. All of them do if the entry is none of these.

    A file counts as imported by its last name, in whatever folder it lies; where a file imports what only a run can tell, all.
    """
    if entry not in files:
        return frozenset(files)
    known, waiting = {entry}, [entry]
    while waiting:
        path = waiting.pop()
        named = _find_named(path, files[path], files)
        waiting += named - known
        known |= named
    return frozenset(known)


def _find_named(path: str, text: str, files: Collection[str]) -> set[str]:
    """Return the files that one file imports, includes, uses or names in a text."""
    suffix = suffix_of(path)
    if suffix == ".py" and _ANYTHING.search(text):
        return set(files)
    quoted = {PurePosixPath(name).name for name in _QUOTED.findall(text)}
    named = {one for one in files if PurePosixPath(one).name in quoted}
    if suffix in (".py", ".java"):
        words = set(re.findall(r"\w+", _imports(text) if suffix == ".py" else text))
        return named | {one for one in files if suffix_of(one) == suffix and _module(one) in words}
    included = {PurePosixPath(name).name for name in _INCLUDE.findall(text)}
    return named | {one for one in files if PurePosixPath(one).name in included}


def _imports(text: str) -> str:
    """Return what a Python file imports, as words between other things."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\\\n", " ")
    return " ".join(" ".join(match) for match in _IMPORT.findall(lines))


def _module(path: str) -> str:
    """Return the name by which a file is imported or used; of a Python package's own file, the package's."""
    place = PurePosixPath(path)
    return place.parent.name if place.stem == "__init__" else place.stem


# What is the course's


def course_lines(path: str, tokens: Sequence[Lexeme], is_entry: bool) -> list[tuple[int, int]]:
    """Return the lines of a file, first and last of each part, that are shaped as what courses hand out."""
    definitions = functions(path, tokens)
    kind = None if is_entry else _NAMES.get(_plain(PurePosixPath(path).stem))
    thinking = _thinking(definitions, calls=kind != _PLAYER)
    if kind is not None and tokens and _is_shaped(kind, tokens, definitions, thinking):
        # A class with GO's interface is known by its names, so what has been added to it is its author's.
        others = [one for one in definitions if one.start in thinking or (_has_interface(definitions) and not _is_of_host(one))]
        return list(_without(tokens, others))
    return [one.lines for one in _of_interface(definitions) if one.start not in thinking]


def is_named_as_handed_out(path: str) -> bool:
    """Tell whether a file has the name of one of the course's own."""
    return _plain(PurePosixPath(path).stem) in _NAMES


def _plain(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


@cache
def _interface() -> frozenset[str]:
    """Return the names of GO's methods, and of what else stands in the course's host."""
    from go import GO

    return frozenset({_plain(name) for name in vars(GO) if not name.startswith("_")} | {"judge"})


def _has_interface(definitions: Sequence[Function]) -> bool:
    return len(_interface().intersection(_plain(one.name) for one in definitions)) >= _ENOUGH


def _is_of_host(one: Function) -> bool:
    """Tell whether a method of a class with GO's interface has one of its names, or constructs it."""
    name = _plain(one.name)
    return name == "init" or name in _NAMES or name in _interface() or name in _OF_FILES


def _of_interface(definitions: Sequence[Function]) -> Iterator[Function]:
    """Yield the functions with names of the course's own, of GO's where enough of them stand together."""
    names = [_plain(one.name) for one in definitions]
    whole = _has_interface(definitions)
    for place, (name, one) in enumerate(zip(names, definitions, strict=True)):
        # The constructor of a class stands above its other methods.
        begins = name == "init" and place + 1 < len(names) and names[place + 1] in _interface()
        kind = _HOST if whole and (name in _interface() or begins) else _FILES if name in _OF_FILES else None
        if kind is not None and len(one.body) <= _LONGEST[kind]:
            yield one


def _is_shaped(kind: str, tokens: Sequence[Lexeme], definitions: Sequence[Function], thinking: Collection[int]) -> bool:
    """Tell whether a file with the name of one of the course's also reads like it."""
    texts = [one.text for one in tokens]
    words = set(texts)
    if kind == _FILES:
        return len(texts) <= _SMALL and not words.isdisjoint(_OPENS)
    if kind == _PLAYER:
        return len(texts) <= _SMALL and "getinput" in {_plain(one.name) for one in definitions}
    if kind == _SCRIPT:
        about = {word for word in map(_plain, words) if re.fullmatch(r"player[12x]|(black|white|random|greedy)player|go", word)}
        return len(texts) <= _SCRIPTED and len(about) >= 2
    own = [one for one in definitions if one.start not in thinking]
    if _has_interface(own):
        return True
    gathers = not words.isdisjoint(_GATHERS) or any(one.name in [inner.text for inner in one.body[1:]] for one in own)
    loops = texts.count("for") + texts.count("while")
    return len(own) >= _FEWEST and 2 * len(own) > len(definitions) and gathers and loops >= _LOOPS and _has_neighbours(texts)


def _has_neighbours(texts: Sequence[str]) -> bool:
    """Tell whether somewhere all four neighbours of a point are named: two things less one and more one, or a list of steps."""
    steps: list[tuple[int, str, str]] = []
    for at, (sign, one) in enumerate(pairwise(texts)):
        if one == "1" and sign in ("+", "-") and at:
            steps.append((at, sign, "".join(texts[max(0, at - 4) : at]) if texts[at - 1] == "]" else texts[at - 1]))
    for start, (begin, _, _) in enumerate(steps):
        near = {(sign, what) for at, sign, what in steps[start : start + 40] if at < begin + _NEAR}
        if sum(("+", what) in near for sign, what in near if sign == "-" and what not in _OF_STEPS) >= 2:
            return True
    lists = [texts[start:end] for start, end in _runs(texts) if end - start >= _STEPS]
    shapes = [(one.count("0"), list(pairwise(one)).count(("-", "1")), one.count("1")) for one in lists]
    whole = any(none >= 4 and less >= 2 and ones >= less + 2 for none, less, ones in shapes)
    return whole or sum(none >= 2 and less >= 1 and ones > less for none, less, ones in shapes) >= 2


def _runs(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the ranges of tokens, each without a gap, that a step may be made of."""
    start = 0
    for at, text in enumerate((*texts, "")):
        if text not in _OF_STEPS:
            if at > start:
                yield start, at
            start = at + 1


def _without(tokens: Sequence[Lexeme], others: Sequence[Function]) -> Iterator[tuple[int, int]]:
    """Yield the lines of a file between these functions."""
    first = tokens[0].line
    for one in sorted(others, key=lambda one: one.lines):
        start, last = one.lines
        if first < start:
            yield first, start - 1
        first = max(first, last + 1)
    if first <= tokens[-1].line:
        yield first, tokens[-1].line


# What thinks


def _thinking(definitions: Sequence[Function], calls: bool) -> set[int]:
    """Return the starts of the functions that look for a move. calls: whether keeping the best of some counts, too."""
    names = {one.name for one in definitions}
    called = {one.name: {lexeme.text for lexeme in one.body[1:]} & names for one in definitions}
    return {
        one.start
        for one in definitions
        if _goes_deeper(one)
        or _THINKERS.search(_plain(one.name))
        or any(one.name in called[other] for other in called[one.name] if other != one.name and other in names)
        or (calls and (_keeps_best(one.body) or _weighs(one.body)))
    }


def _goes_deeper(one: Function) -> bool:
    """Tell whether a function calls itself with one more or one less of something; a group's points lie on both sides."""
    steps = set()
    for at, lexeme in enumerate(one.body[1:], 1):
        if lexeme.text == one.name:
            depth = 0
            for left, right in pairwise(one.body[at + 1 :]):
                depth += (left.text == "(") - (left.text == ")")
                if depth <= 0:
                    break
                if left.text in ("+", "-") and right.text == "1":
                    steps.add(left.text)
    return len(steps) == 1


def _keeps_best(body: Sequence[Lexeme]) -> bool:
    """Tell whether a function puts the larger of two things in the other's place, or sorts by a key."""
    texts = [one.text for one in body]
    return any(_picks(texts, at) or _replaces(texts, at) for at in range(1, len(texts)))


def _picks(texts: Sequence[str], at: int) -> bool:
    """Tell whether a call here picks by a key, or from what was kept and something else: best = max(best, ...)."""
    inside = texts[at + 1 : at + 40]
    if texts[at] in ("max_element", "min_element") or (texts[at] == "sort" and "->" in inside):
        return True
    if texts[at] not in ("max", "min", "sorted", "sort"):
        return False
    start = at
    while texts[start - 1] in (".", ":", "Math", "std") and start > 2:
        start -= 1
    return "key" in inside or (texts[start - 1] == "=" and texts[start - 2] in inside[:8])


def _replaces(texts: Sequence[str], at: int) -> bool:
    """Tell whether the comparison at this token keeps a best value: `if x > best: best = x`."""
    if texts[at] not in ("<", ">", "<=", ">="):
        return False
    before = texts[max(0, at - 20) : at]
    if "if" not in before or not _ENDS.isdisjoint(before[len(before) - before[::-1].index("if") :]):
        return False
    first = at + 1 + (texts[at + 1 : at + 2] == ["="])
    while texts[first + 1 : first + 2] == ["."]:
        first += 2
    left, right, after = texts[max(0, at - 6) : at], texts[first : first + 6], texts[first : first + 40]
    for place, one in enumerate(after):
        if one == "=" and place and _OPERATORS.isdisjoint([after[place - 1], *after[place + 1 : place + 2]]):
            kept = place - 1
            while kept >= 2 and after[kept - 1] == ",":
                kept -= 2
            targets = {*after[kept:place]}
            values = {value for value in after[place + 1 : place + 10] if value.isidentifier()}
            if (left[-1] in targets and values & {*right}) or (right[:1] and right[0] in targets and values & {*left}):
                return True
    return False


def _weighs(body: Sequence[Lexeme]) -> bool:
    from pygments.token import Number

    return sum(one.kind in Number and one.text not in _OF_RULES for one in body) >= 2
