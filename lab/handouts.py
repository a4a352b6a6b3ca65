"""Made-up courses for `lab.similarity`: what they hand out, and programs in Python, C++ and Java.

No two courses' hosts are alike: each method is one of several ways to write it, in an order of the course's own, with names of
its own or those of GO. C++ and Java are what a source of Python looks like there; they are read by tokens, and never compiled.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import dedent, indent

LANGUAGES = {"python": ".py", "cpp": ".cpp", "java": ".java"}
_GO = {
    "Host": "GO", "near": "detect_neighbor", "allies": "detect_neighbor_ally", "group": "ally_dfs", "alive": "find_liberty",
    "dead": "find_died_pieces", "lift": "remove_died_pieces", "legal": "valid_place_check", "place": "place_chess",
    "same": "compare_board", "stones": "score", "winner": "judge_winner", "show": "visualize_board", "load": "set_board",
}  # fmt: skip
_WORDS = {
    "Host": ["Desk", "Referee", "Table", "Match"], "near": ["beside", "around", "touching"], "allies": ["friends", "mates"],
    "group": ["chain", "cluster", "gather"], "alive": ["breathes", "has_air", "lives"], "dead": ["doomed", "captured"],
    "lift": ["clear", "take_off"], "legal": ["allowed", "may_play", "is_fine"], "place": ["put", "drop"],
    "same": ["equal", "alike"], "stones": ["total", "amount"], "winner": ["best", "leader"], "show": ["draw", "display"],
    "load": ["start", "given"],
}  # fmt: skip
_METHODS: dict[str, list[str]] = {
    "load": ["""
        def {load}(self, colour, before, rows):
            for r in range(self.width):
                for c in range(self.width):
                    if before[r][c] == colour and rows[r][c] != colour:
                        self.taken.append((r, c))
            self.before = before
            self.rows = rows
        """, """
        def {load}(self, colour, before, rows):
            self.taken = [(r, c) for r in range(self.width) for c in range(self.width) if before[r][c] == colour != rows[r][c]]
            self.before, self.rows = copy.deepcopy(before), copy.deepcopy(rows)
        """],
    "near": ["""
        def {near}(self, r, c):
            found = []
            if r > 0:
                found.append((r - 1, c))
            if r < self.width - 1:
                found.append((r + 1, c))
            if c > 0:
                found.append((r, c - 1))
            if c < self.width - 1:
                found.append((r, c + 1))
            return found
        """, """
        def {near}(self, r, c):
            found = []
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                if 0 <= r + dr < self.width and 0 <= c + dc < self.width:
                    found.append((r + dr, c + dc))
            return found
        """, """
        def {near}(self, r, c):
            places = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
            return [place for place in places if self.is_inside(place)]

        def is_inside(self, place):
            return min(place) >= 0 and max(place) < self.width
        """],
    "allies": ["""
        def {allies}(self, r, c):
            found = []
            for a, b in self.{near}(r, c):
                if self.rows[a][b] == self.rows[r][c]:
                    found.append((a, b))
            return found
        """, """
        def {allies}(self, r, c):
            return [(a, b) for a, b in self.{near}(r, c) if self.rows[a][b] == self.rows[r][c]]
        """],
    "group": ["""
        def {group}(self, r, c):
            waiting = [(r, c)]
            seen = []
            while waiting:
                point = waiting.pop()
                seen.append(point)
                for friend in self.{allies}(point[0], point[1]):
                    if friend not in waiting and friend not in seen:
                        waiting.append(friend)
            return seen
        """, """
        def {group}(self, r, c, seen=None):
            seen = set() if seen is None else seen
            seen.add((r, c))
            for a, b in self.{allies}(r, c):
                if (a, b) not in seen:
                    self.{group}(a, b, seen)
            return seen
        """, """
        def {group}(self, r, c):
            queue, at = [(r, c)], 0
            while at < len(queue):
                for friend in self.{allies}(*queue[at]):
                    if friend not in queue:
                        queue.append(friend)
                at += 1
            return queue
        """],
    "alive": ["""
        def {alive}(self, r, c):
            for a, b in self.{group}(r, c):
                for x, y in self.{near}(a, b):
                    if self.rows[x][y] == 0:
                        return True
            return False
        """, """
        def {alive}(self, r, c):
            return any(self.rows[x][y] == 0 for a, b in self.{group}(r, c) for x, y in self.{near}(a, b))
        """],
    "dead": ["""
        def {dead}(self, colour):
            gone = []
            for r in range(self.width):
                for c in range(self.width):
                    if self.rows[r][c] == colour:
                        if not self.{alive}(r, c):
                            gone.append((r, c))
            return gone
        """, """
        def {dead}(self, colour):
            points = itertools.product(range(self.width), repeat=2)
            return [(r, c) for r, c in points if self.rows[r][c] == colour and not self.{alive}(r, c)]
        """],
    "lift": ["""
        def {lift}(self, colour):
            gone = self.{dead}(colour)
            for r, c in gone:
                self.rows[r][c] = 0
            return gone
        """, """
        def {lift}(self, colour):
            gone = self.{dead}(colour)
            if not gone:
                return []
            while gone:
                r, c = gone[-1]
                self.rows[r][c] = 0
                gone = gone[:-1]
            self.changed = True
            return gone
        """],
    "legal": ["""
        def {legal}(self, r, c, colour):
            if not (0 <= r < self.width and 0 <= c < self.width):
                print("outside")
                return False
            if self.rows[r][c] != 0:
                print("taken")
                return False
            trial = copy.deepcopy(self)
            trial.rows[r][c] = colour
            if trial.{alive}(r, c):
                return True
            trial.{lift}(3 - colour)
            if not trial.{alive}(r, c):
                return False
            return not (self.taken and self.{same}(self.before, trial.rows))
        """, """
        def {legal}(self, r, c, colour):
            inside = r >= 0 and c >= 0 and r < self.width and c < self.width
            if not inside or self.rows[r][c]:
                return False
            kept = [row[:] for row in self.rows]
            self.rows[r][c] = colour
            self.{lift}(1 if colour == 2 else 2)
            fine = self.{alive}(r, c) and not self.{same}(self.before, self.rows)
            self.rows = kept
            return fine
        """],
    "place": ["""
        def {place}(self, r, c, colour):
            if not self.{legal}(r, c, colour):
                return False
            self.before = copy.deepcopy(self.rows)
            self.rows[r][c] = colour
            self.taken = self.{lift}(3 - colour)
            self.moves += 1
            return True
        """, """
        def {place}(self, r, c, colour):
            fine = self.{legal}(r, c, colour)
            if fine:
                self.before = [list(row) for row in self.rows]
                self.rows[r][c] = colour
            return fine
        """],
    "same": ["""
        def {same}(self, one, other):
            for r in range(self.width):
                for c in range(self.width):
                    if one[r][c] != other[r][c]:
                        return False
            return True
        """, """
        def {same}(self, one, other):
            return all(mine == theirs for mine, theirs in zip(one, other))
        """],
    "stones": ["""
        def {stones}(self, colour):
            total = 0
            for row in self.rows:
                for stone in row:
                    if stone == colour:
                        total += 1
            return total
        """, """
        def {stones}(self, colour):
            return sum(stone == colour for row in self.rows for stone in row)
        """],
    "winner": ["""
        def {winner}(self):
            black = self.{stones}(1)
            white = self.{stones}(2) + self.width / 2
            if black > white:
                return 1
            elif black < white:
                return 2
            return 0
        """, """
        def {winner}(self):
            lead = self.{stones}(1) - self.{stones}(2) - self.width / 2
            return 0 if lead == 0 else 1 if lead > 0 else 2
        """],
    "show": ["""
        def {show}(self):
            print("-" * self.width * 2)
            for row in self.rows:
                print(" ".join(".XO"[stone] for stone in row))
            print("-" * self.width * 2)
        """, """
        def {show}(self):
            for r in range(self.width):
                line = ""
                for c in range(self.width):
                    if self.rows[r][c] == 0:
                        line += ". "
                    elif self.rows[r][c] == 1:
                        line += "X "
                    else:
                        line += "O "
                print(line)
        """],
}  # fmt: skip
_FILES: dict[str, list[str]] = {
    "read": ["""
        def read_position(n, path="input.txt"):
            with open(path) as file:
                lines = file.readlines()
            colour = int(lines[0])
            before = [[int(x) for x in line.rstrip()] for line in lines[1:n + 1]]
            rows = [[int(x) for x in line.rstrip()] for line in lines[n + 1:2 * n + 1]]
            return colour, before, rows

        def read_answer(path="output.txt"):
            with open(path) as file:
                words = file.readline().strip().split(",")
            if words[0] == "PASS":
                return "PASS", -1, -1
            return "MOVE", int(words[0]), int(words[1])
        """, """
        def load(path="input.txt"):
            file = open(path, "r")
            text = file.read().split()
            file.close()
            size = len(text[1])
            boards = []
            for start in (1, 1 + size):
                board = []
                for line in text[start:start + size]:
                    board.append(list(map(int, line)))
                boards.append(board)
            return int(text[0]), boards[0], boards[1]
        """],
    "write": ["""
        def write_answer(answer, path="output.txt"):
            if answer == "PASS":
                text = "PASS"
            else:
                text = str(answer[0]) + "," + str(answer[1])
            with open(path, "w") as file:
                file.write(text)

        def write_pass(path="output.txt"):
            with open(path, "w") as file:
                file.write("PASS")
        """, """
        def save(answer, path="output.txt"):
            file = open(path, "w")
            file.write(answer if answer == "PASS" else "%d,%d" % (answer[0], answer[1]))
            file.close()

        def save_position(colour, before, rows, path="input.txt"):
            file = open(path, "w")
            file.write(str(colour) + chr(10))
            for board in (before, rows):
                for row in board:
                    file.write("".join([str(x) for x in row]) + chr(10))
            file.close()
        """],
    "random_player": ["""
        class RandomPlayer:
            def __init__(self):
                self.type = "random"

            def get_input(self, go, colour):
                choices = []
                for i in range(go.width):
                    for j in range(go.width):
                        if go.legal(i, j, colour):
                            choices.append((i, j))
                if not choices:
                    return "PASS"
                return random.choice(choices)
        """, """
        class RandomPlayer:
            def get_input(self, desk, colour):
                points = [(i, j) for i in range(desk.width) for j in range(desk.width)]
                random.shuffle(points)
                for i, j in points:
                    if desk.allowed(i, j, colour):
                        return i, j
                return "PASS"
        """],
}  # fmt: skip


@dataclass(frozen=True)
class Handout:
    """What a course hands out. language: of LANGUAGES. sources: module -> Python, from which its files are made."""

    language: str
    sources: Mapping[str, str]

    def files(self) -> dict[str, str]:
        """Return the files: name -> text."""
        return {f"{name}{LANGUAGES[self.language]}": translate(text, self.language) for name, text in self.sources.items()}


def handout(rng: random.Random, language: str) -> Handout:
    """Return what a new course hands out."""
    names = _GO if rng.random() < 0.25 else {key: rng.choice(words) for key, words in _WORDS.items()}
    methods = [dedent(rng.choice(ways)).strip().format(**names) for ways in _METHODS.values()]
    rng.shuffle(methods)
    start = "\n".join(
        ["def __init__(self, width):", "    self.width = width", "    self.taken = []", "    self.moves = 0",
         rng.choice(["    self.rows = [[0] * width for _ in range(width)]", "    self.rows = self.before = []"])]
    )  # fmt: skip
    body = indent("\n\n".join([start, *methods]), "    ")
    host = f"import copy\nimport itertools\n\nclass {names['Host']}:\n{body}\n"
    files = {name: dedent(rng.choice(ways)).strip() for name, ways in _FILES.items()}
    return Handout(language, {"host": host, **{name: f"import random\n\n{text}\n" for name, text in files.items()}})


def imports(language: str, modules: Sequence[str]) -> str:
    """Return the lines by which a program uses modules that lie beside it."""
    line = {"python": "from {} import *", "cpp": '#include "{}.cpp"', "java": "// uses\nObject a_{0} = new {0}();"}[language]
    return "\n".join(line.format(name) for name in modules) + "\n"


def translate(source: str, language: str) -> str:
    """Return a source of Python in a language, as it would look there."""
    if language == "python":
        return source
    return "\n".join(_Braces(language).block(ast.parse(source).body)) + "\n"


class _Braces:
    """Writes Python's statements with braces, types and semicolons."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.any = {"cpp": "auto", "java": "var"}[language]
        self.function = {"cpp": "auto", "java": "public Object"}[language]

    def block(self, body: Sequence[ast.stmt]) -> list[str]:
        """Return the lines of some statements."""
        return [line for one in body for line in self.lines(one)]

    def lines(self, node: ast.stmt) -> list[str]:
        """Return the lines of a statement."""
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                names = [one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
                given = ", ".join(f"int {name}" for name in names if name != "self")
                return self._braced(f"{self.function} {node.name}({given})", node.body)
            case ast.ClassDef():
                return self._braced(f"class {node.name}", node.body)
            case ast.If() | ast.While():
                word = "if" if isinstance(node, ast.If) else "while"
                found = self._braced(f"{word} ({self.of(node.test)})", node.body)
                return found + (self._braced("else", node.orelse) if node.orelse else [])
            case ast.For(iter=ast.Call(func=ast.Name(id="range"), args=args), target=target):
                name, first = self.of(target), self.of(args[0]) if len(args) > 1 else "0"
                head = f"for (int {name} = {first}; {name} < {self.of(args[1] if len(args) > 1 else args[0])}; {name}++)"
                return self._braced(head, node.body)
            case ast.For() | ast.AsyncFor():
                return self._braced(f"for ({self.any} {self.of(node.target)} : {self.of(node.iter)})", node.body)
            case ast.With() | ast.AsyncWith():
                opened = [f"{self.any} {self.of(one.optional_vars or one.context_expr)} = {self.of(one.context_expr)};"
                          for one in node.items]  # fmt: skip
                return [*opened, *self.block(node.body)]
            case ast.Try():
                found = self._braced("try", node.body)
                for handler in node.handlers:
                    found += self._braced(f"catch ({self.of(handler.type) if handler.type else 'Error'} error)", handler.body)
                return found + self.block(node.orelse) + self.block(node.finalbody)
            case ast.Assign():
                return [f"{self.any} {self.of(one)} = {self.of(node.value)};" for one in node.targets]
            case ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom() | ast.Global() | ast.Pass():
                return []
            case ast.Raise():
                return [f"throw {self.of(node.exc) if node.exc else ''};"]
            case _:
                return [f"{self.of(node)};"]

    def _braced(self, head: str, body: Sequence[ast.stmt]) -> list[str]:
        return [f"{head} {{", *("    " + line for line in self.block(body)), "}"]

    def of(self, node: ast.AST) -> str:
        """Return an expression on one line."""
        text = " ".join(ast.unparse(node).split("\n"))
        for mine, theirs in ((" and ", " && "), (" or ", " || "), ("not ", "!"), ("None", "null"), ("self.", "this->")):
            text = text.replace(mine, theirs if self.language == "cpp" or theirs != "this->" else "this.")
        return text.replace("'", '"')
