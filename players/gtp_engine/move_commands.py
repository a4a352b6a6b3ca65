"""The commands that ask the player for a move, and those of analysis.

What those are asked, and the lines they print, are those of Leela Zero, KataGo and Sabaki:

    lz-analyze b 50       info move C3 visits 1000 winrate 9985 prior 400 lcb 9962 order 0 pv C3 info move ...
    analyze b 50          as lz-analyze: every dialect that does not begin with `kata` has whole numbers of ten-thousandths
    kata-analyze b 50     info move C3 visits 1000 winrate 0.998500 scoreMean 22.5 scoreLead 22.5 prior 0.040000 ... order 0 ...

All moves stand on one line, of less than 4 KB. Listed are moves that were searched: those with at least a hundredth of the
visits of the most visited one, and 2, and those of which it is proven who wins; `minmoves` asks for more. Clients take the
largest win rate of a line for the position's, so win rates are what the search goes by: they lean on other evidence where
there are few visits. lcb is what a move is worth at least, with 97.5 %: the lower end of Wilson's interval. prior is a move's
share in what the search expected before it tried any; the exact solver expects nothing, and moves share alike. scoreMean is
scoreLead by its older name, which Lizzie reads. `avoid` and `allow` restrict the search at the position itself; they say
nothing of later moves. With `ownership true`, `kata-analyze` ends its line with what the player to move owns of each point,
-1 to 1, row by row.

Sources: https://github.com/SabakiHQ/Sabaki/blob/master/docs/guides/engine-analysis-integration.md,
https://github.com/lightvector/KataGo/blob/master/docs/GTP_Extensions.md.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from goban.common.excerpts import quoted
from goban.errors import GtpError
from goban.gtp import colour_of, vertex_of, whole_number_of
from goban.moves import PASS, RESIGN, Move, Resign, move_name
from goban.open_games import OpenGame
from goban.points import Point, vertex
from goban.rulesets import RuleSet, Scoring
from goban.solver.errors import RULES, SearchError
from goban.states import State
from players.gtp_engine.seats import Seats
from players.gtp_engine.streams import Handler, Words, check_count

if TYPE_CHECKING:
    from goban.solver.candidates import Analyst, Candidate, Candidates, Moves


_ASKS_FOR_MORE = ("ownershipStdev", "movesOwnership", "movesOwnershipStdev", "pvVisits", "rootInfo")
"""Options that ask for more than there is to say; all others must be obeyed or refused."""

_NUMBERS = {"interval": 50, "maxmoves": 1000, "minmoves": 0}
_MOST_BYTES = 4000
_LONGEST_LINE = 15
"""Moves of a variation."""


@dataclass(frozen=True)
class Wanted:
    """What is to be analysed and said. interval: seconds from line to line; most_moves, least_moves: how many on a line.

    only: the moves that are looked at, None for all; never: those that are not. ownership: whether to say who owns the points.
    """

    colour: int
    interval: float = 0.5
    most_moves: int = 1000
    least_moves: int = 0
    only: frozenset[Point | None] | None = None
    never: frozenset[Point | None] = frozenset()
    ownership: bool = False

    def moves(self, position: State) -> Moves | None:
        """Return the legal moves to be looked at, None for all; raises GtpError if there is none."""
        if self.only is None and not self.never:
            return None
        left = frozenset(
            move for move in position.legal_moves()
            if not isinstance(move, Resign) and move not in self.never and (self.only is None or move in self.only)
        )  # fmt: skip
        if not left:
            raise GtpError("expected a legal move that avoid and allow leave, got none")
        return left

    def list_moves(self, found: Candidates) -> list[tuple[int, Candidate]]:
        """Return the moves to be listed, the best first, each with its place on the line."""
        least = max(2, max((one.visits for one in found), default=0) / 100)
        known = [place for place, one in enumerate(found) if one.visits >= least or one.least is None]
        more = [place for place in range(len(found)) if place not in known]
        chosen = sorted([*known, *more[: max(0, self.least_moves - len(known))]])
        return [(order, found[place]) for order, place in enumerate(chosen[: self.most_moves])]


def read_wanted(words: Words, to_move: int, size: int) -> Wanted:
    """Return what `[colour] [interval] [option value ...]` asks for; raises GtpError. The interval is in hundredths.

    `avoid` and `allow` are followed by a colour, vertices between commas, and how many moves ahead they hold.
    """
    rest = list(words)
    colour = to_move
    if rest and rest[0].isalpha() and rest[0].lower() in ("b", "w", "black", "white"):
        colour = colour_of(rest.pop(0))
    if rest and rest[0].isdigit():
        rest.insert(0, "interval")
    numbers, ownership = dict(_NUMBERS), False
    moves: dict[str, set[Point | None]] = {}
    while rest:
        name, *values = rest[: 4 if rest[0] in ("avoid", "allow") else 2]
        if len(values) < (3 if name in ("avoid", "allow") else 1):
            raise GtpError(f"syntax error: expected options with their values, got {quoted(' '.join(rest))}")
        del rest[: 1 + len(values)]
        if name in numbers:
            numbers[name] = whole_number_of(values[0])
        elif name in ("avoid", "allow"):
            whole_number_of(values[2])
            named = {vertex_of(word, size) for word in values[1].split(",")}
            if colour_of(values[0]) == colour:
                moves.setdefault(name, set()).update(named)
        elif name == "ownership":
            ownership = values[0].lower() == "true"
        elif name not in _ASKS_FOR_MORE:
            raise GtpError(
                f"syntax error: expected a colour, an interval, or one of {', '.join(_NUMBERS)}, avoid, allow, ownership, got "
                f"{quoted(name)}"
            )
    only = frozenset(moves["allow"]) if "allow" in moves else None
    never = frozenset(moves.get("avoid", ()))
    return Wanted(colour, max(numbers["interval"], 1) / 100, numbers["maxmoves"], numbers["minmoves"], only, never, ownership)


def info_line(found: Candidates, size: int, wanted: Wanted, whole: bool, owners: Sequence[float] = ()) -> str:
    """Return what is known of the moves as one line. whole: win rates as whole numbers up to 10000, and no leads.

    owners: what the player to move owns of each point, row by row, if that is to be said.
    """
    alike = 1 / len(found)
    parts = [_info(one, order, alike, size, whole) for order, one in wanted.list_moves(found)]
    tail = f" ownership {' '.join(f'{share:.2f}' for share in owners)}" if owners else ""
    room = _MOST_BYTES - len(tail)
    while len(parts) > max(1, wanted.least_moves) and sum(map(len, parts)) + len(parts) > room:
        parts.pop()
    return " ".join(parts) + tail


def _info(one: Candidate, order: int, alike: float, size: int, whole: bool) -> str:
    def rate(share: float) -> str:
        return f"{round(10_000 * share)}" if whole else f"{share:.6f}"

    lead = "" if whole or one.lead is None else f" scoreMean {one.lead:g} scoreLead {one.lead:g}"
    least = one.winrate if one.least is None else one.least
    prior = alike if one.prior is None else one.prior
    line = " ".join(vertex(point, size) for point in (one.move, *one.line)[:_LONGEST_LINE])
    return (
        f"info move {vertex(one.move, size)} visits {one.visits} winrate {rate(one.winrate)}{lead} prior {rate(prior)} "
        f"lcb {rate(least)} order {order} pv {line}"
    )


# The search behind an analysis: it goes on in a thread while the engine waits for the next command


class Analysis:
    """Within its block an analyst searches. Raises what `Analyst.candidates` raises. only: see there."""

    def __init__(self, analyst: Analyst, state: State, only: Moves | None = None) -> None:
        self._stop = threading.Event()
        self._steps = analyst.candidates(state, self._stop.is_set, only)
        self._thread = threading.Thread(target=self._search, daemon=True)
        self.found: Candidates = ()
        """What is known so far."""

    def __enter__(self) -> Analysis:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _search(self) -> None:
        for found in self._steps:
            self.found = found


def _is_solved(rules: RuleSet) -> bool:
    """Say whether the exact solver knows these rules, and the packages it needs are here."""
    return rules.name in RULES and find_spec("numpy") is not None and find_spec("numba") is not None


# The commands


# How long the moves are looked at beside a move that is played.
_SECONDS_BESIDE_A_MOVE = 1.0

_FORMS = {"lz-analyze": True, "kata-analyze": False, "analyze": True}
"""Command -> whether its win rates are whole numbers."""


class MoveCommands:
    """Commands on one game. input_waits: waits so many seconds for the next command, and says whether there is one."""

    def __init__(self, game: OpenGame, seats: Seats, input_waits: Callable[[float], bool]) -> None:
        self._game = game
        self._seats = seats
        self._input_waits = input_waits
        self._analyst: Analyst | None = seats.analyst()
        self._explanation = ""

    def table(self) -> dict[str, Handler]:
        """Return the commands by name; those of analysis only where something can analyse."""
        found: dict[str, Handler] = {
            "genmove": self._genmove,
            # Stones that are dead by agreement are none here: the players play on until they are taken off.
            "kgs-genmove_cleanup": self._genmove,
            "reg_genmove": self._reg_genmove,
            "gomill-explain_last_move": self._explain,
        }
        if self._analyst is not None or _is_solved(self._game.rules):
            for name, whole in _FORMS.items():
                found[name] = partial(self._analyse, whole)
                found[name.replace("analyze", "genmove_analyze")] = partial(self._genmove_analyse, whole)
        return found

    def _genmove(self, words: Words) -> str:
        check_count(words, "a colour", 1)
        colour = colour_of(words[0])
        move = self._choose_move(self._game.position(colour))
        self._play(colour, move)
        return move_name(move, self._game.size)

    def _reg_genmove(self, words: Words) -> str:
        check_count(words, "a colour", 1)
        return move_name(self._choose(self._game.position(colour_of(words[0]))), self._game.size)

    def _choose(self, position: State) -> Move:
        """Return the player's move, a pass where there is nothing left to play."""
        return PASS if position.is_over else self._seats.ask(position)

    def _choose_move(self, position: State) -> Move:
        """Return the player's move in a game, a resignation where it has lost hope."""
        move = self._choose(position)
        return RESIGN if not position.is_over and self._seats.resigns(position.to_move) else move

    def _play(self, colour: int, move: Move) -> None:
        self._explanation = ""
        if not isinstance(move, Resign):
            self._game.play(colour, move)

    def _explain(self, words: Words) -> str:
        check_count(words, "nothing after gomill-explain_last_move", 0)
        return self._explanation

    # Analysis

    def _analyse(self, whole: bool, words: Words) -> Iterator[str]:
        wanted = read_wanted(words, self._game.state.to_move, self._game.size)
        position = self._game.position(wanted.colour)
        if position.is_over:
            raise GtpError("the game is over")
        try:
            running = Analysis(self._ready(), position, wanted.moves(position))
        except SearchError as error:
            raise GtpError(str(error)) from None
        owners = self._owners(position, wanted, whole)
        return self._lines(running, wanted, whole, owners)

    def _lines(self, running: Analysis, wanted: Wanted, whole: bool, owners: Sequence[float]) -> Iterator[str]:
        """Yield a line whenever more is known, until there is any input."""
        shown: Candidates = ()
        with running:
            while not self._input_waits(wanted.interval):
                found = running.found
                if found is not shown and wanted.list_moves(found):
                    yield info_line(found, self._game.size, wanted, whole, owners)
                shown = found

    def _owners(self, position: State, wanted: Wanted, whole: bool) -> list[float]:
        """Return what the player to move owns of each point, where that is asked for, can be said and can be found out."""
        area = position.rules.scoring is Scoring.AREA and position.rules.passing
        if whole or not wanted.ownership or not area or find_spec("numba") is None:
            return []
        from goban.montecarlo.dead_stones import owners_of

        return owners_of(position)

    def _genmove_analyse(self, whole: bool, words: Words) -> Iterator[str]:
        wanted = read_wanted(words, self._game.state.to_move, self._game.size)
        position = self._game.position(wanted.colour)
        only = None if position.is_over else wanted.moves(position)
        if only is not None:
            self._seats.choose_from(wanted.colour, only)
        found = () if position.is_over or self._seats.analyst() else self._known_soon(position)
        move = self._choose_move(position)
        found = found if position.is_over else found or self._seats.found(wanted.colour)
        self._play(wanted.colour, move)
        lines = [f"play {move_name(move, self._game.size)}"]
        if found and wanted.list_moves(found):
            self._explanation = info_line(found, self._game.size, wanted, whole, self._owners(position, wanted, whole))
            lines.insert(0, self._explanation)
        return iter(lines)

    def _known_soon(self, position: State) -> Candidates:
        """Return what is found out in a moment, () where nothing can be: the player moves all the same."""
        end = time.monotonic() + _SECONDS_BESIDE_A_MOVE
        try:
            steps = self._ready().candidates(position, lambda: time.monotonic() >= end)
        except SearchError:
            return ()
        return next(iter(deque(steps, maxlen=1)), ())

    def _ready(self) -> Analyst:
        """Return who analyses. Without it no engine waits for the solver's packages to be loaded."""
        if self._analyst is None:
            from goban.solver.analysis import ExactAnalyst

            self._analyst = ExactAnalyst()
        return self._analyst
