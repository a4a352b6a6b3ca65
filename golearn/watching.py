"""`python3 my_player.py learn`: the command line, and what is to be seen while a table learns.

Rows on standard output say how the learner does after so many games: against opponents, against the exact truth where numpy is
installed, and how many entries it has met. They depend on the options alone. A terminal shows more below them: the time left,
the curves so far, what each first move is worth, and the entries met by the number of moves. `--browser` shows all that on a
page, and what moves are worth in the latest games against opponents. The page is told what a look has found, and asks the
learner nothing: watching neither slows it down nor changes what it learns. Needs the standard library only.
`my_player.py`, which is handed in, gives what is its own; it is not imported.
"""

from __future__ import annotations

import random
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from shutil import get_terminal_size
from typing import Any, Protocol

from go import GO, Player
from goban.board.games import GameError
from goban.board.page import learning_page
from goban.board.play_server import PlayServer, show
from goban.common.command_lines import DONE, INTERRUPTED, CommandError, Parser, how_to_install, is_installed, run, whole_number
from goban.common.excerpts import is_terminal, quoted, quoted_path
from goban.common.files import check_writable
from goban.game import GameRecord
from goban.grids import BLACK, WHITE
from goban.moves import Move
from goban.points import Point, vertex
from goban.rulesets import COLOUR_NAMES, COURSE
from goban.states import State, new_game
from players.registry import make_player

RIVALS = ("self", "random", "greedy", "aggressive", "smart")
RIVALS_BY_DEFAULT = "greedy,smart,greedy,aggressive"
ALWAYS = ("greedy", "smart")
"""The opponents it is tried against, whoever it learns from."""
Cell = tuple[str, int]
"""The opponent it is tried against, and its own colour."""
SIZE, STAGES = 5, 24
ROWS, GAMES, POSITIONS = 12, 20, 250
"""How often to look, how many games to play for each cell, and how many positions of known value to ask about."""
BARS = "▁▂▃▄▅▆▇█"
CELL, KEPT, ENTRIES = 6, 11, 10
"""Widths of columns: all opponents there are fit into 80."""


class Choice(Protocol):
    """A placement that may be chosen, its value from -1 to 1, and the state after it."""

    @property
    def value(self) -> float: ...
    @property
    def point(self) -> Point: ...
    @property
    def after(self) -> State: ...
    @property
    def board(self) -> Any: ...  # noqa: ANN401


@dataclass(frozen=True)
class Learner:
    """What learns. learn: plays so many games against rivals (None: itself), and yields the number so far; choices: every
    placement with its value; entries: by stage and kind, those that were learned; pieces: the kind, and the ways to look at a
    board, of which the first will do; write: writes entries to a file."""

    learn: Callable[[int, Sequence[Player | None], random.Random], Iterator[int]]
    choices: Callable[[State], Sequence[Choice]]
    entries: Any
    pieces: Sequence[tuple[int, Sequence[Callable[[Any], Any]]]]
    write: Callable[[Any, Path], None]

    def get_input(self, go: GO, piece_type: int) -> Point:
        """Return the best placement, as a player."""
        return self.best(go.position(piece_type))

    def best(self, state: State) -> Point:
        """Return the placement with the highest value."""
        return max(self.choices(state), key=lambda choice: choice.value).point

    def count_met(self) -> list[int]:
        """Return how many entries were learned, by the number of moves made."""
        return [sum(map(len, kinds)) for kinds in self.entries]

    def looks_met(self, choice: Choice) -> int:
        """Return how many of the looks at the board after a placement were learned; all of them if that ends the game."""
        kinds = self.entries[choice.after.n_move] if choice.after.n_move < len(self.entries) else None
        return sum(kinds is None or readings[0](choice.board) in kinds[kind] for kind, readings in self.pieces)


@dataclass(frozen=True)
class Milestone:
    """How the learner does after so many games: shares of games won, by cell; wins kept (None: not known); entries learned."""

    games: int
    won: list[float]
    kept: float | None
    entries: int


