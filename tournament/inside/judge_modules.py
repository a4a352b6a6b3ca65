"""Which modules in a submission's process are the judge's, and how they make room for a submission's own of the same name.

    a class      is asked by our code in its own process: `go` and `goban` stay the host's, whatever it brings along
    a program    is started as if alone: nothing of ours is loaded when its file runs

What is forgotten goes on working for those who have imported it; only a new import looks for a file again, in the
submission's folder first. So whatever runs after that must have imported what it needs.
"""

from __future__ import annotations

import sys

JUDGE_MODULES = frozenset({"tournament", "common", "goban", "go"})
HOST_MODULES = frozenset({"goban", "go"})


def forget(packages: frozenset[str]) -> None:
    """Take packages and all their modules out of what is loaded."""
    for name in [name for name in sys.modules if name.partition(".")[0] in packages]:
        del sys.modules[name]
