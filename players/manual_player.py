"""manual: a person at the keyboard."""

from __future__ import annotations

import io
import sys
from contextlib import suppress

from goban.common.excerpts import is_terminal, quoted, shows_colours
from goban.diagrams import diagram
from goban.errors import BadPointError
from goban.game import TakeBackError
from goban.grids import BLACK
from goban.moves import PASS, RESIGN, Move, Resign
from goban.points import parse_pair, parse_vertex, vertex
from goban.states import State
from players.host import Answer, Host


class ManualPlayer:
    """Asks at the terminal until it is given a move that may be played.

    Reads `2,3` (row,column from 0), `D3` as on a real board, `pass` and `resign` where the rules know them, `undo`, `help`,
    `exit` or `quit`. The host shows the board because `type` is 'manual'.
    """

    type = "manual"

    def __init__(self) -> None:
        self._taken_back = self._greeted = False
        # Bytes that cannot be decoded must be refused as a move, not end the input.
        if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors == "strict":
            sys.stdin.reconfigure(errors="backslashreplace")
        _edit_lines()

    def get_input(self, go: Host, piece_type: int) -> Answer:
        """Return the point the person chose.

        Raises SystemExit (status 0) on `exit` and at the end of the input, and TakeBackError on `undo`.
        """
        state = go.position(piece_type)
        if self._taken_back:
            print(f"\nBack before move {state.n_move + 1}:\n{diagram(state.rows(), colours=shows_colours(sys.stdout))}")
            self._taken_back = False
        if not self._greeted:
            print("Type help for all that can be typed.")
            self._greeted = True
        while True:
            text = _read_line(_prompt(state, piece_type))
            if text.lower() == "help":
                print(_help(state))
                continue
            if text.lower() == "undo":
                if state.n_move < 2:
                    print("Nothing to take back: you have not moved yet.")
                    continue
                self._taken_back = True
                raise TakeBackError
            try:
                move = _parse(text, state.grid.size)
                breach = state.why_illegal(move)
            except BadPointError:
                print(f"Invalid: {_points(state.grid.size)}, got {quoted(text)}.")
                continue
            if breach is None:
                return "PASS" if move is PASS else move.value if isinstance(move, Resign) else move
            print(f"Illegal: {text}: {breach}.")


def _edit_lines() -> None:
    """Let the arrow keys work at a terminal, where Python has what that needs."""
    if is_terminal(sys.stdin):
        with suppress(ImportError):
            import readline

            # Otherwise it writes signs to the terminal that some do not understand.
            readline.parse_and_bind("set enable-bracketed-paste off")


def _help(state: State) -> str:
    passing = ["pass     make no move; two passes in a row end the game"] * state.rules.passing
    resigning = ["resign   lose the game"] * state.rules.resigning
    example = f"0,1      row and column, both from 0 at the top left; {vertex((0, 1), state.grid.size)} is the same point"
    undo = "undo     take back your last move and the reply to it"
    return "\n".join(f"  {line}" for line in (example, *passing, *resigning, undo, "exit     leave the program; quit does too"))


def _prompt(state: State, piece_type: int) -> str:
    # The example shows that rows count from the top in one notation and from the bottom in the other.
    example = f"row,column or its name (0,1 is {vertex((0, 1), state.grid.size)})"
    words = ["pass"] * state.rules.passing + ["resign"] * state.rules.resigning
    return f"{'X' if piece_type == BLACK else 'O'} to move: {', '.join([example, *words])} or exit: "


def _points(size: int) -> str:
    corners = f"{vertex((size - 1, 0), size)} to {vertex((0, size - 1), size)}"
    without_i = " (no column I)" if size > 8 else ""
    return f"expected row,column from 0,0 to {size - 1},{size - 1} or a point from {corners}{without_i}"


def _read_line(prompt: str) -> str:
    """Return what the person typed, without the blanks around it."""
    try:
        text = input(prompt).strip()
    except KeyboardInterrupt:
        print()
        raise
    except (EOFError, RuntimeError):
        # RuntimeError: there is no standard input at all.
        print("\nEnd of input.")
        raise SystemExit(0) from None
    if text.lower() in ("exit", "quit"):
        raise SystemExit(0)
    return text


def _parse(text: str, size: int) -> Move:
    if text.lower() == "resign":
        return RESIGN
    return parse_pair(text, size) if "," in text else parse_vertex(text, size)
