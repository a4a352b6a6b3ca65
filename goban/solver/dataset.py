"""`python3 -m goban.solver.truth dataset`: positions with their exact values, as tables that other programs read.

    python3 -m goban.solver.truth dataset -o FOLDER                      as the one that comes with the project
    python3 -m goban.solver.truth dataset -o FOLDER --rules course --games 100000 --parquet
    python3 -m goban.solver.truth explorer -o page.html                  the openings of 5x5 as a page that needs no network
    python3 -m goban.solver.truth explorer -o page.html --data FOLDER    of a dataset with more of them than the project's own

Rules and boards are those of `PARTS`. Of each come all positions within --plies moves of the empty board (one less under
`area`, where little is known of openings), symmetric ones once, and one position of each of --games games, in which moves are
drawn by chance; the parts take turns at these, so that rows take as long late as early. What a position is worth is searched
for with --nodes positions a question, and an empty table for each position: so a row depends on nothing but the position and
that number.

FOLDER gets `truth.jsonl.gz`, with --parquet `truth.parquet`, `README.md` and `SHA256SUMS`. Stopped, the command goes on where
it was, if it is given the same options. A row:

    id, rules, size, komi, source ('opening' or 'game'), moves (names: how the empty board became this position)
    board (rows from the top with '/' between: X Black, O White), to_move, ko (the point that is forbidden by it, or null)
    winner ('black', 'white', 'tie'), margin (Black's stones or points less White's), each null where it was not found
    least, most (the margin surely lies between them), winning_moves, best_moves (null where unknown)
    search ('alpha-beta', 'proof-number'), nodes (positions searched)
"""

from __future__ import annotations

import gzip
import hashlib
import json
import random
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from itertools import chain, islice
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Any

from goban.board.page import whole_page
from goban.common.command_lines import DONE, CommandError, Parser, command_line, complain, how_to_install, whole_number
from goban.common.excerpts import is_terminal, printable
from goban.common.files import check_folder_writable, check_writable, make_folder, open_beside, take_lock, write_beside
from goban.grids import symmetric_places
from goban.moves import PASS, Move, move_name
from goban.points import vertex
from goban.rulesets import COLOUR_NAMES
from goban.solver.positions import AREA, counts_area, plays, rules_by_name
from goban.states import State, ko_points, new_game

if TYPE_CHECKING:
    from goban.solver.solver import Solver

_NAME = "truth dataset"
PARTS = (("course", 5), ("littlego", 5), ("area", 3), ("area", 4), ("area", 5))
# The book of early positions fills a larger table, which takes longer than most rows. In this one it is looked up all the same.
_MEMORY_MIB = 16
_AT_ONCE = 10_000
"""Rows that go into the Parquet file together."""
_ROWS, _SETTINGS, _LOCK = "rows.partial", "settings.json", "dataset.lock"
SHIPPED = Path(__file__).parent / "solved"
TABLE, PARQUET, SHEET, SUMS = "truth.jsonl.gz", "truth.parquet", "README.md", "SHA256SUMS"

DatasetRow = dict[str, Any]
DatasetPosition = tuple[str, str, int, str, list[Move]]
"""Id, rules, size, source and moves of a row."""


@dataclass(frozen=True)
class DatasetOptions:
    """All that a dataset depends on."""

    plies: int = 3
    games: int = 1_000
    nodes: int = 20_000
    seed: int = 1
    rules: tuple[str, ...] = tuple(dict.fromkeys(rules for rules, _ in PARTS))

    def parts(self) -> list[tuple[str, int]]:
        """Return rules and sizes."""
        return [part for part in PARTS if part[0] in self.rules]


# Positions


def openings(rules: str, size: int, plies: int) -> Iterator[list[Move]]:
    """Yield the shortest ways to all positions within so many moves that are not over, symmetric ones once, in one order."""
    start = new_game(rules_by_name(rules), size)
    level: list[tuple[State, list[Move]]] = [(start, [])]
    seen = {key_of(start)}
    yield []
    for _ in range(plies):
        following = []
        for state, moves in level:
            for move in plays(state):
                after = state.after(move)
                if not after.is_over and (key := key_of(after)) not in seen:
                    seen.add(key)
                    following.append((after, [*moves, move]))
        yield from (moves for _, moves in following)
        level = following


