"""Play games of Go between two players and print how often each won.

    python3 go_play.py -p1=my -p2=greedy -t=50          50 games, 'my' is Black
    python3 go_play.py -p1=manual -p2=smart             you against the smart player
    python3 go_play.py -p1=my_player.py -p2=random -t=100 --sgf games.sgf

Needs nothing but Python.
"""

from __future__ import annotations

import argparse
import errno
import io
import os
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from typing import Any, TextIO

from common.command_lines import DONE, INTERRUPTED, Parser, complain, run, whole_number
from common.excerpts import quoted_path
from go import GO, Player, is_manual
from goban.errors import GobanError
from goban.game import GameRecord
from goban.grids import BLACK, MAX_SIZE, MIN_SIZE, WHITE
from goban.outcomes import COLOUR_NAMES, opponent
from goban.rulesets import COURSE, PRESETS, RuleSet, ruleset
from players.errors import BadPlayerError
from players.registry import NAMES, make_player


def _rules(text: str) -> RuleSet:
    try:
        return ruleset(text)
    except GobanError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def parser() -> Parser:
    """Return the command line's parser."""
    made = Parser(
        prog="go_play.py",
        description="Play games of Go between two players and print how often each won.",
        epilog=f"PLAYER: {', '.join(NAMES)};\n"
        "        file.py (its class MyPlayer), file.py:Class or module:Class\n"
        f"NAME:   {', '.join(PRESETS)}",
        # A fixed width: to ask for the terminal's, argparse imports much, help or no help.
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, max_help_position=30, width=100),
    )
    size, times, seed = "a size", "a number of games", "a seed"
    made.add_argument(
        "-n", "--size", type=whole_number(MIN_SIZE, MAX_SIZE, size), help="board size, default: 5 (what --rules is played on)"
    )
    made.add_argument("-p1", "--player1", default="random", metavar="PLAYER", help="Black (X), default: random")
    made.add_argument("-p2", "--player2", default="random", metavar="PLAYER", help="White (O), default: random")
    made.add_argument("-t", "--times", type=whole_number(1, 10**9, times), default=1, help="number of games, default: 1")
    made.add_argument("--rules", type=_rules, default=COURSE, metavar="NAME", help="rule set, default: course")
    made.add_argument("--seed", type=whole_number(0, 2**64 - 1, seed), help="play the same games as last time with this seed")
    made.add_argument("--sgf", metavar="FILE", help="append every game to this file")
    made.add_argument("--show", action="store_true", help="show every board")
    return made


def _player(index: int, name: str, rng: random.Random) -> Player:
    try:
        return make_player(name, rng)
    except BadPlayerError as error:
        raise BadPlayerError(f"argument -p{index + 1}/--player{index + 1}: {error}") from None


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
        self.shown = not quiet and total > 1 and sys.stderr is not None and sys.stderr.isatty()
        self.started = self.next_time = time.monotonic()

    def update(self, done: int) -> None:
        """Show the line anew, at most ten times a second."""
        now = time.monotonic()
        if self.shown and now >= self.next_time:
            self.next_time = now + 0.1
            rate = done / max(now - self.started, 1e-9)
            speed = f", {rate:.1f}/s, {(self.total - done) / rate:.0f} s left" if done else ""
            print(f"\r\033[K{done}/{self.total} games{speed} ", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


class SgfFile:
    """A file that games are appended to, each one complete or not at all. Raises OSError in one clear line."""

    def __init__(self, path: str, names: tuple[str, str]) -> None:
        from goban.sgf import sgf_of, write_sgf

        self.path = path
        self.text: Callable[[GameRecord], str] = lambda record: write_sgf(sgf_of(record, *names)).strip() + "\n"
        try:
            # Unbuffered, so that a game is one write and a full disk is noticed at once.
            self.file = open(path, "ab", buffering=0)  # noqa: SIM115
        except (OSError, ValueError) as error:
            # ValueError: a NUL in the name, or half a character.
            raise self._fault(error) from None

    def add(self, record: GameRecord) -> None:
        """Append a game."""
        game = self.text(record).encode()
        try:
            size = os.fstat(self.file.fileno()).st_size
            if self.file.write(game) != len(game):
                self.file.truncate(size)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            raise self._fault(error) from None

    def _fault(self, error: Exception) -> OSError:
        reason = getattr(error, "strerror", None) or error
        return OSError(f"argument --sgf: expected a file that can be written, got {quoted_path(self.path)}: {reason}")


class Output:
    """Standard output as the players see it: they cannot close it, and whether they ended their last line is known.

    If it can no longer be written to (`go_play.py --show | head`), the games are stopped as by Ctrl-C.
    """

    def __init__(self, file: TextIO) -> None:
        self.file = file
        self.line_is_open = False
        if isinstance(file, io.TextIOWrapper) and file.errors == "strict":
            file.reconfigure(errors="backslashreplace")

    def write(self, text: str) -> int:
        """Write text."""
        if text:
            self.line_is_open = not text.endswith("\n")
        return self._try(lambda: self.file.write(text)) or 0

    def flush(self) -> None:
        """Write out what is buffered."""
        self._try(self.file.flush)

    def close(self) -> None:
        """Stay open."""

    def _try(self, action: Callable[[], int | None]) -> int | None:
        try:
            return action()
        except OSError as error:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.file.fileno())
            if not isinstance(error, BrokenPipeError):
                complain("go_play.py", f"standard output cannot be written: {error.strerror}")
            raise KeyboardInterrupt from None

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401
        return getattr(self.file, name)


