"""A proof as a strategy: for every position that can come about, the prover's answer, each after those from which it follows.
`verify_proof.py` reads such a file, and says in its first lines what it checks and how the file is laid out.

The search knows which answers win, but not in which order: by following them a play could go in a circle. So each position has
several answers to choose from, all that the search has proven if need be. A position joins the list with the first of them of
which all replies lead into the list, so the answers that end the game soonest are found first.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from goban.grids import BLACK
from goban.rulesets import COLOUR_NAMES, opponent
from goban.solver.area import stack as at
from goban.solver.area.life import safe_points
from goban.solver.area.moves import key_of
from goban.solver.area.proof_search import PROVEN, UNKNOWN
from goban.solver.area.solver import AreaPosition, AreaSolver
from goban.solver.area.table import proof_of
from goban.solver.area.verify_proof import NAMES, NONE, PASS, Board, words_of
from goban.solver.errors import SearchError

_PASSING, _LATER = 0, -1
"""The mask of a pass; what stands for answers that would cost more to find."""
_MOST_ROUNDS = 12
"""How often the positions that are not settled may take up another answer; every round leads to more positions."""
_EFFORTS = (100, 3_000, 100_000, 3_000_000)
"""Nodes to find out whether an answer wins that the search did not need."""


class NoStrategyError(SearchError):
    """A claim is not proven, or no list of answers without a circle was found."""


@dataclass(frozen=True)
class Claim:
    """What a proof is about: `prover` gets `margin` points more than the other side, or more."""

    position: AreaPosition
    prover: int
    margin: int
    suicide: bool = False


Stones = tuple[int, int, int]
"""The prover's stones, the opponent's, the point that a ko forbids."""


@dataclass
class _Option:
    """An answer to a position, as a mask; the board that it leaves, None if it decides; how many replies are not settled."""

    node: _Node
    answer: int
    left: int | None
    replies: list[int]
    waiting: int = 0


@dataclass
class _Node:
    """A position in which the prover is to move, and its place in the list; `untried`: answers that were not looked at."""

    stones: Stones
    untried: Iterator[int]
    options: list[_Option] = field(default_factory=list)
    users: list[_Option] = field(default_factory=list)
    place: int | None = None


class _Writer:
    """Makes the list of a claim that the solver has proven."""

    def __init__(self, solver: AreaSolver, claim: Claim) -> None:
        position = claim.position
        self.solver, self.wanted = solver, claim.margin
        self.board = Board(position.height, position.width, claim.suicide)
        self.nodes: dict[int, _Node] = {}
        self.entries: list[tuple[Stones, int]] = []
        # Board -> the place of the first answer that leaves it to the opponent.
        self.made: dict[int, int] = {}
        self.ready: deque[_Option] = deque()

    def write(self, starts: list[Stones]) -> list[tuple[Stones, int]]:
        """Return positions with their answers: all that the positions given need, each after what it needs."""
        asked = [self._node(stones) for stones in starts]
        for _ in range(_MOST_ROUNDS):
            if all(node.place is not None for node in asked):
                return self._needed(asked)
            # Whatever is not settled now goes in circles, or has answers that do not do.
            more = [node for node in list(self.nodes.values()) if node.place is None and self._try_next(node)]
            self._settle()
            if not more:
                break
        raise NoStrategyError("found no list of answers without a cycle")

    def _node(self, stones: Stones) -> _Node:
        p, o, ko = stones
        key = self._key(p | ko, o | ko)
        node = self.nodes.get(key)
        if node is None:
            node = self.nodes[key] = _Node(stones, self._answers(*stones))
        return node

    def _try_next(self, node: _Node) -> bool:
        """Take up another answer to a position, and one to each new position that it leads to; tell whether there was one."""
        todo, any_ = [node], False
        while todo:
            node = todo.pop()
            answer = next(node.untried, None)
            any_ |= answer is not None
            if answer is None or answer == _LATER:
                continue
            option = self._option(node, answer)
            node.options.append(option)
            for key in option.replies:
                reply = self.nodes[key]
                reply.users.append(option)
                option.waiting += reply.place is None
                if reply.place is None and not reply.options:
                    todo.append(reply)
            if option.waiting == 0:
                self.ready.append(option)
        return any_

    def _option(self, node: _Node, answer: int) -> _Option:
        p, o, ko = node.stones[0], node.stones[1], 0
        if answer != _PASSING:
            p, o, ko = self._played(p, o, answer)
            if self._is_safe(p, o):
                return _Option(node, answer, None, [])
        keys = set()
        for mine, theirs, banned in replies_to(self.board, p, o, ko, self.wanted):
            self._node((mine, theirs, banned))
            keys.add(self._key(mine | banned, theirs | banned))
        return _Option(node, answer, self._key(p, o), sorted(keys))

    def _settle(self) -> None:
        """Put into the list what has become ready, first what was ready first."""
        while self.ready:
            option = self.ready.popleft()
            node = option.node
            if node.place is not None or not self._may_join(option):
                continue
            node.place = len(self.entries)
            if option.left is not None:
                self.made.setdefault(option.left, node.place)
            self.entries.append((node.stones, option.answer))
            for user in node.users:
                user.waiting -= 1
                if user.waiting == 0:
                    self.ready.append(user)

    def _may_join(self, option: _Option) -> bool:
        """Tell whether an answer that is ready leaves no board that stood before in a play, as the checker sees to it."""
        p, o, _ = option.node.stones
        if option.answer != _PASSING and self._key(p, o) in self.made:
            return False
        limit = self.made.get(option.left, len(self.entries)) if option.left is not None else len(self.entries)
        return all((place := self.nodes[key].place) is not None and place < limit for key in option.replies)

    def _needed(self, asked: list[_Node]) -> list[tuple[Stones, int]]:
        """Return the part of the list that positions need."""
        needed, todo = set[int](), list(asked)
        while todo:
            node = todo.pop()
            assert node.place is not None
            if node.place not in needed:
                needed.add(node.place)
                answer = self.entries[node.place][1]
                option = next(option for option in node.options if option.answer == answer)
                todo += [self.nodes[key] for key in option.replies]
        return [self.entries[place] for place in sorted(needed)]

    def _played(self, own: int, other: int, bit: int) -> Stones:
        after = self.board.play(own, other, bit)
        assert after is not None
        return after

    def _is_safe(self, p: int, o: int) -> bool:
        solver = self.solver
        safe = int(safe_points(p, o, solver.shape, solver.space, at.SCRATCH))
        return 2 * safe.bit_count() - self.board.points >= self.wanted

    def _key(self, p: int, o: int) -> int:
        """Return what `Board.key` tells apart, a good deal sooner."""
        return int(key_of(p, o, 0, 0, 0, self.solver.symmetries))

    def _answers(self, p: int, o: int, ko: int) -> Iterator[int]:
        """Yield answers that win, as masks, cheap ones to find first."""
        after: dict[int, Stones] = {}
        for point in range(self.board.points):
            bit = 1 << point
            played = None if (p | o | ko) & bit else self.board.play(p, o, bit)
            if played is not None and played[0] & bit:
                if self._is_safe(*played[:2]):
                    yield bit
                    return
                after[bit] = played
        if self.board.margin(p, o) >= self.wanted:
            after = {_PASSING: (p, o, 0)} | after
        if (missing := self.solver.missing).size:
            # What brings the claim nearer seldom goes in a circle.
            after = dict(sorted(after.items(), key=lambda item: int(missing[item[1][0]])))
        for again in (False, True):
            for bit in list(after):
                if self._is_proven(*after[bit], bit == _PASSING):
                    del after[bit]
                    yield bit
            if not again:
                self.solver.settle(p, o, ko, 0, self.wanted)
        for nodes in _EFFORTS:
            # Other positions first: their next answers may be cheaper.
            yield _LATER
            for bit, (mine, theirs, banned) in list(after.items()):
                answer = self.solver.settle(mine, theirs, banned, 1, self.wanted, nodes, int(bit == _PASSING))
                if answer != UNKNOWN:
                    del after[bit]
                if answer == PROVEN:
                    yield bit

    def _is_proven(self, p: int, o: int, ko: int, passed: bool) -> bool:
        contents = self.solver.entry(int(key_of(p, o, ko, 1, int(passed), self.solver.symmetries)))
        return contents != 0 and proof_of(contents) == 0


def replies_to(board: Board, p: int, o: int, ko: int, wanted: int) -> Iterator[Stones]:
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
    for (mine, theirs, ko), answer in entries:
        code = sum(((mine >> k & 1) + 2 * (theirs >> k & 1)) * 3**k for k in range(position.points))
        body += code.to_bytes(size, "little")
        body.append(ko.bit_length() - 1 if ko else NONE)
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