@dataclass
class Watch:
    """Looks at a learner while it learns. known: won positions that can be thrown away, and the points that do not.

    played: the last game of each cell.
    """

    learner: Learner
    games: int
    cells: Sequence[Cell]
    known: list[tuple[State, set[Point]]] = field(default_factory=list)
    looks: list[Milestone] = field(default_factory=list)
    played: list[GameRecord] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    def look(self, games: int) -> Milestone:
        """Let it play and answer; the same games and positions each time."""
        tried = [try_against(self.learner, name, colour) for name, colour in self.cells]
        won, self.played = [share for share, _ in tried], [record for _, record in tried]
        correct = [self.learner.best(state) in points for state, points in self.known]
        right = sum(correct) / len(correct) if correct else None
        self.looks.append(Milestone(games, won, right, sum(self.learner.count_met())))
        return self.looks[-1]

    def seconds_left(self, games: int) -> float:
        """Return how many seconds are left if it goes on as it did so far."""
        return (time.monotonic() - self.started) * (self.games - games) / max(games, 1)


def cells_of(rivals: Sequence[str]) -> list[Cell]:
    """Return the opponents and colours with which a learner is tried. rivals: those from which it learns."""
    names = dict.fromkeys((*ALWAYS, *(name for name in rivals if name != "self")))
    return [(name, colour) for name in names for colour in (BLACK, WHITE)]


def cell_name(cell: Cell) -> str:
    """Return a cell as 'smart X'."""
    return f"{cell[0]} {'XO'[cell[1] - 1]}"


def try_against(player: Player, name: str, colour: int) -> tuple[float, GameRecord]:
    """Return the share of games that a player wins against a reference player, and the last game; seeded."""
    won, go = 0, GO(SIZE)
    for number in range(GAMES):
        other = make_player(name, random.Random(f"{name} {colour} {number}"))
        won += go.play(*((player, other) if colour == BLACK else (other, player))) == colour
    assert go.record is not None
    return won / GAMES, go.record


