"""`python3 my_player.py learn`: the command line, and what is to be seen while a table learns.

Rows on standard output say how the learner does after so many games: against opponents, by the exact truth where numpy is
installed, and how many entries it has met. They depend on the options alone. On a terminal there is more below them: how long
it takes yet, the curves so far, what each first move is worth, and the entries met by the number of moves. Needs the standard
library only. `my_player.py`, which is handed in, gives what is its own; it is not imported.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from common.command_lines import DONE, INTERRUPTED, CommandError, Parser, is_installed, run, whole_number
from common.excerpts import quoted_path
from go import GO, Player
from goban.grids import BLACK, WHITE
from goban.points import Point
from goban.rulesets import COURSE
from goban.states import State, new_game
from players.registry import make_player

RIVALS = ("self", "random", "greedy", "aggressive", "smart")
CELLS = [(name, colour) for name in ("greedy", "smart") for colour in (BLACK, WHITE)]
SIZE, STAGES = 5, 24
ROWS, GAMES, POSITIONS = 12, 20, 250
"""How often to look, by how many games in each cell, and at how many positions of which the truth is known."""
BARS = "▁▂▃▄▅▆▇█"


class Choice(Protocol):
    """A placement that may be chosen, its value from -1 to 1, and the state after it."""

    @property
    def value(self) -> float: ...
    @property
    def point(self) -> Point: ...
    @property
    def after(self) -> State: ...


@dataclass(frozen=True)
class Learner:
    """What learns. learn: plays so many games against rivals (None: itself), and yields the number so far; choices: every
    placement with its value; entries: by stage and kind, those that were learned; save: writes what was learned."""

    learn: Callable[[int, Sequence[Player | None], random.Random], Iterator[int]]
    choices: Callable[[State], Sequence[Choice]]
    entries: Sequence[Sequence[Sequence[Any]]]
    save: Callable[[Path], None]

    def get_input(self, go: GO, piece_type: int) -> Point:
        """Return the best placement, as a player."""
        return self.best(go.position(piece_type))

    def best(self, state: State) -> Point:
        """Return the placement with the highest value."""
        return max(self.choices(state), key=lambda choice: choice.value).point

    def met(self) -> list[int]:
        """Return how many entries were learned, by the number of moves made."""
        return [sum(map(len, kinds)) for kinds in self.entries]


@dataclass(frozen=True)
class Milestone:
    """How the learner does after so many games: shares of games won, by cell; wins kept (None: not known); entries learned."""

    games: int
    won: list[float]
    kept: float | None
    entries: int


@dataclass
class Watch:
    """Looks at a learner while it learns. known: won positions that can be thrown away, and the points that do not."""

    learner: Learner
    games: int
    known: list[tuple[State, set[Point]]] = field(default_factory=list)
    looks: list[Milestone] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    def look(self, games: int) -> Milestone:
        """Let it play and answer; the same games and positions each time."""
        won = [share_won(self.learner, name, colour) for name, colour in CELLS]
        kept = [self.learner.best(state) in points for state, points in self.known]
        self.looks.append(Milestone(games, won, sum(kept) / len(kept) if kept else None, sum(self.learner.met())))
        return self.looks[-1]

    def seconds_left(self, games: int) -> float:
        """Return how long it takes yet, if it goes on as it did so far."""
        return (time.monotonic() - self.started) * (self.games - games) / max(games, 1)


def share_won(player: Player, name: str, colour: int) -> float:
    """Return the share of games that a player wins against a reference player; seeded."""
    won = 0
    for number in range(GAMES):
        other = make_player(name, random.Random(f"{name} {colour} {number}"))
        won += GO(SIZE).play(*((player, other) if colour == BLACK else (other, player))) == colour
    return won / GAMES


def known_positions() -> list[tuple[State, set[Point]]]:
    """Return positions whose exact values come with the project: won ones in which some placement loses; none without numpy."""
    if not is_installed("numpy"):
        return []
    from learning.alphazero.go_positions import read_positions, shipped_path

    known, found = read_positions(shipped_path("course")), []
    for state, winners in zip(known.states(), known.winners.tolist(), strict=True):
        points = {(at // SIZE, at % SIZE): winner for at, winner in enumerate(winners[: SIZE * SIZE]) if winner}
        wins = {point for point, winner in points.items() if winner == state.to_move}
        if 0 < len(wins) < len(points):
            found.append((state, wins))
    return found[:: max(1, len(found) // POSITIONS)][:POSITIONS]


def heading(known: bool) -> str:
    """Return the names of columns above `row_of`."""
    names = [f"{name} {'XO'[colour - 1]}" for name, colour in CELLS] + ["kept wins"] * known + ["entries"]
    return " games" + "".join(f"{name:>11}" for name in names)


def row_of(look: Milestone) -> str:
    """Return a look as a line."""
    kept = "" if look.kept is None else f"{look.kept:>11.0%}"
    return f"{look.games:>6}" + "".join(f"{won:>11.0%}" for won in look.won) + kept + f"{look.entries:>11,}"


def bars(values: Sequence[float], most: float = 1.0) -> str:
    """Return values from 0 to `most` as a row of bars."""
    return "".join(BARS[min(len(BARS) - 1, int(value / most * len(BARS)))] for value in values)


class Live:
    """The lines below the rows, on a terminal that can be written over."""

    def __init__(self) -> None:
        self.shown = sys.stderr is not None and sys.stderr.isatty()
        self.height = 0
        self.next_time = 0.0

    def show(self, watch: Watch, games: int) -> None:
        """Show how far it is, at most five times a second."""
        now = time.monotonic()
        if self.shown and now >= self.next_time:
            self.next_time = now + 0.2
            lines = live_lines(watch, games)
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
    curves = "  ".join(
        f"{name} {'XO'[colour - 1]} {bars([look.won[k] for look in watch.looks])}" for k, (name, colour) in enumerate(CELLS)
    )
    met = watch.learner.met()[1:]
    return [
        f"{games}/{watch.games} games, {watch.seconds_left(games):.0f} s left; Ctrl-C stops and keeps what was learned",
        curves,
        f"entries learned, by move: {bars(met, max(*met, 1))}",
        "what X's first move is worth, -100 (lost) to 100 (won):",
        *board_lines(watch.learner.choices(new_game(COURSE, SIZE)), SIZE),
    ]


def board_lines(found: Sequence[Choice], size: int) -> list[str]:
    """Return a board with the value of each placement in hundredths."""
    values = {choice.point: choice.value for choice in found}
    rows = []
    for i in range(size):
        cells = (f"{100 * values[i, j]:>+5.0f}" if (i, j) in values else "    ." for j in range(size))
        rows.append(f"{size - i:>3}{''.join(cells)}")
    return [*rows, "   " + "".join(f"{letter:>5}" for letter in "ABCDEFGHJ"[:size])]


def learn_and_show(watch: Watch, rivals: Sequence[Player | None], path: Path) -> int:
    """Learn, and print rows; return how many games were learned from. Ctrl-C ends it."""
    live, games = Live(), 0
    every = max(1, watch.games // ROWS)
    try:
        print(heading(bool(watch.known)), flush=True)
        print(row_of(watch.look(0)), flush=True)
        for games in watch.learner.learn(watch.games, rivals, random.Random(1)):
            live.show(watch, games)
            if games == watch.games or (games % every == 0 and games + every <= watch.games):
                look = watch.look(games)
                live.clear()
                print(row_of(look), flush=True)
    except KeyboardInterrupt:
        live.clear()
    watch.learner.save(path)
    return games


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
        with path.open("ab"):
            pass
    except OSError as error:
        raise CommandError(f"--table: {quoted_path(path)} cannot be written: {error.strerror}") from None


def learn(learner: Learner, arguments: Sequence[str]) -> int:
    """Do what the command line asks for."""
    parser = Parser(prog="python3 my_player.py", name="my_player.py", description="A table learns from nothing, to be watched.")
    parser.add_argument("learn", choices=["learn"], help="learn a table from nothing")
    parser.add_argument("--games", type=whole_number(1, 10**9, "a number of games"), default=6000, help="default: 6000")
    parser.add_argument("--against", default="greedy,smart,greedy", metavar="NAMES",
                        help=f"who plays against it in turn: {', '.join(RIVALS)}; default: greedy,smart,greedy")
    parser.add_argument("--table", type=Path, default=Path("mine.bin"), help="where to write it; default: mine.bin")
    options = parser.parse_args(arguments)
    rng = random.Random(2)
    rivals = [None if name == "self" else make_player(name, rng) for name in opponents(options.against)]
    check_path(options.table)
    watch = Watch(learner, options.games, known_positions())
    games = learn_and_show(watch, rivals, options.table)
    stopped = games < options.games
    print(f"{'stopped: ' if stopped else ''}{games} games learned from, {options.table} written")
    return INTERRUPTED if stopped else DONE


def main(*learner: Any) -> int:  # noqa: ANN401
    """Learn as `sys.argv` says; learner: what `Learner` is made of."""
    return run("my_player.py", lambda: learn(Learner(*learner), sys.argv[1:]))
