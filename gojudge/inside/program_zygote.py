"""The process that starts a program once per move: a Python file as a fork of itself, anything else for real.

A fork finds interpreter and library loaded; that is most of what a start costs. It runs the file as `__main__`, with
arguments, folder, streams and search path as in a real start, and ends as Python ends. This process is confined before it
looks at the submission, and runs none of it itself. The harness asks over a socket:

    -> {"hello": 1}                                           confined
    <- {"build": [...]}              -> {"ended": status}     a compiler has been run in the program's folder
    <- {"load": {"entry": ..., "command": [...]}}             no command: a Python file
                                     -> {"loaded": true, "why_not": why it must be started for real, '' if forks will do}
    <- {"game": {}} + standard input and output for all programs of the game
    <- {"move": {"seed": n, "real": false, "where": false}}   where: whether a fork tells where it is when it is asked
                                     -> {"ended": status, "waited": seconds}   the program has ended; a status as os.waitpid has
                                                              it; how long its main thread had wanted a core and had none

What a Python program will import is imported before it starts, so that the forks of this process find it loaded. Nothing
of the program's own is loaded or run. The names come from parsing its sources, and names for which its own folder has a file
are left alone. Where early loading could make a difference to the program, `why_not_preload` says so, and the program is
started for real instead.

For a GTP engine such a process is an `EngineStarter`, which says how the engine ends; both are confined. The harness talks GTP
to the engine itself, through two pipes that come with the order. It asks this process over a socket:

    -> {"hello": 1}                                          confined
    <- {"engine": ["gnugo", ...], "path": where it is looked for} + its standard input and output
                                     -> {"started": ""}      or why not, as 'No such file or directory'
                                     -> {"ended": status}    the engine has ended; a status as os.waitpid has it
"""

from __future__ import annotations

import ast
import atexit
import builtins
import faulthandler
import gc
import importlib
import io
import os
import random
import signal
import site
import sys
import threading
import time
import traceback
import warnings
import weakref
from collections.abc import Callable, Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import NoReturn

from gojudge.inside.answer_files import BUILT
from gojudge.inside.process_table import reap_ended, run_delay
from gojudge.inside.protocol import WHERE, Channel, ClosedError, Message
from gojudge.inside.workdirs import remove_tree
from gojudge.inside.zygote import JUDGE_MODULES, forget, words_of


class EngineStarter:
    """Starts one engine. home: the folder in which it runs."""

    def __init__(self, channel: Channel, home: str) -> None:
        self._channel = channel
        self._home = home

    def run(self) -> None:
        """Follow the order, then wait until the harness closes the channel."""
        self._channel.send({"hello": 1})
        try:
            order, pipes = self._channel.receive_with_descriptors(2)
            self._start(order, pipes)
            self._channel.receive()
        except ClosedError:
            return

    def _start(self, order: Message, pipes: list[int]) -> None:
        # The engine closes it by becoming another program; until then it can say why that has failed.
        heard, said = os.pipe()
        engine = os.fork()
        if not engine:
            self._become(order["engine"], order["path"], pipes, said)
        for descriptor in (*pipes, said):
            os.close(descriptor)
        with open(heard, "rb") as failure:
            why_not = failure.read().decode()
        self._channel.send({"started": why_not})
        self._channel.send({"ended": os.waitpid(engine, 0)[1]})

    def _become(self, command: list[str], path: str, pipes: list[int], failure: int) -> NoReturn:
        try:
            self._channel.close()
            os.chdir(self._home)
            for number, pipe in enumerate(pipes):
                os.dup2(pipe, number)
                os.close(pipe)
            os.environ["PATH"] = path
            execute(command)
        except BaseException as error:
            os.write(failure, (getattr(error, "strerror", None) or type(error).__name__).encode())
        finally:
            os._exit(127)


_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)


def execute(command: list[str]) -> NoReturn:
    """Become the program of a command line, in the folder and environment that this process has. Raises OSError."""
    for number in _IGNORED_BY_PYTHON:
        signal.signal(number, signal.SIG_DFL)
    os.execvp(command[0], command)


