"""What a player's code does wrong when it is loaded, made and asked, in words: one line, the same wherever it runs.

    my_player.py, line 1: loops at module level
    expected a class MyPlayer, found an object MyPlayer
    ZeroDivisionError: division by zero (my_player.py, line 12)
    ImportError: attempted relative import with no known parent package; write `from helper import x` (my_player.py, line 1)

`goban.common.player_sources` says what can be seen before it runs, and `goban.moves` what an answer is.

AnswerLines say which line of a player's own get_input returned its answer, and what stands there:

    with AnswerLines(player, home) as lines:
        answer = player.get_input(go, piece_type)
    lines.places()              [("my_player.py", 57, "get_input")], [] if it is not known
    passages(places, home)      the same with the lines of source around each, as pages show them

The frame of get_input is taken hold of as it begins, by a trace function that ends itself at once: the player's code runs as
fast as ever, and finds no tracing. A frame that has returned still says at which line it was. Where get_input is one line that
only hands on to another function of the player's own, that one's line is found too.

All this is the submission's own word: its code could change it.
"""

from __future__ import annotations

import builtins
import errno
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dis import get_instructions
from functools import partial
from inspect import getattr_static
from types import CellType, CodeType, FrameType, FunctionType, MethodType, ModuleType, TracebackType

from goban.common.excerpts import error_line, printable, suggestion

ASYNC = "expected a plain method get_input, got an async one"
NOTEBOOK = "it is a notebook; export it as a script, a file that ends in .py"
GO_PLAY_MAIN = "go_play.main() plays games with players; a player does not call it"
ASKS_FOR_INPUT = "; it asks for input, and nobody is at the keyboard"
CHANGED_BOARD = "; your copy go.board was changed in this turn"

# Patterns are compiled when they are used: every player's start imports this.
_PYTHON_2 = r"Missing parentheses in call|multiple exception types must be|leading zeros"
# Beginnings of statements that older versions of Python do not know; what they know of f-strings differs, too.
_NEWER = r"\s*(class|def|async\s+def)\s+\w+\s*\[|\s*type\s+\w.*=|.*\bt['\"]"
_RELATIVE = r"\s*from\s+\.+(?!\.)(?:\s*([\w.]+))?\s+import\s+(.+)"
_IS_PYTHON_2 = "this looks like Python 2"
# Names that players use and that nobody has defined.
_NAMES = {
    "GO": "write `from go import GO`", **dict.fromkeys(("raw_input", "xrange", "unicode", "unichr", "long"), _IS_PYTHON_2),
    **dict.fromkeys(("exit", "quit"), "a player returns its move, and does not end the program"),
}  # fmt: skip
_MADE_WITH = r"(\w+)\.__init__\(\) missing \d+ required positional arguments?"
_WITHOUT_ARGUMENTS = "; a player is made without arguments"
# Beginnings of lines that are no Python, and how they come into a file.
_PASTED = (
    (r"(<{7}|={7}|>{7})(\s|$)", "a merge has left its marks"),
    (r"\s*```", "this mark belongs to Markdown; delete the line"),
    (r"\s*(>>>|\.\.\.) ", "this was copied from a terminal, with its prompt"),
    (r"(?i:\s*<(!doctype|html|\?xml))", "it is a web page; download the file itself"),
    (r"\s*\{\\rtf", "it is rich text; save it as plain text"),
)
# Where a module lies, at the end of a message about a name that it does not have.
_PATH = r" \((/|[A-Za-z]:).*\)$"
_PICKLED_ELSEWHERE = r"Can't get attribute '(\w{1,60})' on (<module .*>)$"
# The same since Python 3.14.
_PICKLED_BY_MAIN = r"module '__main__' has no attribute '(\w{1,60})'$"
FULL_NAME = r"/(?!(?:dev|proc|sys)/)"
"""How the full name of a file begins that somebody could hand in: what the kernel shows is nobody's file."""
# Files by their full names, which other machines do not have; on Windows with a drive.
_ELSEWHERE = FULL_NAME + r"|[A-Za-z]:[\\/]"
# What the kernel says where a process may not have a socket, or has no network to use it in.
_NO_NETWORK = (errno.EACCES, errno.EPERM, errno.ENETUNREACH, errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)
_NOT_WRITABLE = (errno.EACCES, errno.EPERM, errno.EROFS)
_MOST_CAUSES = 10
_MOST_READ = 1 << 20

