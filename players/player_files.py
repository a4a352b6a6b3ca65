"""Players' files, run as separate modules, under the same conditions as at the judge.

    current folder     that of the file, also for files opened by a bare name; modules can be imported from there
    sys.argv           the file's name
    standard input     ends at once, unless a person plays
    randomness         numbers drawn, or seeds set, while the file is loaded do not affect the games

They hold only while code of such a file runs: only for that does this module edit sys.path and change folders.

    module = load_file("ann/my_player.py")
    with beside(module): ...                  what runs now is the file's own, too
    stay_beside(module, player)               and what this player does when it is asked
    data_of(module)                           what its own modules remember
"""

from __future__ import annotations

import io
import os
import random
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from itertools import islice
from types import ModuleType
from typing import Any

from goban.common.player_faults import endless, fault_line, steps
from players.errors import BadPlayerError

PROJECT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
_COURSE = os.path.join(PROJECT, "gojudge", "inside", "course_modules")
"""The modules that the course gave to everybody: host, read, write and its players. The judge provides them too."""

_SURROUNDINGS: dict[str, Surroundings] = {}
# A file of such a name beside a player is never looked at, as at the judge.
_OF_THE_HOST = {"go", "goban"}
# What data are made of. Of other things (functions, compiled code, open files) it cannot be told whether they have changed.
_DATA = {"builtins", "collections", "array", "random", "numpy"}


class FolderFiles(Mapping[str, bytes]):
    """The files of a folder by their names, read when they are looked at."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def __getitem__(self, name: str) -> bytes:
        try:
            with open(os.path.join(self._folder, name), "rb") as file:
                return file.read()
        except (OSError, ValueError):
            raise KeyError(name) from None

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and os.path.isfile(os.path.join(self._folder, name))

    def __iter__(self) -> Iterator[str]:
        return iter(os.listdir(self._folder))

    def __len__(self) -> int:
        return len(os.listdir(self._folder))


def read_file(path: str) -> bytes:
    """Return a player file's contents; raises BadPlayerError."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BadPlayerError(f"player file {path!r} cannot be read: {reason}") from error


def is_ours(path: str) -> bool:
    """Return True if a file is the project's own `my_player.py`, as shipped: the one at the top may by now be a student's."""
    if "\0" in path or os.path.realpath(path) != os.path.join(PROJECT, "my_player.py"):
        return False
    shipped = os.path.join(PROJECT, "players", "shipped", "my_player.py")
    return os.path.isfile(shipped) and read_file(path) == read_file(shipped)


def load_file(path: str, ours: bool = False) -> ModuleType:
    """Run a file as a module of its own, whatever its name clashes with; leaves no compiled file beside it.

    ours: it is the project's own, and runs as all of the project does. Raises BadPlayerError.
    """
    source, file = read_file(path), os.path.realpath(path)
    # A dot would make it a package's, in which pickle looks for what the file defines.
    module = ModuleType(f"player file {file.replace('.', '_')}")
    # As Python has it for a file that it runs. Without a package, a relative import says that it cannot be one.
    module.__file__, module.__package__ = file, ""
    sys.modules[module.__name__] = module
    if not ours:
        _SURROUNDINGS[module.__name__] = Surroundings(file)
    try:
        with _first_on_path(PROJECT) if ours else beside(module), _unmoved_chance():
            exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)
    except BaseException as error:
        del sys.modules[module.__name__]
        _SURROUNDINGS.pop(module.__name__, None)
        if isinstance(error, KeyboardInterrupt):
            error.add_note(endless(steps(error.__traceback__), os.path.dirname(file)))
            raise
        raise BadPlayerError(f"player {path!r}: {fault_line(error, os.path.dirname(file))}") from error
    return module


@contextmanager
def _first_on_path(folder: str) -> Iterator[None]:
    path = list(sys.path)
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        sys.path[:] = path


@contextmanager
def _unmoved_chance() -> Iterator[None]:
    """Leave the global generators as they were: the judge seeds them after a file is loaded."""
    ours, theirs = random.getstate(), _numpy_random()
    before = None if theirs is None else theirs.get_state()
    try:
        yield
    finally:
        random.setstate(ours)
        if theirs is not None:
            theirs.set_state(before)


def _numpy_random() -> Any:  # noqa: ANN401
    return sys.modules.get("numpy.random")


def beside(module: ModuleType) -> AbstractContextManager[object]:
    """Let a module's code run as its file's own, if `load_file` has loaded it."""
    return _SURROUNDINGS.get(module.__name__, nullcontext())


def stay_beside(module: ModuleType, player: Any, by_hand: bool = False) -> None:  # noqa: ANN401
    """Have a player's `get_input` run within `beside`, if its module is such a file. by_hand: a person is asked."""
    surroundings, get_input = _SURROUNDINGS.get(module.__name__), player.get_input
    if surroundings is None:
        return
    surroundings.by_hand = by_hand

    def asked(go: object, piece_type: int) -> object:
        with surroundings:
            return get_input(go, piece_type)

    # Where a class allows no such attribute it is asked as it is.
    with suppress(Exception):
        player.get_input = asked


