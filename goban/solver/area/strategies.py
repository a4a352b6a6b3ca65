"""A proof as a strategy: for every position that can come about, the prover's answer, each after those from which it follows.
`verify_proof.py` reads such a file, and says in its first lines what it checks and how the file is laid out.

The search says within how many moves of its own the prover wins a position, and each answer leads to positions that take at
least one less. So no play goes in a circle, but with a ko a board may come again while what is forbidden on it differs. Where
the prover would make such a board a second time, one of the answers on the way is changed.
"""

from __future__ import annotations

import zlib
from collections import defaultdict

from goban.grids import BLACK
from goban.rulesets import COLOUR_NAMES, opponent
from goban.solver.area.prover import Claim, NoStrategyError, ProvenAnswer, Prover, Stones
from goban.solver.area.solver import AreaPosition
from goban.solver.area.verify_proof import NAMES, NONE, PASS, words_of

_MOST_ROUNDS = 50
"""How often answers are changed; every change may lead to more positions."""
_MOST_POSITIONS = 5_000_000
"""More are not kept in memory: so many take 4 GB."""
_BETWEEN = 10_000
_EFFORTS = (1_000, 100_000, 10_000_000)
"""Nodes to find out whether another answer wins."""


class _Writer:
    """Makes the list of a claim that was proven."""

    def __init__(self, prover: Prover) -> None:
        self.prover = prover
        self.answers: dict[int, ProvenAnswer] = {}
        # The boards that answers must not leave any more, of those that were changed.
        self.barred: dict[int, set[int]] = {}

    def write(self) -> list[ProvenAnswer]:
        """Return answers to all positions that come up, in an order that the checker takes; raises NoStrategyError."""
        prover, left = self.prover, self.prover.suffices()
        # What the opponent may do first is what they may do after a pass.
        starts = [(prover.key(*prover.start), prover.start)] if prover.begins else prover.replies(prover.start)
        self._complete([(key, stones, left) for key, stones in starts])
        for _ in range(_MOST_ROUNDS):
            keys, circles = self._order([key for key, _ in starts])
            if not circles:
                return [self.answers[key] for key in keys]
            for circle in circles:
                key = self._change_one(circle)
                self._complete([(reply, stones, self.answers[key].rank - 1) for reply, stones in self._replies(key)])
        raise NoStrategyError("found no list of answers without a circle")

    def _complete(self, todo: list[tuple[int, Stones, int]]) -> None:
        """Find answers to positions, given with the number of moves within which they are won, and to all that follow."""
        while todo:
            key, stones, left = todo.pop()
            # Once answers were changed, what orders them is no longer the number of moves.
            if key not in self.answers or (self.answers[key].rank > left and not self.barred):
                self.answers[key] = answer = self.prover.answer(stones, left)
                todo += [(reply, after, answer.rank - 1) for reply, after in self._replies(key)]
                if len(self.answers) % _BETWEEN == 0:
                    self.prover.tell(f"{len(self.answers):,} positions of the proof answered")
                if len(self.answers) > _MOST_POSITIONS:
                    raise NoStrategyError(f"the list of answers is longer than {_MOST_POSITIONS:,} positions")

    def _needed(self, starts: list[int]) -> set[int]:
        """Return the positions that come up."""
        needed, todo = set[int](), list(starts)
        while todo:
            key = todo.pop()
            if key not in needed:
                needed.add(key)
                todo += [reply for reply, _ in self._replies(key)]
        return needed

    def _replies(self, key: int) -> list[tuple[int, Stones]]:
        answer = self.answers[key]
        return [] if answer.safe else self.prover.replies(answer.after)

    def _board_left(self, key: int) -> int:
        return self.prover.key(*self.answers[key].after[:2])

    def _order(self, starts: list[int]) -> tuple[list[int], list[list[int]]]:
        """Return positions in an order that the checker takes, and groups of positions of which an answer leads in a circle.

        What follows any answer that leaves a board, and what is answered on that board by a placement, comes before all
        answers that leave it.
        """
        on, leaving = defaultdict[int, list[int]](list), defaultdict[int, list[int]](list)
        for key in self._needed(starts):
            answer = self.answers[key]
            if answer.bit:
                on[self.prover.key(*answer.stones[:2])].append(key)
            if not answer.safe:
                leaving[self._board_left(key)].append(key)
        done, path, order, circles = set[int](), dict[int, None](), list[int](), list[list[int]]()
        todo = list(starts)
        while todo:
            key = todo[-1]
            if key in path:
                del path[key]
                done.add(key)
                order.append(key)
            if key in done:
                todo.pop()
                continue
            path[key] = None
            if self.answers[key].safe:
                continue
            board = self._board_left(key)
            needed = {*on[board], *(reply for other in leaving[board] for reply, _ in self._replies(other))}
            if not needed.isdisjoint(path):
                way = list(path)
                begun = min(k for k, other in enumerate(way) if other in needed)
                circles.append([key, *leaving[board], *on[board], *way[:begun:-1], *way[begun::-1]])
            todo += sorted(needed - done - path.keys())
        return order, circles

    def _change_one(self, circle: list[int]) -> int:
        """Change the answer to one of these positions so that it leaves another board; return its key."""
        for nodes in _EFFORTS:
            for key in circle:
                barred = self.barred.get(key, set()) | {self._board_left(key)}
                found = self.prover.other_answer(self.answers[key], barred, nodes)
                if found is not None:
                    self.answers[key], self.barred[key] = found, barred
                    return key
        raise NoStrategyError("found no list of answers without a circle")


def proof_of_claim(prover: Prover) -> bytes:
    """Return the file that proves a claim; raises NoStrategyError where the prover does not find it to hold."""
    if not prover.prove():
        raise NoStrategyError("the claim could not be proven")
    claim, position, answers = prover.claim, prover.claim.position, _Writer(prover).write()
    size = ((3**position.points - 1).bit_length() + 7) // 8
    body = bytearray()
    for answer in answers:
        p, o, ko = answer.stones
        code = sum(((p >> k & 1) + 2 * (o >> k & 1)) * 3**k for k in range(position.points))
        body += code.to_bytes(size, "little")
        body.append(ko.bit_length() - 1 if ko else NONE)
        body.append(answer.bit.bit_length() - 1 if answer.bit else PASS)
    head = "\n".join(f"{name}: {value}" for name, value in zip(NAMES, _lines(claim, len(answers)), strict=True))
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