Place = tuple[str, int, str]
"""A file as Python names it, a line in it, 0 if it is unknown, and the function whose line it is; '<module>' for none."""


class RefusedError(Exception):
    """The code runs, but it is no player; the message says why, in one line and in full."""


# Which class plays


def no_class(wanted: str, others: Sequence[str], an_object: bool = False) -> str:
    """Return words for a missing class. others: names of the classes there are; an_object: whether the name is an object's."""
    if an_object:
        return f"expected a class {wanted}, found an object {wanted}"
    listed = ", ".join(printable(name, 60) for name in others[:4]) + (f" and {len(others) - 4} more" if len(others) > 4 else "")
    near = any(_plain(name) == _plain(wanted) for name in others)
    return f"expected a class {wanted}, found {listed or 'no class'}{f'; call it {wanted}' if near else ''}"


def _plain(name: str) -> str:
    return name.lower().replace("_", "")


def class_of(module: ModuleType, class_name: str, file: str) -> type:
    """Return a class of a module that was loaded from a file; raises RefusedError."""
    named = vars(module).get(class_name)
    if isinstance(named, type):
        return named
    values = list(vars(module).items())
    own = [name for name, value in values if isinstance(value, type) and value.__module__ == module.__name__]
    raise RefusedError(f"{file}: {no_class(class_name, own, _is_object_of(named, module))}")


def _is_object_of(thing: object, module: ModuleType) -> bool:
    return thing is not None and type(thing).__module__ == module.__name__


def check_can_be_asked(player: object) -> None:
    """Raise RefusedError for an object that has no method get_input."""
    if not callable(getattr(player, "get_input", None)):
        raise RefusedError("expected a method get_input(go, piece_type), but it has none")


# What went wrong


def fault_words(error: BaseException) -> str:
    """Return what went wrong, as one line: type and message, and what may help. Where it went wrong: see `place`."""
    if isinstance(error, RefusedError):
        return printable(str(error), 300)
    if isinstance(error, SystemExit):
        return "it calls sys.exit()"
    try:
        if isinstance(error, SyntaxError) and isinstance(error.filename, str):
            return f"{printable(os.path.basename(error.filename), 100)}, line {error.lineno or 1}: {syntax_words(error)}"
        if name := _pickled_by_main(error):
            return f"AttributeError: Can't get attribute {name!r} on __main__" + _pickled_elsewhere(name)
        line = error_line(error)
        # At the judge Python's modules lie elsewhere.
        return (re.sub(_PATH, "", line) if isinstance(error, ImportError) else line) + _advice(error)
    except KeyboardInterrupt:
        raise
    except BaseException:  # whatever a stranger's exception does when it is looked at
        return error_line(error)


def fault_line(error: BaseException, home: str) -> str:
    """Return what went wrong, and where in the player's own code. home: its folder."""
    # A syntax error's own text names its line already.
    where = "" if isinstance(error, RefusedError | SyntaxError) else place(steps(error.__traceback__), home)
    words = fault_words(error)
    if isinstance(error, TypeError) and not where and re.search(_MADE_WITH, words) and not words.endswith(_WITHOUT_ARGUMENTS):
        # Of a class with another name, that nobody but the host has made.
        words += _WITHOUT_ARGUMENTS
    return words + where