def known_positions() -> list[tuple[State, set[Point]]]:
    """Return positions whose exact values come with the project: won ones in which some placement loses; none without numpy."""
    if not is_installed("numpy"):
        return []
    from golearn.alphazero.go_positions import read_positions, shipped_path

    known, positions = read_positions(shipped_path("course")), []
    for state, winners in zip(known.states(), known.winners.tolist(), strict=True):
        points = {(at // SIZE, at % SIZE): winner for at, winner in enumerate(winners[: SIZE * SIZE]) if winner}
        wins = {point for point, winner in points.items() if winner == state.to_move}
        if 0 < len(wins) < len(points):
            positions.append((state, wins))
    return positions[:: max(1, len(positions) // POSITIONS)][:POSITIONS]


def heading(cells: Sequence[Cell], known: bool) -> str:
    """Return the names of columns above `row_of`, in two lines."""
    opponents = "".join(f"{name:>{2 * CELL}}" for name in dict.fromkeys(name for name, _ in cells))
    colours = "".join(f"{'XO'[colour - 1]:>{CELL}}" for _, colour in cells)
    kept = f"{'kept wins':>{KEPT}}" if known else ""
    return f"      {opponents}\n games{colours}{kept}{'entries':>{ENTRIES}}"


def row_of(look: Milestone) -> str:
    """Return a look as a line."""
    won = "".join(f"{share:>{CELL}.0%}" for share in look.won)
    kept = "" if look.kept is None else f"{look.kept:>{KEPT}.0%}"
    return f"{look.games:>6}{won}{kept}{look.entries:>{ENTRIES},}"


def bars(values: Sequence[float], most: float = 1.0) -> str:
    """Return values from 0 to `most` as a row of bars."""
    return "".join(BARS[min(len(BARS) - 1, int(value / most * len(BARS)))] for value in values)


class Live:
    """The lines below the rows, on a terminal that can be written over."""

    def __init__(self) -> None:
        self.shown = is_terminal(sys.stderr)
        self.height = 0
        self.next_time = 0.0

    def show(self, watch: Watch, games: int) -> None:
        """Show how far it is, at most five times a second."""
        now = time.monotonic()
        if self.shown and now >= self.next_time:
            self.next_time = now + 0.2
            # A line that went on in the next one would not be written over.
            columns = get_terminal_size().columns
            lines = [line[: columns - 1] for line in live_lines(watch, games)]
            self._write(self._up() + "".join(f"\r\033[K{line}\n" for line in lines))
            self.height = len(lines)

    def clear(self) -> None:
        """Take the lines away."""
        if self.height:
            self._write(f"{self._up()}\033[J")
            self.height = 0

    def _up(self) -> str:
        return f"\033[{self.height}A" if self.height else ""

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


def live_lines(watch: Watch, games: int) -> list[str]:
    """Return what is shown on a terminal after so many games."""
    curves = [f"{cell_name(cell)} {bars([look.won[k] for look in watch.looks])}" for k, cell in enumerate(watch.cells)]
    met = watch.learner.count_met()[1:]
    return [
        f"{games}/{watch.games} games, {watch.seconds_left(games):.0f} s left; Ctrl-C stops and keeps what was learned",
        *map("  ".join, zip(curves[::2], curves[1::2], strict=True)),
        f"entries learned, by move: {bars(met, max(*met, 1))}",
        "what X's first move is worth, -100 (lost) to 100 (won):",
        *board_lines(watch.learner.choices(new_game(COURSE, SIZE)), SIZE),
    ]


def board_lines(choices: Sequence[Choice], size: int) -> list[str]:
    """Return a board with the value of each placement in hundredths."""
    values = {choice.point: choice.value for choice in choices}
    rows = []
    for i in range(size):
        cells = (f"{100 * values[i, j]:>+5.0f}" if (i, j) in values else "    ." for j in range(size))
        rows.append(f"{size - i:>3}{''.join(cells)}")
    return [*rows, "   " + "".join(f"{letter:>5}" for letter in "ABCDEFGHJ"[:size])]


class PageDesk:
    """What pages are told of a learner, and what they ask for. The thread that learns calls all methods but `answer`.

    {"do": "wait", "version": 3}    how far it is, and what the last look has found out if the page has not seen that; if there
                                    is nothing new, after a second
    {"do": "stop"}                  stop after this game, and keep what was learned

    An answer is {"version", "games", "left", "ending"}: seconds left if known, and in words how it ended, '' before; and where
    it is new "looks", a list for each as in `Milestone`; "met", entries by the number of moves; "boards", see `boards_of`.
    """

    def __init__(self, watch: Watch) -> None:
        self.games = 0
        self.ending = ""
        self.stopped = threading.Event()
        self._watch = watch
        self._version = 0
        self._news: dict[str, Any] = {"looks": [], "met": [], "boards": []}
        self._changes = threading.Condition()

    def tell(self) -> None:
        """Tell pages what the last look has found out, or that it has ended."""
        looks = [[look.games, look.won, look.kept, look.entries] for look in self._watch.looks]
        news = {"looks": looks, "met": self._watch.learner.count_met()[1:], "boards": boards_of(self._watch)}
        with self._changes:
            self._news, self._version = news, self._version + 1
            self._changes.notify_all()

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return what a page is to show; raises GameError."""
        kind, seen = request.get("do"), request.get("version")
        if kind == "stop":
            self.stopped.set()
        elif kind != "wait" or type(seen) is not int:
            raise GameError(f"expected to wait after a version or to stop, got {quoted(request)}")
        with self._changes:
            if kind == "wait":
                self._changes.wait_for(lambda: self._version != seen, 1.0)
            left = round(self._watch.seconds_left(self.games)) if self.games and not self.ending else None
            message = {"version": self._version, "games": self.games, "left": left, "ending": self.ending}
            return message if self._version == seen else {**message, **self._news}

    def close(self) -> None:
        """Do nothing: whoever waits is answered soon."""


def boards_of(watch: Watch) -> list[dict[str, Any]]:
    """Return the empty board, and the last game of each cell, if there is one: positions in which it is the learner's turn.

    A position is {"cells": digits row by row, "last": 'C3' or '', "move": how many were made, "to_move": the colour, "moves":
    {'C3': [value, how many of its looks were met]}, "chosen": the best}.
    """
    empty = new_game(COURSE, SIZE)
    boards = [{"title": "The empty board", "positions": [position_of(watch.learner, empty, None)]}]
    for cell, record in zip(watch.cells, watch.played, strict=False):
        positions, state, last = [], record.start, None
        for move in record.moves:
            if state.to_move == cell[1]:
                positions.append(position_of(watch.learner, state, last))
            state, last = state.after(move), move
        colour, ended = COLOUR_NAMES[cell[1]].capitalize(), "won" if record.outcome.winner == cell[1] else "lost"
        boards.append({"title": f"Its last game as {colour} against {cell[0]}, {ended}", "positions": positions})
    return boards


def position_of(learner: Learner, state: State, last: Move) -> dict[str, Any]:
    """Return a position as `boards_of` has it."""
    choices = learner.choices(state)
    moves = {vertex(choice.point, SIZE): [round(choice.value, 3), learner.looks_met(choice)] for choice in choices}
    return {
        "cells": "".join(str(stone) for row in state.rows() for stone in row),
        "last": vertex(last, SIZE) if isinstance(last, tuple) else "",
        "move": state.n_move,
        "to_move": state.to_move,
        "moves": moves,
        "chosen": vertex(max(choices, key=lambda choice: choice.value).point, SIZE),
    }


def learn_and_show(watch: Watch, rivals: Sequence[Player | None], desk: PageDesk | None = None) -> int:
    """Learn, and print rows; return how many games were learned from. Ctrl-C ends it, and so does a page. desk: tells pages."""
    live, games = Live(), 0
    every = max(1, watch.games // ROWS)
    with suppress(KeyboardInterrupt):
        print(heading(watch.cells, bool(watch.known)), flush=True)
        show_look(watch, 0, live, desk)
        watch.started = time.monotonic()
        for games in watch.learner.learn(watch.games, rivals, random.Random(1)):
            live.show(watch, games)
            if desk:
                desk.games = games
            if games == watch.games or (games % every == 0 and games + every <= watch.games):
                show_look(watch, games, live, desk)
            if desk and desk.stopped.is_set():
                break
    live.clear()
    return games


def show_look(watch: Watch, games: int, live: Live, desk: PageDesk | None) -> None:
    """Look at the learner, and show what was found out."""
    look = watch.look(games)
    live.clear()
    print(row_of(look), flush=True)
    if desk:
        desk.tell()


@contextmanager
def page_of(watch: Watch) -> Iterator[PageDesk]:
    """Serve a page while it learns; once it has ended, or a page has stopped it, go on until Ctrl-C."""
    desk = PageDesk(watch)
    why_not = "" if watch.known else f"The exact truth needs numpy: {how_to_install()}"
    page = learning_page([cell_name(cell) for cell in watch.cells], watch.games, why_not)
    with PlayServer(page, desk, "my_player.py") as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        # Not among the rows, which are the same every time.
        show(server, sys.stderr)
        try:
            yield desk
            with suppress(KeyboardInterrupt):
                desk.tell()
                while thread.is_alive() and (desk.games == watch.games or desk.stopped.is_set()):
                    # On Windows Ctrl-C is noticed only after a wait.
                    thread.join(0.5)
        finally:
            server.shutdown()


def opponents(text: str) -> list[str]:
    """Return the names in 'greedy,smart'."""
    names = text.split(",")
    for name in names:
        if name not in RIVALS:
            raise CommandError(f"--against: expected some of {', '.join(RIVALS)}, got {text!r}")
    return names


def check_path(path: Path) -> None:
    """Raise CommandError if no table can be written there: before an hour of learning, not after it."""
    try:
        check_writable(path, ".bin")
    except OSError as error:
        raise CommandError(f"--table: {quoted_path(path)} cannot be written: {error.strerror}") from None


def learn(learner: Learner, arguments: Sequence[str]) -> int:
    """Do what the command line asks for."""
    parser = Parser(prog="python3 my_player.py", name="my_player.py", description="Watch a table learn from nothing.")
    parser.add_argument("learn", choices=["learn"], help="learn a table from nothing")
    parser.add_argument("--games", type=whole_number(1, 10**9, "a number of games"), default=6000, help="default: 6000")
    parser.add_argument("--against", default=RIVALS_BY_DEFAULT, metavar="NAMES",
                        help=f"opponents, in turn: {', '.join(RIVALS)}; default: {RIVALS_BY_DEFAULT}")
    parser.add_argument("--table", type=Path, default=Path("mine.bin"), help="where to write the table; default: mine.bin")
    parser.add_argument("--browser", action="store_true", help="also watch it in a browser")
    options = parser.parse_args(arguments)
    rng = random.Random(2)
    names = opponents(options.against)
    rivals = [None if name == "self" else make_player(name, rng) for name in names]
    check_path(options.table)
    watch = Watch(learner, options.games, cells_of(names), known_positions())
    with page_of(watch) if options.browser else nullcontext() as desk:
        games = learn_and_show(watch, rivals, desk)
        learner.write(learner.entries, options.table)
        stopped = games < options.games
        ending = f"{'stopped: ' if stopped else ''}{games} games learned from, {options.table} written"
        print(ending, flush=True)
        if desk:
            desk.ending = ending
    return INTERRUPTED if stopped else DONE


def main(*learner: Any) -> int:  # noqa: ANN401
    """Learn as `sys.argv` says; learner: what `Learner` is made of."""
    return run("my_player.py", lambda: learn(Learner(*learner), sys.argv[1:]))
