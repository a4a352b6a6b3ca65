"""Check a proof about a position of Go: python3 verify_proof.py FILE

Plain Python that knows the rules and nothing of the program that wrote the file; it searches nothing. The claim is that one
side, the prover, can end the game with so many points more than the opponent. The proof is a list of positions in which the
prover is to move, a board and the point that a ko forbids, each with one answer. A position counts as proven once it is seen
that its answer can be played, and that then points enough are the prover's for good (`safe_points`), or every reply, a pass
too, makes a position proven before. If the prover answers a pass by a pass, the game is over, and the count must be enough.

So every play by these answers goes backwards in the list, and ends. Nor does the prover ever make a board that stood before: of
two answers that make the same board, what can follow the later one in the list comes before the earlier one. So the proof holds
under simple ko, situational and positional superko. What is the same but for turning and mirroring counts as one.

The file: lines of `name: value`, an empty line, the positions, compressed by zlib: a number in base 3 (first point lowest; 1
the prover's stone, 2 the opponent's) in as few bytes as 3 ** points - 1 needs, lowest first, then two bytes, the point that a
ko forbids, 255 for none, and the point of the answer, 255 for a pass. Points are counted along the rows from the top left.
"""

import sys
import zlib
from collections.abc import Iterator
from typing import Any

PASS = NONE = 255
Claim = dict[str, Any]


class BadProofError(Exception):
    """The proof does not hold; the message says where."""


class Board:
    """The rules on a board of one shape. A set of points is a whole number with a bit for each; p, o: the two sides' stones."""

    def __init__(self, height: int, width: int, suicide: bool) -> None:
        self.points, self.full, self.suicide = height * width, (1 << height * width) - 1, suicide
        self.near: list[int] = []
        for i, j in (divmod(point, width) for point in range(self.points)):
            beside = (i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)
            self.near.append(sum(1 << a * width + b for a, b in beside if 0 <= a < height and 0 <= b < width))
        # For each way to turn and mirror the board, what each ten points of a mask become.
        self.turns: list[list[list[int]]] = []
        for flips in range(8 if height == width else 4):
            places = []
            for point in range(self.points):
                i, j = divmod(point, width)
                i, j = height - 1 - i if flips & 1 else i, width - 1 - j if flips & 2 else j
                places.append(1 << (j * width + i if flips & 4 else i * width + j))
            parts = [places[k : k + 10] for k in range(0, self.points, 10)]
            self.turns.append([[sum(x for k, x in enumerate(part) if n >> k & 1) for n in range(1024)] for part in parts])

    def beside(self, mask: int) -> int:
        """The points next to points of a mask, those of the mask left out."""
        found, rest = 0, mask
        while rest:
            found, rest = found | self.near[(rest & -rest).bit_length() - 1], rest & (rest - 1)
        return found & ~mask

    def connected(self, seed: int, within: int) -> int:
        """The part of a mask that is connected with a seed in it."""
        while (grown := seed | self.beside(seed) & within) != seed:
            seed = grown
        return seed

    def parts(self, mask: int) -> Iterator[int]:
        """The connected parts of a mask."""
        while mask:
            part = self.connected(mask & -mask, mask)
            mask &= ~part
            yield part

    def play(self, own: int, other: int, bit: int) -> tuple[int, int, int] | None:
        """(own, other, forbidden point) after a placement on an empty point, None if it is not allowed."""
        own |= bit
        taken = sum(part for part in self.parts(other) if self.beside(part) & ~own == 0)
        other &= ~taken
        group = self.connected(bit, own)
        if self.beside(group) & ~other == 0:
            # Suicide; of one stone it changes nothing, and is no move under any rule.
            return (own & ~group, other, 0) if self.suicide and group != bit else None
        # A stone that stands alone, has taken one stone, and could only be retaken there: the ko.
        ko = taken if taken and taken & (taken - 1) == 0 and group == bit and self.beside(bit) & ~other == taken else 0
        return own, other, ko

    def margin(self, p: int, o: int) -> int:
        """Stones, and empty points that reach only their colour: the prover's less the opponent's."""
        result = p.bit_count() - o.bit_count()
        for part in self.parts(self.full & ~(p | o)):
            near = self.beside(part)
            result += part.bit_count() * ((near & o == 0 != near & p) - (near & p == 0 != near & o))
        return result

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
        around = self.beside(alive)
        for part in self.parts(self.full & ~alive) if alive else ():
            vital = [near for _, near in living if not part & p and part & ~o & ~near == 0]
            if all((part & ~near).bit_count() <= 1 for near in (around, *vital)):
                safe |= part
        return safe

    def key(self, p: int, o: int) -> int:
        """A number that is the same for a board however it is turned or mirrored."""
        return min(turned(p, turn) | turned(o, turn) << self.points for turn in self.turns)


def turned(mask: int, turn: list[list[int]]) -> int:
    """A mask, turned."""
    return sum(part[mask >> 10 * k & 1023] for k, part in enumerate(turn))