def draw_from_game(rules: str, size: int, seed: str) -> list[Move]:
    """Return the moves to a position, not over, of a game: each is drawn, and takes stones half of the times when it can."""
    rng, state = random.Random(seed), new_game(rules_by_name(rules), size)
    moves: list[Move] = []
    while not state.is_over and len(moves) < 2 * size**2:
        choices: list[Move] = [move for move in plays(state) if move is not PASS] or [PASS]
        taking = [move for move in choices if state.after(move).captured]
        moves.append(rng.choice(taking if taking and rng.random() < 0.5 else choices))
        state = state.after(moves[-1])
    return moves[: rng.randrange(len(moves) if state.is_over else len(moves) + 1)]


def key_of(state: State) -> tuple[object, ...]:
    """Return what symmetric positions share: board and ko, turned so that they are least; what a pass does; who moves; when."""
    size, ko = state.grid.size, ko_points(state)
    cells = [(state.stone_at((i, j)), bool(ko & state.grid.bit[i, j])) for i in range(size) for j in range(size)]
    least = min(tuple(cells[k] for k in turn) for turn in symmetric_places(size, size))
    return least, state.to_move, state.pass_ends, state.n_move if state.rules.max_move(size) else 0


def opening_positions(settings: DatasetOptions) -> Iterator[DatasetPosition]:
    """Yield what the first rows are of."""
    for rules, size in settings.parts():
        for number, moves in enumerate(openings(rules, size, settings.plies - (rules == AREA.name)), 1):
            yield f"{rules}-{size}-opening-{number}", rules, size, "opening", moves


def game_positions(settings: DatasetOptions, first: int = 0) -> Iterator[DatasetPosition]:
    """Yield what the other rows are of, all parts by turns; the first so many are left out, and take no time."""
    parts = settings.parts()
    for place in range(first, settings.games * len(parts)):
        number, (rules, size) = place // len(parts) + 1, parts[place % len(parts)]
        moves = draw_from_game(rules, size, f"{settings.seed} {rules} {size} {number}")
        yield f"{rules}-{size}-game-{number}", rules, size, "game", moves


def row_of(solver: Solver, name: str, rules: str, size: int, source: str, moves: Sequence[Move], nodes: int) -> DatasetRow:
    """Return a row, all of its values found by a solver that has forgotten what it knew."""
    from goban.solver.reports import who_wins

    state = new_game(rules_by_name(rules), size)
    for move in moves:
        state = state.after(move)
    solver.forget()
    questions = (solver.winner, solver.best_moves, solver.winning_moves)
    solutions = [question(state, nodes=nodes) for question in questions]
    *_, last = solutions
    winner = next((one.winner for one in solutions if one.winner is not None), None)
    winning = next((one.winning_moves for one in solutions if one.winning_moves), ())
    best = next((one.best_moves for one in solutions if one.best_moves), ())
    least, most = last.bounds or (None, None)
    known = bool(winning) or (winner is not None and winner != state.to_move)
    ko = state.grid.points_of(ko_points(state))

    def names(moves: Iterable[Move]) -> list[str]:
        return [move_name(move, size) for move in moves]

    return {
        "id": name, "rules": rules, "size": size, "komi": state.rules.komi(size), "source": source, "moves": names(moves),
        "board": "/".join("".join(".XO"[stone] for stone in row) for row in state.rows()),
        "to_move": COLOUR_NAMES[state.to_move], "ko": vertex(ko[0], size) if ko else None,
        "winner": who_wins(winner), "margin": least if least == most else None, "least": least, "most": most,
        "winning_moves": names(winning) if known else None, "best_moves": names(best) if best else None,
        "search": "proof-number" if counts_area(state.rules) else "alpha-beta", "nodes": sum(one.nodes for one in solutions),
    }  # fmt: skip


# Files


def make(folder: Path, settings: DatasetOptions, parquet: bool = False, show: bool = False) -> int:
    """Make a dataset, or finish one, and return the number of rows; show: the progress. Raises CommandError, OSError."""
    if parquet and find_spec("pyarrow") is None:
        raise CommandError(f"--parquet: this needs pyarrow: {how_to_install('dataset')}")
    make_folder(folder)
    with _hold(folder):
        return _make(folder, settings, parquet, show)


