"""write: writes answers and questions to files, like the course's module of this name. No file ends in a newline."""

from __future__ import annotations

from collections.abc import Sequence


def writeOutput(result: str | Sequence[int], path: str = "output.txt") -> None:  # noqa: N802
    """Write an answer: a row and a column, or "PASS"."""
    text = "PASS" if isinstance(result, str) and result == "PASS" else f"{result[0]},{result[1]}"
    with open(path, "w") as file:
        file.write(text)


def writePass(path: str = "output.txt") -> None:  # noqa: N802
    """Write a pass."""
    writeOutput("PASS", path)


def writeNextInput(  # noqa: N802
    piece_type: int, previous_board: Sequence[Sequence[int]], board: Sequence[Sequence[int]], path: str = "input.txt"
) -> None:
    """Write what a player of this colour is asked: the board before the opponent's last move, and the board now."""
    rows = ["".join(map(str, row)) for row in (*previous_board, *board)]
    with open(path, "w") as file:
        file.write("\n".join([str(piece_type), *rows]))
