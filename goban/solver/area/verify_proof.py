"""Check a proof about a position of Go: python3 verify_proof.py FILE

Plain Python that knows the rules and nothing of the program that wrote the file; it searches nothing. The claim: one side, the
prover, can end the game with so many points more than the opponent. The proof: a list of positions in which the prover is to
move, a board and the point that a ko forbids, each with one answer. A position counts as proven once it is seen that its answer
can be played, and that then points enough are the prover's for good (`safe_points`), or every reply, a pass too, makes a
position proven before. If the prover answers a pass by a pass, the game is over, and the count must be enough.
So every play by these answers goes backwards in the list, and ends. Nor does the prover ever make a board that stood before: of
two answers that make the same board, what can follow the later one in the list comes before the earlier one. So the proof holds
under simple ko, situational and positional superko. What is the same but for turning and mirroring counts as one.

The file: lines of `name: value`, an empty line, the positions, compressed by zlib: a number in base 3 (first point lowest; 1
the prover's stone, 2 the opponent's) in as few bytes as 3 ** points - 1 needs, lowest first, then two bytes, the point that a
ko forbids, 255 for none, and the point of the answer, 255 for a pass. Points are counted along the rows from the top left.
"""

import struct
import sys
import zlib
from array import array
from collections.abc import Iterator
from typing import Any

PASS = NONE = 255
NAMES = ["go proof", "board", "suicide", "stones", "to move", "prover", "margin", "positions", "claim"]
COLOURS = {"black", "white"}
Claim = dict[str, Any]


class BadProofError(Exception):
    """The proof does not hold; the message says where."""


class Board:
    """The rules on a board of one shape. A set of points is a whole number with a bit for each; p, o: the two sides' stones."""

    def __init__(self, height: int, width: int, suicide: bool) -> None:
        self.points, self.width, self.full, self.suicide = height * width, width, (1 << height * width) - 1, suicide
        self.not_first = self.full ^ sum(1 << width * row for row in range(height))
        # What 15 points of a mask become by all ways to turn and mirror the board, 64 bits for each way.
        ways = 8 if height == width else 4
        self.low, self.high, self.ways = [0], [0], struct.Struct(f"<{ways}Q")
        for point in range(self.points):
            i, j, found = *divmod(point, width), 0
            for way in range(ways):
                a, b = height - 1 - i if way & 1 else i, width - 1 - j if way & 2 else j
                found |= 1 << 64 * way + (b * width + a if way & 4 else a * width + b)
            table = self.low if point < 15 else self.high
            table += [before | found for before in table]

    def beside(self, mask: int) -> int:
        """The points next to points of a mask, those of the mask left out."""
        aside = mask << 1 & self.not_first | (mask & self.not_first) >> 1
        return (mask << self.width | mask >> self.width | aside) & self.full & ~mask

    def flood(self, seed: int, within: int) -> int:
        """The part of a mask that is connected with a seed in it."""
        while (grown := seed | self.beside(seed) & within) != seed:
            seed = grown
        return seed

    def parts(self, mask: int, seeds: int = -1) -> Iterator[int]:
        """The connected parts of a mask, those in which one of the seeds is."""
        while seeds & mask:
            part = self.flood(seeds & mask & -(seeds & mask), mask)
            mask &= ~part
            yield part

    def play(self, own: int, other: int, bit: int) -> tuple[int, int, int] | None:
        """(own, other, forbidden point) after a placement on an empty point, None if it is not allowed."""
        own, near = own | bit, self.beside(bit)
        other ^= (taken := sum(part for part in self.parts(other, near & other) if self.beside(part) & ~own == 0))
        if near & ~(own | other) == 0:
            group = self.flood(bit, own)
            if self.beside(group) & ~other == 0:
                # Suicide; of one stone it changes nothing, and is no move under any rule.
                return (own & ~group, other, 0) if self.suicide and group != bit else None
        # A stone that stands alone, has taken one stone, and could only be retaken there: the ko.
        ko = taken if taken and taken & (taken - 1) == 0 and near & ~other == taken else 0
        return own, other, ko

    def margin(self, p: int, o: int) -> int:
        """Stones, and empty points that reach only their colour: the prover's less the opponent's."""
        empty = [(part.bit_count(), self.beside(part)) for part in self.parts(self.full & ~(p | o))]
        counted = sum(n * ((near & o == 0 != near & p) - (near & p == 0 != near & o)) for n, near in empty)
        return p.bit_count() - o.bit_count() + counted

    def safe_points(self, p: int, o: int) -> int:
        """The points that are the prover's for good (D. B. Benson 1976, and what lies between living groups).

        A group lives if two regions (parts without a stone of the prover's) are vital to it: each of their empty points is its
        liberty, and all groups around them live. A part of what is left is the prover's if all of it but one point at most
        lies next to living groups, and next to each to which it is vital: it can be filled until what is in it is taken.
        """
        groups = [(group, self.beside(group)) for group in self.parts(p)]
        regions = list(self.parts(self.full & ~p))
        while len(living := [(g, n) for g, n in groups if sum(r & n != 0 == r & ~o & ~n for r in regions) > 1]) < len(groups):
            regions = [part for part in regions if not any(part & g[1] for g in groups if g not in living)]
            groups = living
        alive = safe = sum(group for group, _ in living)
        for part in self.parts(self.full & ~alive) if alive else ():
            vital = [near for _, near in living if not part & p and part & ~o & ~near == 0]
            if all((part & ~near).bit_count() <= 1 for near in (self.beside(alive), *vital)):
                safe |= part
        return safe

    def check(self, p: int, o: int, where: str, rest: int = 0) -> None:
        """Check that stones can stand on the board, and that nothing is left of what describes it."""
        empty = self.full & ~(p | o)
        if rest or any(self.flood(empty, empty | stones) != empty | stones for stones in (p, o)):
            raise BadProofError(f"{where}: no board, or one with stones without a liberty")

    def key(self, p: int, o: int) -> int:
        """A number that is the same for a board however it is turned or mirrored."""
        other = self.low[o & 32767] | self.high[o >> 15]
        turned = self.low[p & 32767] | self.high[p >> 15] | other << self.points
        return int(min(self.ways.unpack(turned.to_bytes(self.ways.size, "little"))))