@contextmanager
def _hold(folder: Path) -> Iterator[None]:
    """Keep other commands out of a folder; raises CommandError if one is at work there."""
    check_folder_writable(folder)
    place = folder / _LOCK
    lock = take_lock(place)
    if lock is None:
        raise CommandError(f"{printable(str(folder), 400)}: another command is making a dataset there; wait for it")
    try:
        yield
    finally:
        place.unlink(missing_ok=True)
        lock.close()


def _make(folder: Path, settings: DatasetOptions, parquet: bool, show: bool) -> int:
    from tqdm import tqdm

    from goban.solver.solver import Solver

    done = _count_begun(folder, settings)
    first = list(opening_positions(settings))
    total = len(first) + settings.games * len(settings.parts())
    todo = chain(first[done:], game_positions(settings, max(0, done - len(first))))
    # A solver that is asked about another game begins anew, which takes longer than most rows.
    solvers: dict[tuple[str, int], Solver] = defaultdict(lambda: Solver(_MEMORY_MIB))
    # The mean of all rows tells the time that is left: one row takes a hundred times as long as another.
    bar = tqdm(todo, total=total, initial=done, unit="position", smoothing=0, disable=not show, leave=False)
    with (folder / _ROWS).open("a", encoding="ascii") as file:
        for one in bar:
            _, rules, size, *_ = one
            file.write(json.dumps(row_of(solvers[rules, size], *one, nodes=settings.nodes)) + "\n")
            # Whatever ends this process, what was found is kept.
            file.flush()
    _pack(folder / _ROWS, folder / TABLE)
    names = [TABLE]
    if parquet:
        _write_parquet(folder / _ROWS, folder / PARQUET)
        names.append(PARQUET)
    write_beside(folder / SHEET, sheet(settings, rows_in(folder / _ROWS)).encode())
    sums = "".join(f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in [*names, SHEET])
    write_beside(folder / SUMS, sums.encode())
    for name in (_ROWS, _SETTINGS):
        (folder / name).unlink()
    return total


def _count_begun(folder: Path, settings: DatasetOptions) -> int:
    """Return how many rows are there, a line that was cut off taken away; raises CommandError for those of other options."""
    asked, rows = json.dumps(asdict(settings)), folder / _ROWS
    try:
        written = (folder / _SETTINGS).read_text("ascii")
    except FileNotFoundError:
        rows.unlink(missing_ok=True)
        write_beside(folder / _SETTINGS, asked.encode())
        return 0
    if written != asked:
        raise CommandError(f"{printable(str(folder), 400)}: expected the options it was begun with, {written}, got {asked}")
    data = rows.read_bytes() if rows.exists() else b""
    whole = data[: data.rfind(b"\n") + 1]
    rows.write_bytes(whole)
    return whole.count(b"\n")


def rows_in(path: Path) -> Iterator[DatasetRow]:
    """Yield the rows of a file that is not packed."""
    with path.open("rb") as file:
        yield from map(json.loads, file)


def _pack(path: Path, to: Path) -> None:
    """Write a gzip file without a time in it."""
    with path.open("rb") as file, open_beside(to) as out, gzip.GzipFile("", "wb", 9, out, mtime=0) as packed:
        shutil.copyfileobj(file, packed)


def _write_parquet(source: Path, path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    names = pyarrow.list_(pyarrow.string())
    lists, whole = ("moves", "winning_moves", "best_moves"), ("size", "margin", "least", "most", "nodes")
    kinds = dict.fromkeys(lists, names) | dict.fromkeys(whole, pyarrow.int64()) | {"komi": pyarrow.float64()}
    schema = pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in next(rows_in(source))])
    rows = rows_in(source)
    with open_beside(path) as file, pyarrow.parquet.ParquetWriter(file, schema, compression="zstd") as out:
        while some := list(islice(rows, _AT_ONCE)):
            out.write_table(pyarrow.Table.from_pylist(some, schema))


def read(folder: Path) -> list[DatasetRow]:
    """Return the rows of a dataset; raises OSError, or CommandError for files that are damaged."""
    data = (folder / TABLE).read_bytes()
    sums = dict(line.split("  ")[::-1] for line in (folder / SUMS).read_text("ascii").splitlines())
    if hashlib.sha256(data).hexdigest() != sums.get(TABLE):
        raise CommandError(f"{printable(str(folder / TABLE), 400)}: expected the digest in {SUMS}, got another one")
    return list(map(json.loads, gzip.decompress(data).splitlines()))