class Proof:
    """What was proven so far. `claim`: the lines of the file."""

    def __init__(self, claim: Claim) -> None:
        self.board, self.wanted = Board(claim["height"], claim["width"], claim["suicide"]), claim["margin"]
        # Position -> its place in the list; board -> the place of the first answer that leaves it to the opponent.
        self.proven, self.made = dict[int, int](), dict[int, int]()

    def add(self, p: int, o: int, ko: int, answer: int, where: str) -> None:
        """Check a position and its answer, and count it as proven."""
        board, key, bit, place = self.board, self.board.key(p | ko, o | ko), 1 << answer, len(self.proven)
        if key in self.proven:
            raise BadProofError(f"{where}: the position was there before")
        if answer == PASS:
            self.check_replies(p, o, 0, True, place, where)
        else:
            after = None if answer >= board.points or (p | o | ko) & bit else board.play(p, o, bit)
            if after is None or not after[0] & bit:
                raise BadProofError(f"{where}: the answer {answer} cannot be played")
            if board.key(p, o) in self.made:
                raise BadProofError(f"{where}: an answer of the prover's has left this board before")
            if 2 * board.safe_points(after[0], after[1]).bit_count() - board.points < self.wanted:
                self.check_replies(*after, False, place, where)
        self.proven[key] = place

    def check_replies(self, p: int, o: int, ko: int, passed: bool, place: int, where: str) -> None:
        """Check that whatever the opponent does leads to what was proven; `passed`: their pass would end the game."""
        limit = self.made.setdefault(self.board.key(p, o), place)
        if self.board.margin(p, o) < self.wanted:
            if passed:
                raise BadProofError(f"{where}: a pass, and the count is not enough")
            self.check_proven(p, o, 0, limit, f"{where}, reply pass")
        for point in range(self.board.points):
            after = None if (p | o | ko) >> point & 1 else self.board.play(o, p, 1 << point)
            if after is not None:
                self.check_proven(after[1], after[0], after[2], limit, f"{where}, reply {point}")

    def check_proven(self, p: int, o: int, ko: int, limit: int, where: str) -> None:
        """Check that a position was proven before a place of the list."""
        if self.proven.get(self.board.key(p | ko, o | ko), limit) >= limit:
            raise BadProofError(f"{where}: what comes of it was not proven before")


def verify(data: bytes) -> str:
    """Return what a file proves, in words; raises BadProofError."""
    claim, body = read_claim(data)
    proof = Proof(claim)
    size = ((3**proof.board.points - 1).bit_length() + 7) // 8
    if len(body) != claim["positions"] * (size + 2):
        raise BadProofError(f"expected {claim['positions']} positions of {size + 2} bytes, got {len(body)} bytes")
    for number in range(claim["positions"]):
        entry = body[number * (size + 2) : (number + 1) * (size + 2)]
        code, p, o = int.from_bytes(entry[:size], "little"), 0, 0
        for point in range(proof.board.points):
            code, stone = divmod(code, 3)
            p, o = p | (stone == 1) << point, o | (stone == 2) << point
        ko = 0 if entry[size] == NONE else 1 << entry[size]
        check_board(proof.board, p, o, f"position {number + 1}", code or (p | o | ~proof.board.full) & ko)
        proof.add(p, o, ko, entry[size + 1], f"position {number + 1}")
    p, o = claim["stones"] if claim["prover"] == "black" else claim["stones"][::-1]
    check_board(proof.board, p, o, "the claim")
    if claim["to move"] == claim["prover"]:
        proof.check_proven(p, o, 0, claim["positions"], "the claim")
    else:
        proof.check_replies(p, o, 0, False, claim["positions"], "the claim")
    return f"{words_of(claim)} Proven: {claim['positions']:,} positions."


def check_board(board: Board, p: int, o: int, where: str, rest: int = 0) -> None:
    """Check that stones can stand on a board, and that nothing is left of what describes it."""
    empty = board.full & ~(p | o)
    if rest or any(board.beside(part) & empty == 0 for stones in (p, o) for part in board.parts(stones)):
        raise BadProofError(f"{where}: no board, or one with stones without a liberty")


NAMES = ["go proof", "board", "suicide", "stones", "to move", "prover", "margin", "positions", "claim"]


def read_claim(data: bytes) -> tuple[Claim, bytes]:
    """Return what the lines of a file claim, and the rest of it."""
    head, blank, packed = data.partition(b"\n\n")
    said = dict(line.partition(": ")[::2] for line in head.decode("ascii", "replace").split("\n"))
    try:
        if not blank or list(said) != NAMES or said["go proof"] != "1":
            raise ValueError(f"expected the lines {', '.join(NAMES)} and an empty one")
        unpacker = zlib.decompressobj()
        body = unpacker.decompress(packed)
        if not unpacker.eof or unpacker.unused_data:
            raise ValueError("it is cut off, or something follows its end")
        rows, (height, width) = said["stones"].split("/"), map(int, said["board"].split("x"))
        points, colours = "".join(rows), {"black": "black", "white": "white"}
        if min(height, width) < 2 or height * width > 30 or {*map(len, rows)} != {width} or len(rows) != height:
            raise ValueError("no such board")
        claim = {
            "height": height, "width": width, "rows": rows, "suicide": ["forbidden", "allowed"].index(said["suicide"]) == 1,
            "stones": tuple(sum(1 << k for k, mark in enumerate(points) if mark == colour) for colour in "XO"),
            "to move": colours[said["to move"]], "prover": colours[said["prover"]], "margin": int(said["margin"]),
            "positions": int(said["positions"]),
        }  # fmt: skip
    except (KeyError, ValueError, zlib.error) as error:
        raise BadProofError(f"the file cannot be read: {error}") from None
    if {*points} - {*".XO"} or words_of(claim) != said["claim"]:
        raise BadProofError(f"the claim is not what the lines say: {words_of(claim)}")
    return claim, body


def words_of(claim: Claim) -> str:
    """What a claim says."""
    suicide = "suicide of two stones or more allowed" if claim["suicide"] else "suicide forbidden"
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
