"""Any player as a GTP engine, for Sabaki, GoGui and every other program that speaks GTP.

    python3 -m players.gtp_engine my --rules aga --size 9
    python3 -m players.gtp_engine perfect --rules littlego
    python3 -m players.gtp_engine mine/my_player.py --seed 7

Reads commands from standard input and writes answers, and nothing else, to standard output, until `quit` or the end of the
input. What a player prints goes to standard error.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext

from common.command_lines import DONE, CommandError, Parser, complain, run, whole_number
from goban.grids import MAX_SIZE, MIN_SIZE
from goban.rulesets import PRESETS, ruleset
from players.errors import BadPlayerError
from players.gtp_engine.engine import Engine
from players.gtp_engine.streams import Inbox, keep_for_gtp, write_all
from players.registry import NAMES

_NAME = "gtp_engine"


def parser() -> Parser:
    """Return the command line's parser."""
    names = ", ".join(name for name in NAMES if name != "manual")
    made = Parser(name=_NAME, prog="python3 -m players.gtp_engine", description="Play by GTP, the Go Text Protocol.")
    made.add_argument("player", metavar="PLAYER", help=f"{names}, a file.py with a class MyPlayer, or module:Class")
    made.add_argument("--rules", choices=PRESETS, default="aga", metavar="NAME", help="rule set (default: %(default)s)")
    size, seed = whole_number(MIN_SIZE, MAX_SIZE, "a size"), whole_number(0, 2**64 - 1, "a seed")
    made.add_argument("--size", type=size, metavar="N", help="board size until boardsize is sent (default: that of the rules)")
    made.add_argument("--seed", type=seed, metavar="N", help="play the same games as last time with this seed")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    return run(_NAME, lambda: _serve(parser().parse_args(arguments)), BadPlayerError)


def _serve(options: argparse.Namespace) -> int:
    if options.player == "manual":
        raise CommandError("expected a program, got manual: play against one in a program that shows a board")
    commands, answers = keep_for_gtp()
    inbox = Inbox(commands)
    rules = ruleset(options.rules)
    seed = random.SystemRandom().randrange(10**9) if options.seed is None else options.seed
    engine = Engine(options.player, rules, options.size or rules.default_size, seed, inbox.waits)
    with _compilation_told():
        for line in inbox:
            for part in engine.answer(line):
                write_all(answers, part)
            if engine.over:
                break
    return DONE


def _compilation_told() -> AbstractContextManager[None]:
    """Within the block, say once on standard error why nothing happens for a minute."""
    if "numba" not in sys.modules:
        return nullcontext()
    from kernels.numba_tools.entry_points import compilation_told

    return compilation_told(lambda: complain(_NAME, "compiling, once for this machine..."))


if __name__ == "__main__":
    sys.exit(main())
