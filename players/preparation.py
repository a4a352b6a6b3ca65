"""Getting ready before anybody's clock runs: players that are compiled do it then, once for a machine, and say so."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

from common.command_lines import complain
from goban.rulesets import RuleSet
from players.options import split_options
from players.registry import NAMES, Player


def prepare_player(name: str, player: Player, rules: RuleSet, size: int) -> None:
    """Let a player that was made from a name get ready for games by these rules on boards of this size, if it is one of ours.

    Such a player has a method `prepare(rules, size)`, which changes none of its moves. A file, `my` too, may be anybody's:
    there a method of that name is the file's own affair.
    """
    if not NAMES.get(split_options(name)[0].lower(), ".py").endswith(".py"):
        prepare: Callable[[RuleSet, int], None] | None = getattr(player, "prepare", None)
        if prepare is not None:
            prepare(rules, size)


def compilation_told(name: str) -> AbstractContextManager[None]:
    """Within the block, say on standard error, in a player's or command's name, why nothing happens for a minute."""
    # It brings numba with it.
    from kernels.numba_tools import entry_points

    return entry_points.compilation_told(lambda: complain(name, "compiling, once for this machine..."))
