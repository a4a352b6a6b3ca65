"""python3 -m golearn.alphazero COMMAND ...: learning a game by playing against oneself.

Exit status of every command: 0 done, 1 `check` found a fault, 2 it could not be done (one line says why), 130 stopped by
Ctrl-C.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from goban.common.command_lines import Subcommands
from golearn.errors import LearningError

# Before numpy is imported. Threads of its matrix products wait for each other at every layer of a network: on a busy machine a
# search then takes ten times as long.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

COMMANDS = {
    "train": "golearn.alphazero.commands.training:TRAIN",
    "resume": "golearn.alphazero.commands.training:RESUME",
    "export": "golearn.alphazero.commands.training:EXPORT",
    "submission": "golearn.alphazero.commands.playing:SUBMISSION",
    "games": "golearn.alphazero.commands.playing:GAMES",
    "check": "golearn.alphazero.commands.playing:CHECK",
    "evaluate": "golearn.alphazero.commands.measuring:EVALUATE",
    "curve": "golearn.alphazero.commands.measuring:CURVE",
    "match": "golearn.alphazero.commands.playing:MATCH",
    "play": "golearn.alphazero.commands.playing:PLAY",
    "truthbench": "golearn.alphazero.commands.truthbench",
    "truth-set": "golearn.alphazero.commands.measuring:TRUTH_SET",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; return the exit status."""
    commands = Subcommands("python3 -m golearn.alphazero", "Games learned by playing against oneself.", COMMANDS)
    return commands.main(arguments, LearningError)


if __name__ == "__main__":
    sys.exit(main())
