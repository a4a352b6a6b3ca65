"""A proof about a game of `course` or `littlego` as a strategy: the prover's answer in every position that can come about.

    claim = CourseClaim(state, BLACK, 3)
    proof_of_course_claim(engine, claim)               the bytes of a file
    proof_of_course_claim(engine, claim, path, tell)   the same, of long work: `path` keeps what is done, `tell` is told how far

`verify_course_proof.py` reads such a file, and says in its first lines what it checks and how the file is laid out. The games
are played here as it plays them, by its own functions, and the search says which answers win. Of several the one is taken that
brings the fewest positions which have not come about already; one that no single answer decides counts as several. A choice
changes what others bring, so some thousand positions are gone through several times.
"""

from __future__ import annotations

import hashlib
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from goban.common.excerpts import printable
from goban.common.files import write_beside
from goban.grids import BLACK
from goban.rulesets import COLOUR_NAMES, opponent
from goban.solver.alphabeta.boards import WIDTH, ko_point
from goban.solver.alphabeta.verify_course_proof import COURSE_NAMES, NONE, Games, course_words, is_decided
from goban.solver.engine import NO_LIMIT, Engine, OutOfBudgetError, Position
from goban.solver.errors import SearchError
from goban.states import State

_EFFORTS = (30, 300, 3_000)
"""Nodes to find out whether an answer wins, more where fewer found none: what is proven soon leads to few positions."""
_LATE, _LATE_EFFORTS = 12, (300, 3_000)
"""With so many moves left or fewer, what answers lead to says more than how soon they are proven, so more are found."""
_OPEN_SIZE = 6
"""What a position counts for that no single answer decides, at a glance."""
_SWEEPS = 3
_PORTION = 4_096
"""Positions whose answers are chosen together. Each has some hundred numbers in memory meanwhile."""
_BETWEEN_SAVES = 600.0
"""Seconds."""
_DIGEST = 32

Answer = tuple[int, int, int, int]
"""A point, or NONE; the prover's stones after it, the opponent's, the point that a ko forbids."""
Choice = tuple[int, Iterable[int]]
"""An answer, a point or NONE, and the positions that it leads to, none if it decides the game."""
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
    """How far a strategy is. Whatever interrupts a portion, `finish_portion` makes it whole.

    ordered: the positions with `left` moves left; answers: to all before them and to the first of them; reached: what comes of
    these. portion: where the next answers go, they, and what comes of them.
    """

    left: int
    ordered: npt.NDArray[np.int64]
    answers: bytearray
    reached: set[int]
    earlier: int = 0
    portion: tuple[int, bytes, set[int]] | None = None

    @property
    def done(self) -> int:
        """How many positions with `left` moves left have their answers."""
        return len(self.answers) - self.earlier

    def finish_portion(self) -> None:
        """Add a portion, also one that has been added in part."""
        if self.portion is not None:
            place, answers, reached = self.portion
            self.reached |= reached
            self.answers[place:] = answers
            self.portion = None

    def descend(self) -> _Progress:
        """Return what is to be done with two moves less."""
        return _Progress(self.left - 2, _sort(self.reached), self.answers, set(), len(self.answers))

    def to_bytes(self) -> bytes:
        """Return what `_read_progress` reads."""
        self.finish_portion()
        lengths = np.array([self.left, self.earlier, len(self.ordered), len(self.reached)], np.int64)
        return b"".join([lengths.tobytes(), self.ordered.tobytes(), _sort(self.reached).tobytes(), self.answers])


def _read_progress(data: bytes) -> _Progress:
    """Return what `to_bytes` wrote; data: as it was written."""
    left, earlier, ordered, reached = (int(number) for number in np.frombuffer(data[:32], np.int64))
    numbers = np.frombuffer(data[32 : 32 + 8 * (ordered + reached)], np.int64)
    answers = bytearray(data[32 + numbers.nbytes :])
    return _Progress(left, numbers[:ordered], answers, set(numbers[ordered:].tolist()), earlier)


def _sort(numbers: set[int]) -> npt.NDArray[np.int64]:
    listed = np.fromiter(numbers, np.int64, len(numbers))
    listed.sort()
    return listed


