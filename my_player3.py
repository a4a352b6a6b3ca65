"""MyPlayer as a program of Little-Go's protocol: reads input.txt, writes output.txt, is started anew for every move.

    cp my_player*.* path/to/folder       a whole submission

`go` and `goban` are the host's; the judge has them on the path. MyPlayer wants to know how many moves were made, and input.txt
does not say so. Therefore this program keeps a note in its folder; without the note it goes by the stones.
"""

from __future__ import annotations

import sys
from pathlib import Path

from go import GO
from goban.errors import BadInputError
from goban.inputs import Note, moves_made, note_in, note_text, output_text, read_input
from goban.moves import read_answer
from goban.rulesets import LITTLEGO
from my_player import MyPlayer

INPUT, OUTPUT, NOTES = Path("input.txt"), Path("output.txt"), Path("my_player3_notes.json")


def main() -> int:
    """Answer once; return the exit status, 2 if input.txt cannot be read."""
    try:
        given = read_input(INPUT.read_text(encoding="ascii", errors="replace"))
    except (OSError, BadInputError) as error:
        sys.stderr.write(f"my_player3.py: {error}\n")
        return 2
    go = GO(given.size, LITTLEGO)
    go.set_board(given.colour, given.previous, given.board)
    go.n_move = moves_made(given, note_in(NOTES))
    go.X_move = go.n_move % 2 == 0
    # MyPlayer may scribble on `go`.
    state = go.position(given.colour)
    move = read_answer(MyPlayer().get_input(go, given.colour), given.size)
    OUTPUT.write_text(output_text(move))
    NOTES.write_text(note_text(Note(state.n_move + 1, state.after(move).rows())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
