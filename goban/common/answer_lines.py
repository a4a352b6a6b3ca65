"""Which line of a player's own get_input returned its answer, and what stands there.

    with AnswerLines(player, home) as lines:
        answer = player.get_input(go, piece_type)
    lines.places()              [("my_player.py", 57, "get_input")], [] if it is not known
    passages(places, home)      the same with the lines of source around each, as pages show them

The frame of get_input is taken hold of as it begins, by a trace function that ends itself at once: the player's code runs as
fast as ever, and finds no tracing. A frame that has returned still says at which line it was. Where get_input is one line that
only hands on to another function of the player's own, that one's line is found too.

What is said of a submission is the submission's own word: its code could change it.
"""

from __future__ import annotations

import builtins
import os
import sys
from collections.abc import Mapping, Sequence
from dis import get_instructions
from functools import partial
from inspect import getattr_static
from types import CellType, CodeType, FrameType, FunctionType, MethodType, TracebackType

from goban.common.excerpts import printable
from goban.common.player_faults import Place, line_of, own_places

Passage = tuple[str, int, str, int, list[str]]
"""A file, the line in it, the function whose line it is; the number of the first of some lines, and these lines."""

MOST_PLACES = 3
_BEFORE, _AFTER = 3, 2
_LINE_SIGNS = 160
_MOST_READ = 1 << 20
_MOST_WRAPPED = 12
_CALLS = ("CALL", "CALL_KW", "CALL_FUNCTION_EX")
_WRAPPED = (FunctionType, MethodType, partial, staticmethod, classmethod)


class AnswerLines:
    """Within the block a player is asked for one answer. home: the folder of its own files."""

    def __init__(self, player: object, home: str) -> None:
        self._home = home
        self._code = _code_of(player, home) if home else None
        self._frames: list[FrameType] = []

    def __enter__(self) -> AnswerLines:
        # Whoever traces already, a debugger, is left alone.
        if self._code is not None and sys.gettrace() is None:
            sys.settrace(self._called)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if sys.gettrace() == self._called:
            sys.settrace(None)

    def places(self) -> list[Place]:
        """Return the places, get_input's first; to be asked once, after the block."""
        frames, self._frames = self._frames, []
        found = [(frame.f_code.co_filename, _line(frame), frame.f_code.co_name) for frame in frames]
        return own_places(found, self._home)

    def _called(self, frame: FrameType, event: str, argument: object) -> None:
        code, frames = frame.f_code, self._frames
        if not frames and code is not self._code:
            return
        if frames and (frame.f_back is not frames[-1] or not own_places([(code.co_filename, 0, "")], self._home)):
            return
        frames.append(frame)
        if len(frames) == MOST_PLACES or not _hands_on(code):
            sys.settrace(None)


def _hands_on(code: CodeType) -> bool:
    """Tell whether a function is one line with one call in it, but for those of built-in functions."""
    lines = {line for _, _, line in code.co_lines() if line is not None} - {code.co_firstlineno}
    if len(lines) > 1:
        return False
    calls = sum(instruction.opname in _CALLS for instruction in get_instructions(code))
    return calls - sum(hasattr(builtins, name) for name in code.co_names) == 1


def _line(frame: FrameType) -> int:
    return line_of(frame.f_code, frame.f_lasti, frame.f_lineno)


def _code_of(player: object, home: str) -> CodeType | None:
    """Return the code of a player's get_input, below what decorators and the maker of the player have put around it.

    None if it is not written in Python, or in no file of its own. Nothing of the player's is called.
    """
    waiting = [getattr_static(player, "get_input", None)]
    codes: list[CodeType] = []
    for thing in waiting:
        if isinstance(thing, staticmethod | classmethod | MethodType):
            thing = thing.__func__
        if isinstance(thing, partial):
            thing = thing.func
        if isinstance(thing, FunctionType):
            codes.append(thing.__code__)
            around = [*map(_content, thing.__closure__ or ()), thing.__dict__.get("__wrapped__")]
            waiting += [one for one in around if isinstance(one, _WRAPPED)][: max(0, _MOST_WRAPPED - len(waiting))]
    own = [code for code in codes if own_places([(code.co_filename, 0, "")], home)]
    return next((code for code in own if code.co_name == "get_input"), own[0] if own else None)


def _content(cell: CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # it is empty
        return None


# What stands there


def passages(places: Sequence[Place], home: str) -> list[Passage]:
    """Return some places with the source around them, fit to be shown; those left out that no file in `home` has.

    Whatever the places say, only files below that folder are read.
    """
    found = []
    for file, line, function in places[:MOST_PLACES]:
        source = _source(home, file)
        if type(line) is int and 0 < line <= len(source):
            first = max(1, line - _BEFORE)
            lines = [printable(text.expandtabs(4), _LINE_SIGNS) for text in source[first - 1 : line + _AFTER]]
            found.append((printable(file, 100), line, printable(str(function), 60), first, lines))
    return found


def passages_by_move(found: Mapping[int, Sequence[Passage]], unknown: Mapping[int, str] | None = None) -> list[object]:
    """Return the passages of a game as pages read them, or [] for none.

    It is [move -> places in a list, the list], with each passage once. unknown: move -> a sentence that says why it is not
    known where that was returned; those that say something come third.
    """
    different: list[Passage] = []
    moves: dict[str, list[int]] = {}
    for move, those in sorted(found.items()):
        different += [one for one in those if one not in different]
        if those:
            moves[str(move)] = [different.index(one) for one in those]
    reasons = {str(move): why for move, why in (unknown or {}).items() if why}
    return [moves, different, *([reasons] if reasons else [])] if moves or reasons else []


def _source(home: str, file: str) -> list[str]:
    """Return the lines of a file in a folder, [] if there is no such Python file, or a link leads to it."""
    path = os.path.join(home, file)
    if not home or not file.endswith(".py") or "\0" in file:
        return []
    if os.path.realpath(path) != os.path.join(os.path.realpath(home), file):
        return []
    try:
        with open(path, encoding="utf-8", errors="replace") as source:
            return source.read(_MOST_READ).splitlines()
    except OSError:
        return []
