"""How often `tournament similarity` marks people who worked alone, and how many copies it finds.

    python3 -m lab.similarity [CLASSES]       default: 60 simulated classes of each kind

Players are one-ply evaluators of eight features. Independent ones have weights of their own, an order in which they scan the
board, and some move at random now and then; so strengths differ as in a class. A copy has its original's weights, changed a
little or not at all. All play each other twice on 5x5, and classes are drawn from them. Sources are modules of the standard
library, which are independent of each other but for a few known relatives; copies of them have other names, numbers and layout,
and their definitions in another order. Seeds are given, so figures are the same each time with the same Python.
"""

from __future__ import annotations

import ast
import random
import sys
import sysconfig
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, permutations
from pathlib import Path

from tabulate import tabulate

from benchmarks.pools import parser_of, watched
from goban.common.command_lines import DONE, run, whole_number
from goban.common.estimates import wilson_interval
from goban.grids import BLACK
from goban.moves import move_name
from goban.points import Point
from goban.rulesets import COURSE
from goban.states import State, new_game
from gojudge.records import GameResult, GameRow, GameSpec, Spent, Termination, Turn
from lab.handouts import LANGUAGES, handout, imports, translate
from tournament.results.ratings import ratings
from tournament.results.standings import standings
from tournament.similarity.choices import gather
from tournament.similarity.fingerprints import Sources, fingerprints, sources_in
from tournament.similarity.playing_alike import LEVEL, PlayPair, playing_alike
from tournament.similarity.reading_alike import SHARE, TextPair, reading_alike, set_aside

SIZE = 5
POOLS, ALONE = 8, 24
"""Pools of players, and how many independent ones are in each."""
COPIES = 6
"""How many of them have a copy in the pool."""
CHANGES = (0.0, 0.05, 0.2)
"""By how much of itself each weight of a copy is changed, as a standard deviation."""
CLASSES = (6, 12, 24)
"""How many independent players are in a class."""
MEANS = (1.0, 0.4, -0.3, 0.15, 0.0, 0.1, -1.0, 0.0)
SPREADS = (0.8, 0.3, 0.3, 0.25, 0.3, 0.3, 0.8, 0.2)
"""Of the weights of `features`, in a class."""
LONGEST = 12_000
"""Bytes of a module that is a student's program."""
STUDENTS = 12
"""In a class with handouts; the last of them has copied from the first."""
BRINGING = (0.0, 0.2, 0.5, 1.0)
"""Which shares of a class bring what was handed out."""
KINDS = ("layout, comments", "renamed, reordered", "loops written anew", "partly rewritten")
"""Of copies; the last two are renamed and reordered, too."""
SOURCES = (4_000, 25_000)
"""Bytes of a module that is compared."""


@dataclass(frozen=True)
class Habits:
    """A player. scan: 'rows', 'back' or 'columns', the order in which the first of equal points is found, or 'random'.

    slips: the share of its moves that it makes at random.
    """

    weights: tuple[float, ...]
    scan: str
    slips: float

    @staticmethod
    def draw(rng: random.Random) -> Habits:
        """Return an independent player."""
        weights = tuple(rng.gauss(mean, spread) for mean, spread in zip(MEANS, SPREADS, strict=True))
        scan = rng.choice(["rows", "rows", "rows", "back", "columns", "random"])
        return Habits(weights, scan, rng.choice([0, 0, 0, 0.1, 0.3]))

    def change(self, rng: random.Random, by: float) -> Habits:
        """Return a copy."""
        return replace(self, weights=tuple(weight * (1 + rng.gauss(0, by)) for weight in self.weights))

    def choice(self, state: State, rng: random.Random) -> Point:
        """Return a legal placement."""
        points = state.grid.points_of(state.placements())
        if self.slips and rng.random() < self.slips:
            return rng.choice(points)
        if self.scan == "random":
            rng.shuffle(points)
        elif self.scan == "back":
            points.reverse()
        elif self.scan == "columns":
            points.sort(key=lambda point: point[::-1])
        return max(points, key=lambda point: self._worth(state, point))

    def _worth(self, state: State, point: Point) -> float:
        pairs = zip(self.weights, features(state, point), strict=True)
        return round(sum(weight * feature for weight, feature in pairs), 9)