def syntax_words(error: SyntaxError) -> str:
    """Return what Python cannot read, and what may help."""
    if isinstance(error, TabError):
        return "TabError: its indentation mixes tabs and spaces"
    message, hint = printable(str(error.msg), 120), ""
    pasted = next((words for sign, words in _PASTED if re.match(sign, error.text or "")), "")
    if pasted:
        hint = f" ({pasted})"
    elif is_for_python_2(error):
        hint = f" ({_IS_PYTHON_2})"
    elif re.match(_NEWER, error.text or "") or message.startswith("f-string"):
        hint = f" (Python {sys.version_info.major}.{sys.version_info.minor} runs here)"
    return f"{type(error).__name__}: {message}{hint}"


def is_for_python_2(error: SyntaxError) -> bool:
    """Tell whether a source that cannot be read seems to be for Python 2."""
    return re.search(_PYTHON_2, str(error.msg)) is not None


def _advice(error: BaseException) -> str:
    """Return what to add to a message that tells a student little; '' if it says enough."""
    if isinstance(error, EOFError):
        return _about_input(str(error))
    if isinstance(error, NameError) and type(error.name) is str and error.name in _NAMES:
        return f"; {_NAMES[error.name]}"
    mismatch = re.match(_MADE_WITH, str(error)) if isinstance(error, TypeError) else None
    if mismatch and mismatch[1] == "MyPlayer":
        return _WITHOUT_ARGUMENTS
    if isinstance(error, AttributeError):
        return _about_attribute(error)
    if isinstance(error, ImportError):
        return _about_import(error)
    if isinstance(error, UnicodeDecodeError):
        return "; it is no text in UTF-8: what was saved as bytes is opened with 'rb'"
    if isinstance(error, FileNotFoundError) and isinstance(error.filename, str):
        if re.match(_ELSEWHERE, error.filename):
            return "; hand the file in beside yours, and open it as Path(__file__).parent / its name"
        return _about_capitals(error, error.filename)
    if _wants_network(error):
        return "; there is no network here"
    if isinstance(error, OSError) and error.errno in _NOT_WRITABLE and _was_to_be_written(error):
        return "; only your own folder can be written"
    return ""


def _about_input(message: str) -> str:
    if message == "Ran out of input":
        return "; the file that it reads is empty, or was cut off"
    return ASKS_FOR_INPUT if message.startswith("EOF when reading a line") else ""


def _about_attribute(error: AttributeError) -> str:
    owner, name = error.obj, error.name
    if type(name) is not str:
        return ""
    if type(owner) is ModuleType:
        return _about_module(error, owner.__name__)
    # `go` itself: its names are those of the course, of which many are nearly remembered.
    return suggestion(name, [one for one in dir(owner) if not one.startswith("_")]) if type(owner).__name__ == "GO" else ""


def _about_import(error: ImportError) -> str:
    """Return what may help where a module, or a name in it, was not found."""
    name = error.name if type(error.name) is str else ""
    if "relative import" in str(error):
        return f"; write `{_absolute_import(error)}`"
    if not isinstance(error, ModuleNotFoundError):
        return _about_module(error, name) or ("; write `from go import GO`" if name == "go" else "")
    if name.startswith(("numpy._", "numpy.core")):
        return "; what it reads was saved with another release of numpy"
    return _pickled_elsewhere("") if name.startswith("player file ") else _about_capitals(error, f"{name}.py")


def _pickled_by_main(error: BaseException) -> str:
    """Return the class that pickle looks for in the running program because the program that saved it had it; '' for none."""
    if type(error) is not AttributeError:
        return ""
    if later := re.match(_PICKLED_BY_MAIN, str(error)):
        return later[1]
    match = re.match(_PICKLED_ELSEWHERE, str(error))
    # Its name is that by which Python was told to run it.
    return match[1] if match and match[2] == repr(sys.modules.get("__main__")) else ""


def _pickled_elsewhere(name: str) -> str:
    own, them = (f"class {name}", "it") if name else ("classes", "them")
    return f"; what it reads names the {own} of the program that saved it: keep {them} in a file beside yours, and save anew"


