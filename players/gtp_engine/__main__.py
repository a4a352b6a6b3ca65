"""Any player as a GTP engine, for Sabaki, GoGui and every other program that speaks GTP.

    python3 -m players.gtp_engine my --rules aga --size 9
    python3 -m players.gtp_engine perfect --rules littlego
    python3 -m players.gtp_engine mine/my_player.py --seed 7
    python3 -m players.gtp_engine montecarlo:seconds=2 --mc-patterns mogo_classic

Reads commands from standard input and writes answers, and nothing else, to standard output, until `quit` or the end of the
input. What a player prints goes to standard error.
"""

from __future__ import annotations

from goban.common.starting import begin, is_started

if is_started(__name__):
    begin()

import argparse
import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext

from goban.common.command_lines import DONE, CommandError, Parser, command_line, run, whole_number
from goban.common.excerpts import quoted
from goban.common.facades import __version__
from goban.common.terminals import keep_streams
from goban.errors import GtpError
from goban.grids import MAX_SIZE, MIN_SIZE
from goban.gtp import GET_READY, Command, failure, read_command, success
from goban.open_games import OpenGame
from goban.rulesets import PRESETS, RuleSet, full_name, ruleset
from players.errors import BadPlayerError
from players.gtp_engine.board_commands import BoardCommands
from players.gtp_engine.client_commands import ClientCommands, SettingCommands
from players.gtp_engine.move_commands import MoveCommands
from players.gtp_engine.seats import USUAL_LEVEL, Seats
from players.gtp_engine.streams import Handler, Inbox, Words, check_count, write_all
from players.registry import NAMES, check_game, check_player, split_options, tell_compilation

_COMPILED = ("final_score", "final_status_list", "ownership")
"""Commands besides those that ask the players which run kernels: not in two threads at once."""


class Engine:
    """One player as a GTP engine. Raises BadPlayerError, or BadBoardError for a size outside 2..19.

    player: its name, as `players.registry` knows it. input_waits: waits so many seconds for the next command, and says whether
    there is one; an analysis ends then. level: see `players.gtp_engine.seats`.
    """

    def __init__(
        self, player: str, rules: RuleSet, size: int, seed: int, input_waits: Callable[[float], bool], level: int = USUAL_LEVEL
    ) -> None:
        self.game = OpenGame(rules, size)
        self.over = False
        """True after `quit`."""
        self._rules = rules.name
        self._seats = Seats(player, seed, level)
        moves = MoveCommands(self.game, self._seats, input_waits).table()
        self._handlers: dict[str, Handler] = {
            **self._table(),
            **BoardCommands(self.game, self._seats).table(),
            **moves,
            **SettingCommands(self._seats).table(),
            **ClientCommands(self.game, self._seats).table(),
        }
        self._waiting = {*moves, *_COMPILED, GET_READY}

    def answer(self, line: str) -> Iterator[str]:
        """Yield the answer to a line in the pieces in which it is to be sent, nothing for a line without a command."""
        command = read_command(line)
        if command is None:
            return
        try:
            handler = self._handler(command)
            if command.name in self._waiting:
                self._seats.wait_until_ready()
            result = handler(command.words)
        except GtpError as error:
            yield failure(command.id, str(error))
            return
        if isinstance(result, str):
            yield success(command.id, result)
            return
        yield f"={command.id}\n"
        for part in result:
            yield f"{part}\n"
        yield "\n"

    @property
    def is_ready(self) -> bool:
        """False while something is compiled, which commands that need it wait for."""
        return self._seats.is_ready

    def _handler(self, command: Command) -> Handler:
        found = self._handlers.get(command.name)
        if found is None:
            raise GtpError("unknown command")
        return found

    # What an engine says of itself

    def _table(self) -> dict[str, Handler]:
        return {
            "protocol_version": lambda _: "2", "name": self._name, "version": self._version, "list_commands": self._list,
            "known_command": self._knows, "quit": self._quit, "cputime": self._cpu_time, "gomill-cpu_time": self._cpu_time,
            "gomill-describe_engine": self._describe, GET_READY: lambda _: "",
        }  # fmt: skip

    def _name(self, _: Words) -> str:
        return self._seats.name

    def _version(self, _: Words) -> str:
        return __version__

    def _list(self, _: Words) -> str:
        return "\n".join(sorted(self._handlers))

    def _knows(self, words: Words) -> str:
        check_count(words, "a command", 1)
        return "true" if words[0] in self._handlers else "false"

    def _quit(self, _: Words) -> str:
        self.over = True
        return ""

    def _cpu_time(self, _: Words) -> str:
        return f"{time.process_time():.3f}"

    def _describe(self, words: Words) -> str:
        return f"{self._name(words)} {self._version(words)}\nthe Go Competition Harness, rules {self._rules}"