def features(state: State, point: Point) -> tuple[int, ...]:
    """Return what a placement leads to: stones taken, own liberties up to 4, points that the opponent can reach, nearness to
    the centre, own and other stones beside it, whether it stands in atari, points that its player can reach."""
    after, grid = state.after(point), state.grid
    bit = grid.bit[point]
    other, own = after.colours()
    liberties = grid.liberties(grid.group(bit, own), after.empty).bit_count()
    near = grid.adjacent(bit)
    far = sum(abs(2 * line - grid.size + 1) for line in point) // 2
    return (
        after.captured.bit_count(), min(liberties, 4), (grid.adjacent(other) & after.empty).bit_count(), -far,
        (near & own).bit_count(), (near & other).bit_count(), int(liberties == 1),
        (grid.adjacent(own) & after.empty).bit_count(),
    )  # fmt: skip


def round_robin(players: Mapping[str, Habits], seed: int) -> list[GameResult]:
    """Return a game of each player as Black against each other one."""
    pairs = permutations(players, 2)
    return [_game(GameSpec(f"{black}-{white}-001", black, white, (0, 0)), players, seed) for black, white in pairs]


def _game(spec: GameSpec, players: Mapping[str, Habits], seed: int) -> GameResult:
    state, turns = new_game(COURSE, SIZE), list[Turn]()
    rngs = {name: random.Random(f"{seed} {spec.id} {name}") for name in (spec.black, spec.white)}
    while not state.is_over:
        name = spec.black if state.to_move == BLACK else spec.white
        point = players[name].choice(state, rngs[name])
        turns.append(Turn(move_name(point, SIZE), Spent()))
        state = state.play(point)
    end = state.outcome
    assert end is not None
    return GameResult(spec, end.winner, end.black, end.white, Termination.SCORE, turns=tuple(turns))


def alike(games: Sequence[GameResult], names: Collection[str]) -> list[PlayPair]:
    """Return what is found in the games between these players."""
    own = [game for game in games if game.spec.black in names and game.spec.white in names]
    rows = [GameRow(game.spec.id, game.spec.black, game.spec.white, game.winner or 0, game.termination) for game in own]
    rated = {one.name: one.rating for one in ratings(standings(rows, names, None).tallies).players}
    return playing_alike(gather(own, COURSE.name, SIZE), rated, names)


@dataclass(frozen=True)
class Pool:
    """Players who have played each other.

    alone: names of the independent ones. copies: name -> (original, change). steady: those who never move at random.
    """

    games: list[GameResult]
    alone: list[str]
    copies: dict[str, tuple[str, float]]
    steady: set[str]


def pool(seed: int) -> Pool:
    """Return a pool, with as many copies of each change."""
    rng = random.Random(seed)
    players = {f"p{k:02}": Habits.draw(rng) for k in range(ALONE)}
    alone = list(players)
    copies = {f"c{k:02}": (name, CHANGES[k % len(CHANGES)]) for k, name in enumerate(alone[:COPIES])}
    players |= {name: players[one].change(rng, by) for name, (one, by) in copies.items()}
    steady = {name for name, one in players.items() if not one.slips and one.scan != "random"}
    return Pool(round_robin(players, seed), alone, copies, steady)


def alone_line(pools: Sequence[Pool], size: int, classes: int) -> list[str]:
    """Return a line of a table: what is found in classes of independent players."""
    # All players of a pool make one class only.
    classes = min(classes, len(pools)) if size == ALONE else classes
    rng, marked, compared, low, pairs = random.Random(size), 0, 0, [0, 0], 0
    for number in range(classes):
        one = pools[number % len(pools)]
        found = alike(one.games, rng.sample(one.alone, size))
        marked += any(pair.marked for pair in found)
        pairs += len(found)
        compared += sum(pair.enough for pair in found)
        low = [count + sum(pair.chance < level for pair in found) for count, level in zip(low, (0.05, 0.01), strict=True)]
    shares = (compared / pairs, marked / classes, low[0] / pairs, low[1] / pairs)
    return [str(size), str(classes), *(f"{100 * share:.1f} %" for share in shares)]


