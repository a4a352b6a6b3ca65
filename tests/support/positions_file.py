"""Reads the drawn rule cases in tests/positions/*.txt. It knows the format, not the rules.

Lines starting with `#` are comments, and blank lines are ignored. A case starts at its `name:` line and has these keys
in any order:

    name:      the fact, as a sentence
    rules:     one or more presets, or `all` (that forbid suicide, if that is expected); the case is loaded once for each
    to_move:   black or white: the player to move on the drawn board
    moves:     (optional) moves made first, alternating; points like B4 (no column I, rows from the bottom), or pass
    board:     N lines of `. X O`; `*` is an empty point, and must be the one in `play:`
    play:      the point in question, played by the player to move after `moves:`
    expect:    legal | illegal occupied | illegal suicide | illegal repetition
    captures:  (only if legal, optional) the points captured, any order, `-` for none
    after:     (only if legal, optional) N lines, the board after `play:`
    ends:      (only if legal, optional) how the game has ended after `play:`, `-` if it goes on
    winner:    (only with ends:) black | white | tie
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

TROMP_TAYLOR = [f"tromp-taylor-{mode}" for mode in ("strict", "pgx", "openspiel", "pettingzoo", "suicide")]
SUICIDE = "tromp-taylor-suicide"
PRESETS = ["course", "littlego", *TROMP_TAYLOR, "aga", "alphago7"]
POSITIONS = Path(__file__).parents[1] / "positions"
KEYS = {"name", "rules", "to_move", "moves", "board", "play", "expect", "captures", "after", "ends", "winner"}
EXPECTATIONS = {"legal": None} | {f"illegal {why}": why for why in ("occupied", "suicide", "repetition")}
WINNERS = {"tie": 0, "black": 1, "white": 2}

Point = tuple[int, int]
Rows = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Case:
    """One drawn case under one preset. `captures`, `after`, `ends` and `winner` are None if the case does not give them."""

    file: str
    name: str
    rules: str
    to_move: int  # on `board`, so before `moves`
    board: Rows
    moves: tuple[Point | None, ...]  # None is a pass
    play: Point
    why_illegal: str | None  # None: legal
    captures: tuple[Point, ...] | None  # sorted
    after: Rows | None
    ends: str | None  # "-": the game goes on
    winner: int | None

    def __str__(self) -> str:
        return f"{self.file}: {self.name} [{self.rules}]"


def parse_point(text: str, size: int) -> Point | None:
    """A point such as 'B4' as (row, column) from the top left; None for 'pass'."""
    if text == "pass":
        return None
    point = (size - int(text[1:]), "ABCDEFGHJKLMNOPQRST".index(text[0]))
    if not (0 <= point[0] < size and 0 <= point[1] < size):
        raise ValueError(f"{text!r} is off the {size}x{size} board")
    return point


def load_cases(path: str | Path) -> list[Case]:
    """All cases of one file, in order, once for each of their presets. Raises ValueError with the case's name."""
    blocks: list[dict[str, list[str]]] = []
    key = None
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        head, colon, rest = line.partition(":")
        if colon and head in KEYS:
            if head == "name":
                blocks.append({})
            if not blocks or head in blocks[-1]:
                raise ValueError(f"{path}: {line!r} before any name:, or given twice")
            key = head
            blocks[-1][key] = [rest.strip()] if rest.strip() else []
        elif key in ("board", "after"):
            blocks[-1][key].append(line.strip())
        else:
            raise ValueError(f"{path}: expected a key or a row of a board, got {line!r}")
    cases = []
    for block in blocks:
        try:
            cases += _cases(Path(path).name, block)
        except (KeyError, ValueError, IndexError) as error:
            raise ValueError(f"{path}: case {block['name']}: {error!r}") from error
    return cases


def load_all_cases() -> list[Case]:
    """The cases of every file in tests/positions, file by file in alphabetical order."""
    return [case for path in sorted(POSITIONS.glob("*.txt")) for case in load_cases(path)]


def positions() -> dict[str, list[Case]]:
    """All cases by the drawing they are of: one for each of its presets. A test of each costs pytest more than they do."""
    cases: dict[str, list[Case]] = {}
    for case in load_all_cases():
        cases.setdefault(f"{case.file}: {case.name}", []).append(case)
    return cases


def _rows(lines: list[str]) -> Rows:
    rows = tuple(tuple({".": 0, "*": 0, "X": 1, "O": 2}[mark] for mark in line.split()) for line in lines)
    if not rows or any(len(row) != len(rows) for row in rows):
        raise ValueError(f"expected a square board, got {lines!r}")
    return rows


def _cases(file: str, block: dict[str, list[str]]) -> list[Case]:
    text = {key: " ".join(lines) for key, lines in block.items()}
    board = _rows(block["board"])
    size = len(board)
    play = parse_point(text["play"], size)
    if play is None:
        raise ValueError("the play in question must be a placement")
    starred = [(i, j) for i, line in enumerate(block["board"]) for j, mark in enumerate(line.split()) if mark == "*"]
    if starred not in ([], [play]):
        raise ValueError(f"* marks {starred}, but the play is at {play}")
    captures = None
    if "captures" in text:
        captures = tuple(sorted(parse_point(name, size) for name in text["captures"].split() if name != "-"))
    why_illegal = EXPECTATIONS[text["expect"]]
    if why_illegal is not None and text.keys() & {"captures", "after", "ends", "winner"}:
        raise ValueError("an illegal play has no consequences to expect")
    every = [preset for preset in PRESETS if preset != SUICIDE or why_illegal != "suicide"]
    rules = every if text["rules"] == "all" else text["rules"].split()
    if not set(rules) <= set(PRESETS):
        raise ValueError(f"expected presets, got {text['rules']!r}")
    return [
        Case(
            file=file,
            name=text["name"],
            rules=preset,
            to_move=WINNERS[text["to_move"]],
            board=board,
            moves=tuple(parse_point(name, size) for name in text.get("moves", "").split()),
            play=play,
            why_illegal=why_illegal,
            captures=captures,
            after=_rows(block["after"]) if "after" in block else None,
            ends=text.get("ends"),
            winner=WINNERS[text["winner"]] if "winner" in text else None,
        )
        for preset in rules
    ]
