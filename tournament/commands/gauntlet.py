"""gauntlet: one player against many."""

from __future__ import annotations

import argparse

from common.command_lines import need_packages
from tournament.application.classes import take_in_players
from tournament.application.runs import play_event
from tournament.commands.event_options import add_event_arguments, read_plan
from tournament.commands.players import add_roster_argument
from tournament.commands.progress import GameProgress, say
from tournament.commands.running import add_run_arguments, print_scores, run_settings, store_of
from tournament.errors import BadRosterError

SUMMARY = "one player against each of several others"
_OPPONENTS = ("random", "greedy", "aggressive", "smart")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    who = "a reference player's name, an engine (gtp:COMMAND, or by its name in the event file), a submission"
    parser.add_argument("player", metavar="PLAYER", help=who)
    defaults = f"(default: --references and the event file's engines, or {' '.join(_OPPONENTS)})"
    parser.add_argument("opponents", nargs="*", metavar="OPPONENT", help=f"{who}, or a folder of them {defaults}")
    add_roster_argument(parser)
    add_event_arguments(parser)
    add_run_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Play the games still to be played, and print the scores."""
    need_packages("tabulate")
    plan = read_plan(options, "gauntlet")
    engines = [engine.name for engine in plan.file.engines if engine.name not in (options.player, *options.opponents)]
    opponents = [*options.opponents, *plan.event.references, *engines]
    opponents = opponents or [name for name in _OPPONENTS if name != options.player]
    roster = options.roster or plan.file.roster
    first, *others = take_in_players(
        [options.player, *opponents], roster, store_of(options, plan), plan.event.rules, plan.file.engines, say
    )
    if len(first) != 1:
        raise BadRosterError(f"expected one player, got the {len(first)} in {options.player!r}")
    entrants = [*first, *(entrant for group in others for entrant in group)]
    store = store_of(options, plan)
    status = play_event(store, plan, entrants, run_settings(options), tell=say, watch=GameProgress)
    print_scores(store, entrants[:1], entrants[1:])
    return status
