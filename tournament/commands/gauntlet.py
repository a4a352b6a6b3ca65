"""gauntlet: one player against many."""

from __future__ import annotations

import argparse

from goban.common.command_lines import need_packages
from gojudge.errors import BadRosterError
from tournament.application.classes import take_in_players
from tournament.application.runs import nothing_left_if_refused, play_event
from tournament.commands.event_options import PLAYED, add_event_arguments, file_of, read_plan
from tournament.commands.progress import GameProgress, add_run_arguments, print_scores, run_settings, say, store_of

SUMMARY = "one player against another, or against each of several"
EXAMPLE = "mine/my_player.py smart greedy --games 20"
_OPPONENTS = ("random", "greedy", "aggressive", "smart")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("player", metavar="PLAYER", help=(
        "a reference player, a submission, or an engine: gtp:COMMAND, or its name in the event file"
    ))  # fmt: skip
    parser.add_argument("opponents", nargs="*", metavar="OPPONENT", help=(
        f"the same, or a folder of them (default: the event file's, or {' '.join(_OPPONENTS)})"
    ))  # fmt: skip
    add_event_arguments(parser, *PLAYED, "rules", "size")
    add_run_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Play the games still to be played, and print the scores."""
    need_packages("tabulate")
    kind = "match" if file_of(options).values.get("kind") == "match" else "gauntlet"
    plan = read_plan(options, kind)
    store, opponents = store_of(plan), options.opponents
    if kind != "match" or not opponents:
        engines = [engine.name for engine in plan.file.engines if engine.name not in (options.player, *opponents)]
        opponents = [*opponents, *plan.event.references, *engines]
        opponents = opponents or [name for name in _OPPONENTS if name != options.player]
    with nothing_left_if_refused(store):
        first, *others = take_in_players(
            [options.player, *opponents], plan.file.roster, store, plan.event.rules, plan.file.engines, say
        )
        if len(first) != 1:
            raise BadRosterError(f"expected one player, got the {len(first)} in {options.player!r}")
        entrants = [*first, *(entrant for group in others for entrant in group)]
        status = play_event(store, plan, entrants, run_settings(options), tell=say, watch=GameProgress)
    print_scores(store, entrants[:1], entrants[1:])
    return status
