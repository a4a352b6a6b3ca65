"""What every move of a game was worth: computed once, stored in a file of its own beside the results, one line per game.

The key of a line is made of rules, size and moves. So a game is computed once however often it was played, and lines stay
valid when a submission is handed in anew. Lines are only ever added; the last one of a game counts. Half a line, left by a
power cut, is skipped. Numbers that could not be computed in the time given are null until a later run gives more time.

The workers of a cluster may compute them, one game at each at a time. They are asked what they are as for games, see
`gojudge.cluster.replies`, but need no sandbox and may have any speed: values are exact, and a slow machine only knows
fewer of them after the same time.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from contextlib import suppress
from dataclasses import dataclass, field, fields
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goban.common.excerpts import error_line
from goban.common.files import append_line
from goban.grids import BLACK, WHITE
from goban.moves import PASS, Move
from goban.points import parse_vertex
from goban.rulesets import RuleSet, opponent, ruleset
from goban.solver.candidates import cost_stones, is_mistake, loses, turn_of
from goban.states import new_game
from gojudge.cluster.at_worker import reply_with
from gojudge.cluster.cluster_pool import ClusterPool
from gojudge.cluster.remote_executor import Link
from gojudge.cluster.replies import NonsenseError, unpack_reply
from gojudge.errors import ClusterError
from gojudge.records import NOTHING, Turn

if TYPE_CHECKING:
    from goban.solver.analysis import Row
    from goban.solver.solver import Solver

RULES = ("course", "littlego")
SIZE = 5
PHASES = 3
_NAMING_SHARE = 0.5
"""What may be added to the time of a game to name one winning move where none was found."""
_NAMING_TRIES = 8
ENOUGH = 10
"""The fewest moves of known value from which a share is worth showing."""
_WINNERS = frozenset({None, 0, BLACK, WHITE})


@dataclass(frozen=True)
class Truth:
    """Values of a game's positions, from the empty board to the last: one more than there are moves.

    winners: 1, 2, or 0 for a tie. margins: Black's stones less White's at the end, without komi. Both are None where unknown.
    best: ply of a mistake -> the moves that would have cost nothing, as 'D4 C2'. winning: the same with the moves that would
    have won, where the best are unknown. seconds: how long the solver had for the game.
    """

    winners: tuple[int | None, ...]
    margins: tuple[int | None, ...]
    best: dict[int, str]
    seconds: float
    winning: dict[int, str] = field(default_factory=dict)

    # Pages ask for these many times per game.
    @cached_property
    def _costs(self) -> tuple[int | None, ...]:
        return tuple(cost_stones(_mover(ply), *self.margins[ply - 1 : ply + 1]) for ply in range(1, len(self.margins)))

    @cached_property
    def _turns(self) -> tuple[str, ...]:
        return tuple(turn_of(_mover(ply), *self.winners[ply - 1 : ply + 1]) for ply in range(1, len(self.winners)))

    def cost(self, ply: int) -> int | None:
        """Return how many stones move `ply` (from 1) lost its player; None if unknown."""
        return self._costs[ply - 1]

    def turn(self, ply: int) -> str:
        """Return how move `ply` made its player's result worse, as 'win to loss'; '' if it is not known to have done so."""
        return self._turns[ply - 1]

    def known(self, ply: int) -> bool:
        """Tell whether it is known if move `ply` was right or wrong.

        That takes its cost, or the winner before and after it if its player was not already losing. A move is counted in
        both cases or not at all: to count only moves known to be wrong would be unfair.
        """
        before, after = self.winners[ply - 1], self.winners[ply]
        lost = before == opponent(_mover(ply))
        return self.cost(ply) is not None or (before is not None and after is not None and not lost)

    def is_mistake(self, ply: int) -> bool:
        """Tell whether move `ply` is known to have cost something."""
        return is_mistake(self.cost(ply), self.turn(ply))

    @cached_property
    def mistakes(self) -> tuple[int, ...]:
        """The moves known to have cost something."""
        return tuple(ply for ply in range(1, len(self.winners)) if self.is_mistake(ply))

    @cached_property
    def first_losing_move(self) -> int | None:
        """The first move known to have turned its player's win or tie into a loss; None if there is none."""
        return next((ply for ply, turn in enumerate(self._turns, 1) if loses(turn)), None)

    @cached_property
    def last_turn(self) -> int | None:
        """The last move known to have given away a win or a tie; None if there is none."""
        return next((ply for ply in range(len(self.winners) - 1, 0, -1) if self.turn(ply)), None)

    @property
    def complete(self) -> bool:
        """True if nothing is unknown."""
        return None not in self.winners and None not in self.margins


