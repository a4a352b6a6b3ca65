"""Play games of Go between two players and print how often each won.

    python3 go_play.py -p1=my -p2=greedy -t=50          50 games, 'my' is Black
    python3 go_play.py -p1=manual -p2=smart             you against the smart player
    python3 go_play.py -p1=my_player.py -p2=random -t=100 --sgf games.sgf

Needs nothing but Python.
"""

from __future__ import annotations

import argparse
import random
import secrets
import sys
import time
from pathlib import Path
from typing import NoReturn

from go import GO, Player
from goban.errors import GobanError
from goban.game import GameRecord
from goban.grids import BLACK, MAX_SIZE, MIN_SIZE, WHITE
from goban.rulesets import COURSE, PRESETS, RuleSet, ruleset
from players.errors import BadPlayerError
from players.registry import NAMES, make_player


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(2, f"go_play.py: {message}\n")


def _number(low: int, high: int | None, what: str) -> type[int]:
    """Return a converter for argparse: text -> integer from `low` to `high`."""

    def convert(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = low - 1
        if value < low or (high is not None and value > high):
            expected = f"from {low} to {high}" if high is not None else f"of {low} or more"
            raise argparse.ArgumentTypeError(f"expected {what} {expected}, got {text!r}")
        return value

    return convert  # type: ignore[return-value]


def _rules(text: str) -> RuleSet:
    try:
        return ruleset(text)
    except GobanError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def parser() -> argparse.ArgumentParser:
    """Return the command line's parser; on bad input it writes one line and leaves with status 2."""
    made = _Parser(
        prog="go_play.py",
        description="Play games of Go between two players and print how often each won.",
        epilog=f"PLAYER is one of {', '.join(NAMES)}, a file.py (its class MyPlayer), file.py:Class or module:Class.",
    )
    made.add_argument("-n", "--size", type=_number(MIN_SIZE, MAX_SIZE, "a size"), help="board size (default: 5)")
    made.add_argument("-p1", "--player1", default="random", metavar="PLAYER", help="Black (X), default: random")
    made.add_argument("-p2", "--player2", default="random", metavar="PLAYER", help="White (O), default: random")
    made.add_argument("-t", "--times", type=_number(1, None, "a number of games"), default=1, help="games, default: 1")
    made.add_argument(
        "--rules", type=_rules, default=COURSE, metavar="NAME", help=f"default: course; one of {', '.join(PRESETS)}"
    )
    made.add_argument("--seed", type=_number(0, None, "a seed"), help="play the same games again")
    made.add_argument("--sgf", type=Path, metavar="FILE", help="append the games to this file")
    made.add_argument("--show", action="store_true", help="show every board")
    return made


class Tally:
    """Results of the games so far: how many each player won, and how many were tied."""

    def __init__(self) -> None:
        self.wins = {0: 0, BLACK: 0, WHITE: 0}

    @property
    def games(self) -> int:
        """How many games were counted."""
        return sum(self.wins.values())

    def lines(self) -> str:
        """Return the two result lines, in percent with one decimal; ties are named only if there were any."""
        return f"Black player (X) | {self._line(BLACK, WHITE)}\nWhite player (O) | {self._line(WHITE, BLACK)}"

    def _line(self, own: int, other: int) -> str:
        def share(count: int) -> str:
            return f"{100 * count / max(self.games, 1):.1f}%"

        ties = f" Ties:{share(self.wins[0])}" if self.wins[0] else ""
        return f"Wins:{share(self.wins[own])} Loses:{share(self.wins[other])}{ties}"


class Progress:
    """One line on a terminal that says how far the games are; nothing elsewhere."""

    def __init__(self, total: int, quiet: bool) -> None:
        self.total = total
        self.shown = not quiet and total > 1 and sys.stderr.isatty()
        self.started = self.next_time = time.monotonic()

    def update(self, done: int) -> None:
        """Show the line anew, at most ten times a second."""
        now = time.monotonic()
        if self.shown and now >= self.next_time:
            self.next_time = now + 0.1
            rate = done / max(now - self.started, 1e-9)
            left = (self.total - done) / rate
            print(f"\r{done}/{self.total} games, {rate:.1f}/s, {left:.0f} s left ", end="", file=sys.stderr)

    def clear(self) -> None:
        """Take the line away."""
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


class SgfFile:
    """A file that games are appended to, each one complete or not at all."""

    def __init__(self, path: Path, names: tuple[str, str]) -> None:
        self.names = names
        self.file = path.open("a", encoding="utf-8")

    def add(self, record: GameRecord) -> None:
        """Append a game."""
        from goban.sgf import sgf_of, write_sgf

        self.file.write(write_sgf(sgf_of(record, *self.names)) + "\n")
        self.file.flush()


def play_games(go: GO, black: Player, white: Player, times: int, sgf: SgfFile | None) -> tuple[Tally, bool]:
    """Play the games; return the results so far and whether Ctrl-C ended them early."""
    tally, progress = Tally(), Progress(times, quiet=go.verbose)
    forfeits: list[str] = []
    stopped = False
    try:
        for number in range(1, times + 1):
            tally.wins[go.play(black, white)] += 1
            assert go.record is not None
            if sgf is not None:
                sgf.add(go.record)
            if go.record.outcome.ending.is_forfeit:
                forfeits.append(f"game {number}: {go.record.outcome.detail}")
            progress.update(number)
    except KeyboardInterrupt:
        stopped = True
    progress.clear()
    for line in forfeits[:3]:
        print(line, file=sys.stderr)
    if len(forfeits) > 3:
        print(f"... and {len(forfeits) - 3} more forfeits", file=sys.stderr)
    return tally, stopped


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    options = parser().parse_args(arguments)
    rules: RuleSet = options.rules
    seed = secrets.randbelow(10**9) if options.seed is None else options.seed
    names = options.player1, options.player2
    # Visiting players draw from the global generator: seed it, so that their games can be repeated too.
    random.seed(seed)
    try:
        black, white = (make_player(name, random.Random(f"{seed} {k}")) for k, name in enumerate(names))
        sgf = SgfFile(options.sgf, names) if options.sgf else None
    except (BadPlayerError, OSError) as error:
        print(f"go_play.py: {error}", file=sys.stderr)
        return 2
    if options.seed is None:
        print(f"seed {seed} (--seed {seed} plays the same games again)", file=sys.stderr)
    go = GO(options.size or rules.default_size, rules)
    go.verbose = options.show
    tally, stopped = play_games(go, black, white, options.times, sgf)
    if stopped:
        print(f"stopped after {tally.games} of {options.times} games", file=sys.stderr)
    print(tally.lines())
    return 130 if stopped else 0


if __name__ == "__main__":
    sys.exit(main())
