"""check: whether submissions can be taken in and play, one line each. Students run it on their own file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace

from common.command_lines import DONE, LEFT
from common.excerpts import printable
from goban.rulesets import PRESETS, ruleset
from tournament.commands.players import add_class_arguments, take_in_class
from tournament.errors import BadEventError
from tournament.intake.dependencies import hint
from tournament.intake.submissions import Intake
from tournament.records import CLASS, Entrant, GameResult, GameSpec, open_seeds
from tournament.refereeing.open_seats import Conditions, close_here, open_entrant, play_here
from tournament.sandbox.leftovers import owned_folder
from tournament.sandbox.sweeping import sweep
from tournament.seats import usual_limits
from tournament.times import Spent

SUMMARY = "whether submissions can be taken in and can play: two trial games each, against random"
_OPPONENT = Entrant("random", reference="random", digest="random")
_SEED = 1
_MOST_NAMES = 4
# Waiting for a core is worth a word from so many seconds on, and this share of the time.
_BUSY_SECONDS, _BUSY_SHARE = 0.5, 0.1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_class_arguments(parser)
    parser.add_argument("--rules", choices=PRESETS, default="course", metavar="NAME", help="rule set (default: %(default)s)")
    parser.add_argument("--size", type=int, metavar="N", help="board size (default: the rules' usual one)")
    parser.add_argument("--move-seconds", type=float, metavar="N", help=(
        "seconds for one answer (default: what events under these rules have)"
    ))  # fmt: skip
    parser.add_argument("--require-tier", default="T0", metavar="TIER", help="the weakest sandbox to accept (default: any)")
    parser.add_argument("--python", default="", metavar="PROGRAM", help="interpreter submissions run under (default: this one)")
    parser.add_argument("--exec", dest="real_starts", action="store_true", help="start programs anew for every move (slow)")
    parser.add_argument("--no-games", action="store_true", help="run nothing; look at files and sources only")
    parser.add_argument("--verbose", action="store_true", help="also print what a failing player printed, and its traceback")


def run(options: argparse.Namespace) -> int:
    """Print a line for each submission; return 0 if all are fine, else 1."""
    if options.move_seconds is not None and not 0 < options.move_seconds <= 1e5:
        raise BadEventError(f"--move-seconds: expected a number above 0, got {options.move_seconds:g}")
    sweep()
    conditions = None if options.no_games else _conditions(options)
    with owned_folder() as folder:
        # Names are checked as they will be in an event.
        store = folder / "check"
        intake = take_in_class(
            options.submissions, options.roster, store, ["random"], options.rules, complain=False, with_companions=True
        )
        good = _print_lines(intake, conditions, options.verbose)
    for path in intake.aside:
        print(f"{printable(str(path), 200)}: left aside, not a submission", file=sys.stderr)
    total = len(intake.entrants) + len(intake.refused)
    print(f"{good} of {total} ok" + (f", tried at {conditions.tier}" if conditions is not None else ""))
    return DONE if good == total else LEFT


def _conditions(options: argparse.Namespace) -> Conditions:
    from tournament.sandbox.tiers import require

    rules = ruleset(options.rules)
    size = rules.default_size if options.size is None else options.size
    if not 2 <= size <= 19:
        raise BadEventError(f"--size: expected a whole number from 2 to 19, got {size}")
    limits = usual_limits(rules.name)
    if options.move_seconds is not None:
        limits = replace(limits, move_seconds=options.move_seconds)
    tier = require(options.require_tier)
    return Conditions(rules.name, size, limits, open_entrant, tier, options.python, options.real_starts)


def _print_lines(intake: Intake, conditions: Conditions | None, verbose: bool) -> int:
    """Print a line per submission, by name, each as soon as it is known; return how many are ok."""
    good = 0
    everybody: list[tuple[str, Entrant | str]] = [(entrant.name, entrant) for entrant in intake.entrants]
    everybody += [(refused.name, refused.reason) for refused in intake.refused]
    for name, what in sorted(everybody, key=lambda one: one[0]):
        games: list[GameResult] = []
        if isinstance(what, str):
            fine, line = False, what
        else:
            games = [] if conditions is None else trial(what, conditions)
            fine, line = verdict(what, games, along(what) if name in intake.lone else ())
        good += fine
        print(f"{name}: {line}", flush=True)
        if not fine and name in intake.lone and (advice := hint(intake.lone[name], line)):
            print(f"{name}: {advice}", file=sys.stderr)
        if verbose:
            _print_evidence(games)
    return good


def trial(entrant: Entrant, conditions: Conditions) -> list[GameResult]:
    """Play a game with each colour against the random player, the second only if the first went well; return the games."""
    games = []
    try:
        for number, (black, white) in enumerate([(entrant, _OPPONENT), (_OPPONENT, entrant)], 1):
            spec = GameSpec(f"{entrant.name}-random-{number:03}", black.name, white.name, open_seeds(_SEED, number))
            games.append(play_here(conditions, spec, black, white).result)
            if games[-1].termination.is_forfeit or games[-1].winner is None:
                break
    finally:
        close_here()
    return games


def along(entrant: Entrant) -> list[str]:
    """Return the files of a submission other than the one that plays."""
    paths = (str(path.relative_to(entrant.folder)) for path in entrant.folder.rglob("*") if path.is_file())
    return sorted(path for path in paths if path != entrant.entry)


def verdict(entrant: Entrant, games: Sequence[GameResult], brought: Sequence[str] = ()) -> tuple[bool, str]:
    """Return whether all went well, and one line: 'ok' with a few figures, or what went wrong.

    brought: files that came along with the one that was named, and so must be handed in with it.
    """
    about = f"{entrant.entry}, class {entrant.class_name}" if entrant.kind == CLASS else _about_program(entrant)
    if brought:
        names = ", ".join(printable(name, 60) for name in brought[:_MOST_NAMES])
        about += f", with {names}" + (f" and {len(brought) - _MOST_NAMES} more" if len(brought) > _MOST_NAMES else "")
    if not games:
        return True, f"ok ({about})"
    last = games[-1]
    if last.winner is None:
        return False, f"could not be tried, which is not its fault: {last.detail}"
    if last.termination.is_forfeit:
        # The printed line begins with the name already.
        return False, last.detail.replace(f" ({entrant.name})", "", 1)
    as_colours = list(enumerate(games, 1))
    times = [answer.spent for colour, game in as_colours for answer in game.answers_of(colour)]
    longest = max((spent.charge for spent in times), default=0.0)
    won = sum(game.winner == colour for colour, game in as_colours)
    line = f"ok ({about}): won {won} of {len(games)} games against random, longest answer {longest:.2f} s"
    return True, line + _busy(times)


def _busy(times: Sequence[Spent]) -> str:
    """Return what to add if other programs kept a player waiting for a core, which costs it nothing; '' if they did not."""
    wall, waited = sum(spent.wall for spent in times), sum(spent.waited for spent in times)
    busy = waited > max(_BUSY_SECONDS, _BUSY_SHARE * wall)
    return f"; this machine was busy: it waited {waited:.1f} of {wall:.1f} s for a core, which is not counted" if busy else ""


def _about_program(entrant: Entrant) -> str:
    # Worth saying, because the course ran my_player.py as Python 2.
    return f"{entrant.entry}, a program, run as Python 3" if entrant.entry == "my_player.py" else f"{entrant.entry}, a program"


def _print_evidence(games: Sequence[GameResult]) -> None:
    for game in games:
        if game.termination.is_forfeit:
            log = game.black_log if game.forfeited_by == 1 else game.white_log
            for line in [*log.splitlines(), *game.evidence.splitlines()]:
                print(f"    {printable(line, 200)}")
