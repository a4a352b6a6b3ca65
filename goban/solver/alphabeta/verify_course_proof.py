"""Check a proof about a game of the course: python3 verify_course_proof.py FILE

Plain Python that knows the rules of `course` and `littlego` and nothing of the program that wrote the file; it searches
nothing. The claim is that one side, the prover, ends the game with so many stones more on the board than the opponent. The
proof is the prover's answers. All games that they allow are played here at once, move by move, to their end, where the stones
are counted, or to where the count can no longer fall short, see `is_decided`. A game ends after so many moves, passes counted.

A position is a board with the prover to move, the point that a ko forbids, and whether a pass would end the game. Its number
has a bit for each of the prover's stones, lowest first along the rows from the top left, then for each of the opponent's, then
one for whether a pass would end the game; a point that a ko forbids has both stones. Of the numbers that a position has turned
and mirrored the least counts. The file: lines of `name: value`, an empty line, the answers compressed by zlib: for each a byte,
the point of the prover's stone or 255 for none, in the positions' order of moves left, most first, and then of the numbers.
"""

import sys
import zlib
from collections.abc import Iterator
from typing import Any

NONE = 255
Claim = dict[str, Any]


class BadCourseProofError(Exception):
    """The proof does not hold; the message says where."""


class SquareBoard:
    """Placements on a square board. A set of points is a whole number with a bit for each."""

    def __init__(self, size: int) -> None:
        self.size, self.points, self.full = size, size * size, (1 << size * size) - 1
        self.first = sum(1 << size * row for row in range(size))
        self.near = [self.beside(1 << point) for point in range(self.points)]
        # What each nine points of a mask become, for each way to turn the board: by turns it is mirrored and transposed.
        self.turns: list[list[list[int]]] = [[[0], [0], [0]] for _ in range(8)]
        places = [1 << point for point in range(self.points)]
        for step, parts in enumerate(self.turns):
            places = [places[k % size * size + k // size if step % 2 else k + size - 1 - k % size * 2] for k in range(size**2)]
            for point, place in enumerate(places):
                parts[point // 9] += [place | before for before in parts[point // 9]]

    def beside(self, mask: int) -> int:
        """The points next to points of a mask, those of the mask left out."""
        right, left = (mask & ~(self.first << self.size - 1)) << 1, (mask & ~self.first) >> 1
        return (right | left | mask << self.size | mask >> self.size) & self.full & ~mask

    def flood(self, seed: int, within: int) -> int:
        """The part of a mask that is connected with a seed in it."""
        while (grown := seed | self.beside(seed) & within) != seed:
            seed = grown
        return seed

    def parts(self, mask: int) -> Iterator[int]:
        """The connected parts of a mask."""
        while mask:
            part = self.flood(mask & -mask, mask)
            mask &= ~part
            yield part

    def play(self, own: int, other: int, ko: int, point: int) -> tuple[int, int, int] | None:
        """(own, other, forbidden point) after a placement, None if it is not allowed."""
        bit, near = 1 << point, self.near[point]
        if (own | other | ko) & bit:
            return None
        own, taken, beside = own | bit, 0, other & near
        while beside:
            part = self.flood(beside & -beside, other)
            taken, beside = taken | part * (self.beside(part) & ~own == 0), beside & ~part
        other &= ~taken
        if near & ~(own | other) == 0 and self.beside(self.flood(bit, own)) & ~other == 0:
            return None
        # Only a stone that stands alone, has taken one stone and could be retaken there alone: that would bring the board back.
        back = taken and taken & (taken - 1) == 0 and near & own == 0 and near & ~other == taken
        return own, other, taken if back else 0

    def placements(self, own: int, other: int, ko: int) -> Iterator[tuple[int, int, int]]:
        """(own, other, forbidden point) after each placement."""
        for point in range(self.points):
            if after := self.play(own, other, ko, point):
                yield after

    def number(self, p: int, o: int, ko: int, passed: bool) -> int:
        """The number of a position."""
        p, o = p | ko, o | ko
        i, j, k, x, y, z = p & 511, p >> 9 & 511, p >> 18, o & 511, o >> 9 & 511, o >> 18
        least = min(a[i] | b[j] | c[k] | (a[x] | b[y] | c[z]) << self.points for a, b, c in self.turns)
        return least | passed << 2 * self.points

    def position(self, number: int) -> tuple[int, int, int, bool]:
        """(p, o, forbidden point, whether a pass would end the game) of a number."""
        p, o = number & self.full, number >> self.points & self.full
        return p & ~o, o & ~p, p & o, number >> 2 * self.points == 1


def is_decided(board: SquareBoard, p: int, o: int, left: int, wanted: int, passing: bool) -> bool:
    """Whether the prover surely ends with enough stones more; the opponent is to move, `left` moves are left.

    The opponent has `theirs` of these moves, the prover `mine`. Let the prover choose groups with more than `theirs` liberties
    each, none in common. A pair is a liberty of one of them and an empty point beside it that is no liberty of any; no point is
    in two. With each move the prover fills a liberty: of a pair that is still empty, else of a group that has two more than the
    opponent has moves. An opponent's move takes one liberty, and breaks one pair, at most. So half the pairs can be used, which
    costs no liberty, and of each group all liberties but theirs + 1. These moves are allowed, whatever a ko forbids: the pair's
    other point is empty, or the group has two liberties. The chosen groups are never captured; others lose liberties to the
    opponent's moves alone, for where the prover fills one, they become part of a chosen group. So groups can only be captured
    together if their liberties, each counted once, are no more than `theirs`. After the fills the prover passes, which costs
    a stone. Without passes all moves must be fills, but for the game's very last, with which no stone of the prover's is lost.
    """
    theirs, mine, empty = (left + 1) // 2, left // 2, board.full & ~(p | o)
    least = p.bit_count() - o.bit_count() - theirs - wanted
    if least + mine < 0:
        return False
    groups, fills, pairs, used = [(board.beside(part) & empty, part.bit_count()) for part in board.parts(p)], 0, 0, 0
    for near, _ in sorted(groups, key=lambda group: -group[0].bit_count()):
        if near & used == 0 and near.bit_count() > theirs:
            fills, used = fills + near.bit_count() - theirs - 1, used | near
            for point in range(board.points):
                if near >> point & 1 and (beyond := board.near[point] & empty & ~used):
                    pairs, used = pairs + 1, used | beyond & -beyond
    fills = min(mine, fills + pairs // 2)
    if least + fills < 0 or (not passing and fills < mine - (left % 2 == 0)):
        return False
    taken = [(0, 0)]
    for near, stones in groups:
        if near.bit_count() <= theirs:
            taken += [(near | more, stones + lost) for more, lost in taken if (near | more).bit_count() <= theirs]
    return max(lost for _, lost in taken) <= least + fills


class Games:
    """All games that the answers allow; `passing`: the rules know a pass, and no game ends because no stone can be placed."""

    def __init__(self, size: int, margin: int, passing: bool) -> None:
        self.board, self.wanted, self.passing, self.answered = SquareBoard(size), margin, passing, 0

    def follow(self, positions: set[int], left: int, answers: bytes) -> None:
        """Play to the end from positions in which the prover is to move."""
        while positions:
            ordered, positions = sorted(positions), set()
            for number in ordered:
                if self.answered == len(answers):
                    raise BadCourseProofError("there are more positions than answers")
                self.answer(number, left, answers[self.answered], positions)
                self.answered += 1
            left -= 2
        if self.answered != len(answers):
            raise BadCourseProofError("there are more answers than positions")

    def answer(self, number: int, left: int, answer: int, reached: set[int]) -> None:
        """Play an answer, and add to `reached` what comes of it."""
        p, o, ko, passed = self.board.position(number)
        if answer == NONE and not self.passing and any(self.board.placements(p, o, ko)):
            raise BadCourseProofError(f"answer {self.answered + 1}: a stone can be placed")
        if answer == NONE and (passed or not self.passing):
            self.count(p, o)
            return
        after = self.board.play(p, o, ko, answer) if answer < self.board.points else (p, o, 0) if answer == NONE else None
        if after is None:
            raise BadCourseProofError(f"answer {self.answered + 1}: {answer} cannot be played")
        p, o, ko = after
        if not is_decided(self.board, p, o, left - 1, self.wanted, self.passing):
            self.reply(p, o, ko, answer == NONE, left - 1, reached)

    def reply(self, p: int, o: int, ko: int, passed: bool, left: int, reached: set[int]) -> None:
        """Add to `reached` what comes of all that the opponent, who is to move, can do; count where the game is over."""
        placed = [*self.board.placements(o, p, ko)] if left else []
        for theirs, mine, banned in placed:
            self.reach(mine, theirs, banned, False, left - 1, reached)
        if left and self.passing and not passed:
            self.reach(p, o, 0, True, left - 1, reached)
        elif self.passing or not placed:
            self.count(p, o)

    def reach(self, p: int, o: int, ko: int, passed: bool, left: int, reached: set[int]) -> None:
        """Add a position in which the prover is to move, or count if no move is left."""
        if left == 0:
            self.count(p, o)
        else:
            reached.add(self.board.number(p, o, ko, passed))

    def count(self, p: int, o: int) -> None:
        """Check that the prover has stones enough."""
        if p.bit_count() - o.bit_count() < self.wanted:
            raise BadCourseProofError(f"answer {self.answered + 1}: a game ends, and the count is not enough")


def verify_course(data: bytes) -> str:
    """Return what a file proves, in words; raises BadCourseProofError."""
    claim, answers = read_course_claim(data)
    games, left = Games(claim["size"], claim["margin"], claim["rules"] == "littlego"), claim["moves left"]
    p, o = claim["masks"] if claim["prover"] == "black" else claim["masks"][::-1]
    if any(games.board.beside(part) & ~(p | o) == 0 for stones in (p, o) for part in games.board.parts(stones)):
        raise BadCourseProofError("the claim: there are stones without a liberty")
    begin, ours = set[int](), claim["to move"] == claim["prover"]
    (games.reach if ours else games.reply)(p, o, 0, claim["a pass"] == "ends the game", left, begin)
    games.follow(begin, left if ours else left - 1, answers)
    return f"{course_words(claim)} Proven: {claim['positions']:,} positions."


COURSE_NAMES = ["course proof", "rules", "stones", "a pass", "moves left", "to move", "prover", "margin", "positions", "claim"]


def read_course_claim(data: bytes) -> tuple[Claim, bytes]:
    """Return what the lines of a file claim, and the answers."""
    head, blank, packed = data.partition(b"\n\n")
    said = dict(line.partition(": ")[::2] for line in head.decode("ascii", "replace").split("\n"))
    try:
        if not blank or list(said) != COURSE_NAMES or head.count(b"\n") >= len(said) or said["course proof"] != "2":
            raise ValueError(f"expected the lines {', '.join(COURSE_NAMES)} and an empty one")
        rows, points, unpacker = said["stones"].split("/"), said["stones"].replace("/", ""), zlib.decompressobj()
        answers = unpacker.decompress(packed)
        if not unpacker.eof or unpacker.unused_data or len(answers) != int(said["positions"]):
            raise ValueError(f"expected {said['positions']} answers and nothing after them, got {len(answers)}")
        passes = {"course": ["is no move"], "littlego": ["ends the game", "does not end the game"]}[said["rules"]]
        words = said["a pass"] in passes and {said["to move"], said["prover"]} <= {"black", "white"}
        if not words or {*map(len, rows)} != {len(rows)} or not 2 <= len(rows) <= 5 or {*points} - {*".XO"}:
            raise ValueError("no such board, pass or colour")
        numbers = {name: int(said[name]) for name in ("moves left", "margin", "positions")}
        masks = [sum(1 << k for k, mark in enumerate(points) if mark == colour) for colour in "XO"]
    except (KeyError, ValueError, zlib.error) as error:
        raise BadCourseProofError(f"the file cannot be read: {error}") from None
    claim = said | numbers | {"size": len(rows), "masks": masks}
    if not 0 <= numbers["moves left"] < len(points) or course_words(claim) != said["claim"]:
        raise BadCourseProofError(f"the claim is not what the lines say: {course_words(claim)}")
    return claim, answers


def course_words(claim: Claim) -> str:
    """What a claim says."""
    left = f"{claim['to move']} to move, {claim['moves left']} moves left, a pass {claim['a pass']}"
    who = f"From {claim['stones']}, {left}, {claim['prover']} can end the game with at least {claim['margin']} stones more"
    beyond = 2 * claim["margin"] + (claim["size"] if claim["prover"] == "white" else -claim["size"])
    enough = "wins" if beyond > 0 else "does not lose" if beyond == 0 else "may lose"
    return f"{who} than the other side, and so {enough} with a komi of {claim['size'] / 2}: rules {claim['rules']}."


def main(names: list[str]) -> int:
    """Check the files named, up to the first that does not hold; return 0 if all do."""
    try:
        for name in names or ["the name of a file"]:
            with open(name, "rb") as file:
                print(f"{name}: {verify_course(file.read())}", flush=True)
    except (OSError, BadCourseProofError) as error:
        print(f"{name}: NOT PROVEN: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