class ProgramZygote:
    """Starts programs. home: the program's folder; look_at_home: puts it first on the search path for modules."""

    def __init__(self, channel: Channel, home: str, look_at_home: Callable[[], None]) -> None:
        self._channel = channel
        self._home = home
        self._look_at_home = look_at_home
        self._entry = ""
        self._command: list[str] = []
        self._source = b""
        self._code: CodeType | None = None
        self._known: frozenset[str] = frozenset()

    def run(self) -> None:
        """Follow orders until the harness closes the channel."""
        self._channel.send({"hello": 1})
        while True:
            try:
                order, streams = self._channel.receive_with_descriptors(2)
            except ClosedError:
                return
            if streams:
                self._take(streams)
            if "load" in order:
                self._channel.send({"loaded": True, "why_not": self._load(order["load"])})
            elif "build" in order:
                command: list[str] = order["build"]
                self._channel.send(self._start(lambda: _build(command)))  # noqa: B023
            elif "move" in order:
                self._channel.send(self._move(order["move"]))

    def _take(self, streams: list[int]) -> None:
        """Put new files in the place of standard input, output and error, for all that is started from now on."""
        nothing, output = streams
        for file, number in ((nothing, 0), (output, 1), (output, 2)):
            os.dup2(file, number)
        for file in streams:
            os.close(file)

    def _start(self, become: Callable[[], NoReturn]) -> Message:
        """Start a new process that becomes a program; wait for its end and return what is reported of it."""
        # What an earlier program has left us would keep its id, and count against the number of processes.
        reap_ended()
        child = os.fork()
        if not child:
            try:
                self._channel.close()
                # A group of its own: what it sends to its group does not reach this process. A session of its own: see
                # `gojudge.inside.images`.
                os.setsid()
                os.chdir(self._home)
                become()
            except BaseException:
                traceback.print_exc()
                sys.stderr.flush()
            finally:
                os._exit(71)
        # The kernel's count goes with the process, so it is read before the process is reaped.
        os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
        waited = run_delay(child) / 1e9
        return {"ended": os.waitpid(child, 0)[1], "waited": waited}

    def _move(self, move: Message) -> Message:
        seed: int = move["seed"]
        if move["real"] or self._command:
            return self._start(lambda: execute(self._command or [sys.executable, "-s", self._entry]))
        return self._start(lambda: self._run_as_main(seed, move["where"]))

    # Getting ready

    def _load(self, order: Message) -> str:
        """Do all that can be done before the first move; return why forks will not do, '' if they will."""
        self._entry, self._command = order["entry"], order["command"]
        os.chdir("/")
        if self._command:
            return "it is started for real"
        preload(self._home)
        site.setquit()
        site.setcopyright()
        site.sethelper()
        why_not = why_not_preload(self._home, JUDGE_MODULES)
        self._read_source()
        sys.argv[:] = [self._entry]
        sys.orig_argv[:] = [sys.executable, self._entry]
        sys.dont_write_bytecode = False
        for number, name in ((1, "stdout"), (2, "stderr")):
            stream = _stream(number, f"<{name}>", getattr(sys, f"__{name}__"))
            setattr(sys, name, stream)
            setattr(sys, f"__{name}__", stream)
        forget(JUDGE_MODULES)
        self._known = frozenset(sys.modules) - {"__main__"}
        gc.collect()
        # The garbage collector of each fork then skips all objects that are here now.
        gc.freeze()
        # After its first fork this process writes to some memory for the first time: no move is to see that it is the first.
        self._start(lambda: os._exit(0))
        return why_not

    def _read_source(self) -> None:
        """Compile the file. A failure is ignored here: the fork will meet it, and show it to the player."""
        try:
            with open(f"{self._home}/{self._entry}", "rb") as file:
                self._source = file.read()
            self._code = _compile(self._source, f"{self._home}/{self._entry}")
        except Exception:
            self._source, self._code = b"", None

    # In the fork

    def _run_as_main(self, seed: int, where: bool) -> NoReturn:
        """Run the file as Python runs a script, and end this process as Python does."""
        if where:
            faulthandler.register(WHERE, 2, all_threads=False)
        self._look_at_home()
        random.seed(seed)
        # numpy loads this part on first use, so it may be missing even where numpy is there.
        if "numpy.random" in sys.modules:
            sys.modules["numpy"].random.seed(words_of(seed))
        _leave(_status_of(self._run), self._known)

    def _run(self) -> None:
        path = f"{self._home}/{self._entry}"
        try:
            with open(path, "rb") as file:
                source = file.read()
        except OSError as error:
            sys.stderr.write(f"{sys.executable}: can't open file {path!r}: [Errno {error.errno}] {error.strerror}\n")
            raise SystemExit(2) from None
        main, ours = ModuleType("__main__"), vars(sys.modules["__main__"])
        vars(main).update(__file__=path, __builtins__=builtins, __loader__=SourceFileLoader("__main__", path))
        # Python 3.14 gives a program no annotations before it has some, and later ones no __cached__.
        vars(main).update({name: value for name, value in (("__cached__", None), ("__annotations__", {})) if name in ours})
        sys.modules["__main__"] = main
        # A program may have rewritten its own file.
        code = self._code if self._code is not None and source == self._source else _compile(source, path)
        exec(code, vars(main))


def _compile(source: bytes, path: str) -> CodeType:
    code: CodeType = compile(source, path, "exec", dont_inherit=True)
    return code


