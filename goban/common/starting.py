"""How this process was started, and Ctrl-C until it is ready. Imported before everything else, so it imports little itself."""

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


def is_script() -> bool:
    """Tell whether this process was started as a script of an installation."""
    started = os.path.basename(next(iter(sys.argv), ""))
    return os.path.splitext(started)[0] in SCRIPTS.values()


def is_started(name: str) -> bool:
    """Tell whether a command line's module is what was started, and not imported by another. name: its `__name__`."""
    return name == "__main__" or is_script()


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
