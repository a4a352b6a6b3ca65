"""A player in a process of its own, for a program that asks it for moves: it may print, crash or hang as it likes.

    python3 -m players.player_process smart 7            the player, and the seed that it draws from

Reads lines of JSON from standard input, and ends with it. Writes a line to standard output for each:

    read                                                    written
    (at the start)                                          {"error": ""}, or why there is no such player
    {"rules": "course", "size": 5, "moves": ["C3", "D4"]}   {"move": "B2", "came_from": see `goban.common.player_faults`},
                                                            or {"fault": one line, "trace": lines}
    the same with "start", see `goban.reviews`              the same
    {"where": true}                                         {"where": "it was the turn of ..."}, while the player thinks

What the player prints goes to standard error; before each answer a line that holds only NUL is written there.
"""

from __future__ import annotations

import atexit
import json
import math
import os
import queue
import random
import sys
import threading
from contextlib import suppress
from typing import Any

from go import GO
from goban.common.player_faults import endless
from goban.common.terminals import keep_streams
from goban.game import GameLeftError, GameRecord, Seat, play_answers
from goban.grids import BLACK, WHITE
from goban.moves import move_name
from goban.points import parse_vertex
from goban.reviews import start_from
from goban.rulesets import COLOUR_NAMES, ruleset, with_komi
from goban.states import State
from players.errors import BadPlayerError
from players.gtp_engine.streams import write_all
from players.registry import Player, home_of, make_player, prepare_player
from players.watched_player import FollowedPlayer, calls

_Message = dict[str, Any]
_END_OF_TEXT = b"\0\n"


def _position(request: _Message) -> State:
    size = request["size"]
    state = start_from(with_komi(ruleset(request["rules"]), size, request.get("komi")), size, request.get("start"))
    for name in request["moves"]:
        state = state.play(parse_vertex(name, state.grid.size))
    return state


class _Seat:
    """The player's seat in one game. It may be asked about any position of the game, in any order.

    Raises BadPlayerError if there is no such player.
    """

    def __init__(self, name: str, seed: int) -> None:
        self._player = _make_player(name, seed)
        self._name = name
        self._watched: FollowedPlayer | None = None
        self._seat: Seat = _leave

    def answer(self, state: State) -> _Message:
        """Ask for a move as often as the rules allow."""
        if self._watched is None:
            prepare_player(self._name, self._player, state.rules, state.grid.size)
            self._watched = FollowedPlayer(self._player, state.to_move, self._name, math.inf, lambda line: None)
            self._seat = GO(state.grid.size, state.rules).seat(self._watched, state.to_move)
        seats = {BLACK: _leave, WHITE: _leave, state.to_move: self._seat}
        record: GameRecord
        try:
            record = play_answers(state, seats[BLACK], seats[WHITE])
        except GameLeftError as left:
            record = left.record
        if record.moves:
            move = record.moves[0]
            return {"move": move_name(move, state.grid.size), "came_from": self._watched.came_from}
        detail = record.outcome.detail.replace(COLOUR_NAMES[state.to_move], self._watched.title, 1)
        return {"fault": f"{detail}{self._watched.failure(state)}", "trace": self._watched.trace()}

    def where(self) -> _Message:
        """Tell where the player's code is."""
        frame = sys._current_frames().get(threading.main_thread().ident or 0)
        return {"where": "" if self._watched is None else self._watched.turn(frame)}


def _leave(state: State, complaint: str) -> object:
    """End the game when the other player is asked, who is not here."""
    raise SystemExit


def _make_player(name: str, seed: int) -> Player:
    # Visiting players draw from the global generators.
    random.seed(seed)
    player = make_player(name, random.Random(seed))
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed % 2**32)
    return player


class _Inbox:
    """The questions, which a thread reads, since the main thread may be busy in the player's code."""

    def __init__(self, commands: int, answers: int, home: str) -> None:
        self.questions: queue.Queue[_Message] = queue.Queue()
        self._home = home
        self.seat: _Seat | None = None
        threading.Thread(target=self._read, args=(commands, answers), daemon=True).start()

    def _read(self, commands: int, answers: int) -> None:
        """Read until the input ends, and then end the process, whatever the main thread does."""
        with os.fdopen(commands, encoding="ascii") as lines:
            for line in lines:
                request = json.loads(line)
                if "where" not in request:
                    self.questions.put(request)
                else:
                    write_all(answers, json.dumps(self._where()) + "\n")
        # An engine must be told to quit, or killed: its player has asked for that.
        with suppress(Exception):
            atexit._run_exitfuncs()
        os._exit(0)


    def _where(self) -> _Message:
        """Tell where the player's code is, which may still be loaded, or made."""
        if self.seat is not None:
            return self.seat.where()
        return {"where": endless(calls(sys._current_frames().get(threading.main_thread().ident or 0)), self._home)}


def main() -> None:
    """Answer until the input ends."""
    commands, answers = keep_streams()
    inbox = _Inbox(commands, answers, home_of(sys.argv[1]))
    try:
        inbox.seat = seat = _Seat(sys.argv[1], int(sys.argv[2]))
    except BadPlayerError as error:
        write_all(answers, json.dumps({"error": str(error)}) + "\n")
        return
    write_all(answers, json.dumps({"error": ""}) + "\n")
    while True:
        answer = seat.answer(_position(inbox.questions.get()))
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        with suppress(OSError):
            os.write(2, _END_OF_TEXT)
        write_all(answers, json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