_SHEET = """# Exact values of positions of small Go boards

What it is: {number} positions, each with who wins with best play, by how much, and the moves that do it, as far as that
was found. `truth.jsonl.gz` has a row as JSON in each line, `truth.parquet` (where asked for) the same as a table.

| rules | board | positions | winner known | margin known | best moves known |
|---|---|---|---|---|---|
{table}

Rules: `course` and `littlego` are those of the CSCI-561 assignments: stones count, komi is half the board's size, and the
game ends after N*N - 1 moves. Under `area` two passes end the game, stones and the empty points that reach only one colour
count, and komi is 0.

How it was made: `go-truth dataset -o FOLDER {options}`. Rows of the source `opening` are all
positions within {plies} moves of the empty board, under `area` one less, that are not over, symmetric ones once.
Rows of the source `game` are one position each of games in which moves are drawn by chance. Values are of two searches, named
in the column `search`: alpha-beta with a book of early positions that were proven before, and proof-number search, each with
at most {nodes} positions for a question. The same command makes the same rows again.

What a value means under `area`: what one side can force from this board and this ko, without repeating a position, however
often the other side repeats one. Under a simple ko that is certain; under superko only with a proof that was checked, which
docs/proofs.md explains.

How it was checked: the solvers' tests hold them against a slow search, published values, and tables of all positions of
small boards; other tests hold rows of this file against fresh searches. Of the 100,000 positions of games
that docs/truth.md tells of, 1,000 with at most five moves left were held against a plain search that shares no code with these:
all their values agree.

Known gaps: null is unknown, never a guess; `least` and `most` are proven bounds of the margin. Under `area` the openings of
4x4 and 5x5 are mostly unknown. Games by chance are not like games of people or of good programs.

Licence: MIT, as the program that made it. SHA256SUMS has the digests.
"""


def sheet(settings: DatasetOptions, rows: Iterable[DatasetRow]) -> str:
    """Return the datasheet."""
    counts = {part: [0, 0, 0, 0] for part in settings.parts()}
    for row in rows:
        known = (row[name] is not None for name in ("id", "winner", "margin", "best_moves"))
        counts[row["rules"], row["size"]] = list(map(add, counts[row["rules"], row["size"]], known))
    number = sum(numbers[0] for numbers in counts.values())
    table = "\n".join(f"| {rules} | {size}x{size} | {' | '.join(map(str, known))} |" for (rules, size), known in counts.items())
    options = f"--plies {settings.plies} --games {settings.games} --nodes {settings.nodes} --seed {settings.seed}"
    if settings.rules != DatasetOptions.rules:
        options += f" --rules {' '.join(settings.rules)}"
    return _SHEET.format(number=number, table=table, options=options, plies=settings.plies, nodes=settings.nodes)


# The openings of 5x5 with their values as one page

_EXPLORED = 5
_MOST_BYTES = 2_000_000
_ABOUT = {
    "course": "Stones count, komi 2.5, nobody may pass, the game ends after 24 moves.",
    "littlego": "Stones count, komi 2.5, passing, the game ends after 24 moves or two passes.",
    "area": "Stones and surrounded points count, no komi, two passes end the game, a simple ko.",
}
_WINNERS = {None: None, "tie": 0} | {name: colour for colour, name in COLOUR_NAMES.items()}


def page_of(rows: Sequence[DatasetRow]) -> bytes:
    """Return the page; rows: of a dataset, of which the openings of 5x5 count."""
    data = {"size": _EXPLORED, "rules": [_part(rules, rows) for rules in _ABOUT]}
    own = ("play.css", "learn.css", "explorer.css", "points.js", "explorer.js")
    return whole_page("Openings of 5x5 Go, solved", "explorer.html", own, data, drawing=("board.js",))


