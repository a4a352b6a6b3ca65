"""What a player did wrong, in words, from what its process says and how it ended: text and numbers from a stranger."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path, PurePosixPath

from goban.common.excerpts import printable, quoted, without_addresses
from goban.common.player_faults import ASKS_FOR_INPUT, FULL_NAME, Place, endless, place
from gojudge.inside.protocol import Message
from gojudge.records import Fault, Termination
from gojudge.sandbox.transcripts import presentable, shorten_paths

# An error at the beginning of a line: 'MemoryError', 'numpy...ArrayMemoryError: Unable to allocate', 'Exception in thread
# "main" java.lang.OutOfMemoryError: Java heap space', "terminate called after throwing an instance of 'std::bad_alloc'".
_ERRORS = re.compile(
    r"""^(?:Exception in thread "[^"\n]*" |terminate called after throwing an instance of ')?"""
    r"""((?:[\w.]*(?:Error|Exception)|std::\w+)\b)""",
    re.M,
)
_OUT_OF_MEMORY = ("MemoryError", "std::bad_alloc")

TIMES_ASKED = 5
"""How often a process is asked where it is: where a loop begins again there is no line."""

# As Python's faulthandler prints them, the innermost first.
_CALLS = "(most recent call first):"
_CALL = re.compile(r"""^  File "([^"\n]+)", line (\d{1,9}|\?+) in (.+)$""", re.M)
# The process's own first line of code, or where it leaves off.
_ALL_CALLS = re.compile(r"""^  (?:File "[^"\n]*worker\.py", line \d+ in <module>|\.\.\.)\n""", re.M)
_TIMER = re.compile(r"^Timeout \([\d:.]+\)!\nThread 0x.*", re.M | re.S)
_TRACEBACK = "Traceback (most recent call last):"
_PYTHON_PLACE = re.compile(r"""^ +File "([^"\n]+)", line (\d+)""", re.M)
# Where Python keeps its library and what is installed with it; what is frozen into it has no file.
_LIBRARY = re.compile(r"/lib(?:64)?/python\d|^<")
# An exception that nobody caught, or one that was caught and printed with its stack trace.
_JAVA = re.compile(
    r"""^(?:Exception in thread "[^"\n]*" (.+)|([\w.$]+(?:: .*)?)(?=\n\s+at [^\n]+\())((?:\n\s+(?:at |\.\.\.).*)*)""", re.M
)
_JAVA_PLACE = re.compile(r"^[ \t]+at (?!java\.base/).*\((\w+\.java):(\d+)\)$", re.M)
_JAVA_MAIN = re.compile(r"^Error: (Main method [^,\n]*)", re.M)
_CPP = re.compile(r"^terminate called after throwing an instance of '(.+)'(?:\n  what\(\):  (.*))?", re.M)
# What Python prints of a tuple or a list, too.
_ANSWER = re.compile(r"PASS|[(\[]?\d{1,2}, ?\d{1,2}[)\]]?")
_LONGEST_CAUSE = 300
# What may help: `goban.common.player_faults` says the same of a class, whose exceptions it sees itself.
_HINTS = {
    re.compile(r"EOFError: EOF when reading a line"): ASKS_FOR_INPUT,
    re.compile(r"FileNotFoundError: .*: '.*[\\/](?:in|out)put\.txt'"): "; open it by its bare name",
    re.compile(rf"FileNotFoundError: .*: '(?:{FULL_NAME}|[A-Za-z]:)"): (
        "; hand the file in beside yours, and open it by its bare name"
    ),
}  # fmt: skip

_SIGNALS = {int(each): each.name for each in signal.Signals}


def out_of_turn(message: Message) -> str:
    """Return what is said of a message that was not expected."""
    return f"it answered out of turn: {quoted(message)}"


def fault_of(message: Message, starting: bool = False) -> Fault:
    """Return the fault for an exception that the player's process describes, or for whatever else it sent in its place.

    starting: whether the player had not been asked yet.
    """
    error = message.get("error")
    kind = Termination.START_UP_FAILURE if starting else Termination.CRASH
    if type(error) is not dict or any(type(error.get(key)) is not str for key in ("type", "line", "trace")):
        return Fault(kind, out_of_turn(message))
    if error["type"] == "memory":
        kind = Termination.OUT_OF_MEMORY
    line = shorten_paths(printable(error["line"], 300)) or "an exception"
    return Fault(kind, line, shorten_paths(presentable(error["trace"]))[-4000:])


