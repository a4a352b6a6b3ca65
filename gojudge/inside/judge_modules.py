"""Which modules in a submission's process are the judge's, and how they give way to a submission's own of the same name.

    a class      our code asks it, in its own process: `go` and `goban` stay the host's, whatever it brings along
    a program    is started as if it were alone: nothing of ours is loaded when its file runs

A forgotten module still works for code that has imported it. Only a new import looks for a file again, in the submission's
folder first. So our code must have imported all it needs before it calls `forget`.
"""

from __future__ import annotations

import sys

JUDGE_MODULES = frozenset({"gojudge", "goban", "go"})
HOST_MODULES = frozenset({"goban", "go"})
COURSE_MODULES = frozenset(
    {"host", "read", "write", "go_play", "random_player", "greedy_player", "aggressive_player", "smart_player", "course_moves"}
)
"""Those in `gojudge.inside.course_modules`. The course gave them to everybody, so none of them is anybody's player."""


def forget(packages: frozenset[str]) -> None:
    """Remove packages and all their modules from `sys.modules`."""
    for name in [name for name in sys.modules if name.partition(".")[0] in packages]:
        del sys.modules[name]
