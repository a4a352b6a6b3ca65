"""A program that speaks GTP, started for one game, asked for moves; what it takes of the processor is counted.

Plain on purpose: a program that hangs or dies stops the benchmark. where engines are judged, `gojudge` does that.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from contextlib import suppress

from goban.common.command_lines import CommandError
from goban.common.excerpts import printable
from goban.errors import GobanError
from goban.grids import BLACK
from goban.moves import RESIGN, Move, move_name
from goban.points import parse_vertex
from goban.states import State

_COLOURS = {BLACK: "black", 3 - BLACK: "white"}


class GtpProgram:
    """One process. command: as in a shell, with {seed} for a number. Raises CommandError for whatever it does wrong."""

    def __init__(self, command: str, seed: int) -> None:
        words = shlex.split(command.replace("{seed}", str(seed)))
        # By its whole name, since Pachi looks for its files where its first argument says it is.
        words[0] = shutil.which(words[0]) or words[0]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        try:
            self._process = subprocess.Popen(words, text=True, start_new_session=True, **pipes)  # type: ignore[call-overload]
        except OSError as error:
            raise CommandError(f"{words[0]} cannot be started: {error.strerror}") from None
        self._moves: list[Move] = []
        self.seconds = 0.0
        """Of the processor, for all answers."""

    def begin(self, state: State) -> None:
        """Begin a game."""
        size = state.grid.size
        for command in (f"boardsize {size}", "clear_board", f"komi {state.rules.komi(size):g}"):
            self._ask(command)

    def told(self, colour: int, move: Move, size: int) -> None:
        """Hear of the opponent's move."""
        self._ask(f"play {_COLOURS[colour]} {move_name(move, size)}")

    def answer(self, state: State) -> Move:
        """Return its move."""
        before = self._used()
        text = self._ask(f"genmove {_COLOURS[state.to_move]}")
        self.seconds += self._used() - before
        if text.lower() == "resign":
            return RESIGN
        try:
            return parse_vertex(text, state.grid.size)
        except GobanError as error:
            raise CommandError(f"{self._process.args!r}: {error}") from None

    def stones(self, status: str, size: int) -> frozenset[Move]:
        """Return the points of all stones of a status: dead, alive or seki."""
        return frozenset(parse_vertex(word, size) for word in self._ask(f"final_status_list {status}").split())

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        with suppress(BrokenPipeError):
            self._process.communicate()

    def _used(self) -> float:
        """Return the seconds of the processor that the process has taken, from Linux's account of it."""
        with open(f"/proc/{self._process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _ask(self, command: str) -> str:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        with suppress(BrokenPipeError):
            stdin.write(f"{command}\n")
            stdin.flush()
        lines: list[str] = []
        while (line := stdout.readline()).strip() or not lines:
            if not line:
                raise CommandError(f"{self._process.args!r} has ended, asked {command!r}")
            lines += [line.strip()] if line.strip() else []
            # What is no answer may never end with an empty line.
            if lines and not lines[0].startswith("="):
                raise CommandError(f"{self._process.args!r} answered {printable(lines[0], 200)!r} to {command!r}")
        return " ".join(lines)[1:].strip()