def ran_out_of_memory(output: str) -> bool:
    """Tell whether the last error that a program printed says that it could not get memory.

    Knows how Python, numpy, C++ and Java say it. A program that says so falsely harms only itself.
    """
    errors = _ERRORS.findall(output)
    return bool(errors) and errors[-1].endswith(_OUT_OF_MEMORY)


def death(status: object) -> str:
    """Return how a process ended, in words. status: as os.waitpid has it, but reported by a stranger, so of any type."""
    if type(status) is int and 0 <= status < 1 << 16:
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            return f"its process was ended by {_SIGNALS.get(number, f'signal {number}')}"
        return f"its process ended with status {os.WEXITSTATUS(status)}"
    return "its process ended"


def has_all_calls(output: str) -> bool:
    """Tell whether a process that was asked where it is has said all that it will say."""
    _, asked, calls = output.rpartition(_CALLS)
    return bool(asked and _ALL_CALLS.search(calls))


def without_calls(output: str) -> str:
    """Return what a program printed before a timer had it say where it is, which is not the player's print."""
    return _TIMER.sub("", output)


def stuck_at(output: str, home: str, folder: Path) -> str:
    """Return where a submission that is not loaded in time loops, from the calls that its process has printed; '' if unknown.

    home: what its process calls its folder; folder: where that is.
    """
    return endless(_calls_in(output), home, str(folder))


def hangs_at(output: str, home: str) -> str:
    """Return where a player is that does not answer, in the same way, as ' (my_player.py, line 3)'."""
    return place([call for call in _calls_in(output) if call[1]], home)


def _calls_in(output: str) -> list[Place]:
    """Return the calls that a process has printed last when it was asked where it is, the innermost last."""
    _, asked, calls = output.rpartition(_CALLS)
    places = [(call[1], int(call[2].replace("?", "") or 0), call[3]) for call in _CALL.finditer(calls if asked else "")]
    return places[::-1]


def cause(output: str) -> str:
    """Return the last error that a program printed, with file and line where they are said, as one line; '' if none.

    Knows the tracebacks of Python and Java, whether the error was caught or not, and what C++ says of an exception that
    nobody caught. output: what the program printed, presentable.
    """
    if (start := output.rfind(_TRACEBACK)) >= 0:
        return _python_cause(output[start + len(_TRACEBACK) :])
    if exceptions := list(_JAVA.finditer(output)):
        return _with_place(exceptions[-1][1] or exceptions[-1][2], _JAVA_PLACE.search(exceptions[-1][3]))
    if main := _JAVA_MAIN.search(output):
        return _with_place(f"{main[1]}: expected `public static void main(String[] args)`", None)
    if thrown := list(_CPP.finditer(output)):
        return _with_place(": ".join(part for part in thrown[-1].groups() if part), None)
    return ""


def answer_instead(output: str) -> str:
    """Return what to say of a program whose last printed line is an answer, which belongs into a file; '' for any other."""
    last = next((line.strip() for line in reversed(output.splitlines()) if line.strip()), "")
    return f"; it printed {quoted(last)}, which belongs into output.txt" if _ANSWER.fullmatch(last) else ""


def _python_cause(trace: str) -> str:
    lines = trace.splitlines()
    error = next((number for number, line in enumerate(lines) if line and not line.startswith(" ")), None)
    if error is None:
        return ""
    places = [place for place in _PYTHON_PLACE.finditer("\n".join(lines[:error])) if not _LIBRARY.search(place[1])]
    hint = next((words for sign, words in _HINTS.items() if sign.match(lines[error])), "")
    return _with_place(lines[error] + hint, places[-1] if places else None)


def _with_place(line: str, place: re.Match[str] | None) -> str:
    where = f" ({printable(PurePosixPath(place[1]).name, 60)}, line {place[2]})" if place is not None else ""
    return printable(without_addresses(line.strip()), _LONGEST_CAUSE) + where
