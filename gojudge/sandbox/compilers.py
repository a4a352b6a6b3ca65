"""Programs that have to be compiled: with which command, into what, and where the results are kept for the next time.

    my_player.cpp      g++ -O2 *.cpp
    my_player.java     javac my_player.java
    my_player11.cpp    g++ -O2 -std=c++11 *.cpp

In some years the course gave g++ the entry file alone, so that is tried where all files together do not compile: other programs
may lie beside it. The course calls `javac` like that: it compiles what the file needs from the other .java files, and no more.

A compiler runs in the sandbox and writes into the folder `.built` of the submission's private copy. The keeper reads what it
wrote. The harness keeps that, together with the submission's files, in a folder named after their contents, the command and
the compiler, so that a submission is compiled once. What was built is only ever run in a sandbox.
"""

from __future__ import annotations

import base64
import ctypes
import errno
import hashlib
import re
import shutil
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

from goban.common.excerpts import printable
from gojudge.errors import HarnessFaultError
from gojudge.inside.answer_files import BUILT as BUILT
from gojudge.inside.c_library import libc
from gojudge.sandbox.leftovers import cache_folder, keep_folder

COMPILED = "compiled"
"""The kind of folder, see `gojudge.sandbox.leftovers`."""

# More than a compiler may have written, and a submission may bring along.
_ROOM = 256 << 20


@dataclass(frozen=True)
class Recipe:
    """How a program is compiled and started. build: the compiler's commands, run in the program's folder, each if those before
    it failed; run: the command that starts the program; tools: the programs both need; missing: what to say if one is not
    installed."""

    build: tuple[tuple[str, ...], ...]
    run: tuple[str, ...]
    tools: tuple[str, ...]
    missing: str


# What stands before the first statement of a Java file. A comment without an end takes all the rest: no other is looked for.
_COMMENTS = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*", re.S)
_PACKAGE = re.compile(r"\s*(package\s+[^;\s][^;]*;)")
# 'FILE:LINE:COLUMN: error: ', 'cc1plus: fatal error: ', an assembler's 'FILE:LINE: Error: ', javac's 'error: ', and the Java
# error that ended javac. Lines that g++ quotes from a source begin with a blank.
_COMPLAINT = re.compile(
    r"^(?:(?!\s)(?:(?:[^:\n]|:(?! ))+: )?(?:fatal |internal compiler )?[Ee]rror: |java\.[\w.]*(?:Error|Exception)\b).*", re.M
)
_PUBLIC = re.compile(r"error: (?:class|interface|enum|record) (\w+) is public, should be declared in a file named")
# What a linker misses, or has twice, stands before the line that calls itself an error.
_LINKS = "collect2: error: ld "
_LINKER = re.compile(r"(?:undefined reference to|multiple definition of) [^\n;]*")
_MOST_NAMES = 4
_NO_LOCALE = "Java programs need a locale of UTF-8, and none is installed here (apt-get install locales)"


def recipe_for(entry: str, folder: Path) -> Recipe | None:
    """Return how a submission's entry file is compiled; None if it need not be (Python)."""
    if entry.endswith(".java"):
        # By default the heap of a Java machine may be a quarter of the computer's memory.
        build = ("javac", "-J-Xmx512m", "-encoding", "UTF-8", "-d", BUILT, f"./{entry}")
        # The second place is for classes that came compiled.
        run = ("java", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=4", "-Xshare:auto", "-cp", f"{BUILT}:.",
               PurePosixPath(entry).stem)  # fmt: skip
        missing = "Java programs need a JDK, and no javac is installed here (apt-get install default-jdk-headless)"
        return Recipe((build,), run, ("javac", "java"), missing)
    if entry.endswith(".cpp"):
        others = {"my_player.cpp", "my_player11.cpp"} - {entry}
        # With './' a name that begins with '-' is not read as an option.
        sources = [f"./{path.name}" for path in sorted(folder.glob("*.cpp")) if path.name not in others]
        standard = ("-std=c++11",) if entry == "my_player11.cpp" else ()
        several = (sources, [f"./{entry}"]) if len(sources) > 1 else (sources,)
        commands = tuple(("g++", "-O2", *standard, "-o", f"{BUILT}/my_player", *files) for files in several)
        missing = "C++ programs need a compiler, and no g++ is installed here (apt-get install g++)"
        return Recipe(commands, (f"{BUILT}/my_player",), ("g++",), missing)
    return None


def why_not_here(entry: str) -> str:
    """Return why a program with this entry file cannot be compiled on this machine, one line; '' if it can."""
    recipe = recipe_for(entry, Path("."))
    if recipe is None:
        return ""
    if not all(shutil.which(tool, path="/usr/bin:/bin") for tool in recipe.tools):
        return recipe.missing
    return _NO_LOCALE if entry.endswith(".java") and not utf8_locale() else ""