def code_is_running() -> bool:
    """Return True while code of a player's file is running."""
    return any(surroundings.entered for surroundings in _SURROUNDINGS.values())


class Surroundings:
    """What code of a file finds: see the top of this page. In between, its modules are nobody else's, whatever their names.

    Within itself it changes nothing: a player may load its own file again while it is asked. by_hand: whether a person is at
    the keyboard.
    """

    def __init__(self, file: str) -> None:
        self.entered = 0
        self.by_hand = False
        self.kept: dict[str, ModuleType] = {}
        self._folder, name = os.path.split(file)
        # What anybody can import is nobody's own.
        self._own = self._folder != PROJECT and self._folder not in map(os.path.realpath, sys.path)
        self._beside = _modules_in(self._folder) - _OF_THE_HOST if self._own else set()
        self._argv = [name]
        self._hidden: dict[str, ModuleType] = {}
        self._before = 0
        self._outside: tuple[str, list[str], Any, bool] = "", [], None, False

    def __enter__(self) -> None:
        self.entered += 1
        if self.entered > 1:
            return
        self._outside = _current_folder(), sys.argv, sys.stdin, sys.dont_write_bytecode
        os.chdir(self._folder)
        sys.argv, sys.dont_write_bytecode = self._argv, True
        if not self.by_hand:
            sys.stdin = io.StringIO()
        if self._own:
            self._before = len(sys.modules)
            self._hidden = self._hide_others()
            sys.modules.update(self.kept)
            sys.path.insert(0, self._folder)
            sys.path.append(_COURSE)

    def __exit__(self, *error: object) -> None:
        self.entered -= 1
        if self.entered:
            return
        folder, sys.argv, stdin, sys.dont_write_bytecode = self._outside
        with suppress(OSError):  # it has been removed, or closed, meanwhile
            os.chdir(folder)
        if not self.by_hand:
            sys.stdin = stdin
        if self._own:
            self._hide()

    def _hide_others(self) -> dict[str, ModuleType]:
        """Take away what has the name of a module of the file's own, also of one that it may import yet; return that."""
        # At the judge, nothing of this project but the host can be in the way.
        ours = {name for name in self._beside & sys.modules.keys() if _folder_of(sys.modules[name]) == PROJECT}
        names = {name for name in self.kept if name in sys.modules}
        if ours:
            names |= {name for name in sys.modules if name.partition(".")[0] in ours}
        return {name: sys.modules.pop(name) for name in names}

    def _hide(self) -> None:
        for folder in (self._folder, _COURSE):
            if folder in sys.path:
                sys.path.remove(folder)
        # New modules are the last ones.
        new = list(islice(reversed(sys.modules), max(0, len(sys.modules) - self._before + len(self._hidden))))
        own = {name for name in new if "." not in name and _folder_of(sys.modules[name]) == self._folder}
        self.kept.update({name: sys.modules.pop(name) for name in new if name.partition(".")[0] in own})
        sys.modules.update(self._hidden)


def _modules_in(folder: str) -> set[str]:
    """Return the names of the modules and packages in a folder."""
    with suppress(OSError), os.scandir(folder) as found:
        return {entry.name.removesuffix(".py") for entry in found if entry.name.endswith(".py") or entry.is_dir()}
    return set()


def _current_folder() -> str:
    try:
        return os.getcwd()
    except OSError:
        return os.sep


def _folder_of(module: ModuleType) -> str:
    """Return the folder in which a module's file or a package lies, '' if it is nowhere."""
    file = getattr(module, "__file__", None)
    if not isinstance(file, str):
        return ""
    place = os.path.realpath(file)
    return os.path.dirname(os.path.dirname(place) if os.path.basename(place) == "__init__.py" else place)


# What a file remembers


def data_of(module: ModuleType) -> dict[str, bytes]:
    """Return what a file and the modules beside it remember: name -> value, of all data in them and in their classes."""
    surroundings = _SURROUNDINGS.get(module.__name__)
    if surroundings is None:
        return {}
    found: dict[str, bytes] = {}
    modules = {"": module, **surroundings.kept}
    own = _DATA | {one.__name__ for one in modules.values()}
    with surroundings, _unmoved_chance():
        for name, one in modules.items():
            found[name] = b""
            for key, value in list(vars(one).items()):
                if isinstance(value, type) and value.__module__ == one.__name__:
                    found |= {f"{name}.{key}.{inner}": _data(thing, own) for inner, thing in list(vars(value).items())}
                elif not key.startswith("__"):
                    found[f"{name}.{key}"] = _data(value, own)
    return found


def _data(value: object, own: set[str]) -> bytes:
    """Return a value as bytes, b'' for what is no data."""
    if isinstance(value, type) or type(value).__module__ not in own:
        return b""
    # Imported late, because players of the project do without it.
    import pickle

    try:
        return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    except KeyboardInterrupt:
        raise
    except BaseException:  # a stranger's object may do anything when it is looked at
        return b""