def _about_module(error: BaseException, name: str) -> str:
    """Return why a module may not have what was looked for in it: another one was meant, or another Python."""
    top = name.partition(".")[0]
    own = next((file for file in (f"{top}.py", top) if os.path.exists(os.path.join(_folder_of(error), file))), "")
    if top in ("go", "goban"):
        host = os.path.dirname(getattr(sys.modules.get(top), "__file__", None) or "")
        return f"; {top} is always the host's: give your {own} another name" if own and _folder_of(error) != host else ""
    if top not in sys.stdlib_module_names:
        return ""
    if own:
        return f"; {own} has the name of a module of Python: give it another one"
    return f"; Python {sys.version_info.major}.{sys.version_info.minor} runs here"


def _folder_of(error: BaseException) -> str:
    """Return the folder of the code that has raised an error."""
    calls = [file for file, _, _ in steps(error.__traceback__) if os.path.isabs(file)]
    return os.path.dirname(calls[-1]) if calls else os.devnull


def _about_capitals(error: BaseException, name: str) -> str:
    """Return words about a file whose name differs in capitals only, '' if there is none. Some systems take both for one."""
    for folder in dict.fromkeys(os.path.dirname(file) for file, _, _ in steps(error.__traceback__)[-_MOST_CAUSES:]):
        if os.path.isabs(folder) and not os.path.dirname(name):
            for other in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
                if other != name and other.casefold() == name.casefold():
                    return f"; there is {printable(other, 60)}: capitals count"
    return ""


def _absolute_import(error: ImportError) -> str:
    # Imported late, because it takes a while and is needed for mistakes only.
    import traceback

    lines = traceback.extract_tb(error.__traceback__)
    match = re.match(_RELATIVE, lines[-1].line or "") if lines else None
    if match is None:
        return "from helper import x"
    module, names = printable(match[1] or "", 60), printable(match[2].strip(), 60)
    return f"from {module} import {names}" if module else f"import {names}"


def _wants_network(error: BaseException) -> bool:
    """Tell whether an error, or what lies behind it, came from a socket that was refused or found no network."""
    causes: list[BaseException] = [error]
    for cause in causes:
        if isinstance(cause, OSError) and not cause.filename:
            files = [file for file, _, _ in steps(cause.__traceback__)]
            if type(cause).__name__ == "gaierror":
                return True
            if cause.errno in _NO_NETWORK and any(os.path.basename(file) == "socket.py" for file in files):
                return True
        behind = (cause.__cause__, cause.__context__, getattr(cause, "reason", None))
        new = [one for one in behind if isinstance(one, BaseException) and one not in causes]
        causes += new[: max(0, _MOST_CAUSES - len(causes))]
    return False


def _was_to_be_written(error: OSError) -> bool:
    """Tell whether a file that could not be opened was opened to be written: it is not there, or could be read."""
    file = error.filename
    if not isinstance(file, str):
        return False
    return error.errno == errno.EROFS or not os.path.lexists(file) or os.access(file, os.R_OK)


# Where


def steps(trace: TracebackType | None) -> list[Place]:
    """Return the places of a traceback, the innermost last."""
    places = []
    while trace is not None:
        code = trace.tb_frame.f_code
        places.append((code.co_filename, line_of(code, trace.tb_lasti, trace.tb_lineno), code.co_name))
        trace = trace.tb_next
    return places


def line_of(code: CodeType, instruction: int, line: int | None) -> int:
    """Return the line of an instruction; line: what Python says, which is None where a loop begins again."""
    if line is not None:
        return line
    before = [number for start, _, number in code.co_lines() if number is not None and start <= instruction]
    return before[-1] if before else code.co_firstlineno


def own_places(places: Iterable[Place], home: str) -> list[Place]:
    """Return those of some places that lie in a folder, with their files named from there. home: '' for no folder."""
    inside = home.rstrip(os.sep) + os.sep
    return [(file[len(inside) :], line, name) for file, line, name in places if home and file.startswith(inside)]


def place(places: Iterable[Place], home: str) -> str:
    """Return the innermost of some places that is in the player's own code, as ' (my_player.py, line 3)'; '' if none is."""
    own = own_places(places, home)
    return f" ({printable(own[-1][0], 100)}, line {own[-1][1]})" if own else ""