def _mover(ply: int) -> int:
    """Return the player who made move `ply`. All of these games begin on the empty board, with Black."""
    return BLACK if ply % 2 else WHITE


def phase_of(ply: int, size: int) -> int:
    """Return 0, 1 or 2 for the first, second and last third of the moves that a game can have."""
    return min(PHASES - 1, (ply - 1) * PHASES // (size * size - 1))


def has_solver(rules: str, size: int) -> bool:
    """Tell whether there is a solver for these games."""
    return rules in RULES and size == SIZE


def game_key(rules: str, size: int, turns: Sequence[Turn]) -> str:
    """Return the key of a game's line."""
    moves = " ".join(turn.move for turn in turns)
    return hashlib.sha256(f"{rules} {size} {moves}".encode()).hexdigest()[:24]


def truth_path(store: Path) -> Path:
    """Return the path of the file with the truth about a store's games."""
    return store.with_name(f"{store.name}.truth.jsonl")


def read_truths(path: Path) -> dict[str, Truth]:
    """Return game key -> truth; lines that cannot be read are skipped."""
    truths: dict[str, Truth] = {}
    if path.is_file():
        with path.open("rb") as file:
            for line in file:
                try:
                    data = json.loads(line)
                    truths[data["key"]] = truth_of_fields(data)
                except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
                    continue
    return truths


def fields_of(truth: Truth) -> dict[str, Any]:
    """Return a truth as plain data, which JSON can hold; `truth_of_fields` is the inverse."""
    return {one.name: getattr(truth, one.name) for one in fields(Truth)}


def truth_of_fields(data: dict[str, Any]) -> Truth:
    """Return the truth in a line or a reply. Raises ValueError, KeyError, TypeError, AttributeError or OverflowError."""
    # Lines of earlier versions have no "winning".
    named = data["best"], data.get("winning", {})
    best, winning = ({int(ply): str(moves) for ply, moves in known.items()} for known in named)
    winners, margins = tuple(data["winners"]), tuple(data["margins"])
    if len(winners) != len(margins) or not _WINNERS.issuperset(winners) or not {int, type(None)}.issuperset(map(type, margins)):
        raise ValueError("no values of a game")
    return Truth(winners, margins, best, float(data["seconds"]), winning)


def append_truth(path: Path, key: str, truth: Truth) -> None:
    """Append a line; earlier lines are never touched. Raises OSError."""
    append_line(path, json.dumps({"key": key, **fields_of(truth)}).encode())


def missing(
    games: Iterable[Sequence[Turn]], rules: str, size: int, known: dict[str, Truth], seconds: float
) -> dict[str, Sequence[Turn]]:
    """Return key -> moves of the games to be computed: unknown ones, and incomplete ones that had less time than `seconds`."""
    unsolved: dict[str, Sequence[Turn]] = {}
    for turns in games:
        truth = truth_of(turns, rules, size, known)
        if turns and (truth is None or (not truth.complete and truth.seconds < seconds)):
            unsolved.setdefault(game_key(rules, size, turns), turns)
    return unsolved


def truth_of(turns: Sequence[Turn], rules: str, size: int, known: Mapping[str, Truth]) -> Truth | None:
    """Return what is known of a game; None if nothing is, or if it is no truth about a game of so many moves."""
    truth = known.get(game_key(rules, size, turns))
    return truth if truth is not None and len(truth.winners) == len(turns) + 1 else None


def analyser(rules: RuleSet, size: int, seconds: float) -> Callable[[Sequence[Turn]], Truth]:
    """Return a function that computes the truth about a game. Raises ModuleNotFoundError without the solver's packages."""
    from goban.solver.analysis import MEMORY_MIB, analyse
    from goban.solver.reports import names_of
    from goban.solver.solver import Solver

    solver = Solver(MEMORY_MIB)

    def look(turns: Sequence[Turn]) -> Truth:
        moves: list[Move] = []
        for turn in turns:
            if turn.move == "resign":
                break
            moves.append(PASS if turn.move == "pass" else parse_vertex(turn.move, size))
        rows = analyse(moves, rules, size, solver=solver, seconds=seconds)
        mistakes = [row for row in rows if row.is_mistake]
        best = {row.ply: names_of(row.best_moves, size) for row in mistakes if row.best_moves}
        winning = {row.ply: names_of(row.winning_moves, size) for row in mistakes if row.winning_moves and not row.best_moves}
        unnamed = [row for row in mistakes if row.turns_win.startswith("win") and row.ply not in best | winning]
        for row, move in _winning_moves(unnamed, moves, rules, size, solver, seconds * _NAMING_SHARE):
            winning[row.ply] = names_of([move], size)
        winners = [row.winner_before for row in rows] + [rows[-1].winner_after if rows else None]
        margins = [row.margin_before for row in rows] + [rows[-1].margin_after if rows else None]
        # A resignation is a turn, but its cost is not known.
        rest = [None] * (len(turns) - len(moves))
        return Truth((*winners, *rest), (*margins, *rest), best, seconds, winning)

    return look


def _winning_moves(
    rows: Sequence[Row], moves: Sequence[Move], rules: RuleSet, size: int, solver: Solver, seconds: float
) -> Iterator[tuple[Row, Move]]:
    """Yield one winning move for each position in which there was one and another was played, as far as time allows.

    All winning moves of a position take long to find. One is enough to tell a student, and is often known from the book.
    """
    end = solver.clock() + seconds
    states = [new_game(rules, size)]
    for move in moves:
        states.append(states[-1].play(move))
    for row in rows:
        before = states[row.ply - 1]
        for move in before.legal_moves():
            left = max(0.0, end - solver.clock())
            if solver.winner(before.play(move), seconds=left / _NAMING_TRIES).winner == row.colour:
                yield row, move
                break


@dataclass(slots=True)
class Accuracy:
    """A player's moves in one phase of their games. known, unknown: how many moves are, see `Truth.known`. right: how many of
    the known ones were. stones: what the others cost, as far as that is known."""

    known: int = 0
    right: int = 0
    stones: int = 0
    unknown: int = 0

    def count(self, truth: Truth, ply: int) -> None:
        """Add a move."""
        if truth.known(ply):
            self.known += 1
            self.right += not truth.is_mistake(ply)
            self.stones += truth.cost(ply) or 0
        else:
            self.unknown += 1

    def text(self) -> str:
        """Return '87 %', or a dash if too few moves are known to say."""
        return f"{100 * self.right / self.known:.0f} %" if self.known >= ENOUGH else "–"


def count_accuracy(phases: Sequence[Accuracy], truth: Truth, colour: int, size: int) -> None:
    """Add the moves of one player to their phases."""
    for ply in range(1 if colour == BLACK else 2, len(truth.winners), 2):
        phases[phase_of(ply, size)].count(truth, ply)


# A game that was so often at a worker that was lost may be the reason.
_MOST_LOSSES = 10
# On a busy machine a game may take this many times the seconds it has, after its worker has compiled the solver.
_BUSY = 20.0
_COMPILING_SECONDS = 3600.0


@dataclass(frozen=True)
class TruthQuestion:
    """What a worker is asked about games. seconds: that it has for one."""

    rules: str
    size: int
    seconds: float


def look(question: TruthQuestion, key: str, moves: Sequence[str]) -> bytes:
    """At a worker: reply with the truth about a game, and the key it was asked for by."""

    def work() -> dict[str, Any]:
        turns = [Turn(move, NOTHING) for move in moves]
        return {"key": key, "truth": fields_of(_analyser(question)(turns))}

    return reply_with(work)


@cache
def _analyser(question: TruthQuestion) -> Callable[[Sequence[Turn]], Truth]:
    return analyser(ruleset(question.rules), question.size, question.seconds)


@dataclass(frozen=True)
class _Task:
    key: str
    began: float
    future: Future[bytes]


def truths_from(
    pool: ClusterPool,
    link: Link,
    question: TruthQuestion,
    wanted: Mapping[str, Sequence[Turn]],
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[tuple[str, Truth]]:
    """Yield key and truth of each game, in the order in which they are found.

    pool, link: the workers and the way to them. wanted: key -> moves, see `tournament.pages.truths.missing`. clock: in seconds.
    Workers may join and be lost meanwhile; others look at their games. Raises ClusterError if nobody is left who can.
    """
    left, losses = deque(wanted), Counter[str]()
    under_way: dict[str, _Task] = {}
    longest = _BUSY * question.seconds + _COMPILING_SECONDS
    try:
        while left or under_way:
            present = pool.present()
            for address in [address for address in present if address not in under_way]:
                if left:
                    key = left.popleft()
                    moves = tuple(turn.move for turn in wanted[key])
                    under_way[address] = _Task(key, clock(), link.submit(address, look, question, key, moves))
            wait([task.future for task in under_way.values()], 0.05, FIRST_COMPLETED)
            for address, task in list(under_way.items()):
                truth = None
                if task.future.done():
                    truth = _take(pool, address, task, wanted[task.key])
                elif clock() - task.began > longest:
                    pool.refuse(address, "it takes longer than any game can")
                elif address in present:
                    continue
                del under_way[address]
                if truth is not None:
                    yield task.key, truth
                    continue
                task.future.cancel()
                left.append(task.key)
                losses[task.key] += 1
                if losses[task.key] > _MOST_LOSSES:
                    raise ClusterError(f"the last {_MOST_LOSSES} workers that looked at game {task.key} were lost")
    finally:
        for task in under_way.values():
            task.future.cancel()


def _take(pool: ClusterPool, address: str, task: _Task, turns: Sequence[Turn]) -> Truth | None:
    """Return what a worker has found; None, and perhaps the worker is not used any more, if that is nothing."""
    try:
        return _truth_in(task.future.result(), task.key, turns)
    except NonsenseError as error:
        pool.refuse(address, str(error))
    except (CancelledError, ClusterError):
        # It was lost, or its scheduler gave the game up. If it is still there, it may be asked again.
        pass
    except Exception as error:
        pool.refuse(address, error_line(error))
    return None


def _truth_in(reply: bytes, key: str, turns: Sequence[Turn]) -> Truth:
    """Return the truth about a game that a reply holds. Raises NonsenseError."""
    reply_fields = unpack_reply(reply)
    if "failed" in reply_fields:
        raise NonsenseError(f"it says: {str(reply_fields['failed'])[:500]!r}")
    if reply_fields.get("key") == key:
        with suppress(ValueError, KeyError, TypeError, AttributeError, OverflowError):
            truth = truth_of_fields(reply_fields["truth"])
            if len(truth.winners) == len(turns) + 1:
                return truth
    raise NonsenseError("it has sent something else than was asked for: expected the truth about a game")