class Places:
    """Places in the list by keys of boards, in a fifth of a dict's memory, with room for so many. Keys are kept plus 1."""

    def __init__(self, most: int) -> None:
        self.last = (1 << (4 * most // 3 + 1).bit_length()) - 1
        self.keys, self.places = array("Q", bytes(8)) * (self.last + 1), array("I", bytes(4)) * (self.last + 1)

    def find(self, key: int, other: int, new: bool = False) -> int:
        """The place of a key; another number if it has none, and that becomes its place if it is `new`."""
        slot, wanted = key * 0x9E3779B97F4A7C15 >> 32 & self.last, key + 1
        while (found := self.keys[slot]) and found != wanted:
            slot = slot + 1 & self.last
        if new and not found:
            self.keys[slot], self.places[slot] = wanted, other
        return self.places[slot] if found else other


class Proof:
    """What was proven so far. `claim`: the lines of the file."""

    def __init__(self, claim: Claim) -> None:
        self.board, self.wanted = Board(claim["height"], claim["width"], claim["suicide"]), claim["margin"]
        # Position -> its place in the list; board -> the place of the first answer that leaves it to the opponent.
        self.proven, self.made, self.place = Places(claim["positions"]), Places(claim["positions"]), 0

    def add(self, p: int, o: int, ko: int, answer: int, where: str) -> None:
        """Check a position and its answer, and count it as proven."""
        board, key, bit = self.board, self.board.key(p | ko, o | ko), 1 << answer
        if self.proven.find(key, self.place, new=True) < self.place:
            raise BadProofError(f"{where}: the position was there before")
        if answer == PASS:
            self.check_replies(p, o, 0, True, where)
        else:
            after = None if answer >= board.points or (p | o | ko) & bit else board.play(p, o, bit)
            if after is None or not after[0] & bit:
                raise BadProofError(f"{where}: the answer {answer} cannot be played")
            if self.made.find(board.key(p, o), -1) >= 0:
                raise BadProofError(f"{where}: an answer of the prover's has left this board before")
            if 2 * board.safe_points(after[0], after[1]).bit_count() - board.points < self.wanted:
                self.check_replies(*after, False, where)
        self.place += 1

    def check_replies(self, p: int, o: int, ko: int, passed: bool, where: str) -> None:
        """Check that whatever the opponent does leads to what was proven; `passed`: their pass would end the game."""
        limit = self.made.find(self.board.key(p, o), self.place, new=True)
        if self.board.margin(p, o) < self.wanted:
            if passed:
                raise BadProofError(f"{where}: a pass, and the count is not enough")
            self.check_proven(p, o, 0, limit, where, PASS)
        for point in range(self.board.points):
            if not (p | o | ko) >> point & 1 and (after := self.board.play(o, p, 1 << point)):
                self.check_proven(after[1], after[0], after[2], limit, where, point)

    def check_proven(self, p: int, o: int, ko: int, limit: int, where: str, reply: int = NONE) -> None:
        """Check that a position was proven before a place of the list."""
        if self.proven.find(self.board.key(p | ko, o | ko), limit) >= limit:
            raise BadProofError(f"{where}, reply {'pass' if reply == PASS else reply}: what comes of it was not proven before")


def verify(data: bytes) -> str:
    """Return what a file proves, in words; raises BadProofError."""
    claim, body = read_claim(data)
    size = ((3 ** (points := claim["height"] * claim["width"]) - 1).bit_length() + 7) // 8
    if len(body) != claim["positions"] * (size + 2):
        raise BadProofError(f"expected {claim['positions']} positions of {size + 2} bytes, got {len(body)} bytes")
    proof = Proof(claim)
    # The stones of five points that a number in base 3 stands for, both sides'.
    fives = [[sum(1 << k for k in range(5) if n // 3**k % 3 == colour) for colour in (1, 2)] for n in range(243)]
    for number, (stones, forbidden, answer) in enumerate(struct.iter_unpack(f"{size}sBB", body), 1):
        code, p, o = int.from_bytes(stones, "little"), 0, 0
        for k in range(0, points, 5):
            code, part = divmod(code, 243)
            p, o = p | fives[part][0] << k, o | fives[part][1] << k
        ko, where = 0 if forbidden == NONE else 1 << forbidden, f"position {number}"
        proof.board.check(p, o, where, code or (p | o) >> points or (p | o | ~proof.board.full) & ko)
        proof.add(p, o, ko, answer, where)
    p, o = claim["stones"] if claim["prover"] == "black" else claim["stones"][::-1]
    proof.board.check(p, o, "the claim")
    if claim["to move"] == claim["prover"]:
        proof.check_proven(p, o, 0, claim["positions"], "the claim")
    else:
        proof.check_replies(p, o, 0, False, "the claim")
    return f"{words_of(claim)} Proven: {claim['positions']:,} positions."


def read_claim(data: bytes) -> tuple[Claim, bytes]:
    """Return what the lines of a file claim, and the rest of it."""
    head, blank, packed = data.partition(b"\n\n")
    said = dict(line.partition(": ")[::2] for line in head.decode("ascii", "replace").split("\n"))
    try:
        body = (unpacker := zlib.decompressobj()).decompress(packed)
        if not unpacker.eof or unpacker.unused_data:
            raise ValueError("it is cut off, or something follows its end")
        rows, (height, width) = said["stones"].split("/"), map(int, said["board"].split("x"))
        points, sides, named = "".join(rows), ("to move", "prover"), list(said) == NAMES and head.count(b"\n") < len(said)
        fits = height > 1 < width and height * width <= 30 and {*map(len, rows)} == {width} and len(rows) == height
        if not (blank and named and said["go proof"] == "1" and fits and {said[k] for k in sides} <= COLOURS):
            raise ValueError(f"expected the lines {', '.join(NAMES)}, an empty one, and a board of that size")
        claim: Claim = {name: int(said[name]) for name in ("margin", "positions")}
        claim |= {name: said[name] for name in sides} | {"height": height, "width": width, "rows": rows}
        claim["stones"] = tuple(sum(1 << k for k, mark in enumerate(points) if mark == colour) for colour in "XO")
        claim["suicide"] = bool(["forbidden", "allowed"].index(said["suicide"]))
    except (KeyError, ValueError, zlib.error) as error:
        raise BadProofError(f"the file cannot be read: {error}") from None
    if {*points} - {*".XO"} or words_of(claim) != said["claim"]:
        raise BadProofError(f"the claim is not what the lines say: {words_of(claim)}")
    return claim, body


def words_of(claim: Claim) -> str:
    """What a claim says."""
    suicide = f"suicide {'of two stones or more allowed' if claim['suicide'] else 'forbidden'}"
    who = f"From {'/'.join(claim['rows'])}, {claim['to move']} to move, {claim['prover']} can end the game with at least"
    rules = f"two passes end the game, area counts, {suicide}, whatever the rule about repetition."
    return f"{who} {claim['margin']} points more than the other side: {rules}"


def main(names: list[str]) -> int:
    """Check the files named, up to the first that does not hold; return 0 if all do."""
    try:
        for name in names or ["the name of a file"]:
            with open(name, "rb") as file:
                print(f"{name}: {verify(file.read())}")
    except (OSError, BadProofError) as error:
        print(f"{name}: NOT PROVEN: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