def copies_lines(pools: Sequence[Pool], size: int) -> Iterator[list[str]]:
    """Yield lines of a table: how many copies are found in classes of so many with one each, and where others are marked."""
    for by in CHANGES:
        rng, wrong, classes = random.Random(size), 0, 0
        found: dict[bool, list[bool]] = {True: [], False: []}
        for one in pools:
            for copy, original in ((copy, original) for copy, (original, change) in one.copies.items() if change == by):
                others = rng.sample([name for name in one.alone if name != original], size - 2)
                pairs = alike(one.games, [*others, original, copy])
                marked = {frozenset((pair.one, pair.other)) for pair in pairs if pair.marked}
                found[original in one.steady].append({copy, original} in marked)
                wrong += any(pair.isdisjoint({copy, original}) for pair in marked)
                classes += 1
        steady, other = (f"{sum(found[key])} of {len(found[key])}" for key in (True, False))
        yield [str(size), f"{100 * by:g} %", steady, other, f"{wrong} of {classes}"]


class Disguise(ast.NodeTransformer):
    """Changes the names that a source defines, and its numbers."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self.names = names

    def visit(self, node: ast.AST) -> ast.AST:
        """Return a node with other names."""
        for field in ("name", "id", "arg", "attr"):
            if isinstance(said := getattr(node, field, None), str):
                setattr(node, field, self.names.get(said, said))
        if isinstance(node, ast.Constant) and type(node.value) is int:
            node.value += 1
        return self.generic_visit(node)


def disguise(source: str, rng: random.Random) -> str:
    """Return a copy of a source: other names and numbers, no comments, and its definitions in another order."""
    tree = ast.parse(source)
    defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    defined |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    Disguise({name: f"thing_{number}" for number, name in enumerate(sorted(defined))}).visit(tree)
    rng.shuffle(tree.body)
    return ast.unparse(tree)


# Modules that share code with others, as they say themselves.
_RELATIVES = ("lzma.py", "profile.py", "wave.py")


def read_unrelated(most: int) -> dict[str, str]:
    """Return the modules of so many bytes at most that share no code."""
    return {name: text for name, text in modules().items() if name not in _RELATIVES and len(text) <= most}


@cache
def modules() -> dict[str, str]:
    """Return the modules of the standard library that are compared: name -> source."""
    paths = sorted(Path(sysconfig.get_path("stdlib")).glob("[a-z]*.py"))
    return {path.name: path.read_text(encoding="utf-8") for path in paths if SOURCES[0] <= path.stat().st_size <= SOURCES[1]}


class Loops(ast.NodeTransformer):
    """Writes loops over numbers as `while`."""

    def visit_For(self, node: ast.For) -> ast.AST | list[ast.stmt]:
        """Return a loop that counts by itself."""
        self.generic_visit(node)
        match node:
            case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=[last])):
                step = ast.parse(f"{name} = -1\nwhile {name} + 1 < {ast.unparse(last)}:\n    {name} += 1").body
                loop = step[1]
                assert isinstance(loop, ast.While)
                loop.body += node.body
                return step
        return node


def rewrite(source: str, rng: random.Random, other: str) -> str:
    """Return a copy in which three of ten definitions are somebody else's."""
    tree, theirs = ast.parse(source), ast.parse(other).body
    for place in rng.sample(range(len(tree.body)), round(0.3 * len(tree.body))):
        tree.body[place] = rng.choice(theirs)
    return ast.unparse(tree)


def plagiarise(kind: str, source: str, rng: random.Random, other: str) -> str:
    """Return a copy of a source of one of the kinds KINDS."""
    if kind == "renamed, reordered":
        return disguise(source, rng)
    if kind == "layout, comments":
        return ast.unparse(ast.parse(source))
    if kind == "loops written anew":
        return disguise(ast.unparse(ast.fix_missing_locations(Loops().visit(ast.parse(source)))), rng)
    return disguise(rewrite(source, rng, other), rng)


def class_of(number: int, share: float, kind: str) -> tuple[bool, bool]:
    """Tell whether a copy is found in a class, and whether anybody else is marked.

    share: of the class that bring what was handed out. Three in ten of those have changed it, and one has put the host into
    the program, too. All of a class write in one language.
    """
    rng = random.Random(f"{number} {share} {kind}")
    language = rng.choice(["python", "python", "cpp", "java"])
    suffix, handed = LANGUAGES[language], handout(rng, language)
    given, sources = handed.files(), rng.sample(sorted(read_unrelated(LONGEST).values()), STUDENTS)
    # What a copy has instead is nobody's in the class: that of the one whose place it takes.
    sources[-1] = plagiarise(kind, sources[0], rng, sources[-1])
    bringing, class_ = rng.sample(range(STUDENTS), round(share * STUDENTS)), {}
    for place, own in enumerate(sources):
        entry, files = translate(own, language), dict[str, str]()
        if place in bringing:
            files, entry = dict(given), imports(language, ["host", "read", "write"]) + entry
            if rng.random() < 0.3:
                host = files[f"host{suffix}"].split("\n")
                # Lines that stand alone in every language.
                calls = [at for at, line in enumerate(host) if ".append(" in line or "print(" in line]
                changed = rng.choice(calls)
                host[changed] += "\n" + host[changed]
                files[f"host{suffix}"] = "\n".join(host)
            if place == bringing[0]:
                entry += translate(handed.sources["host"], language)
        texts = {f"my_player3{suffix}": entry, **files}
        class_[f"s{place:02}"] = sources_in({path: text.encode() for path, text in texts.items()}, f"my_player3{suffix}")
    marked = {(pair.one, pair.other) for pair in reading_alike(set_aside(class_)[0])[0] if pair.marked}
    copy = ("s00", f"s{STUDENTS - 1:02}")
    return copy in marked, bool(marked - {copy})


