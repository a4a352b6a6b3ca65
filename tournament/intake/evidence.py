"""What a source says about who plays: which of its classes can be asked for moves, and whether it is a program by itself.

    a class      has a method get_input(self, go, piece_type), of its own or of a base in the same file
    a program    has a main part, or reads input.txt

A main part is `if __name__ == ...`, or a call of one of the file's own functions while it is run. What only a comment or a
docstring says counts for nothing. The file is parsed, never run, so some names stay unsure: those it imports, or assigns.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from common.excerpts import printable
from tournament.errors import BadSubmissionError
from tournament.intake.archives import Files
from tournament.intake.python_sources import python_tree, shown

_METHOD = "get_input"
_READER = "readInput"
# Bases that bring no methods along.
_EMPTY_BASES = ("object", "ABC")
_Scope = ast.If | ast.Try | ast.With | ast.For | ast.While
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class Evidence:
    """What one file says.

    players: classes that can play, in order, without those that are bases of others. unsure: names that may stand for such
    a class. unfit: name of a class -> why it cannot play, one line. main, reads: whether it has a main part, and whether it
    reads input.txt.
    """

    players: list[str] = field(default_factory=list)
    unsure: set[str] = field(default_factory=set)
    unfit: dict[str, str] = field(default_factory=dict)
    main: bool = False
    reads: bool = False


def look(files: Files, path: PurePosixPath) -> Evidence:
    """Return what a Python source says; raises BadSubmissionError, with the line, if Python cannot read it."""
    return _look(files, path, {path})


def _look(files: Files, path: PurePosixPath, seen: set[PurePosixPath]) -> Evidence:
    tree = python_tree(files, path)
    found = Evidence(reads=_reads(tree))
    functions = {node.name for node in _statements(tree) if isinstance(node, _Function)}
    bases: set[str] = set()
    for node in _statements(tree):
        match node:
            case ast.ClassDef():
                _judge(node, path, found)
                bases |= _names(node.bases)
            case ast.ImportFrom():
                found.unsure |= _imported(node, files, path, seen)
            case ast.Assign():
                found.unsure |= _names(node.targets)
            case ast.If(test=test) if any(isinstance(one, ast.Name) and one.id == "__name__" for one in ast.walk(test)):
                found.main = True
            case ast.Expr(value=ast.Call(func=ast.Name(id=name))) if name in functions:
                found.main = True
    found.players = [name for name in found.players if name not in bases]
    return found


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield what runs when a module is imported, without the insides of functions and classes, in the order of the source."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if node is not tree:
            yield node
        if node is tree or isinstance(node, _Scope | ast.ExceptHandler):
            stack += reversed(list(ast.iter_child_nodes(node)))


def _names(nodes: list[ast.expr]) -> set[str]:
    return {node.id for node in nodes if isinstance(node, ast.Name)}


def _reads(tree: ast.Module) -> bool:
    """Tell whether a source names input.txt in a string that it uses, or the course's function that reads it."""
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if "input.txt" in text and id(node) not in docstrings:
                return True
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name) if name == _READER:
                return True
    return False


def _imported(node: ast.ImportFrom, files: Files, path: PurePosixPath, seen: set[PurePosixPath]) -> set[str]:
    """Return the names that `from ... import ...` may bring; for `*`, those of the submission's own file of that name."""
    if all(alias.name != "*" for alias in node.names):
        return {alias.asname or alias.name for alias in node.names}
    source = path.parent / f"{(node.module or '').replace('.', '/')}.py"
    if str(source) not in files or source in seen:
        return set()
    seen.add(source)
    try:
        found = _look(files, source, seen)
    except BadSubmissionError:
        return set()
    return {*found.players, *found.unsure}


# Classes


def _judge(node: ast.ClassDef, path: PurePosixPath, found: Evidence) -> None:
    """Note whether a class can play."""
    # A class is judged by its last definition.
    found.players = [name for name in found.players if name != node.name]
    bases = [base for base in node.bases if _names([base]).isdisjoint(_EMPTY_BASES)]
    strange = bool(bases or node.decorator_list or node.keywords)
    methods = [one for one in _statements(node) if getattr(one, "name", "") == _METHOD]
    assigned = any(isinstance(one, ast.Name) and one.id == _METHOD for one in ast.walk(node))
    complaint = "" if strange else _complaint(methods, path)
    if complaint:
        found.unfit[node.name] = complaint
    elif methods or assigned or not _names(node.bases).isdisjoint(found.players):
        found.players.append(node.name)
    elif strange:
        found.unsure.add(node.name)
    else:
        where = f"{shown(path)}, line {node.lineno}"
        found.unfit[node.name] = f"{where}: expected a method get_input(self, go, piece_type) in class {node.name}, found none"


def _complaint(methods: list[ast.AST], path: PurePosixPath) -> str:
    """Return why none of these can be called as `get_input(go, piece_type)` on an object, one line; '' if they can."""
    for method in methods:
        if isinstance(method, ast.AsyncFunctionDef):
            return f"{shown(path)}, line {method.lineno}: expected a plain method get_input, got an async one"
        if isinstance(method, ast.FunctionDef) and not method.decorator_list:
            given = method.args
            most = len(given.posonlyargs) + len(given.args)
            needed = most - len(given.defaults)
            if needed > 3 or (most < 3 and given.vararg is None) or any(one is None for one in given.kw_defaults):
                got = printable(_parameters(given), 60)
                line = f"{shown(path)}, line {method.lineno}"
                return f"{line}: expected get_input(self, go, piece_type), got get_input({got})"
    return ""


def _parameters(given: ast.arguments) -> str:
    """Return parameters as Python writes them, with `...` for defaults and without annotations: both may be of any depth.

    They are cut off the tree.
    """
    dots = ast.Constant(...)
    given.defaults = [dots for _ in given.defaults]
    given.kw_defaults = [one and dots for one in given.kw_defaults]
    for one in (*given.posonlyargs, *given.args, given.vararg, *given.kwonlyargs, given.kwarg):
        if one is not None:
            one.annotation = None
    return ast.unparse(given)
