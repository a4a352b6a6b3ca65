"""Play games of Go between two players and print how often each won.

    python3 go_play.py -p1=my -p2=greedy -t=50          50 games, 'my' is Black
    python3 go_play.py -p1=manual -p2=smart             you against the smart player
    python3 go_play.py -p1=my_player.py -p2=random -t=100 --sgf games.sgf

Needs nothing but Python.
"""

from __future__ import annotations

from goban.common.starting import begin, is_started

if is_started(__name__):
    begin()

import argparse
import faulthandler
import io
import random
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout, suppress
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING

from go import GO, is_manual
from goban.common.command_lines import DONE, INTERRUPTED, Parser, complain, run, whole_number
from goban.common.excerpts import quoted, quoted_path
from goban.common.player_faults import GO_PLAY_MAIN, RefusedError
from goban.common.terminals import CtrlC, LastWords, Output, Progress
from goban.errors import GobanError
from goban.game import GameRecord
from goban.grids import BLACK, MAX_SIZE, MIN_SIZE, WHITE
from goban.rulesets import COLOUR_NAMES, COURSE, PRESETS, RuleSet, move_seconds, opponent, ruleset
from players.errors import BadPlayerError
from players.host import Host
from players.player_files import code_is_running
from players.registry import NAMES, NEEDS, Player, PlayerMaker, check_game, prepare_player, split_options
from players.watched_player import WatchedPlayer

if TYPE_CHECKING:
    from goban.board.desk import Desk
    from goban.board.game_files import GameFile


def _rules(text: str) -> RuleSet:
    try:
        return ruleset(text)
    except GobanError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _in_rows(names: Iterable[str]) -> str:
    """Return names with commas between them, in rows that fit behind a margin of eight in a terminal of 80 columns."""
    rows = [""]
    for name in names:
        rows[-1] += ", " if rows[-1] else ""
        rows += [""] if len(rows[-1] + name) > 70 else []
        rows[-1] += name
    return "\n        ".join(row.rstrip() for row in rows)


def parser() -> Parser:
    """Return the command line's parser."""
    command = Parser(
        prog="go_play.py",
        description="Play games of Go between two players and print how often each won.",
        epilog=f"PLAYER: {_in_rows(NAMES)};\n"
        "        file.py (its class MyPlayer), file.py:Class or module:Class;\n"
        "        gtp:COMMAND for an engine;\n"
        "        players and classes with options: PLAYER:key=value,key=value\n"
        f"NAME:   {_in_rows(PRESETS)}",
        # A fixed width: to ask for the terminal's, argparse imports much, help or no help.
        formatter_class=lambda prog: argparse.RawDescriptionHelpFormatter(prog, max_help_position=26, width=80),
    )
    size, times, seed = "a size", "a number of games", "a seed"
    command.add_argument(
        "-n", "--size", type=whole_number(MIN_SIZE, MAX_SIZE, size), help="board size, default: 5 (the usual one under --rules)"
    )
    command.add_argument("-p1", "--player1", metavar="PLAYER", help="Black (X), default: random")
    command.add_argument("-p2", "--player2", metavar="PLAYER", help="White (O), default: random")
    command.add_argument("-t", "--times", type=whole_number(1, 10**9, times), default=1, help="number of games, default: 1")
    command.add_argument("--rules", type=_rules, default=COURSE, metavar="NAME", help="rule set, default: course")
    command.add_argument(
        "--seed", type=whole_number(0, 2**64 - 1, seed), help="repeat the games of an earlier run with this seed"
    )
    command.add_argument("--sgf", metavar="FILE", help="append every game to this file")
    command.add_argument(
        "--html", metavar="FILE", help="write all games to a page, with what each move cost where that is known"
    )
    command.add_argument(
        "--browser", nargs="?", const="", metavar="FILE", help="open a board in the browser; play FILE.py, or view FILE.sgf"
    )
    command.add_argument("--show", action="store_true", help="show every board")
    command.add_argument("--traceback", action="store_true", help="show the full traceback of a failure, or at Ctrl-C")
    return command


class _Seat:
    """Who plays a colour: makes the player of each game. Raises BadPlayerError, which names the option."""

    def __init__(self, index: int, name: str, seed: int, rules: RuleSet, size: int) -> None:
        self.name = name
        try:
            check_game(name, rules, size)
            self._maker = PlayerMaker(name, random.Random(f"{seed} {index}"))
            self.first = self._maker.next_player()
            prepare_player(name, self.first, rules, size)
        except BadPlayerError as error:
            raise BadPlayerError(f"argument -p{index + 1}/--player{index + 1}: {error}") from error.__cause__

    def next_player(self) -> Player:
        """Return the player of the next game; one that fails when it is asked if none can be made any more."""
        try:
            return self._maker.next_player()
        except BadPlayerError as error:
            return _Unmade(str(error))