def _status_of(run: Callable[[], None]) -> int:
    """Run it; return the exit status Python would end with. An exception is printed to stderr without our own frames."""
    try:
        run()
    except SystemExit as leaving:
        if leaving.code is None or isinstance(leaving.code, int):
            return int(leaving.code or 0) & 0xFF
        sys.stdout.flush()
        sys.stderr.write(f"{leaving.code}\n")
        return 1
    except BaseException as error:
        sys.stdout.flush()
        step = error.__traceback__
        while step is not None and step.tb_frame.f_code.co_filename == _status_of.__code__.co_filename:
            step = step.tb_next
        sys.excepthook(type(error), error.with_traceback(step), step)
        return 1
    return 0


def _leave(status: int, known: frozenset[str]) -> NoReturn:
    """End this process as Python ends: wait for threads, run exit handlers, destroy the program's objects, flush.

    A file that was never closed is written out when its object is destroyed. A real shutdown of Python takes several times as
    long, since it takes down everything that was loaded before the fork.
    """
    try:
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        _flush()
        main = sys.modules.pop("__main__")
        modules = [weakref.ref(sys.modules.pop(name)) for name in list(sys.modules) if name not in known]
        gc.collect()
        _clear(main)
        for module in (found() for found in modules):
            if module is not None:
                _clear(module)
        gc.collect()
    except BaseException:
        traceback.print_exc()
    finally:
        _flush()
        os._exit(status)


def _clear(module: ModuleType) -> None:
    """Set the names of a module to None one by one, in Python's order, so that its objects are destroyed in that order."""
    for underscore in (True, False):
        for name in [name for name in vars(module) if name.startswith("_") == underscore and not name.startswith("__")]:
            vars(module)[name] = None


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BaseException:
            continue


def _stream(descriptor: int, name: str, like: io.TextIOWrapper) -> io.TextIOWrapper:
    """Return a text stream as Python makes it for a pipe; like: the one Python made for this process."""
    raw = io.FileIO(descriptor, "w", closefd=False)
    raw.name = name
    buffer = io.BufferedWriter(raw, os.fstat(descriptor).st_blksize)
    made = io.TextIOWrapper(buffer, like.encoding, like.errors, "\n", like.line_buffering)
    made.mode = "w"  # type: ignore[misc]
    return made


def _build(command: list[str]) -> NoReturn:
    # Whatever the submission has brought along under this name no compiler of ours has written.
    remove_tree(Path(BUILT))
    os.mkdir(BUILT)
    execute(command)


# After so many seconds nothing more is loaded; the program loads the rest itself.
_PATIENCE = 5.0
_MOST_SOURCES, _MOST_BYTES = 50, 1 << 20

# Importing one of these does something visible.
_DO_SOMETHING = frozenset({"antigravity", "this", "idlelib", "test", "turtledemo", "__hello__", "__phello__", "__main__"})

# Parts that a library loads only when a program first uses them.
_PARTS_LOADED_LATE = ("numpy.random", "numpy.linalg")

# Python loads these at every start, before it looks into the program's own folder: a file there never takes their place.
_ALWAYS_LOADED = frozenset(
    {
        "__main__", "abc", "aliases", "codecs", "encodings", "genericpath", "importlib", "io", "os", "posixpath", "site",
        "stat", "sys", "zipimport", "zipfile", "_collections_abc", "_sitebuiltins",
    }
)  # fmt: skip


def own_names(home: str) -> set[str]:
    """Return the names under which a program can import what lies in its folder."""
    return {entry.name.partition(".")[0] for entry in os.scandir(home)}


def preload(home: str) -> None:
    """Import what the sources in a folder import from elsewhere. Failures are ignored: the program will meet them itself."""
    own = own_names(home) | _DO_SOMETHING
    started = time.monotonic()
    for name in dict.fromkeys((*_imports(home), *_PARTS_LOADED_LATE)):
        if name in _PARTS_LOADED_LATE and name.partition(".")[0] not in sys.modules:
            continue
        if name.partition(".")[0] in own or time.monotonic() - started > _PATIENCE:
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                importlib.import_module(name)
        except BaseException:
            continue


def why_not_preload(home: str, ours: frozenset[str]) -> str:
    """Return why early loading would change what a program imports, one line; '' if it would not.

    That is so where the program has a file of its own with the name of a module that is loaded by now. ours: names of
    modules that the program will not find loaded.
    """
    loaded = {name.partition(".")[0] for name in sys.modules} - ours - _ALWAYS_LOADED - set(sys.builtin_module_names)
    hidden = sorted(own_names(home) & loaded)
    return f"its {hidden[0]} stands in for a module of that name" if hidden else ""


def _imports(home: str) -> Iterator[str]:
    """Yield the names of the modules that the sources in a folder import, also those imported within functions."""
    sources = sorted(entry.path for entry in os.scandir(home) if entry.name.endswith(".py") and entry.is_file())
    for path in sources[:_MOST_SOURCES]:
        try:
            with open(path, "rb") as file, warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(file.read(_MOST_BYTES))
        except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield node.module
