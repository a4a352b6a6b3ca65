"""From a command to its answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version

from goban.errors import GtpError
from goban.gtp import GET_READY, Command, failure, read_command, success
from goban.open_games import OpenGame
from goban.rulesets import RuleSet
from players.gtp_engine.board_commands import BoardCommands
from players.gtp_engine.client_commands import ClientCommands, SettingCommands
from players.gtp_engine.move_commands import MoveCommands
from players.gtp_engine.seats import USUAL_LEVEL, Seats
from players.gtp_engine.streams import Handler, Words, check_count

_PROJECT = "go-competition-harness"
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
        try:
            return version(_PROJECT)
        except PackageNotFoundError:
            return "not installed"

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
