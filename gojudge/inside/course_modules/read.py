"""read: reads input.txt and output.txt, like the course's module of this name."""

from __future__ import annotations


def readInput(n: int, path: str = "input.txt") -> tuple[int, list[list[int]], list[list[int]]]:  # noqa: N802
    """Return the player's colour, the board before the opponent's last move, and the board now; both boards are n x n."""
    with open(path) as file:
        lines = [line.rstrip("\n") for line in file]
    boards = [[int(digit) for digit in line] for line in lines[1 : 2 * n + 1]]
    return int(lines[0]), boards[:n], boards[n:]


def readOutput(path: str = "output.txt") -> tuple[str, int, int]:  # noqa: N802
    """Return ("MOVE", row, column), or ("PASS", -1, -1); raises ValueError or IndexError for anything else."""
    with open(path) as file:
        pieces = file.readline().strip().split(",")
    if pieces[0] == "PASS":
        return "PASS", -1, -1
    return "MOVE", int(pieces[0]), int(pieces[1])
