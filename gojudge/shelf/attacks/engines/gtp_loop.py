"""An engine that behaves; those beside it each change one thing. It plays the first legal point, and passes after 12 moves."""

import sys

SIZE, MOVES = 5, 12
COLUMNS = "ABCDE"
POINTS = [(row, column) for row in range(SIZE) for column in range(SIZE)]


def vertex(point):
    return f"{COLUMNS[point[1]]}{SIZE - point[0]}"


def point_of(word):
    return SIZE - int(word[1:]), COLUMNS.index(word[0].upper())


class Board:
    """Stones by point, and all boards that there have been."""

    def __init__(self):
        self.stones, self.seen = {}, set()

    def group(self, stones, start):
        found, open_ends, liberties = {start}, [start], set()
        while open_ends:
            row, column = open_ends.pop()
            for point in {(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)} & set(POINTS):
                if point not in stones:
                    liberties.add(point)
                elif stones[point] == stones[start] and point not in found:
                    found.add(point)
                    open_ends.append(point)
        return found, liberties

    def after(self, point, colour):
        """Return the stones after a placement, None if it may not be made."""
        if point in self.stones:
            return None
        stones = {**self.stones, point: colour}
        for other in [other for other in stones if stones[other] != colour]:
            if other in stones and not (found := self.group(stones, other))[1]:
                stones = {key: value for key, value in stones.items() if key not in found[0]}
        legal = self.group(stones, point)[1] and tuple(sorted(stones.items())) not in self.seen
        return stones if legal else None

    def play(self, point, colour):
        self.stones = self.after(point, colour) or self.stones
        self.seen.add(tuple(sorted(self.stones.items())))


class Engine:
    """What a command does is the method of its name. moves: how many this engine has made in this game."""

    name, version = "plain", "1"

    def __init__(self):
        self.do_clear_board()

    def do_clear_board(self):
        self.board, self.moves = Board(), 0

    def do_name(self):
        return self.name

    def do_version(self):
        return self.version

    def do_list_commands(self):
        return "\n".join(sorted(name[3:] for name in dir(self) if name.startswith("do_")))

    def do_boardsize(self, size):
        return ""

    def do_komi(self, komi):
        return ""

    def do_quit(self):
        return ""

    def do_play(self, colour, word):
        if word.lower() != "pass":
            self.board.play(point_of(word), colour[0].lower())

    def do_genmove(self, colour):
        self.moves += 1
        point = self.choose(colour[0].lower()) if self.moves <= MOVES else None
        if point is None:
            return "pass"
        self.board.play(point, colour[0].lower())
        return vertex(point)

    def choose(self, colour):
        return next((point for point in POINTS if self.board.after(point, colour) is not None), None)

    def obey(self, command, *words):
        """Return whether a command is done, and its result."""
        method = getattr(self, f"do_{command}", None)
        return (False, "unknown command") if method is None else (True, method(*words) or "")

    def send(self, number, done, result):
        sys.stdout.write(f"{'=' if done else '?'}{number} {result}\n\n")
        sys.stdout.flush()

    def run(self):
        for line in sys.stdin:
            number, *words = line.split()
            self.send(number, *self.obey(*words))
            if words[0] == "quit":
                return
