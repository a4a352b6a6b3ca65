"""How this process was started, and by which Python; Ctrl-C until it is ready.

Imported before everything else, so it imports little itself. Old Pythons must be able to read it, and what comes before it.
"""

from __future__ import annotations

import os
import signal
import sys

SCRIPTS = {
    "go_play": "go-play",
    "golearn.qlearning": "go-train",
    "players.gtp_engine": "go-gtp",
    "goban.solver.truth": "go-truth",
    "tournament": "go-tournament",
}
"""Of an installation, by module; pyproject.toml has them."""

_PACKAGES = ("goban", "gojudge", "golearn", "players", "tournament")
OLDEST_PYTHON = (3, 11)
"""As in pyproject.toml, which only pip reads: from a clone commands run without it."""


def is_script() -> bool:
    """Tell whether this process was started as a script of an installation."""
    started = os.path.basename(next(iter(sys.argv), ""))
    return os.path.splitext(started)[0] in SCRIPTS.values()


def is_started(name: str) -> bool:
    """Tell whether a command line's module is what was started, and not imported by another. name: its `__name__`."""
    return name == "__main__" or is_script()


def begin() -> None:
    """Refuse a Python that is too old. Have Ctrl-C end this process until it can be heeded."""
    refuse_old_python()
    end_at_ctrl_c()


def refuse_old_python() -> None:
    """End this process with exit status 2 and a line that says why if its Python cannot import the project."""
    if sys.version_info < OLDEST_PYTHON:
        sys.stderr.write(f"{_too_old()}\n")
        sys.exit(2)


def _too_old() -> str:
    oldest, got = (".".join(map(str, version)) for version in (OLDEST_PYTHON, sys.version_info[:3]))
    return f"expected Python {oldest} or newer, got {got} ({sys.executable}): type python{oldest} for python3?"


class _Refusal:
    """On a Python that is too old, a finder of modules that says so for those of the project.

    Command lines say it themselves: what they import until then is found.
    """

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        package, _, inner = name.partition(".")
        begins = name.startswith("goban.common") or name.endswith(".__main__")
        if package in _PACKAGES and inner and not begins and not any(f"{script}.".startswith(f"{name}.") for script in SCRIPTS):
            raise ImportError(_too_old())


def refuse_imports() -> None:
    """Have imports from the project's packages raise ImportError with the line of `refuse_old_python`."""
    sys.meta_path.insert(0, _Refusal())


def end_at_ctrl_c() -> None:
    """Have Ctrl-C end this process without a word until `heed_ctrl_c`: what is being imported would be a long traceback."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def heed_ctrl_c() -> None:
    """Have Ctrl-C raise KeyboardInterrupt again, if `end_at_ctrl_c` has changed that."""
    # Imported late, as little is to be imported early.
    from contextlib import suppress

    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        # Raised in other threads than the main one, as where a program calls a command line: its Ctrl-C is its own affair.
        with suppress(ValueError):
            signal.signal(signal.SIGINT, signal.default_int_handler)
