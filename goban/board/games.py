"""A game in the browser: the moves so far, two players, and a thread that asks those that are programs.

A person's player is None. Every change gives the game another version, for which a page can wait. `goban.board.reviews` has the
games that are looked at only.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from goban.board.processes import EndedError, Message, Program
from goban.common.excerpts import message_line
from goban.common.player_faults import Passage
from goban.errors import BadPointError, IllegalMoveError
from goban.moves import RESIGN, Move, move_name
from goban.points import parse_vertex
from goban.reviews import Review, start_message
from goban.rulesets import COLOUR_NAMES, RuleSet
from goban.states import State, new_game

Line = list[str]
"""Moves that were played and left again, by undo or to go on elsewhere: their names from the empty board, no resignation."""
MOST_LINES = 200
"""Beyond them the oldest is forgotten."""


def with_line(lines: Sequence[Line], line: Sequence[str]) -> list[Line]:
    """Return the lines with another one at the end; a line that another one begins with is no line of its own."""
    new = [name for name in line if name != "resign"]
    if not new or any(one[: len(new)] == new for one in lines):
        return list(lines)
    return [*(one for one in lines if new[: len(one)] != one), new][-MOST_LINES:]


_WHERE_SECONDS = 1.0


class GameError(Exception):
    """What a page asked for cannot be done; the message says why, in words for the player."""


@dataclass(frozen=True)
class Seat:
    """Who plays a colour. player: what the page calls it, '' for a person; make: starts the program, None for a person.

    file: the source that is played, if it is one, to be loaded anew when it is saved. person: the name of a person.
    """

    player: str = ""
    make: Callable[[], Program] | None = None
    file: Path | None = None
    person: str = ""

    @property
    def name(self) -> str:
        """The name for people."""
        return message_line(self.player or self.person or "you", 60)


@dataclass(frozen=True)
class Fault:
    """Why a program gave no move: one line, and the traceback if there is one."""

    colour: int
    text: str
    trace: str = ""


@dataclass
class Turn:
    """What is known of a move that was made: milliseconds for it, what the player printed, and where it was returned.

    came_from: as `goban.common.player_faults.passages` has it.
    """

    ms: int
    printed: str = ""
    came_from: Sequence[Passage] = ()


@dataclass(frozen=True)
class Origin:
    """Where in a file a game goes on from. node: that of its first position; notes: what is not as the file says."""

    review: Review
    node: int = 0
    notes: tuple[str, ...] = ()


@dataclass
class Game:
    """One game. seats: Black's and White's; lines: what else was tried; begun: where the moves begin, if stones were set up.

    origin: the file and the node in it from which it goes on. teach: moves that throw the game away are taken back, and if it
    is more than 0 also those that cost so many stones; -1: none. checking: the program waits until a move was looked at.
    lesson: what was taken back, and why. verdict: what would be graded of a player's file, as far as it is known. loaded: how
    often a player's file was loaded anew, and which it was.

    Raises GameError for moves that cannot be played. Use within `changes`.
    """

    rules: RuleSet
    size: int
    seats: tuple[Seat, Seat]
    lines: list[Line] = field(default_factory=list)
    begun: State | None = None
    origin: Origin | None = None
    states: list[State] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    fault: Fault | None = None
    printed_in_vain: str = ""
    solvable: bool = False
    values: dict[str, Any] | None = None
    line: dict[str, Any] | None = None
    analysing: bool = False
    truth: object = 0
    version: int = 0
    asked_at: float | None = None
    closed: bool = False
    teach: int = -1
    checking: bool = False
    lesson: dict[str, Any] | None = None
    verdict: dict[str, Any] | None = None
    loaded: tuple[int, str] = (0, "")

    def __post_init__(self) -> None:
        self.states = [self.begun or new_game(self.rules, self.size)]
        self.changes = threading.Condition(threading.RLock())
        self._programs: dict[int, Program] = {}
        self._turn_at = time.monotonic()

    # What people do

    def start(self, names: Sequence[str] = ()) -> None:
        """Play the first moves, by name, and let the programs play on."""
        for name in names:
            self._play(self.read(name), Turn(0))
        if any(seat.make for seat in self.seats):
            threading.Thread(target=self._ask_programs, daemon=True).start()

    def play(self, name: str, number: int) -> None:
        """Play a person's move. number: how many moves the page has seen."""
        with self.changes:
            if number != len(self.moves):
                raise GameError("the game has gone on since, look at the board again")
            if self.fault is not None:
                raise GameError("the game is over")
            if self.checking:
                raise GameError("the last move is still being looked at")
            if self._is_turn_of_program():
                raise GameError(f"it is the turn of {self.title(self.state.to_move)}")
            move = self.read(name)
            breach = self.state.why_illegal(move)
            # A person may always resign.
            if breach is not None and (move is not RESIGN or self.state.is_over):
                raise GameError(f"{name}: {breach}")
            self.lesson = None
            self._play(move, Turn(round(1000 * (time.monotonic() - self._turn_at))))

    def undo(self) -> None:
        """Take back the last move of a person, and what came after it."""
        with self.changes:
            by_person = [k for k in range(len(self.moves)) if self.seats[self.states[k].to_move - 1].make is None]
            if not by_person:
                raise GameError("there is no move of yours to take back")
            keep = by_person[-1]
            self.lines = self.all_lines()
            del self.states[keep + 1 :], self.moves[keep:], self.turns[keep:]
            self.values = self.line = self.lesson = None
            self.truth, self.analysing, self.checking = 0, False, False
            if self.fault is not None or self.asked_at is not None:
                self._end_programs()
            self._forget_fault()

    def reload(self, colour: int) -> None:
        """Take a colour's program from its file anew, which was saved; if it is being asked, or has failed, ask it again."""
        with self.changes:
            if self.closed:
                return
            failed = self.fault is not None and self.fault.colour == colour
            if failed or (self.asked_at is not None and self.state.to_move == colour):
                self._end_programs()
                self._forget_fault()
            elif (program := self._programs.pop(colour, None)) is not None:
                program.end()
            file = self.seats[colour - 1].file
            self.loaded = self.loaded[0] + 1, file.name if file else ""
            self.changed()

    def ask_again(self) -> None:
        """Ask the program that gave no move once more, in a new process."""
        with self.changes:
            self._end_programs()
            self._forget_fault()

    def stop(self) -> None:
        """Wait no longer for the program whose turn it is."""
        with self.changes:
            program, asked_at = self._programs.get(self.state.to_move), self.asked_at
            if program is None or asked_at is None:
                raise GameError("no program is thinking")
            seconds = time.monotonic() - asked_at
        where = program.where(_WHERE_SECONDS)
        with self.changes:
            if self.asked_at != asked_at:
                raise GameError("it has answered in the meantime")
            place = where or f"it was the turn of {self.title(self.state.to_move)}, for {seconds:.1f} s"
            self._fail(f"stopped by hand: {place}")
            self._end_programs()

    def close(self) -> None:
        """End the game and its programs."""
        with self.changes:
            self.closed = True
            self._end_programs()

    # What is known

    @property
    def state(self) -> State:
        """The position now."""
        return self.states[-1]

    @property
    def over(self) -> bool:
        """True if nobody is asked for a move any more."""
        return self.closed or self.fault is not None or self.state.is_over

    def title(self, colour: int) -> str:
        """Return who plays a colour, as 'black (smart)'."""
        return f"{COLOUR_NAMES[colour]} ({self.seats[colour - 1].name})"

    def all_lines(self) -> list[Line]:
        """Return the variations, and the game's own line."""
        return with_line(self.lines, self.names())

    def names(self) -> list[str]:
        """Return the names of the moves, and of what else has led from one position to the next."""
        return [move_name(move, self.size) for move in self.moves]

    def colours(self) -> list[int]:
        """Return who made each move."""
        return [state.to_move for state in self.states[: len(self.moves)]]

    def beginning(self, number: int) -> int:
        """Return after how many moves the position stood from which moves by the rules lead to the one after `number`."""
        return 0

    def position(self, number: int) -> Message:
        """Return the position after so many moves, as programs are told it."""
        first = self.beginning(number)
        komi, names = self.rules.komi(self.size), [name for name in self.names()[first:number] if name != "resign"]
        start = start_message(self.states[first])
        message: Message = {"rules": self.rules.name, "size": self.size, "komi": komi, "moves": names}
        return message if start is None else {**message, "start": start}

    def read(self, name: str) -> Move:
        """Return the move of a name; raises GameError."""
        if name == "resign":
            return RESIGN
        try:
            return parse_vertex(name, self.size)
        except BadPointError as error:
            raise GameError(str(error)) from None

    def wait(self, version: int, seconds: float) -> None:
        """Wait until the game's version is another one, so long at most."""
        with self.changes:
            self.changes.wait_for(lambda: self.version != version or self.closed, seconds)

    # What happens then

    def changed(self) -> None:
        """Tell whoever waits."""
        with self.changes:
            self.version += 1
            self.changes.notify_all()

    def _play(self, move: Move, turn: Turn) -> None:
        try:
            self.states.append(self.state.after(move) if move is RESIGN else self.state.play(move))
        except (BadPointError, IllegalMoveError) as error:
            raise GameError(str(error)) from None
        self.moves.append(move)
        self.turns.append(turn)
        self.truth = 0
        self._turn_at = time.monotonic()
        self.changed()

    def _fail(self, text: str, trace: str = "", printed: str = "") -> None:
        self.fault, self.printed_in_vain = Fault(self.state.to_move, text, trace), printed
        self.changed()

    def _forget_fault(self) -> None:
        self.fault, self.printed_in_vain = None, ""
        self._turn_at = time.monotonic()
        self.changed()

    def _end_programs(self) -> None:
        """End the processes; what they still answer is no longer heard."""
        for program in self._programs.values():
            program.end()
        self._programs.clear()
        self.asked_at = None
        self.changed()

    def _ask_programs(self) -> None:
        """Ask programs for their moves until the game is closed."""
        while True:
            with self.changes:
                self.changes.wait_for(lambda: self.closed or self._is_turn_of_program())
                if self.closed:
                    return
                colour, position = self.state.to_move, self.position(len(self.moves))
                self.asked_at = asked_at = time.monotonic()
                self.changed()
            self._ask(colour, position, asked_at)

    def _is_turn_of_program(self) -> bool:
        return not self.over and not self.checking and self.seats[self.state.to_move - 1].make is not None

    def _ask(self, colour: int, position: Message, asked_at: float) -> None:
        program = self._program(colour)
        if program is None:
            return
        try:
            answer = program.greeting()
            if not answer.get("error"):
                program.tell(position)
                answer = program.answer()
        except EndedError as error:
            answer = {"fault": f"{self.title(colour)}: {error}"}
        printed = program.printed()
        with self.changes:
            # Otherwise the move is no longer wanted.
            if self.asked_at == asked_at:
                ms = round(1000 * (time.monotonic() - asked_at))
                self._hear(answer, Turn(ms, printed, answer.get("came_from", ())))

    def _hear(self, answer: Message, turn: Turn) -> None:
        """Take a program's answer."""
        self.asked_at = None
        fault = answer.get("fault") or answer.get("error")
        try:
            if not fault:
                self._play(self.read(str(answer.get("move"))), turn)
        except GameError as error:
            fault = f"{self.title(self.state.to_move)}: {error}"
        if fault:
            self._fail(str(fault), str(answer.get("trace", "")), turn.printed)
            self._end_programs()

    def _program(self, colour: int) -> Program | None:
        """Return the program of a colour, started if need be; None if its move is no longer wanted."""
        with self.changes:
            make = self.seats[colour - 1].make
            if self.asked_at is not None and make is not None and colour not in self._programs:
                self._programs[colour] = make()
            return self._programs.get(colour)
