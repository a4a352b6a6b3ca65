"""`python3 -m goban.solver.truth explorer`: the opening tree of 5x5 as one page that needs no network and no program.

    python3 -m goban.solver.truth explorer -o page.html                  of the dataset that comes with the project
    python3 -m goban.solver.truth explorer -o page.html --data FOLDER    of one made by `dataset`, with more of them
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from goban.board.page import whole_page
from goban.common.command_lines import DONE, CommandError, Parser, command_line
from goban.common.excerpts import printable
from goban.common.files import check_writable, write_beside
from goban.grids import symmetric_places
from goban.rulesets import COLOUR_NAMES
from goban.solver.dataset import SHIPPED, DatasetRow, read

_NAME = "truth explorer"
_SIZE = 5
_MOST_BYTES = 2_000_000
_ABOUT = {
    "course": "Stones count, komi 2.5, nobody may pass, the game ends after 24 moves.",
    "littlego": "Stones count, komi 2.5, passing, the game ends after 24 moves or two passes.",
    "area": "Stones and surrounded points count, no komi, two passes end the game, a simple ko.",
}
_WINNERS = {None: None, "tie": 0} | {name: colour for colour, name in COLOUR_NAMES.items()}


def page_of(rows: Sequence[DatasetRow]) -> bytes:
    """Return the page; rows: of a dataset, of which the openings of 5x5 count."""
    data = {"size": _SIZE, "rules": [_part(rules, rows) for rules in _ABOUT]}
    own = ("play.css", "learn.css", "explorer.css", "points.js", "explorer.js")
    return whole_page("Openings of 5x5 Go, solved", "explorer.html", own, data, drawing=("board.js",))


def _part(rules: str, rows: Sequence[DatasetRow]) -> dict[str, Any]:
    """Return what the page has to know of a rule set: see `known` in explorer.js."""
    values, komi = {}, 0.0
    for row in rows:
        if (row["rules"], row["size"], row["source"]) == (rules, _SIZE, "opening"):
            komi = row["komi"]
            values[_key(row)] = [_WINNERS[row["winner"]], row["margin"], row["least"], row["most"]]
    return {"name": rules, "about": _ABOUT[rules], "komi": komi, "passing": rules != "course", "values": values}


def _key(row: DatasetRow) -> str:
    """Return the board's digits, turned so that they are least, who moves, and whether the last move was a pass."""
    cells = ["012"[".XO".index(mark)] for mark in row["board"] if mark != "/"]
    board = min("".join(cells[k] for k in turn) for turn in symmetric_places(row["size"], row["size"]))
    return f"{board}{_WINNERS[row['to_move']]}{'p' if row['moves'][-1:] == ['pass'] else ''}"


def explorer(arguments: Sequence[str]) -> int:
    """Write the page; return the exit status."""
    prog = f"{command_line('goban.solver.truth')} explorer"
    made = Parser(name=_NAME, prog=prog, description="Write the 5x5 opening tree, with values, as one page for any browser.")
    made.add_argument("-o", "--out", type=Path, required=True, metavar="PAGE", help="where to write, such as openings.html")
    made.add_argument("--data", type=Path, default=SHIPPED, metavar="FOLDER", help="a dataset; default: the project's own")
    options = made.parse_args(arguments)
    check_writable(options.out)
    page = page_of(read(options.data))
    if len(page) > _MOST_BYTES:
        raise CommandError(f"--data: expected openings for a page of {_MOST_BYTES:,} bytes at most, got {len(page):,}")
    write_beside(options.out, page)
    print(f"{printable(str(options.out), 400)}: {len(page):,} bytes")
    return DONE
