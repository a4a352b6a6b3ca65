"""Programs that have to be compiled: with which command, into what, and where the results are kept for the next time.

    my_player.cpp      g++ -O2 *.cpp
    my_player.java     javac my_player.java
    my_player11.cpp    g++ -O2 -std=c++11 *.cpp

The course's script calls `javac` like that: it compiles what the file needs from the other .java files, and no more.

A compiler runs in the sandbox and writes into the folder `.built` of the submission's private copy. The keeper reads what it
wrote. The harness keeps that, together with the submission's files, in a folder named after their contents, the command and
the compiler, so that a submission is compiled once. What was built is only ever run in a sandbox.
"""

from __future__ import annotations

import base64
import contextlib
import errno
import hashlib
import os
import shutil
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tournament.inside.built_files import BUILT as BUILT
from tournament.sandbox.leftovers import owned_name, sweep_folder


@dataclass(frozen=True)
class Recipe:
    """How a program is compiled and started. build: the compiler's command, run in the program's folder; run: the command
    that starts the program; tools: the programs both need; missing: what to say if one is not installed."""

    build: tuple[str, ...]
    run: tuple[str, ...]
    tools: tuple[str, ...]
    missing: str


def recipe_for(entry: str, folder: Path) -> Recipe | None:
    """Return how a submission's entry file is compiled; None if it need not be (Python)."""
    if entry.endswith(".java"):
        # By default the heap of a Java machine may be a quarter of the computer's memory.
        build = ("javac", "-J-Xmx512m", "-encoding", "UTF-8", "-d", BUILT, f"./{entry}")
        # The second place is for classes that came compiled.
        run = ("java", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=4", "-Xshare:auto", "-cp", f"{BUILT}:.",
               PurePosixPath(entry).stem)  # fmt: skip
        missing = "Java programs need a JDK, and no javac is installed here (apt-get install default-jdk-headless)"
        return Recipe(build, run, ("javac", "java"), missing)
    if entry.endswith(".cpp"):
        others = {"my_player.cpp", "my_player11.cpp"} - {entry}
        # With './' a name that begins with '-' is not read as an option.
        sources = [f"./{path.name}" for path in sorted(folder.glob("*.cpp")) if path.name not in others]
        standard = ("-std=c++11",) if entry == "my_player11.cpp" else ()
        build = ("g++", "-O2", *standard, "-o", f"{BUILT}/my_player", *sources)
        missing = "C++ programs need a compiler, and no g++ is installed here (apt-get install g++)"
        return Recipe(build, (f"{BUILT}/my_player",), ("g++",), missing)
    return None


def why_not_here(entry: str) -> str:
    """Return why a program with this entry file cannot be compiled on this machine, one line; '' if it can."""
    recipe = recipe_for(entry, Path("."))
    if recipe is None or all(shutil.which(tool, path="/usr/bin:/bin") for tool in recipe.tools):
        return ""
    return recipe.missing


# In the harness


def cache_folder() -> Path:
    """Return where compiled submissions are kept: in the user's cache folder or, if that cannot be written, in a private
    folder below the system's temporary one. Raises OSError."""
    try:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
        folder = Path(base) / "go-competition-harness" / "compiled"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.access(folder, os.W_OK | os.X_OK):
            return folder
    except (OSError, RuntimeError):  # RuntimeError: the home folder is not known
        pass
    return _private_folder() / "compiled"


def _private_folder() -> Path:
    """Return this user's folder below the temporary one. Raises PermissionError if somebody else has made or opened it."""
    folder = Path(tempfile.gettempdir()).resolve() / f"go-competition-harness-{os.geteuid()}"
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise PermissionError(
            errno.EPERM, "expected a folder that only this user can open; another can be named by XDG_CACHE_HOME", str(folder)
        )
    return folder


def cache_key(folder: Path, recipe: Recipe) -> str:
    """Return the name under which the result of compiling a folder is kept: 64 hexadecimal digits."""
    whole = hashlib.sha256()
    for tool in recipe.tools:
        path = Path(shutil.which(tool, path="/usr/bin:/bin") or tool).resolve()
        found = path.stat() if path.exists() else None
        whole.update(repr((str(path), found and (found.st_size, found.st_mtime_ns))).encode())
    whole.update(repr(recipe).encode())
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()):
        data = path.read_bytes()
        whole.update(repr((str(path.relative_to(folder)), len(data))).encode() + data)
    return whole.hexdigest()


def keep(key: str, folder: Path, files: dict[str, str]) -> Path:
    """Keep a submission with what was built from it; return the folder of both. Raises OSError."""
    target = cache_folder() / key
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    sweep_folder(target.parent, ".")
    part = target.parent / owned_name(f".{key[:12]}")
    try:
        part.mkdir(mode=0o700)
        shutil.copytree(folder, part, dirs_exist_ok=True, ignore=shutil.ignore_patterns(BUILT))
        (part / BUILT).mkdir()
        for name, text in files.items():
            if Path(name).name != name:
                # No keeper says so, but without a wall between them a submission could speak for it.
                raise OSError(errno.EINVAL, "expected the name of a file", name)
            (part / BUILT / name).write_bytes(base64.b64decode(text))
            (part / BUILT / name).chmod(0o755)
        part.chmod(0o755)
        try:
            part.rename(target)
        except OSError:
            if not target.is_dir():  # if it is, another process was faster
                raise
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return target
