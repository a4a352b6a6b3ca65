"""A proof about a game of `course` or `littlego` as a strategy: the prover's answer in every position that can come about.

    claim = CourseClaim(state, BLACK, 3)
    proof_of_course_claim(engine, claim)               the bytes of a file
    proof_of_course_claim(engine, claim, path, tell)   the same, of long work: `path` keeps what is done, `tell` is told how far

`verify_course_proof.py` reads such a file, and says in its first lines what it checks and how the file is laid out. The games
are played here as it plays them, in the same order, by the compiled rules of `answers`, which says how answers are found.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from goban.common.excerpts import printable
from goban.common.files import write_beside
from goban.grids import BLACK
from goban.rulesets import COLOUR_NAMES, opponent
from goban.solver.alphabeta.answers import (
    DONE,
    MOST_REPLIES,
    REACHED,
    REPLIES_AT_ONCE,
    add_all,
    answer_some,
    new_room,
    number_of,
)
from goban.solver.alphabeta.boards import WIDTH, Ints, ko_point
from goban.solver.alphabeta.verify_course_proof import COURSE_NAMES, Games, course_words
from goban.solver.engine import Engine, OutOfBudgetError
from goban.solver.errors import SearchError
from goban.states import State

_PORTION = 1 << 16
"""Positions whose answers are chosen together, at most."""
_BETWEEN_SAVES = 600.0
"""Seconds."""
_DIGEST = 32

Tell = Callable[[str], None]


class NoCourseProofError(SearchError):
    """A claim does not hold, or is about a position that a proof cannot begin with."""


class BadProgressError(SearchError):
    """A file is not what a proof of the same claim, interrupted, has left."""


@dataclass(frozen=True)
class CourseClaim:
    """What a proof is about: `prover` ends the game with `margin` stones more than the other side, or more."""

    state: State
    prover: int
    margin: int


@dataclass
class _Progress:
    """How far a strategy is: the positions with `left` moves left, as `answers` numbers them, in their order.

    earlier: the answers to all before them, a byte each; chosen: to these, as many as `counts` says; reached: what comes of
    them, a set as `answers.add_all` makes it.
    """

    left: int
    ordered: Ints
    earlier: bytes = b""
    chosen: npt.NDArray[np.uint8] = field(default_factory=lambda: np.zeros(0, np.uint8))
    reached: Ints = field(default_factory=lambda: np.zeros(2, np.int64))
    counts: Ints = field(default_factory=lambda: np.zeros(2, np.int64))

    def __post_init__(self) -> None:
        """Make room for answers that are not there yet."""
        self.chosen = np.concatenate([self.chosen, np.zeros(len(self.ordered) - len(self.chosen), np.uint8)])

    @property
    def done(self) -> int:
        """How many positions with `left` moves left have their answers."""
        return int(self.counts[DONE])

    @property
    def answered(self) -> int:
        """How many positions have their answers."""
        return len(self.earlier) + self.done

    def make_room(self) -> None:
        """Let the set of what is reached be no more than half full after the next answers."""
        most = int(self.counts[REACHED]) + min(REPLIES_AT_ONCE, MOST_REPLIES * (len(self.ordered) - self.done))
        if 2 * most > len(self.reached):
            larger = np.zeros(1 << (2 * most).bit_length(), np.int64)
            add_all(_sort(self.reached), larger)
            self.reached = larger

    def descend(self) -> _Progress:
        """Return what is to be done with two moves less."""
        return _Progress(self.left - 2, _sort(self.reached), self.earlier + self.chosen.tobytes())

    def to_bytes(self) -> bytes:
        """Return what `_read_progress` reads."""
        reached = _sort(self.reached)
        numbers = [np.array([self.left, len(self.ordered), len(reached), self.done], np.int64), self.ordered, reached]
        return b"".join([*(part.tobytes() for part in numbers), self.chosen[: self.done].tobytes(), self.earlier])


def _read_progress(data: bytes) -> _Progress:
    """Return what `to_bytes` wrote; data: as it was written."""
    left, positions, known, done = (int(number) for number in np.frombuffer(data[:32], np.int64))
    ordered, reached = np.split(np.frombuffer(data[32 : 32 + 8 * (positions + known)], np.int64).copy(), [positions])
    answers = data[32 + 8 * (positions + known) :]
    places = np.zeros(1 << (2 * known).bit_length() + 1, np.int64)
    add_all(reached, places)
    chosen = np.frombuffer(answers[:done], np.uint8)
    return _Progress(left, ordered, answers[done:], chosen, places, np.array([done, known], np.int64))


def _sort(reached: Ints) -> Ints:
    """Return the numbers of a set in order."""
    return np.sort(reached[reached > 0]) - 1


class _Writer:
    """Finds the answers to a claim that the solver has proven."""

    def __init__(self, engine: Engine, claim: CourseClaim) -> None:
        self.engine, self.room = engine, new_room(claim.margin)
        self.memory = engine.share()

    def answers(self, progress: _Progress, save: Callable[[bytes], None], tell: Tell) -> bytes:
        """Return the answers to all positions from where a progress is. Saves it now and then, and when interrupted."""
        saved = self.engine.clock()
        try:
            while len(progress.ordered):
                begun, first = self.engine.clock(), progress.done
                while progress.done < len(progress.ordered):
                    self.answer_some(progress)
                    now = self.engine.clock()
                    tell(_progress_text(progress, (now - begun) / (progress.done - first)))
                    if now - saved > _BETWEEN_SAVES:
                        save(progress.to_bytes())
                        saved = self.engine.clock()
                progress = progress.descend()
        except KeyboardInterrupt:
            save(progress.to_bytes())
            raise
        return progress.earlier

    def answer_some(self, progress: _Progress) -> None:
        """Find the answers to the next positions."""
        progress.make_room()
        numbers, answers = progress.ordered, progress.chosen
        answer_some(numbers, progress.left, _PORTION, answers, progress.counts, progress.reached, self.room, *self.memory)


def holds(engine: Engine, claim: CourseClaim, nodes: int | None = None) -> bool | None:
    """Tell whether a claim holds; None if so many nodes do not tell. Raises NoCourseProofError, and what the engine raises."""
    state = claim.state
    engine.start(state, nodes, None)
    # What is found on the way is what a proof is made of.
    engine.share()
    if state.is_over or ko_point(state):
        raise NoCourseProofError("expected a game that is not over, and a position in which no ko is forbidden")
    # As the engine asks: does Black reach a margin?
    try:
        return engine.reaches(state, claim.margin if claim.prover == BLACK else 1 - claim.margin) == (claim.prover == BLACK)
    except OutOfBudgetError:
        return None


def proof_of_course_claim(
    engine: Engine, claim: CourseClaim, unfinished: Path | None = None, tell: Tell | None = None
) -> bytes:
    """Return the file that proves a claim; raises NoCourseProofError, BadProgressError, OSError, and what the engine raises.

    unfinished: where the work is kept every ten minutes and when it is interrupted, and goes on from if it is there; it is not
    removed here. tell: is told how far it is, after some thousand positions each time.
    """
    if not holds(engine, claim):
        raise NoCourseProofError("the claim could not be proven")
    writer = _Writer(engine, claim)
    marked = _lines(claim, 0).encode() + b"\n"
    progress = _first_progress(claim)
    if unfinished is not None and unfinished.exists():
        data = unfinished.read_bytes()
        if not data.startswith(marked) or hashlib.sha256(data[:-_DIGEST]).digest() != data[-_DIGEST:]:
            raise BadProgressError(f"{printable(str(unfinished), 400)}: expected a whole file of work on the same claim")
        progress = _read_progress(data[len(marked) : -_DIGEST])

    def save(work: bytes) -> None:
        if unfinished is not None:
            write_beside(unfinished, marked + work + hashlib.sha256(marked + work).digest())

    answers = writer.answers(progress, save, tell or (lambda text: None))
    return _lines(claim, len(answers)).encode() + b"\n" + zlib.compress(answers, 9)


def _first_progress(claim: CourseClaim) -> _Progress:
    """Return the positions that a claim begins with."""
    state, left, begin = claim.state, _moves_left(claim.state), set[int]()
    games = Games(state.grid.size, claim.margin, state.rules.passing)
    p, o = (_stones_of(state, colour) for colour in (claim.prover, opponent(claim.prover)))
    ours = state.to_move == claim.prover
    (games.reach if ours else games.reply)(p, o, 0, state.pass_ends, left, begin)
    numbers = [_widen(games, number) for number in sorted(begin)]
    return _Progress(left if ours else left - 1, np.array(numbers, np.int64))


def _widen(games: Games, number: int) -> int:
    """Return a number of `verify_course_proof` as `answers` makes it."""
    p, o, ko, passed = games.board.position(number)
    size = games.board.size
    p, o, ko = (sum((mask >> size * row & (1 << size) - 1) << WIDTH * row for row in range(size)) for mask in (p, o, ko))
    return number_of(p, o, ko, passed, size)


def _progress_text(progress: _Progress, seconds_each: float) -> str:
    """Say how far a strategy is; what comes after the present moves is not known before it comes about."""
    done, all_of_them = progress.done, len(progress.ordered)
    minutes = (all_of_them - done) * seconds_each / 60
    rest = f", {minutes:,.0f} minutes more for these" if minutes >= 1 else ""
    return (
        f"{progress.left} moves left: {done:,} of {all_of_them:,} positions answered{rest}; "
        f"{progress.answered:,} in all, {int(progress.counts[REACHED]):,} next"
    )


def _lines(claim: CourseClaim, positions: int) -> str:
    return "".join(f"{name}: {value}\n" for name, value in _header(claim, positions).items())


def _header(claim: CourseClaim, positions: int) -> dict[str, str]:
    """Return the lines of a file."""
    state, size = claim.state, claim.state.grid.size
    drawn = "/".join("".join(".XO"[mark] for mark in row) for row in state.rows())
    ends = "ends the game" if state.pass_ends else "does not end the game"
    values = [
        "2", state.rules.name, drawn, ends if state.rules.passing else "is no move", str(_moves_left(state)),
        COLOUR_NAMES[state.to_move], COLOUR_NAMES[claim.prover], str(claim.margin), str(positions),
    ]  # fmt: skip
    said = dict(zip(COURSE_NAMES, values, strict=False))
    return said | {"claim": course_words(said | {"size": size, "margin": claim.margin})}


def _stones_of(state: State, colour: int) -> int:
    """Return a player's stones as a mask without room between rows."""
    size = state.grid.size
    return sum(1 << row * size + column for row, column in state.grid.points_of(state.stones(colour)))


def _moves_left(state: State) -> int:
    """Return after how many moves, passes counted, the game ends."""
    limit = state.rules.max_move(state.grid.size)
    assert limit is not None
    return limit - state.n_move
