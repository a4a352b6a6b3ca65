"""Learn weights of patterns from games: `python3 -m golearn.patterns`; see `golearn.patterns.training`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from goban.common.command_lines import run
from goban.errors import GobanError
from golearn.errors import LearningError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status: 0 done, 2 bad games or options, 130 stopped by Ctrl-C."""
    return run("patterns", lambda: _learn(arguments), LearningError, GobanError)


def _learn(arguments: Sequence[str] | None) -> int:
    # Needs numba and numpy, and `run` says so where they are missing.
    from golearn.patterns.training import learn_as_asked

    return learn_as_asked(arguments)


if __name__ == "__main__":
    sys.exit(main())
