"""The eight symmetries of a square board."""

# From a point's row and column, and the last row's number, to the point's row and column on the turned board.
TURNS = [lambda i, j, n: (i, j), lambda i, j, n: (j, n - i), lambda i, j, n: (n - i, n - j), lambda i, j, n: (n - j, i)]
SYMMETRIES = [*TURNS, *(lambda i, j, n, t=turn: t(j, i, n) for turn in TURNS)]
