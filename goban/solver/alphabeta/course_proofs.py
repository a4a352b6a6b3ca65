"""A proof about a game of `course` or `littlego` as a strategy: the prover's answer in every position that can come about.

    claim = CourseClaim(state, BLACK, 3)
    proof_of_course_claim(engine, claim)     the bytes of a file

`verify_course_proof.py` reads such a file, and says in its first lines what it checks and how the file is laid out. The games
are played here as it plays them, by its own functions, and the search says which answers win. Of several the one is taken that
brings the fewest positions which have not come about already.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from goban.grids import BLACK
from goban.rulesets import COLOUR_NAMES, opponent
from goban.solver.alphabeta.boards import WIDTH, ko_point
from goban.solver.alphabeta.verify_course_proof import COURSE_NAMES, NONE, Games, course_words, is_decided
from goban.solver.engine import NO_LIMIT, Engine, OutOfBudgetError, Position
from goban.solver.errors import SearchError
from goban.states import State

_EFFORTS = (30, 300, 3_000)
"""Nodes to find out whether an answer wins, more where fewer found none: what is proven soon leads to few positions."""

Answer = tuple[int, int, int, int]
"""A point, or NONE; the prover's stones after it, the opponent's, the point that a ko forbids."""


class NoCourseProofError(SearchError):
    """A claim does not hold, or is about a position that a proof cannot begin with."""


@dataclass(frozen=True)
class CourseClaim:
    """What a proof is about: `prover` ends the game with `margin` stones more than the other side, or more."""

    state: State
    prover: int
    margin: int


class _Writer:
    """Finds the answers to a claim that the solver has proven."""

    def __init__(self, engine: Engine, claim: CourseClaim) -> None:
        self.engine, self.wanted = engine, claim.margin
        self.games = Games(claim.state.grid.size, claim.margin, claim.state.rules.passing)

    def answers(self, positions: set[int], left: int) -> bytes:
        """Return the answers to positions with so many moves left, and to all that come of them."""
        found = bytearray()
        while positions:
            reached = set[int]()
            for number in sorted(positions):
                answer, after = self._best(number, left, reached)
                found.append(answer)
                reached |= after
            positions, left = reached, left - 2
        return bytes(found)

    def _best(self, number: int, left: int, reached: set[int]) -> tuple[int, set[int]]:
        """Return an answer and the positions that it leads to, as few as possible besides those that are `reached` anyway."""
        p, o, ko, passed = self.games.board.position(number)
        options = [*self._options(p, o, ko, passed)]
        if not options or (passed and p.bit_count() - o.bit_count() >= self.wanted):
            return NONE, set()
        for point, mine, theirs, _ in options:
            if is_decided(self.games.board, mine, theirs, left - 1, self.wanted, self.games.passing):
                return point, set()
        winning = self._winning(options, left) or [self._proven(options, p, o, ko, passed, left)]
        replies = [(option[0], self._replies(option, left)) for option in winning]
        return min(replies, key=lambda pair: len(pair[1] - reached))

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
        found = ([option for option in options if self._wins(option, left, nodes)] for nodes in _EFFORTS)
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


def proof_of_course_claim(engine: Engine, claim: CourseClaim) -> bytes:
    """Return the file that proves a claim; raises NoCourseProofError, and what the engine raises."""
    state = claim.state
    if not holds(engine, claim):
        raise NoCourseProofError("the claim could not be proven")
    writer, left, begin = _Writer(engine, claim), _moves_left(state), set[int]()
    p, o = (_stones_of(state, colour) for colour in (claim.prover, opponent(claim.prover)))
    ours = state.to_move == claim.prover
    (writer.games.reach if ours else writer.games.reply)(p, o, 0, state.pass_ends, left, begin)
    answers = writer.answers(begin, left if ours else left - 1)
    head = "".join(f"{name}: {value}\n" for name, value in _said(claim, len(answers)).items())
    return head.encode() + b"\n" + zlib.compress(answers, 9)


def _said(claim: CourseClaim, positions: int) -> dict[str, str]:
    """Return the lines of a file."""
    state, size = claim.state, claim.state.grid.size
    drawn = "/".join("".join(".XO"[mark] for mark in row) for row in state.rows())
    ends = "ends the game" if state.pass_ends else "does not end the game"
    values = [
        "1", state.rules.name, drawn, ends if state.rules.passing else "is no move", str(_moves_left(state)),
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