def _part(rules: str, rows: Sequence[DatasetRow]) -> dict[str, Any]:
    """Return what the page has to know of a rule set: see `known` in explorer.js."""
    values, komi = {}, 0.0
    for row in rows:
        if (row["rules"], row["size"], row["source"]) == (rules, _EXPLORED, "opening"):
            komi = row["komi"]
            values[_place_of(row)] = [_WINNERS[row["winner"]], row["margin"], row["least"], row["most"]]
    return {"name": rules, "about": _ABOUT[rules], "komi": komi, "passing": rules != "course", "values": values}


def _place_of(row: DatasetRow) -> str:
    """Return the board's digits, turned so that they are least, who moves, and whether the last move was a pass."""
    cells = ["012"[".XO".index(mark)] for mark in row["board"] if mark != "/"]
    board = min("".join(cells[k] for k in turn) for turn in symmetric_places(row["size"], row["size"]))
    return f"{board}{_WINNERS[row['to_move']]}{'p' if row['moves'][-1:] == ['pass'] else ''}"


# The command lines


def parser() -> Parser:
    """Return the command line's parser."""
    usual = DatasetOptions()
    prog = f"{command_line('goban.solver.truth')} dataset"
    command = Parser(name=_NAME, prog=prog, description="Write positions with their exact values to files.")
    command.add_argument("-o", "--out", type=Path, required=True, metavar="FOLDER", help=(
        "where to write; a dataset begun there is continued"
    ))  # fmt: skip
    plies = whole_number(0, 6, "a number of moves")
    command.add_argument("--plies", type=plies, default=usual.plies, metavar="N", help=(
        f"depth of the openings in plies, default {usual.plies}"
    ))  # fmt: skip
    games = whole_number(0, 10**6, "a number of games")
    command.add_argument("--games", type=games, default=usual.games, metavar="N", help=(
        f"games for each rule set and size, default {usual.games}"
    ))  # fmt: skip
    nodes = whole_number(0, 10**12, "positions")
    command.add_argument("--nodes", type=nodes, default=usual.nodes, metavar="N", help=(
        f"nodes searched per question at most, default {usual.nodes}"
    ))  # fmt: skip
    choices = usual.rules
    command.add_argument(
        "--rules", nargs="+", choices=choices, default=choices, help=f"rule sets, default {', '.join(choices)}"
    )
    seed = whole_number(0, 10**9, "a seed")
    command.add_argument("--seed", type=seed, default=usual.seed, metavar="N", help=f"seed of the games, default {usual.seed}")
    command.add_argument("--parquet", action="store_true", help="also write truth.parquet")
    return command


def dataset(arguments: Sequence[str]) -> int:
    """Make a dataset; return the exit status."""
    from goban.kernels.numba_tools.compile import compilation_told

    options = parser().parse_args(arguments)
    rules = tuple(name for name in DatasetOptions.rules if name in options.rules)
    settings = DatasetOptions(options.plies, options.games, options.nodes, options.seed, rules)
    with compilation_told(lambda: complain(_NAME, "compiling, once for this machine...")):
        try:
            number = make(options.out, settings, options.parquet, show=is_terminal(sys.stderr))
        except KeyboardInterrupt:
            complain(_NAME, f"stopped: the same command goes on ({printable(str(options.out), 400)})")
            raise
        except OSError as error:
            # A full disk has no name.
            raise CommandError(f"{printable(str(error.filename or options.out), 400)}: {error.strerror}") from None
    print(f"{printable(str(options.out / TABLE), 400)}: {number} positions")
    return DONE


def explorer(arguments: Sequence[str]) -> int:
    """Write the page; return the exit status."""
    description = "Write the 5x5 opening tree, with values, as one page for any browser."
    made = Parser(name="truth explorer", prog=f"{command_line('goban.solver.truth')} explorer", description=description)
    made.add_argument("-o", "--out", type=Path, required=True, metavar="PAGE", help="where to write, such as openings.html")
    made.add_argument("--data", type=Path, default=SHIPPED, metavar="FOLDER", help="a dataset; default: the project's own")
    options = made.parse_args(arguments)
    check_writable(options.out, ".html")
    page = page_of(read(options.data))
    if len(page) > _MOST_BYTES:
        raise CommandError(f"--data: expected openings for a page of {_MOST_BYTES:,} bytes at most, got {len(page):,}")
    write_beside(options.out, page)
    print(f"{printable(str(options.out), 400)}: {len(page):,} bytes")
    return DONE
