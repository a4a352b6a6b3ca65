"""Python as it is on Windows: without the modules and names of Unix. Loaded first, in every process that our own one starts.

On Linux these are hidden; the rest of Python works here as before.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

# Python's own modules are loaded first: on Windows they are others.
HIDING = """
import asyncio, os, random, selectors, shutil, signal, socket, subprocess, sys, tempfile, uuid
for name in ("crypt", "fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"):
    sys.modules[name] = None
HIDDEN = {
    os: "chroot confstr ctermid fchmod fchown fork forkpty get_blocking getegid geteuid getgid getgroups getloadavg getpgid "
        "getpgrp getpriority getresuid getsid getuid killpg chown lchown lockf mkfifo mknod nice openpty pathconf pidfd_open "
        "pipe2 posix_spawn posix_spawnp pread pwrite readv sched_getaffinity sched_yield set_blocking setegid seteuid "
        "setgid setpgid setpriority setresuid setsid setuid statvfs sync sysconf tcgetpgrp tcsetpgrp ttyname uname wait wait3 "
        "wait4 waitid writev O_CLOEXEC O_DIRECTORY O_NOCTTY O_NOFOLLOW O_NONBLOCK",
    signal: "SIGALRM SIGCHLD SIGCONT SIGHUP SIGKILL SIGPIPE SIGSTOP SIGUSR1 SIGXCPU alarm pthread_kill pthread_sigmask "
            "setitimer sigwait",
}
for module, names in HIDDEN.items():
    for name in names.split():
        delattr(module, name)


def kill(pid, number, kill=os.kill):
    assert number, "on Windows this is Ctrl-C, for every program of the terminal"
    kill(pid, number)


os.kill = kill
shutil._use_fd_functions = False
subprocess.Popen.kill = lambda self: self.send_signal(9)
"""


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of such a process. folder: an empty one, for what makes it so.

    Neither bubblewrap nor a compiler is found there.
    """
    (folder / "sitecustomize.py").write_text(HIDING)
    (folder / "bin").mkdir()
    (folder / "bin/python3").symlink_to(shutil.which("python3") or "")
    # On Linux numpy asks for the kernel's name, but where it is told what it wants to know.
    return {**os.environ, "PYTHONPATH": str(folder), "PATH": str(folder / "bin"), "NUMPY_MADVISE_HUGEPAGE": "1"}
