"""A proof as a strategy: for every position that can come about, the prover's answer, each after those from which it follows.
`verify_proof.py` reads such a file, and says in its first lines what it checks and how the file is laid out.

The search says within how many moves of its own the prover wins a position, and each answer leads to positions that take at
least one less. So no play goes in a circle, but with a ko a board may come again while what is forbidden on it differs. Where
the prover would make such a board a second time, one of the answers on the way is changed. What a single move wins needs
nothing else to be proven, and stands first in the file.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator

import numpy as np

from goban.grids import BLACK
from goban.rulesets import COLOUR_NAMES, opponent
from goban.solver.alphabeta.boards import Ints
from goban.solver.area import listing as lists
from goban.solver.area.boards import MOST_POINTS
from goban.solver.area.listing import (
    Numbers,
    add,
    add_replies,
    answer_all,
    grown,
    has_room,
    keep_wins,
    new_listing,
    write_positions,
    write_wins,
)
from goban.solver.area.proof_order import boards_left, needed_positions, put_in_order
from goban.solver.area.prover import Claim, NoStrategyError, Prover, Stones
from goban.solver.area.solver import AreaPosition
from goban.solver.area.verify_proof import NAMES, words_of

_MOST_ROUNDS = 50
"""How often answers are changed; every change may lead to more positions."""
_ROOM, _MOST_POSITIONS = 1 << 16, 1 << 28
"""How many positions there is room for to begin with, and at most, of those that take several moves and of the others each."""
_EFFORTS = (1_000, 100_000, 10_000_000)
"""Nodes to find out whether another answer wins."""
_IN_PIECE = 1 << 18
"""Positions of the proof that are written at a time."""


class _Writer:
    """Makes the list of a claim that was proven."""

    def __init__(self, prover: Prover) -> None:
        self.prover, self.listing = prover, new_listing(min(_ROOM, _MOST_POSITIONS))
        self.fixed = prover.shape, prover.symmetries, prover.space
        # The boards that answers must not leave any more, of those that were changed.
        self.barred: dict[int, set[int]] = {}
        self.begun = 0.0

    def write(self) -> Numbers:
        """Answer all positions that come up; return them in an order that the checker takes, those left out that one move wins.

        Raises NoStrategyError.
        """
        prover = self.prover
        # What the opponent may do first is what they may do after a pass.
        starts = [(prover.key(*prover.start), prover.start)] if prover.begins else prover.replies(prover.start)
        for key, _ in starts:
            add(self.listing, key, prover.suffices(), prover.table)
        first = int(self.listing.state[lists.COUNT])
        self._complete()
        for _ in range(_MOST_ROUNDS):
            self.begun = time.monotonic()
            order, circles = prover.watch(lambda: self._order(first), self._how_far)
            if not circles:
                self._keep_wins(order)
                return order
            del order
            self.listing.state[lists.FIXED] = 1
            for circle in circles:
                self._change_one(circle)
                self._complete()
        raise NoStrategyError("found no list of answers without a circle")

    def _order(self, first: int) -> tuple[Numbers, list[list[int]]]:
        self.listing.state[lists.PLACED] = 0
        needed = needed_positions(self.listing, first, *self.fixed)
        boards = boards_left(self.listing, needed, *self.fixed)
        return put_in_order(self.listing, needed, boards, first, *self.fixed)

    def _keep_wins(self, order: Numbers) -> None:
        """Keep of the positions that one move wins those that are replies to the answers in order."""
        done = f"{len(order):,} positions in order"
        self.prover.watch(lambda: keep_wins(self.listing, order, *self.fixed), lambda: done)

    def _how_far(self) -> str:
        placed, count = int(self.listing.state[lists.PLACED]), int(self.listing.state[lists.COUNT])
        return f"{placed:,} of {count:,} positions in order, {_left(self.begun, placed, count)} of this round"

    def _complete(self) -> None:
        """Find answers to the positions listed, and to all that follow."""
        shape, symmetries, space = self.fixed
        while True:
            answered = answer_all(self.listing, shape, symmetries, self.prover.missing, space, self.prover.table)
            if answered == lists.COMPLETE:
                return
            moves = int(self.listing.state[lists.RANK])
            count = int(self.listing.state[lists.COUNT] + self.listing.state[lists.WINS])
            if answered == lists.FULL:
                self._grow()
            elif answered == lists.SEARCH:
                number = int(self.listing.state[lists.WHICH])
                self.prover.answer(self._stones(number), int(self.listing.ranks[number]))
            self.prover.tell(f"{count:,} positions of the proof, answered down to those won within {moves} moves")

    def _grow(self) -> None:
        room = max(len(self.listing.keys), len(self.listing.wins) // 2)
        if 2 * room > _MOST_POSITIONS:
            raise NoStrategyError(f"the list of answers needs room for more than {room:,} positions")
        self.listing = grown(self.listing)

    def _stones(self, number: int) -> Stones:
        key = int(self.listing.keys[number])
        mine, theirs = key & (1 << MOST_POINTS) - 1, key >> MOST_POINTS
        return mine & ~theirs, theirs & ~mine, mine & theirs

    def _board_left(self, number: int) -> int:
        """Return the key of the board that the answer to a position leaves."""
        answer = int(self.listing.answers[number]) & lists.SAFE - 1
        return self.prover.board_after(self._stones(number), 0 if answer == lists.BY_PASS else 1 << answer)

    def _change_one(self, circle: list[int]) -> None:
        """Change the answer to one of these positions so that it leaves another board."""
        for nodes in _EFFORTS:
            for number in circle:
                barred = self.barred.get(number, set()) | {self._board_left(number)}
                rank = int(self.listing.ranks[number])
                answer = self.prover.other_answer(self._stones(number), rank, barred, nodes)
                if answer is not None:
                    point = answer.bit.bit_length() - 1 if answer.bit else lists.BY_PASS
                    self.listing.answers[number] = point + lists.SAFE * answer.safe
                    self.listing.ranks[number], self.barred[number] = answer.rank, barred
                    if not answer.safe:
                        self._list_replies(number)
                    return
        raise NoStrategyError("found no list of answers without a circle")

    def _list_replies(self, number: int) -> None:
        while not has_room(self.listing):
            self._grow()
        shape, symmetries, space = self.fixed
        add_replies(self.listing, number, shape, symmetries, self.prover.missing, space, self.prover.table)


def pieces_of_proof(prover: Prover) -> Iterator[bytes]:
    """Yield the file that proves a claim in pieces, each as soon as it is made.

    Raises NoStrategyError where the prover does not find it to hold.
    """
    if not prover.prove():
        raise NoStrategyError("the claim could not be proven")
    claim, points, writer = prover.claim, prover.claim.position.points, _Writer(prover)
    order = writer.write()
    wins = np.sort(writer.listing.wins[writer.listing.wins >= 0])
    total, done, begun = len(wins) + len(order), 0, time.monotonic()
    head = "\n".join(f"{name}: {value}" for name, value in zip(NAMES, _lines(claim, total), strict=True))
    size, packer = ((3**points - 1).bit_length() + 7) // 8, zlib.compressobj(9)
    yield f"{head}\n\n".encode()
    for number, body in _write(writer, wins, order, size):
        yield packer.compress(body)
        done += number
        prover.tell(f"{done:,} of {total:,} positions of the proof written, {_left(begun, done, total)}")
    yield packer.flush()


def _write(writer: _Writer, wins: Ints, order: Numbers, size: int) -> Iterator[tuple[int, bytes]]:
    """Yield how many positions a piece of the proof has, and the piece."""
    shape, symmetries, space = writer.fixed
    points = writer.prover.claim.position.points
    for first in range(0, len(wins), _IN_PIECE):
        keys = wins[first : first + _IN_PIECE]
        body = np.zeros(len(keys) * (size + 2), dtype=np.uint8)
        write_wins(keys, points, size, body, shape, symmetries, writer.prover.missing, space)
        yield len(keys), body.tobytes()
    for first in range(0, len(order), _IN_PIECE):
        numbers = order[first : first + _IN_PIECE]
        body = np.zeros(len(numbers) * (size + 2), dtype=np.uint8)
        write_positions(writer.listing, numbers, points, size, body)
        yield len(numbers), body.tobytes()


def _left(begun: float, done: int, total: int) -> str:
    """Return in words how long the rest takes if it goes on at this rate."""
    if not done:
        return "time left unknown"
    seconds = (time.monotonic() - begun) * (total - done) / done
    return f"about {seconds:.0f} s left" if seconds < 90 else f"about {seconds / 60:.0f} min left"


def _lines(claim: Claim, entries: int) -> list[str]:
    position = claim.position
    marks = ["X" if position.black >> k & 1 else "O" if position.white >> k & 1 else "." for k in range(position.points)]
    rows = ["".join(marks[k : k + position.width]) for k in range(0, position.points, position.width)]
    texts = {
        "height": position.height, "width": position.width, "margin": claim.margin, "suicide": claim.suicide, "rows": rows,
        "stones": (position.black, position.white), "to move": COLOUR_NAMES[position.to_move],
        "prover": COLOUR_NAMES[claim.prover],
    }  # fmt: skip
    suicide = "allowed" if claim.suicide else "forbidden"
    board, colours = f"{position.height}x{position.width}", [COLOUR_NAMES[position.to_move], COLOUR_NAMES[claim.prover]]
    return ["1", board, suicide, "/".join(rows), *colours, str(claim.margin), str(entries), words_of(texts)]


def claims_of(position: AreaPosition, lower: int, upper: int, suicide: bool) -> list[Claim]:
    """Return what is to be proven for a value: Black's margin, and White's where it says anything."""
    claims = [Claim(position, BLACK, lower, suicide), Claim(position, opponent(BLACK), -upper, suicide)]
    return [claim for claim in claims if claim.margin > -position.points]
