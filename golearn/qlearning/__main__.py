"""Train the table of my_player.py by Q-learning: `python3 -m golearn.qlearning`; see `golearn.qlearning.command`."""

from __future__ import annotations

from goban.common.starting import begin, is_started

if is_started(__name__):
    begin()

import sys
from collections.abc import Sequence

from goban.common.command_lines import run
from golearn.errors import LearningError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status: 0 done, 2 bad options, 130 stopped by Ctrl-C."""
    return run("qlearning", lambda: _train(arguments), LearningError)


def _train(arguments: Sequence[str] | None) -> int:
    # Needs numba and numpy, and `run` says so where they are missing.
    from golearn.qlearning.command import train_as_asked

    return train_as_asked(arguments)


if __name__ == "__main__":
    sys.exit(main())
