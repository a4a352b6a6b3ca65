"""match: games between networks, searches and players, everyone against everyone, and their ratings."""

from __future__ import annotations

import argparse
import json
import sys
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from goban.common.command_lines import DONE, CommandError, complain, whole_number
from goban.common.files import check_writable, write_beside
from players.registry import compilation_told

if TYPE_CHECKING:
    from golearn.alphazero.arena import Match

SUMMARY = "games between networks, searches and players, with both colours, and their ratings"

Matches = dict[tuple[str, str], "Match"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    from golearn.alphazero.commands.contenders import PLAYERS_HELP, add_game_argument

    parser.add_argument("players", nargs="+", metavar="PLAYER", help=f"two or more: {PLAYERS_HELP}")
    add_game_argument(parser)
    parser.add_argument("--games", type=whole_number(1, 1_000_000, "a number of games"), default=100, metavar="N", help=(
        "for each two players (default: %(default)s)"
    ))  # fmt: skip
    parser.add_argument("--opening", type=whole_number(0, 1000, "a number of moves"), default=2, metavar="N", help=(
        "moves by chance at the beginning, the same in two games with sides changed (default: %(default)s)"
    ))  # fmt: skip
    parser.add_argument("--seed", type=whole_number(0, 2**63 - 1, "a seed"), default=1, help="of all chance (default: 1)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="also write the results, as lines of JSON")


def run(options: argparse.Namespace) -> int:
    """Print the score of each two players and, where there are more, ratings."""
    if len(set(options.players)) != len(options.players) or len(options.players) < 2:
        raise CommandError(f"expected two players or more, no two alike, got {', '.join(options.players)}")
    if options.out is not None:
        check_writable(options.out)
    matches: Matches = {}
    pairs = list(combinations(options.players, 2))
    for pair in pairs:
        try:
            with compilation_told("match"):
                matches[pair] = _played(options, pair)
        except KeyboardInterrupt:
            if options.out is not None:
                complain("match", f"{options.out} has {len(matches)} of {len(pairs)} matches")
            raise
        if options.out is not None:
            write_beside(options.out, _lines(options.game, matches))
    print(_scores(matches))
    if len(options.players) > 2:
        print(f"\n{_ratings(matches)}")
    return DONE


def _played(options: argparse.Namespace, pair: tuple[str, str]) -> Match:
    from tqdm import tqdm

    from golearn.alphazero.arena import play_match
    from golearn.alphazero.commands.contenders import contender
    from golearn.alphazero.games import game_named

    game = game_named(options.game)
    one, other = (contender(name, game, f"{options.seed} {name}") for name in pair)
    with tqdm(total=options.games, unit=" games", leave=False, disable=not sys.stderr.isatty()) as bar:
        progress = lambda ended: bar.update(ended - bar.n)  # noqa: E731
        return play_match(game, (one, other), options.games, options.seed, options.opening, progress)


def _scores(matches: Matches) -> str:
    from tabulate import tabulate

    rows = []
    for (one, other), match in matches.items():
        low, high = match.interval
        rows.append([one, other, match.wins, match.draws, match.losses, f"{match.score:.1%}", f"{low:.1%} to {high:.1%}"])
    return tabulate(rows, ["player", "opponent", "wins", "draws", "losses", "score", "95 %"], disable_numparse=True)


def _ratings(matches: Matches) -> str:
    from tabulate import tabulate

    from golearn.alphazero.arena import rate_players

    rows = [[one.name, f"{one.rating:+.0f}", f"{one.low:+.0f} to {one.high:+.0f}"] for one in rate_players(matches)]
    return tabulate(rows, ["player", "rating", "95 %"], disable_numparse=True)


def _lines(game: str, matches: Matches) -> bytes:
    found = []
    for (one, other), match in matches.items():
        low, high = match.interval
        about = {"game": game, "player": one, "opponent": other, **vars(match), "score": match.score, "low": low, "high": high}
        found.append(json.dumps(about))
    return "".join(f"{line}\n" for line in found).encode()
