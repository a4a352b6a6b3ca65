"""A proof as a strategy: for every board that can come about, the prover's answer, in an order in which each follows from those
before. `verify_proof.py` reads such a file, and says in its first lines what it checks and how the file is laid out.

A board has one answer, whatever a ko forbids. An answer that a ko forbids on another way to the same board, or that leads in a
circle, is set aside for another one; what followed from it is written anew.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from goban.grids import BLACK
from goban.rulesets import COLOUR_NAMES, opponent
from goban.solver.area.moves import key_of
from goban.solver.area.proof_search import PROVEN
from goban.solver.area.solver import AreaPosition, AreaSolver
from goban.solver.area.table import proof_of
from goban.solver.area.verify_proof import NAMES, PASS, Board, words_of
from goban.solver.errors import SearchError

_PASSING = 0
"""The mask of a pass."""
_MOST_TRIES = 10_000


class NoStrategyError(SearchError):
    """A claim is not proven, or no list of answers without a circle was found."""


@dataclass(frozen=True)
class Claim:
    """What a proof is about: `prover` gets `margin` points more than the other side, or more."""

    position: AreaPosition
    prover: int
    margin: int
    suicide: bool = False


@dataclass
class _Task:
    """A board on which the prover is to move, its answer as a mask, and the replies that are not settled yet."""

    key: int
    p: int
    o: int
    answer: int
    replies: Iterator[tuple[int, int, int]]


class _Blocked(Exception):  # noqa: N818
    """The answer to a board does not do; the list goes on from before that board."""


class _Writer:
    """Makes the list of a claim that the solver has proven."""

    def __init__(self, solver: AreaSolver, claim: Claim) -> None:
        position = claim.position
        self.solver, self.wanted = solver, claim.margin
        self.board = Board(position.height, position.width, claim.suicide)
        # Board -> where its entry stands; what else is known of it: (answer, the board marked with it).
        self.places: dict[int, int] = {}
        self.entries: list[tuple[int, int, int]] = []
        self.answers: dict[int, tuple[int, int]] = {}
        self.waived: dict[int, int] = {}
        self.aside: set[int] = set()

    def write(self, starts: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
        """Return (prover's stones, opponent's, answer) of every board that the boards given need, each after what it needs."""
        for _ in range(_MOST_TRIES):
            try:
                for p, o, ko in starts:
                    self._settle(p, o, ko)
            except _Blocked:
                continue
            return self.entries
        raise NoStrategyError("no list of answers without a circle was found")

    def _settle(self, p: int, o: int, ko: int) -> None:
        tasks: list[_Task] = []
        path: set[int] = set()
        replies = iter([(p, o, ko)])
        while True:
            reply = next(tasks[-1].replies if tasks else replies, None)
            if reply is None:
                if not tasks:
                    return
                path.discard(tasks[-1].key)
                self._close(tasks.pop())
                continue
            key = self.board.key(*reply[:2])
            if key in path:
                self._set_aside(tasks[-1])
            if key in self.places:
                self._check_ko(key, *reply)
                continue
            answer = self._answer(key, *reply)
            path.add(key)
            tasks.append(_Task(key, *reply[:2], answer, self._replies(*reply[:2], answer)))

    def _close(self, task: _Task) -> None:
        if task.key in self.waived and task.answer != _PASSING:
            self._set_aside(task)
        self.places[task.key] = len(self.entries)
        self.entries.append((task.p, task.o, task.answer))
        if task.answer != _PASSING:
            mine, theirs, _ = self._played(task.p, task.o, task.answer)
            if not self._is_safe(mine, theirs) and self.board.margin(mine, theirs) >= self.wanted:
                self.waived.setdefault(self.board.key(mine, theirs), len(self.entries) - 1)

    def _set_aside(self, task: _Task) -> None:
        self.aside.add(self._marked(task.p, task.o, task.answer))
        self.answers.pop(task.key, None)
        raise _Blocked

    def _check_ko(self, key: int, p: int, o: int, ko: int) -> None:
        """See that the answer to a board may be played although a ko is forbidden; else go back to before it."""
        place = self.places[key]
        if not ko or self._marked(p, o, ko) != self._marked(*self.entries[place]):
            return
        self.aside.add(self._marked(p, o, ko))
        self.answers.pop(key, None)
        del self.entries[place:]
        self.places = {known: at for known, at in self.places.items() if at < place}
        self.waived = {known: at for known, at in self.waived.items() if at < place}
        raise _Blocked

    def _marked(self, p: int, o: int, bit: int) -> int:
        """Return a number for a board and a move; moves that are symmetric on it have the same."""
        return self.board.key(p | bit, o | bit) if bit else -1 - self.board.key(p, o)

    def _played(self, own: int, other: int, bit: int) -> tuple[int, int, int]:
        after = self.board.play(own, other, bit)
        assert after is not None
        return after

    def _is_safe(self, p: int, o: int) -> bool:
        return 2 * self.board.safe_points(p, o).bit_count() - self.board.points >= self.wanted

    def _replies(self, p: int, o: int, answer: int) -> Iterator[tuple[int, int, int]]:
        """Yield the boards that the opponent can make after an answer, where it does not decide at once."""
        ko = 0
        if answer != _PASSING:
            p, o, ko = self._played(p, o, answer)
            if self._is_safe(p, o):
                return
        yield from replies_to(self.board, p, o, ko, self.wanted)

    def _answer(self, key: int, p: int, o: int, ko: int) -> int:
        """Return an answer that wins, as a mask; the one chosen before if it still does."""
        known = self.answers.get(key)
        if known is not None and known[0] == (p | o << 30) and self._allowed(key, p, o, ko, known[1]):
            return known[1]
        answer = self._found(key, p, o, ko)
        self.answers[key] = p | o << 30, answer
        return answer

    def _allowed(self, key: int, p: int, o: int, ko: int, bit: int) -> bool:
        if bit == ko != _PASSING or (bit and key in self.waived):
            return False
        return self._marked(p, o, bit) not in self.aside and not (ko and self._marked(p, o, bit) == self._marked(p, o, ko))

    def _found(self, key: int, p: int, o: int, ko: int) -> int:
        after: dict[int, tuple[int, int, int]] = {}
        if self.board.margin(p, o) >= self.wanted and self._allowed(key, p, o, ko, _PASSING):
            after[_PASSING] = p, o, 0
        for point in range(self.board.points):
            bit = 1 << point
            played = None if (p | o) & bit or not self._allowed(key, p, o, ko, bit) else self.board.play(p, o, bit)
            if played is not None and played[0] & bit:
                if self._is_safe(*played[:2]):
                    return bit
                after[bit] = played
        for again in (False, True):
            for bit, (mine, theirs, banned) in after.items():
                if self._is_proven(mine, theirs, banned, bit == _PASSING):
                    return bit
            if not again:
                self.solver.settle(p, o, ko, 0, self.wanted)
        for bit, (mine, theirs, banned) in after.items():
            if self.solver.settle(mine, theirs, banned, 1, self.wanted, passed=int(bit == _PASSING)) == PROVEN:
                return bit
        raise NoStrategyError("no list of answers without a circle was found")

    def _is_proven(self, p: int, o: int, ko: int, passed: bool) -> bool:
        contents = self.solver.entry(int(key_of(p, o, ko, 1, int(passed), self.solver.symmetries)))
        return contents != 0 and proof_of(contents) == 0


def replies_to(board: Board, p: int, o: int, ko: int, wanted: int) -> Iterator[tuple[int, int, int]]:
    """Yield (p, o, ko) after each reply of the opponent's; not after a pass where the prover ends the game by another."""
    if board.margin(p, o) < wanted:
        yield p, o, 0
    for point in range(board.points):
        bit = 1 << point
        after = None if (p | o | ko) & bit else board.play(o, p, bit)
        if after is not None:
            yield after[1], after[0], after[2]


