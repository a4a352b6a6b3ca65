"""manual: a person at the keyboard."""

from __future__ import annotations

from goban.errors import BadPointError
from goban.grids import BLACK
from goban.moves import PASS, RESIGN, Move, Resign
from goban.points import parse_pair, parse_vertex
from goban.states import State
from players.host import Answer, Host


class ManualPlayer:
    """Asks at the terminal until it is given a move that may be played.

    Reads `2,3` (row,column from 0), `D3` as on a real board, `pass` and `resign` where the rules know them, `exit`.
    The host shows the board, for `type` is 'manual'.
    """

    type = "manual"

    def get_input(self, go: Host, piece_type: int) -> Answer:
        """Return the point the person chose; raises SystemExit (status 0) on `exit` and at the end of the input."""
        state = go.position(piece_type)
        while True:
            text = _read_line(_prompt(state, piece_type))
            try:
                move = _parse(text, state.grid.size)
                breach = state.why_illegal(move)
            except BadPointError as error:
                print(f"Invalid: {error}")
                continue
            if breach is None:
                return "PASS" if move is PASS else move.value if isinstance(move, Resign) else move
            print(f"Illegal: {text.strip()}: {breach}")


def _prompt(state: State, piece_type: int) -> str:
    words = ["row,column", "a point like C3"]
    words += ["pass"] * state.rules.passing + ["resign"] * state.rules.resigning + ["exit"]
    return f"{'X' if piece_type == BLACK else 'O'} to move ({', '.join(words[:-1])} or {words[-1]}): "


def _read_line(prompt: str) -> str:
    try:
        text = input(prompt)
    except EOFError:
        print("\nEnd of input.")
        raise SystemExit(0) from None
    except UnicodeDecodeError:
        return "?"
    if text.strip().lower() == "exit":
        raise SystemExit(0)
    return text


def _parse(text: str, size: int) -> Move:
    if text.strip().lower() == "resign":
        return RESIGN
    return parse_pair(text, size) if "," in text else parse_vertex(text, size)