def handouts_table(classes: int) -> str:
    """Return a table: copies found, and classes in which somebody else is marked, by the share that brings handouts."""
    rows, wrong = [], dict.fromkeys(BRINGING, 0)
    for kind in KINDS:
        found = dict.fromkeys(BRINGING, 0)
        for share in BRINGING:
            for number in range(classes):
                is_found, others = class_of(number, share, kind)
                found[share] += is_found
                wrong[share] += others
        rows.append([f"copies found: {kind}", *(f"{found[share]} of {classes}" for share in BRINGING)])
    total = classes * len(KINDS)
    limits = {share: wilson_interval(count, total) for share, count in wrong.items()}
    rows.append(["classes with a false star", *(f"{wrong[share]} of {total}" for share in BRINGING)])
    rows.append(["95 % interval", *(f"{100 * low:.1f} to {100 * high:.1f} %" for low, high in limits.values())])
    heads = ["brought by", *(f"{100 * share:g} %" for share in BRINGING)]
    return tabulate(rows, heads, disable_numparse=True, colalign=["left", *["right"] * len(BRINGING)])


def read(texts: Mapping[str, str]) -> list[TextPair]:
    """Return how sources read."""
    return reading_alike({name: Sources(tuple(fingerprints(name, text))) for name, text in texts.items()})[0]


def sources_text() -> str:
    """Return what is found in sources of people who worked alone, and in copies."""
    rng = random.Random(1)
    copies = {f"{name} again.py": disguise(text, rng) for name, text in modules().items()}
    marked = {(pair.one, pair.other) for pair in read({**modules(), **copies}) if pair.marked}
    alone = [pair for pair in marked if set(pair) <= set(modules())]
    found = sum((name, f"{name} again.py") in marked for name in modules())
    pairs = len(list(combinations(modules(), 2)))
    named = ", ".join(" & ".join(pair) for pair in sorted(alone)) or "none"
    return f"{len(alone)} of {pairs} pairs of modules marked ({named}), and {found} of {len(copies)} disguised copies"


def main() -> int:
    """Simulate, and print tables."""
    parser = parser_of("similarity", "How often people who worked alone are marked, and how many copies are found.")
    number = whole_number(1, 10**4, "a number of classes")
    parser.add_argument("classes", nargs="?", type=number, default=60, help="default: 60")
    classes = parser.parse_args().classes
    pools = [pool(seed) for seed in watched(range(1, POOLS + 1), "pools of players")]
    heads = ["players", "classes", "pairs compared", f"any pair marked ({100 * LEVEL:g} %)", "chance < 5 %", "chance < 1 %"]
    print("Playing alike, everybody independent")
    lines = [alone_line(pools, size, classes) for size in watched(CLASSES, "sizes of classes")]
    print(tabulate(lines, heads, disable_numparse=True, stralign="right"))
    heads = ["players", "weights changed by", "copies found", "that move at random at times", "classes with others marked"]
    rows = [line for size in watched(CLASSES, "sizes of classes") for line in copies_lines(pools, size)]
    print("\nPlaying alike, one copy in each class")
    print(tabulate(rows, heads, disable_numparse=True, stralign="right"))
    print(f"\nReading alike ({100 * SHARE:g} %): {sources_text()}")
    print(f"\nReading alike, classes of {STUDENTS} with one copy each, and what courses hand out")
    print(handouts_table(max(1, classes // 3)))
    return DONE


if __name__ == "__main__":
    sys.exit(run("similarity", main))