def proof_of_claim(solver: AreaSolver, claim: Claim) -> bytes:
    """Return the file that proves a claim; raises NoStrategyError where the solver does not find it to hold."""
    position = claim.position
    if solver.answer(position, claim.prover, claim.margin) != PROVEN:
        raise NoStrategyError("the claim could not be proven")
    p, o = position.stones(claim.prover), position.stones(opponent(claim.prover))
    writer = _Writer(solver, claim)
    begins = position.to_move == claim.prover
    entries = writer.write([(p, o, 0)] if begins else list(replies_to(writer.board, p, o, 0, claim.margin)))
    size = ((3**position.points - 1).bit_length() + 7) // 8
    body = bytearray()
    for mine, theirs, answer in entries:
        code = sum(((mine >> k & 1) + 2 * (theirs >> k & 1)) * 3**k for k in range(position.points))
        body += code.to_bytes(size, "little")
        body.append(answer.bit_length() - 1 if answer else PASS)
    head = "\n".join(f"{name}: {value}" for name, value in zip(NAMES, _lines(claim, len(entries)), strict=True))
    return head.encode() + b"\n\n" + zlib.compress(bytes(body), 9)


def _lines(claim: Claim, entries: int) -> list[str]:
    position = claim.position
    marks = ["X" if position.black >> k & 1 else "O" if position.white >> k & 1 else "." for k in range(position.points)]
    rows = ["".join(marks[k : k + position.width]) for k in range(0, position.points, position.width)]
    said = {
        "height": position.height, "width": position.width, "margin": claim.margin, "suicide": claim.suicide, "rows": rows,
        "stones": (position.black, position.white), "to move": COLOUR_NAMES[position.to_move],
        "prover": COLOUR_NAMES[claim.prover],
    }  # fmt: skip
    suicide = "allowed" if claim.suicide else "forbidden"
    board, colours = f"{position.height}x{position.width}", [COLOUR_NAMES[position.to_move], COLOUR_NAMES[claim.prover]]
    return ["1", board, suicide, "/".join(rows), *colours, str(claim.margin), str(entries), words_of(said)]


def claims_of(position: AreaPosition, lower: int, upper: int, suicide: bool) -> list[Claim]:
    """Return what is to be proven for a value: Black's margin, and White's where it says anything."""
    claims = [Claim(position, BLACK, lower, suicide), Claim(position, opponent(BLACK), -upper, suicide)]
    return [claim for claim in claims if claim.margin > -position.points]
