"""A proof as a strategy: for every position that can come about, the prover's answer, each after those from which it follows.
`verify_proof.py` reads such a file, and says in its first lines what it checks and how the file is laid out.

The search says within how many moves of its own the prover wins a position, and each answer leads to positions that take at
least one less. So no play goes in a circle, but with a ko a board may come again while what is forbidden on it differs. Where
the prover would make such a board a second time, one of the answers on the way is changed.
"""

from __future__ import annotations

import zlib

import numpy as np

from goban.grids import BLACK
from goban.rulesets import COLOUR_NAMES, opponent
from goban.solver.area import listing as lists
from goban.solver.area.boards import MOST_POINTS
from goban.solver.area.listing import Numbers, add, add_replies, answer_all, grown, new_listing, write_bytes
from goban.solver.area.proof_order import boards_left, needed_positions, ordered
from goban.solver.area.prover import Claim, NoStrategyError, Prover, Stones
from goban.solver.area.solver import AreaPosition
from goban.solver.area.verify_proof import NAMES, words_of

_MOST_ROUNDS = 50
"""How often answers are changed; every change may lead to more positions."""
_ROOM, _MOST_POSITIONS = 1 << 16, 1 << 28
"""How many positions there is room for to begin with, and at most; so many take some 20 GB."""
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

    def write(self) -> Numbers:
        """Answer all positions that come up; return them in an order that the checker takes. Raises NoStrategyError."""
        prover = self.prover
        # What the opponent may do first is what they may do after a pass.
        starts = [(prover.key(*prover.start), prover.start)] if prover.begins else prover.replies(prover.start)
        for key, _ in starts:
            add(self.listing, key, prover.suffices(), prover.table)
        first = int(self.listing.state[lists.COUNT])
        self._complete()
        for _ in range(_MOST_ROUNDS):
            order, circles = prover.watched(lambda: self._order(first), self._how_far)
            if not circles:
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
        return ordered(self.listing, needed, boards, first, *self.fixed)

    def _how_far(self) -> str:
        state = self.listing.state
        return f"{state[lists.PLACED]:,} of {state[lists.COUNT]:,} positions of the proof in order"

    def _complete(self) -> None:
        """Find answers to the positions listed, and to all that follow."""
        while (found := answer_all(self.listing, *self.fixed, self.prover.table)) != lists.COMPLETE:
            count, moves = int(self.listing.state[lists.COUNT]), int(self.listing.state[lists.RANK])
            if found == lists.FULL:
                self._grow()
            elif found == lists.SEARCH:
                number = int(self.listing.state[lists.WHICH])
                self.prover.answer(self._stones(number), int(self.listing.ranks[number]))
            self.prover.tell(f"{count:,} positions of the proof, answered down to those won within {moves} moves")

    def _grow(self) -> None:
        room = len(self.listing.keys)
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
                found = self.prover.other_answer(self._stones(number), rank, barred, nodes)
                if found is not None:
                    point = found.bit.bit_length() - 1 if found.bit else lists.BY_PASS
                    self.listing.answers[number] = point + lists.SAFE * found.safe
                    self.listing.ranks[number], self.barred[number] = found.rank, barred
                    if not found.safe:
                        self._list_replies(number)
                    return
        raise NoStrategyError("found no list of answers without a circle")

    def _list_replies(self, number: int) -> None:
        if int(self.listing.state[lists.COUNT]) + lists.MOST_CHILDREN > len(self.listing.keys):
            self._grow()
        add_replies(self.listing, number, *self.fixed, self.prover.table)


def proof_of_claim(prover: Prover) -> bytes:
    """Return the file that proves a claim; raises NoStrategyError where the prover does not find it to hold."""
    if not prover.prove():
        raise NoStrategyError("the claim could not be proven")
    claim, points, writer = prover.claim, prover.claim.position.points, _Writer(prover)
    order = writer.write()
    head = "\n".join(f"{name}: {value}" for name, value in zip(NAMES, _lines(claim, len(order)), strict=True))
    size, packer = ((3**points - 1).bit_length() + 7) // 8, zlib.compressobj(9)
    made = [head.encode(), b"\n\n"]
    for first in range(0, len(order), _IN_PIECE):
        piece = order[first : first + _IN_PIECE]
        body = np.zeros(len(piece) * (size + 2), dtype=np.uint8)
        write_bytes(writer.listing, piece, points, size, body)
        made.append(packer.compress(body.tobytes()))
        prover.tell(f"{first:,} of {len(order):,} positions of the proof written")
    return b"".join([*made, packer.flush()])


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
