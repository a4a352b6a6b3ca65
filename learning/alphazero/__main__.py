"""python3 -m learning.alphazero COMMAND ...: learning a game by playing against oneself.

Exit status of every command: 0 done, 2 it could not be done (one line says why), 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from common.subcommands import Subcommands
from learning.alphazero.errors import AlphaZeroError

COMMANDS = {
    "train": "learning.alphazero.commands.train",
    "resume": "learning.alphazero.commands.resume",
    "export": "learning.alphazero.commands.export",
    "submission": "learning.alphazero.commands.submission",
    "games": "learning.alphazero.commands.games_there",
    "evaluate": "learning.alphazero.commands.evaluate",
    "curve": "learning.alphazero.commands.curve",
    "match": "learning.alphazero.commands.match",
    "play": "learning.alphazero.commands.play",
    "truth-set": "learning.alphazero.commands.truth_set",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; return the exit status."""
    commands = Subcommands("python3 -m learning.alphazero", "Games learned by playing against oneself.", COMMANDS)
    return commands.main(arguments, AlphaZeroError)


if __name__ == "__main__":
    sys.exit(main())