class _Unmade:
    """Stands in for a player that could not be made for a game."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def get_input(self, go: Host, piece_type: int, /) -> object:
        """Say why there is no player."""
        raise RefusedError(self._reason)


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


def _files(options: argparse.Namespace, names: tuple[str, str], say: Callable[[str], object]) -> list[GameFile]:
    """Return the files that games go to. say: is told what they wait for."""
    if options.sgf is None and options.html is None:
        return []
    from goban.board.game_files import HtmlFile, SgfFile

    sgf = [] if options.sgf is None else [SgfFile(options.sgf, names)]
    return [*sgf, *([] if options.html is None else [HtmlFile(options.html, names, say)])]


def _watched(recorded: bool) -> type[WatchedPlayer]:
    if not recorded:
        return WatchedPlayer
    from players.watched_player import RecordedPlayer

    return RecordedPlayer


class Match:
    """Games between two players, and what came of them. Raises BadPlayerError, or OSError for the SGF file.

    last_words: said if a player ends this process, by `os._exit` or a signal.
    """

    def __init__(self, options: argparse.Namespace, seed: int, last_words: LastWords | None = None) -> None:
        self.names = options.player1 or "random", options.player2 or "random"
        self.tally = Tally()
        self.times: int = options.times
        self.forfeits: list[str] = []
        self.last_words = last_words
        # Visiting players draw from the global generators: seed them, so that their games can be repeated too.
        random.seed(seed)
        game = options.rules, options.size or options.rules.default_size
        self.seats: list[_Seat] = []
        for index, name in enumerate(self.names):
            self._foresee(f"while {COLOUR_NAMES[BLACK + index]} ({name}) was loaded")
            self.seats.append(_Seat(index, name, seed, *game))
        by_hand = any(is_manual(seat.first) for seat in self.seats)
        self.progress = Progress(options.times, quiet=by_hand or options.show)
        seconds, say, watched = move_seconds(options.rules), self.progress.say, _watched(options.html is not None)
        self.black, self.white = (
            watched(seat.first, colour, seat.name, seconds, say)
            for seat, colour in zip(self.seats, (BLACK, WHITE), strict=True)
        )
        if last_words is not None:
            for player in (self.black, self.white):
                player.asking = partial(self._foresee_turn, player.title)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed % 2**32)
        self.files = _files(options, self.names, say)
        rules, size = game
        self.go = GO(size, rules)
        self.go.verbose = options.show
        self.traceback: bool = options.traceback
        self.stopped_in = ""

    def play(self, ctrl_c: CtrlC) -> None:
        """Play all games; whatever ends this early leaves the results of the complete games."""
        ctrl_c.noticed = self._notice
        try:
            self.progress.update(0)
            for number in range(1, self.times + 1):
                if number > 1:
                    for watched, seat in zip((self.black, self.white), self.seats, strict=True):
                        self._foresee(f"while {watched.title} was made for game {number}")
                        watched.begin(seat.next_player())
                self._play_one()
                with ctrl_c.waiting():
                    self._note()
                self.progress.update(number)
        finally:
            self.progress.clear()

    def _play_one(self) -> None:
        """Play a game. If a person leaves it, what there is of it goes to the files."""
        try:
            self.go.play(self.black, self.white)
        except SystemExit:
            if self.go.record is not None and self.go.record.moves:
                self._keep(self.go.record)
            raise

    def _keep(self, record: GameRecord, fault: str = "", trace: str = "") -> None:
        for file in self.files:
            file.add(record, (self.black.turns, self.white.turns), fault, trace)

    def _foresee_turn(self, title: str, move: int) -> None:
        self._foresee(f"in the turn of {title}, at move {move} of game {self.tally.games + 1}")

    def _foresee(self, when: str) -> None:
        """Note what is to be said if this process should end now."""
        if self.last_words is not None:
            line = f"go_play.py: this process ended {when}; {self.tally.games} of {self.times} games were played"
            lines = "\n".join([*self._forfeits_told(), line])
            self.last_words.set(lines, self.tally.lines() if self.tally.games else "")

    def _notice(self, frame: FrameType | None) -> None:
        """Note whose turn it is, when Ctrl-C is pressed."""
        for player in (self.black, self.white):
            if turn := player.turn(frame):
                self.stopped_in = turn + (f":\n{player.stack(frame)}".rstrip() if self.traceback else "")

    def _note(self) -> None:
        record = self.go.record
        assert record is not None
        outcome, fault, trace = record.outcome, "", ""
        if outcome.ending.is_forfeit:
            loser = opponent(outcome.winner)
            player = self.black if loser == BLACK else self.white
            detail = outcome.detail.replace(COLOUR_NAMES[loser], player.title, 1)
            fault, trace = f"{detail}{player.failure(record.final)}", player.trace() if self.files or self.traceback else ""
        self._keep(record, fault, trace)
        self.tally.wins[outcome.winner] += 1
        if fault:
            line = f"game {self.tally.games}: {fault}"
            self.forfeits.append(f"{line}\n{trace}".rstrip() if self.traceback else line)

    def _forfeits_told(self) -> list[str]:
        more = len(self.forfeits) - 3
        return [*self.forfeits[:3], *([f"... and {more} more forfeits"] if more > 0 else [])]

    def report(self, output: Output) -> None:
        """Print the results, and before them, on standard error, who forfeited which games, when and why."""
        for line in self._forfeits_told():
            print(line, file=sys.stderr)
        if self.stopped_in:
            print(self.stopped_in, file=sys.stderr)
        if self.tally.games < self.times:
            print(f"stopped after {self.tally.games} of {self.times} games", file=sys.stderr)
        print("\n" * output.line_is_open + self.tally.lines(), file=output, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    return run("go_play.py", lambda: _run(arguments), BadPlayerError)


def _run(arguments: Sequence[str] | None) -> int:
    if code_is_running():
        raise RuntimeError(GO_PLAY_MAIN)
    command = parser()
    options = command.parse_args(arguments)
    if options.browser is None:
        return _play(options)
    for name, given in (("show", options.show), ("sgf", options.sgf), ("html", options.html), ("times", options.times > 1)):
        if given:
            command.error(f"argument --browser: expected without --{name}")
    return _play_in_browser(command, options)


def _play_in_browser(command: Parser, options: argparse.Namespace) -> int:
    """Serve the board until Ctrl-C."""
    from goban.board.desk import Desk
    from goban.board.play_server import PlayServer, serve

    rules: RuleSet = options.rules
    file: str = options.browser
    reviews = file.lower().endswith(".sgf")
    if file and not reviews and (".py" not in file or options.player2):
        command.error(f"argument --browser: expected a player's FILE.py, without -p2, or FILE.sgf, got {quoted(file)}")
    desk = Desk(_seed(options))
    opponent_name = options.player2 if reviews else file or options.player2
    players = [name or default for name, default in ((options.player1, "manual"), (opponent_name, "smart"))]
    people = ["" if name == "manual" else name for name in players]
    chosen = {"rules": rules.name, "size": options.size or rules.default_size, "players": people}
    if reviews:
        chosen["game"] = _open_in_browser(desk, file)
    serve(PlayServer(browser_page(chosen), desk))
    return DONE


def _open_in_browser(desk: Desk, file: str) -> str:
    """Open an SGF file to be looked at; return the game's name. Raises BadPlayerError, OSError."""
    from base64 import b64encode

    from goban.board.games import GameError

    with open(file, "rb") as opened:
        data = b64encode(opened.read()).decode()
    try:
        return str(desk.answer({"do": "sgf", "data": data})["game"])
    except GameError as error:
        raise BadPlayerError(f"argument --browser: {quoted_path(file)}: {error}") from None