class _Writer:
    """Finds the answers to a claim that the solver has proven."""

    def __init__(self, engine: Engine, claim: CourseClaim) -> None:
        self.engine, self.wanted = engine, claim.margin
        self.games = Games(claim.state.grid.size, claim.margin, claim.state.rules.passing)

    def answers(self, progress: _Progress, save: Callable[[bytes], None], tell: Tell) -> bytes:
        """Return the answers to all positions from where a progress is. Saves it now and then, and when interrupted."""
        saved = self.engine.clock()
        try:
            while len(progress.ordered):
                begun, first = self.engine.clock(), progress.done
                while progress.done < len(progress.ordered):
                    numbers = progress.ordered[progress.done : progress.done + _PORTION].tolist()
                    answers, reached = self._choose(numbers, progress.left, progress.reached)
                    progress.portion = len(progress.answers), answers, reached
                    progress.finish_portion()
                    now = self.engine.clock()
                    tell(_progress_text(progress, (now - begun) / (progress.done - first)))
                    if now - saved > _BETWEEN_SAVES:
                        save(progress.to_bytes())
                        saved = self.engine.clock()
                progress = progress.descend()
        except KeyboardInterrupt:
            save(progress.to_bytes())
            raise
        return bytes(progress.answers)

    def _choose(self, numbers: Sequence[int], left: int, reached: set[int]) -> tuple[bytes, set[int]]:
        """Return the answers to positions, and what comes of them; as little as possible that is not `reached` anyway."""
        choices = [self.choices(number, left) for number in numbers]
        chosen, uses, sizes = [0] * len(numbers), Counter[int](), _Sizes(self)

        def weight(reply: int) -> int:
            return 0 if uses[reply] > 0 or reply in reached else sizes.estimate(reply, left - 2)

        for sweep in range(_SWEEPS):
            # Who has no choice comes first.
            for k in sorted(range(len(numbers)), key=lambda k: len(choices[k])):
                if sweep:
                    uses.subtract(choices[k][chosen[k]][1])
                if len(choices[k]) > 1:
                    sums = [sum(map(weight, replies)) for _, replies in choices[k]]
                    chosen[k] = sums.index(min(sums))
                uses.update(choices[k][chosen[k]][1])
        answers = bytes(options[k][0] for options, k in zip(choices, chosen, strict=True))
        return answers, {reply for reply, times in uses.items() if times > 0}

    def choices(self, number: int, left: int) -> list[Choice]:
        """Return the answers that are found to win; one that decides the game alone, if there is one."""
        p, o, ko, passed = self.games.board.position(number)
        options = [*self._options(p, o, ko, passed)]
        deciding = self._find_deciding(options, p, o, passed, left)
        if deciding is not None:
            return [(deciding, ())]
        winning = self._winning(options, left) or [self._proven(options, p, o, ko, passed, left)]
        return [(option[0], self._replies(option, left)) for option in winning]

    def is_easy(self, number: int, left: int) -> bool:
        """Tell whether one answer decides the game."""
        p, o, ko, passed = self.games.board.position(number)
        return self._find_deciding(self._options(p, o, ko, passed), p, o, passed, left) is not None

    def _find_deciding(self, options: Iterable[Answer], p: int, o: int, passed: bool, left: int) -> int | None:
        """Return an answer that decides the game, NONE where no other is or a pass is enough; None if there is none."""
        if passed and p.bit_count() - o.bit_count() >= self.wanted:
            return NONE
        board, passing, point = self.games.board, self.games.passing, None
        for point, mine, theirs, _ in options:
            if is_decided(board, mine, theirs, left - 1, self.wanted, passing):
                return point
        return NONE if point is None else None

    def _options(self, p: int, o: int, ko: int, passed: bool) -> Iterator[Answer]:
        """Yield the answers that can be played, but for a pass that ends the game."""
        for point in range(self.games.board.points):
            after = self.games.board.play(p, o, ko, point)
            if after is not None:
                yield point, *after
        if self.games.passing and not passed:
            yield NONE, p, o, 0

    def _winning(self, options: list[Answer], left: int) -> list[Answer]:
        """Return the options that are found to win with the least effort that finds any."""
        efforts = _EFFORTS if left > _LATE else _LATE_EFFORTS
        found = ([option for option in options if self._wins(option, left, nodes)] for nodes in efforts)
        return next(filter(None, found), [])

    def _proven(self, options: list[Answer], p: int, o: int, ko: int, passed: bool, left: int) -> Answer:
        """Return the option that the search proves the position by, however long it takes."""
        position = self._position(p, o, ko, passed, left, self.wanted)
        self.engine.settle(position)
        row, column = divmod(self.engine.proving_point(position) or 0, WIDTH)
        options.sort(key=lambda option: option[0] != row * self.games.board.size + column)
        return next(option for option in options if self._wins(option, left, NO_LIMIT))

    def _wins(self, answer: Answer, left: int, nodes: int) -> bool:
        point, p, o, ko = answer
        return self.engine.settle(self._position(o, p, ko, point == NONE, left - 1, 1 - self.wanted), nodes) is False

    def _position(self, own: int, other: int, ko: int, passed: bool, left: int, wanted: int) -> Position:
        """Return a position as the engine takes it: with room for five points in each row."""
        size = self.games.board.size
        own, other, ko = (
            sum((mask >> size * row & (1 << size) - 1) << WIDTH * row for row in range(size)) for mask in (own, other, ko)
        )
        return own, other, ko, passed, left, wanted

    def _replies(self, answer: Answer, left: int) -> set[int]:
        point, p, o, ko = answer
        replies = set[int]()
        self.games.reply(p, o, ko, point == NONE, left - 1, replies)
        return replies


