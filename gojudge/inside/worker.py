"""The program in the sandbox, started as a plain script with a socket's number as its only argument.

It becomes the keeper (`gojudge.inside.keeper`). Each process that the keeper starts becomes a zygote:
`gojudge.inside.zygote`, or `gojudge.inside.program_zygote` where the submission is a program that reads input.txt. For a
GTP engine it becomes `gojudge.inside.program_zygote`.

This place edits sys.path, as `gojudge.inside.unprotected` does where there is no sandbox. At first only the host's modules
are found, so that nothing of a submission can take their place. Once a process is confined, it finds the submission's modules
first. What is loaded by then stays loaded: a `go.py`, `random.py` or `copy.py` that a class brings along is never imported. It
was not at the course either, where the host's own files stood in the same folder.
"""

from __future__ import annotations

import gc
import os
import signal
import site
import socket
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2]))
# What we import is never garbage. To look for some there takes time, and writes to pages that all processes share.
gc.disable()

from gojudge.inside import confinement
from gojudge.inside.confinement import Confinement
from gojudge.inside.keeper import Keeper
from gojudge.inside.processes import EnclosedProcesses, OpenProcesses, Processes
from gojudge.inside.program_zygote import EngineStarter, ProgramZygote
from gojudge.inside.protocol import Channel, Message
from gojudge.inside.workdirs import (
    STAGE,
    BorrowedFolder,
    CopiedFolder,
    Folder,
    LinkedFolder,
    OverlaidFolder,
    hide_processes,
    hide_sockets,
    seal_devices,
)
from gojudge.inside.zygote import Zygote, rehearse


def main() -> None:
    """Read the settings from the harness, and keep the submission until the harness hangs up."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    channel = Channel(socket.socket(fileno=int(sys.argv[1])))
    settings = channel.receive()
    confined = _confinement(settings["confinement"])
    if confined.user >= 0 and not settings["enclosed"]:
        # Nothing that we do for a submission may reach what is root's: no wall stands between its files and others.
        confinement.become(confined.user)
        confined = replace(confined, user=-1)
    if confined.filter:
        confinement.use_small_pages()
    kind = settings["kind"]
    if settings["enclosed"]:
        confinement.hide_from_tracing()
        seal_devices()
    folder, processes = _storage(settings, confined)
    # The process that starts a program or an engine runs none of its code, and forks by itself.
    images = settings["enclosed"] and kind == "class"
    work = partial(_become_zygote, kind, settings["home"], settings["site"])
    keeper = Keeper(channel, folder, processes, confined, settings["home"], work, images, kind == "program")
    if kind == "class":
        rehearse()
    gc.freeze()
    gc.enable()
    channel.send({"done": "begin"})
    keeper.run()


def _storage(settings: Message, confined: Confinement) -> tuple[Folder, Processes]:
    """Return the submission's folder, and what counts and ends its processes."""
    source, home, memory = Path(settings["submission"]), Path(settings["home"]), settings["memory_mib"] << 20
    engine = settings["kind"] == "engine"
    if not settings["enclosed"]:
        plain = LinkedFolder if engine else CopiedFolder
        return plain(source, home.parent.parent, home), OpenProcesses(memory)
    # What counts sockets must be opened in their own network.
    hide_sockets(STAGE, settings["user_namespace"])
    processes = EnclosedProcesses(memory)
    hide_processes(STAGE)
    overlaid = BorrowedFolder if engine else OverlaidFolder
    return overlaid(source, home, confined.user, settings["disk_mib"], settings["user_namespace"]), processes


def _become_zygote(kind: str, home: str, packages: Sequence[str], end: socket.socket) -> None:
    """Be what players of a kind are forked from, until the other end is closed. packages: folders that they may import."""
    if kind == "engine":
        EngineStarter(Channel(end), home).run()
        return
    host = sys.path[-1]
    library = [path for path in sys.path if path != host]
    course = f"{host}/gojudge/inside/course_modules"
    if kind == "program":
        beside = [course, *packages, host]
        sys.path[:] = [*beside, *library, *(path for path in site.getsitepackages() if os.path.isdir(path))]
        os.environ["PYTHONPATH"] = os.pathsep.join(beside)
        ProgramZygote(Channel(end), home, lambda: sys.path.insert(0, home)).run()
        return
    sys.path[:] = [home, *library, *packages, course, host]
    sys.dont_write_bytecode = True
    # Open new streams: the old ones were made for other files.
    sys.stdout = open(1, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    Zygote(Channel(end), home).run()


def _confinement(plain: Message) -> Confinement:
    return Confinement(
        **{
            **plain,
            "filter": bytes.fromhex(plain["filter"]),
            "readable": tuple(map(Path, plain["readable"])),
            "writable": tuple(map(Path, plain["writable"])),
        }
    )


if __name__ == "__main__":
    main()
    os._exit(0)