def browser_page(chosen: dict[str, object]) -> bytes:
    """Return the page, on which players can be chosen that can play here."""
    from importlib.util import find_spec

    from goban.board.page import Offer, play_page
    from goban.board.truths import MOST_SIZE

    offers = []
    for name in NAMES:
        missing = " and ".join(package for package in NEEDS.get(name, ()) if not find_spec(package))
        limits = {"perfect": ((), MIN_SIZE, MOST_SIZE), "zero": ((), 5, 5)}.get(name)
        offers.append(Offer(name, missing) if limits is None else Offer(name, missing, *limits))
    return play_page([one for one in offers if one.name != "manual"], chosen)


def _seed(options: argparse.Namespace) -> int:
    return random.SystemRandom().randrange(10**9) if options.seed is None else int(options.seed)


def _tell_crashes() -> None:
    """Have Python print the line at which a player crashes this process, by endless recursion or a faulty package."""
    if not faulthandler.is_enabled():
        with suppress(AttributeError, OSError, RuntimeError):  # there is no standard error
            faulthandler.enable()


def _last_words(options: argparse.Namespace) -> LastWords | None:
    """Return the words to be said if this process is ended; None where only players of ours play, who do not do that."""
    names = (split_options(name)[0] for name in (options.player1, options.player2) if name)
    return LastWords() if any(name.lower() not in NAMES for name in names) else None


def _play(options: argparse.Namespace) -> int:
    _tell_crashes()
    last_words = _last_words(options)
    try:
        return _play_match(options, last_words)
    finally:
        if last_words is not None:
            last_words.close()


def _play_match(options: argparse.Namespace, last_words: LastWords | None) -> int:
    seed = _seed(options)
    output = Output(sys.stdout or io.StringIO(), "go_play.py")
    with redirect_stdout(output), CtrlC() as ctrl_c:
        try:
            match = Match(options, seed, last_words)
        except BadPlayerError as error:
            if options.traceback and error.__cause__ is not None:
                sys.excepthook(type(error.__cause__), error.__cause__, error.__cause__.__traceback__)
            raise
        except KeyboardInterrupt as stopped:
            # Where a player was that is still being loaded, or made.
            for note in filter(None, getattr(stopped, "__notes__", ())):
                print(note, file=sys.stderr)
            raise
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
        try:
            for file in match.files:
                file.finish(match.tally.lines())
        except OSError as error:
            status = complain("go_play.py", str(error))
    return status


if __name__ == "__main__":
    sys.exit(main())
