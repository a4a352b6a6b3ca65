"""match: some games between two players."""

from __future__ import annotations

import argparse

from common.command_lines import need_packages
from tournament.application.classes import take_in_players
from tournament.application.runs import play_event
from tournament.commands.event_options import add_event_arguments, read_plan
from tournament.commands.players import add_roster_argument
from tournament.commands.progress import GameProgress, say
from tournament.commands.running import add_run_arguments, print_scores, run_settings, store_of

SUMMARY = "two players play some games, taking turns with Black"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("players", nargs=2, metavar="PLAYER", help=(
        "a reference player's name, a submission, gtp:COMMAND, or the name of an engine of the event file"
    ))  # fmt: skip
    add_roster_argument(parser)
    add_event_arguments(parser, references=False)
    add_run_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Play the games still to be played, and print the scores."""
    need_packages("tabulate")
    plan = read_plan(options, "match")
    roster = options.roster or plan.file.roster
    found = take_in_players(options.players, roster, store_of(options, plan), plan.event.rules, plan.file.engines, say)
    entrants = [entrant for group in found for entrant in group]
    store = store_of(options, plan)
    status = play_event(store, plan, entrants, run_settings(options), tell=say, watch=GameProgress)
    print_scores(store, entrants[:1], entrants[1:])
    return status