class CtrlC:
    """Ctrl-C ends a game at once, but waits while a result is noted. A player that catches it does not keep it."""

    def __init__(self) -> None:
        self.pressed = self.waits = False
        self.before = signal.getsignal(signal.SIGINT)

    def __enter__(self) -> CtrlC:
        if self.before is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._press)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self.before)

    def _press(self, *_: object) -> None:
        self.pressed = True
        if not self.waits:
            raise KeyboardInterrupt

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Hold Ctrl-C back for a moment."""
        self.waits = True
        yield
        self.waits = False
        if self.pressed:
            raise KeyboardInterrupt


class Match:
    """Games between two players, and what came of them. Raises BadPlayerError, or OSError for the SGF file."""

    def __init__(self, options: argparse.Namespace, seed: int) -> None:
        self.names = options.player1, options.player2
        # Visiting players draw from the global generators: seed them, so that their games can be repeated too.
        random.seed(seed)
        self.black, self.white = (_player(k, name, random.Random(f"{seed} {k}")) for k, name in enumerate(self.names))
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed % 2**32)
        self.sgf = SgfFile(options.sgf, self.names) if options.sgf is not None else None
        self.go = GO(options.size or options.rules.default_size, options.rules)
        self.go.verbose = options.show
        self.times: int = options.times
        self.tally = Tally()
        self.forfeits: list[str] = []

    def play(self, ctrl_c: CtrlC) -> None:
        """Play all games; whatever ends this early leaves the results of the complete games."""
        by_hand = is_manual(self.black) or is_manual(self.white)
        progress = Progress(self.times, quiet=by_hand or self.go.verbose)
        try:
            progress.update(0)
            for done in range(1, self.times + 1):
                self.go.play(self.black, self.white)
                with ctrl_c.waiting():
                    self._note()
                progress.update(done)
        finally:
            progress.clear()

    def _note(self) -> None:
        record = self.go.record
        assert record is not None
        if self.sgf is not None:
            self.sgf.add(record)
        outcome = record.outcome
        self.tally.wins[outcome.winner] += 1
        if outcome.ending.is_forfeit:
            loser = opponent(outcome.winner)
            colour, name = COLOUR_NAMES[loser], self.names[loser - 1]
            self.forfeits.append(f"game {self.tally.games}: {outcome.detail.replace(colour, f'{colour} ({name})', 1)}")

    def report(self, output: Output) -> None:
        """Print the results, and before them, on standard error, who forfeited which games, when and why."""
        for line in self.forfeits[:3]:
            print(line, file=sys.stderr)
        if len(self.forfeits) > 3:
            print(f"... and {len(self.forfeits) - 3} more forfeits", file=sys.stderr)
        if self.tally.games < self.times:
            print(f"stopped after {self.tally.games} of {self.times} games", file=sys.stderr)
        print("\n" * output.line_is_open + self.tally.lines(), file=output, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    return run("go_play.py", lambda: _play(parser().parse_args(arguments)), BadPlayerError)


def _play(options: argparse.Namespace) -> int:
    seed = random.SystemRandom().randrange(10**9) if options.seed is None else options.seed
    output = Output(sys.stdout or io.StringIO())
    with redirect_stdout(output), CtrlC() as ctrl_c:
        match = Match(options, seed)
        if options.seed is None:
            print(f"seed {seed} (--seed {seed} plays the same games again)", file=sys.stderr)
        status = DONE
        try:
            match.play(ctrl_c)
        except KeyboardInterrupt:
            status = INTERRUPTED
        except OSError as error:
            status = complain("go_play.py", str(error))
        except SystemExit:
            # A person typed `exit`.
            pass
        ctrl_c.waits = True
        if match.tally.games or status == INTERRUPTED:
            try:
                match.report(output)
            except KeyboardInterrupt:
                # Standard output cannot be written, which has been said.
                status = INTERRUPTED
    return status


if __name__ == "__main__":
    sys.exit(main())