def package_complaint(entry: str, folder: Path) -> str:
    """Return what is wrong with a Java entry file that names a package, one line; '' if it names none."""
    if not entry.endswith(".java"):
        return ""
    try:
        source = (folder / entry).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    code = _COMMENTS.sub(lambda comment: "\n" * comment[0].count("\n"), source)
    if (named := _PACKAGE.match(code)) is None:
        return ""
    where = f"{entry}, line {code.count(chr(10), 0, named.start(1)) + 1}"
    statement = printable(" ".join(named[1].split()), 60)
    return f"{where}: `{statement}`: the class must be in no package, since the course runs `java {PurePosixPath(entry).stem}`"


def class_complaint(entry: str, built: Collection[str]) -> str:
    """Return why no Java machine would find the class of an entry file in what was built, one line; '' if one would.

    built: the paths of all files in the folder `.built`.
    """
    if not entry.endswith(".java") or f"{PurePosixPath(entry).stem}.class" in built:
        return ""
    # Of a class within a class the name has a $.
    names = [path[: -len(".class")] for path in sorted(built) if path.endswith(".class") and not {"$", "/"} & set(path)]
    return _wrong_class(entry, names)


def compiler_complaint(entry: str, output: str) -> str:
    """Return the error of a compiler that matters most, one line; '' if it printed none. output: all that it printed."""
    complaints = _COMPLAINT.findall(output)
    for line in complaints:
        if public := _PUBLIC.search(line):
            return _wrong_class(entry, [public[1]])
    first = complaints[0] if complaints else ""
    linking = _LINKER.search(output) if first.startswith(_LINKS) else None
    return linking[0] if linking else first


def _wrong_class(entry: str, names: Sequence[str]) -> str:
    wanted = PurePosixPath(entry).stem
    classes = ", ".join(printable(name, 60) for name in names[:_MOST_NAMES]) or "none"
    more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
    return f"{entry}: expected a class {wanted}, since the course runs `java {wanted}`, found {classes}{more}"


# In the harness


def cache_key(folder: Path, recipe: Recipe) -> str:
    """Return the name under which the result of compiling a folder is kept: 64 hexadecimal digits."""
    whole = hashlib.sha256()
    for tool in recipe.tools:
        path = Path(shutil.which(tool, path="/usr/bin:/bin") or tool).resolve()
        status = path.stat() if path.exists() else None
        whole.update(repr((str(path), status and (status.st_size, status.st_mtime_ns))).encode())
    whole.update(repr(recipe).encode())
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()):
        data = path.read_bytes()
        whole.update(repr((str(path.relative_to(folder)), len(data))).encode() + data)
    return whole.hexdigest()


def find_kept(key: str) -> Path | None:
    """Return the folder that is kept under a key, None if there is none yet.

    Raises HarnessFaultError if there is none and could be none: that shall show before any code of a submission runs.
    """
    try:
        folder = cache_folder(COMPILED)
        if (folder / key).is_dir():
            return folder / key
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if (free := shutil.disk_usage(folder).free) < _ROOM:
            raise OSError(errno.ENOSPC, f"expected room for {_ROOM >> 20} MiB, got {free >> 20} MiB", str(folder))
    except OSError as error:
        raise HarnessFaultError(f"compiled programs cannot be kept: {error}") from error
    return None


def keep(key: str, folder: Path, files: dict[str, str]) -> Path:
    """Keep a submission with what was built from it; return the folder of both. Raises OSError."""

    def fill(part: Path) -> None:
        shutil.copytree(folder, part, dirs_exist_ok=True, ignore=shutil.ignore_patterns(BUILT))
        (part / BUILT).mkdir()
        for name, text in files.items():
            path = part / BUILT / name
            if PurePosixPath(name).is_absolute() or {"", ".", ".."} & set(name.split("/")):
                # No keeper says so, but without a wall between them a submission could speak for it.
                raise OSError(errno.EINVAL, "expected the name of a file", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(base64.b64decode(text))
            path.chmod(0o755)

    return keep_folder(COMPILED, key, fill)


# Old systems have no C.UTF-8. _CHARACTERS is LC_CTYPE_MASK.
_LOCALES, _CHARACTERS = ("C.UTF-8", "en_US.UTF-8"), 1


@cache
def utf8_locale() -> str:
    """Return the name of a locale of this machine in which texts and the names of files are UTF-8; '' if it has none.

    Python and C++ do not need it, Java and javac do: without it they stop at any file with a name that is not ASCII.
    """
    if sys.platform != "linux":
        return "C.UTF-8"
    library = libc()
    library.newlocale.argtypes, library.newlocale.restype = (ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p), ctypes.c_void_p
    library.freelocale.argtypes = (ctypes.c_void_p,)
    for name in _LOCALES:
        if locale := library.newlocale(_CHARACTERS, name.encode(), None):
            library.freelocale(locale)
            return name
    return ""
