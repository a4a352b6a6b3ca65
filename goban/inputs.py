"""The files of Little-Go's protocol: the question to a program in input.txt, its answer in output.txt.

    input.txt         1                own colour, 1 Black or 2 White
                      00000            N lines: the board before the opponent's last move
                      ...
                      00000            N lines: the board now
                      ...
    output.txt        2,3 or PASS      row,column from 0 at the top left

The program is started anew for every move, in a folder that stays its own for the whole game. input.txt does not say how
many moves were made, although that decides when the game ends. A program that wants to know keeps a `Note` in its folder.
The first move of a game can always be told from the boards, so an old note does no harm.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from goban.common.excerpts import quoted
from goban.common.files import read_bounded
from goban.errors import BadInputError
from goban.grids import BLACK, MAX_SIZE, MIN_SIZE, WHITE, Rows
from goban.moves import Move
from goban.states import State

_MOST_BYTES = 1_000_000
"""Of a note: the state of a random generator takes some thousand."""


@dataclass(frozen=True)
class Input:
    """What input.txt says. colour: who is to move; previous: the board before the opponent's last move; board: now."""

    colour: int
    previous: Rows
    board: Rows

    @property
    def size(self) -> int:
        """N."""
        return len(self.board)


@dataclass(frozen=True)
class Note:
    """What a program remembers of its own last move: the board after it, and how many moves had been made by then.

    more: whatever else a program wants to keep, by name; it must survive JSON.
    """

    moves: int
    board: Rows
    more: dict[str, Any] = field(default_factory=dict)


def read_input(text: str) -> Input:
    """Return what an input.txt says; raises BadInputError. Whether a game can have come to these boards is not checked."""
    lines = [line.strip() for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    if not lines or lines[0] not in ("1", "2"):
        got = quoted(lines[0]) if lines else "an empty file"
        raise BadInputError(f"input.txt: expected the colour, 1 or 2, in the first line, got {got}")
    size = (len(lines) - 1) // 2
    if len(lines) != 2 * size + 1 or not MIN_SIZE <= size <= MAX_SIZE:
        raise BadInputError(f"input.txt: expected a colour and two boards, 11 lines for 5x5, got {len(lines)} lines")
    for number, line in enumerate(lines[1:], 2):
        if not re.fullmatch(f"[012]{{{size}}}", line):
            raise BadInputError(f"input.txt, line {number}: expected {size} digits 0, 1, 2, got {quoted(line)}")
    rows = [[int(digit) for digit in line] for line in lines[1:]]
    return Input(int(lines[0]), rows[:size], rows[size:])


def input_text(given: Input) -> str:
    """Return the contents of input.txt; its last line has no newline, as in the course's own files."""
    rows = ["".join(map(str, row)) for row in (*given.previous, *given.board)]
    return "\n".join([str(given.colour), *rows])


def question_text(state: State) -> str:
    """Return the input.txt that asks a program for its move in a position."""
    return input_text(Input(state.to_move, state.grid.rows(*state.previous), state.rows()))


def output_text(move: Move) -> str:
    """Return the contents of output.txt for a placement or a pass."""
    return f"{move[0]},{move[1]}" if isinstance(move, tuple) else "PASS"


def moves_made(given: Input, note: Note | None = None) -> int:
    """Return how many moves, passes counted, were made before this one: 0 or more and below N*N - 1.

    Exact for the first move of a game, and wherever the note is about the player's move before this one. Otherwise the
    fewest moves that can have put so many stones on the boards.
    """
    if _begins(given):
        return given.colour - BLACK
    made = max(_fewest(given.board, given.colour), _fewest(given.previous, WHITE + BLACK - given.colour) + 1)
    if continues(given, note):
        assert note is not None
        made = max(made, note.moves + 1)
    last = given.size**2 - 2
    return min(made, last - (last + given.colour - BLACK) % 2)


def continues(given: Input, note: Note | None) -> bool:
    """Tell whether a note is about the move before the opponent's last one in this very game."""
    if note is None or _begins(given):
        return False
    return note.board == given.previous and note.moves % 2 != (given.colour - BLACK) % 2


def _begins(given: Input) -> bool:
    """Tell whether the player to move has not moved yet: nobody can empty the board, and a first pass ends the game."""
    own_first = 0 if given.colour == BLACK else 1
    return _stones(given.previous) == 0 and _stones(given.board) <= own_first


def _stones(board: Rows, colour: int = 0) -> int:
    return sum(stone == colour if colour else stone > 0 for row in board for stone in row)


def _fewest(board: Rows, to_move: int) -> int:
    """Return the fewest moves after which `to_move` can be to move on a board."""
    least = max(2 * _stones(board, BLACK) - 1, 2 * _stones(board, WHITE), 0)
    return least + (least + to_move - BLACK) % 2


def note_text(note: Note) -> str:
    """Return a note as a file holds it."""
    return json.dumps({"moves": note.moves, "board": note.board, **note.more}) + "\n"


def read_note(data: str | bytes) -> Note | None:
    """Return the note in a file's contents, None if they are damaged in any way."""
    try:
        note = json.loads(data)
        moves, board = int(note.pop("moves")), [[int(stone) for stone in row] for row in note.pop("board")]
    except (ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError):
        return None
    return Note(moves, board, note)


def note_in(path: Path) -> Note | None:
    """Return the note in a file, None if there is no file or no note to be read in it."""
    try:
        return read_note(read_bounded(path, _MOST_BYTES))
    except OSError:
        return None