_NAME = "gtp_engine"
_SEARCHER = "montecarlo"


def parser() -> Parser:
    """Return the command line's parser."""
    names = ", ".join(name for name in NAMES if name != "manual")
    made = Parser(name=_NAME, prog=command_line("players.gtp_engine"), description="Play by GTP, the Go Text Protocol.")
    made.add_argument("player", metavar="PLAYER", help=f"{names}, a file.py, or module:Class; options follow as :key=value,...")
    made.add_argument(
        "--rules", type=full_name, choices=PRESETS, default="aga", metavar="NAME", help="rule set (default: %(default)s)"
    )
    size, seed = whole_number(MIN_SIZE, MAX_SIZE, "a size"), whole_number(0, 2**64 - 1, "a seed")
    made.add_argument("--size", type=size, metavar="N", help=(
        "board size until boardsize is sent (default: the usual one of the rules)"
    ))  # fmt: skip
    made.add_argument("--seed", type=seed, metavar="N", help="repeat the games of an earlier run with this seed")
    search = made.add_argument_group("montecarlo, under GNU Go's names")
    games, level = whole_number(1, 10**9, "a number of games"), whole_number(1, 1000, "a level")
    search.add_argument("--mc-patterns", metavar="NAME", help="built-in set of patterns; see --mc-list-patterns")
    search.add_argument("--mc-load-patterns", metavar="FILE", help="your own file of patterns")
    search.add_argument("--mc-list-patterns", action="store_true", help="list the built-in sets, and exit")
    search.add_argument("--mc-games-per-level", type=games, metavar="N", help="simulations per move and level")
    search.add_argument("--level", type=level, default=10, metavar="N", help="strength (default: %(default)s)")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status."""
    return run(_NAME, lambda: _serve(parser().parse_args(arguments)), BadPlayerError)


def _serve(options: argparse.Namespace) -> int:
    if options.player == "manual":
        raise CommandError("expected a program, got manual: play against one in a program that shows a board")
    if options.mc_list_patterns:
        return _list_patterns()
    player = _with_options(options)
    commands, answers = keep_streams()
    # Not before: what a file prints when it is loaded is no answer.
    check_player(player)
    rules = ruleset(options.rules)
    if options.size is not None:
        check_game(player, rules, options.size)
    inbox = Inbox(commands)
    seed = random.SystemRandom().randrange(10**9) if options.seed is None else options.seed
    # What is compiled later than the player is, to tell dead stones, say.
    with tell_compilation(_NAME) if "numba" in sys.modules else nullcontext():
        engine = Engine(player, rules, options.size or rules.default_size, seed, inbox.waits, options.level)
        for line in inbox:
            for part in engine.answer(line):
                write_all(answers, part)
            if engine.over:
                break
        if not engine.is_ready:
            # Nobody waits for what is still being compiled, and no thread may be in the compiler when Python ends.
            sys.stderr.flush()
            os._exit(DONE)
    return DONE


def _with_options(options: argparse.Namespace) -> str:
    """Return the player's name with the options that stand in GNU Go's words, a file before a set, as there."""
    given = {"patterns": options.mc_load_patterns or options.mc_patterns}
    if options.mc_games_per_level is not None:
        given["simulations"] = USUAL_LEVEL * options.mc_games_per_level
    texts = [f"{key}={value}" for key, value in given.items() if value is not None]
    name, before = split_options(options.player)
    if texts and name != _SEARCHER:
        raise CommandError(f"expected {_SEARCHER}, for which alone there are --mc-... options, got {quoted(options.player)}")
    texts = [before, *texts] if before else texts
    return f"{name}:{','.join(texts)}" if texts else options.player


def _list_patterns() -> int:
    from goban.montecarlo.pattern_sets import DEFAULT, NAMES

    print("\n".join(f"{name} (default)" if name == DEFAULT else name for name in NAMES))
    return DONE


if __name__ == "__main__":
    sys.exit(main())