def method_place(player: object, home: str) -> str:
    """Return where a player's get_input is written, in the same way."""
    code = getattr(getattr(getattr(type(player), "get_input", None), "__func__", None), "__code__", None)
    code = code or getattr(getattr(type(player), "get_input", None), "__code__", None)
    file, line = getattr(code, "co_filename", None), getattr(code, "co_firstlineno", None)
    return place([(file, line, "")], home) if isinstance(file, str) and isinstance(line, int) else ""


def endless(places: Iterable[Place], home: str, folder: str = "") -> str:
    """Return where code does not come to its end, '' if it is none of the player's own: the outermost line.

    Of a loop at module level, the line where it begins: the same one whenever it is asked. folder: where the files lie that
    the code calls `home`, if that is elsewhere.
    """
    own = own_places(places, home)
    if not own or not own[0][1]:
        return ""
    file, line, function = own[0]
    if function != "<module>":
        return f"{printable(file, 100)}, line {line}: loops in {printable(function, 60)}"
    return f"{printable(file, 100)}, line {_first_line(file, line, folder or home)}: loops at module level"


def _first_line(file: str, line: int, folder: str) -> int:
    """Return the first line of the statement at module level that a line belongs to, by their indentation."""
    path = os.path.join(folder, file)
    # A stranger's code may call its files what it likes.
    if os.path.normpath(file) != file or file.startswith("..") or os.path.islink(path) or not os.path.isfile(path):
        return line
    try:
        with open(path, encoding="utf-8", errors="replace") as source:
            lines = source.read(_MOST_READ).splitlines()
    except OSError:
        return line
    for number in range(min(line, len(lines)), 0, -1):
        text = lines[number - 1]
        if text[:1].strip() and not text.startswith(("#", "else", "elif", "except", "finally", ")", "]", "}")):
            return number
    return line


Passage = tuple[str, int, str, int, list[str]]
"""A file, the line in it, the function whose line it is; the number of the first of some lines, and these lines."""

MOST_PLACES = 3
_BEFORE, _AFTER = 3, 2
_LINE_SIGNS = 160

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
            sys.settrace(self._on_call)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if sys.gettrace() == self._on_call:
            sys.settrace(None)

    def places(self) -> list[Place]:
        """Return the places, get_input's first; to be asked once, after the block."""
        frames, self._frames = self._frames, []
        places = [(frame.f_code.co_filename, _line(frame), frame.f_code.co_name) for frame in frames]
        return own_places(places, self._home)

    def _on_call(self, frame: FrameType, event: str, argument: object) -> None:
        code, frames = frame.f_code, self._frames
        if not frames and code is not self._code:
            return
        if frames and (frame.f_back is not frames[-1] or not own_places([(code.co_filename, 0, "")], self._home)):
            return
        frames.append(frame)
        if len(frames) == MOST_PLACES or not _hands_on(code):
            sys.settrace(None)


def _hands_on(code: CodeType) -> bool:
    """Tell whether a function is one line with one call in it; calls of built-in functions do not count."""
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
    shown_passages = []
    for file, line, function in places[:MOST_PLACES]:
        source = _source(home, file)
        if type(line) is int and 0 < line <= len(source):
            first = max(1, line - _BEFORE)
            lines = [printable(text.expandtabs(4), _LINE_SIGNS) for text in source[first - 1 : line + _AFTER]]
            shown_passages.append((printable(file, 100), line, printable(str(function), 60), first, lines))
    return shown_passages


def passages_by_move(by_move: Mapping[int, Sequence[Passage]], unknown: Mapping[int, str] | None = None) -> list[object]:
    """Return the passages of a game as pages read them, or [] for none.

    It is [move -> places in a list, the list], with each passage once. unknown: move -> a sentence that says why it is not
    known where that was returned; those that say something come third.
    """
    different: list[Passage] = []
    moves: dict[str, list[int]] = {}
    for move, those in sorted(by_move.items()):
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