class _Sizes:
    """About how many positions come of one that is to be answered, itself counted. Remembers what it was asked."""

    def __init__(self, writer: _Writer) -> None:
        self.writer, self.sizes, self.glances = writer, dict[int, int](), dict[int, int]()

    def estimate(self, number: int, left: int) -> int:
        """Look one answer ahead, late in the game, where that is fast."""
        if left <= 2 or left > _LATE:
            return 1
        size = self.sizes.get(number)
        if size is None:
            choices = self.writer.choices(number, left)
            size = 1 + min(sum(self._glance(reply, left - 2) for reply in replies) for _, replies in choices)
            self.sizes[number] = size
        return size

    def _glance(self, number: int, left: int) -> int:
        size = self.glances.get(number)
        if size is None:
            size = 1 if left <= 2 or self.writer.is_easy(number, left) else _OPEN_SIZE
            self.glances[number] = size
        return size


def holds(engine: Engine, claim: CourseClaim, nodes: int | None = None) -> bool | None:
    """Tell whether a claim holds; None if so many nodes do not tell. Raises NoCourseProofError, and what the engine raises."""
    state = claim.state
    engine.start(state, nodes, None)
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
    progress = _first_progress(claim, writer.games)
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


def _first_progress(claim: CourseClaim, games: Games) -> _Progress:
    """Return the positions that a claim begins with."""
    state, left, begin = claim.state, _moves_left(claim.state), set[int]()
    p, o = (_stones_of(state, colour) for colour in (claim.prover, opponent(claim.prover)))
    ours = state.to_move == claim.prover
    (games.reach if ours else games.reply)(p, o, 0, state.pass_ends, left, begin)
    return _Progress(left if ours else left - 1, _sort(begin), bytearray(), set())


def _progress_text(progress: _Progress, seconds_each: float) -> str:
    """Say how far a strategy is; what comes after the present moves is not known before it comes about."""
    done, all_of_them = progress.done, len(progress.ordered)
    minutes = (all_of_them - done) * seconds_each / 60
    rest = f", {minutes:,.0f} minutes more for these" if minutes >= 1 else ""
    return (
        f"{progress.left} moves left: {done:,} of {all_of_them:,} positions answered{rest}; "
        f"{len(progress.answers):,} in all, {len(progress.reached):,} next"
    )


def _lines(claim: CourseClaim, positions: int) -> str:
    return "".join(f"{name}: {value}\n" for name, value in _said(claim, positions).items())


def _said(claim: CourseClaim, positions: int) -> dict[str, str]:
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
