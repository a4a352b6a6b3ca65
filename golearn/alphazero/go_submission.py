"""MyPlayer: a neural network that taught itself 5x5 Go, in plain Python. This file and its network are a whole submission.

It is for the course's game on 5x5. The network is shown the board and gives every point a number; the legal point with the
highest number is played. So the same position gets the same move, and nothing is looked ahead. To read this file, begin at
the end, at `MyPlayer.get_input`.

The network learned from games against itself (AlphaZero: Silver and others, Nature 2017), and this file only plays: each
layer is a few sums of products, which need no library. What it is shown are planes, one number for each point in each:

    own stones      where ko forbids a placement    Black is to move
    other stones    the last placement              share of the moves that is left
                    (always 0)                      (always 1)

Inside, each point has a row of numbers, its channels. A 3x3 convolution gives every point new ones, from those of the point
and its neighbours. Three residual blocks of two convolutions each add to what they were given (He and others, CVPR 2016).
In the second block every point also learns the mean and the greatest number of each channel over the whole board (Wu,
"Accelerating self-play learning in Go", 2019). A small layer at the end turns the channels of a point into its one number.
"""

from __future__ import annotations

import struct
from ast import literal_eval
from collections.abc import Sequence
from itertools import chain
from operator import mul
from pathlib import Path
from zipfile import ZipFile

from go import GO

NETWORK = Path(__file__).with_name("my_player_network.npz")
SIZE = 5
BLOCKS = 3
BLOCK_THAT_SEES_ALL = 1

# For each point its 3x3 window, row by row, as numbers of points; beyond the edge lies point 25, where everything is 0.
BEYOND = SIZE * SIZE
WINDOWS = [
    [SIZE * x + y if 0 <= x < SIZE and 0 <= y < SIZE else BEYOND for x in (i - 1, i, i + 1) for y in (j - 1, j, j + 1)]
    for i in range(SIZE)
    for j in range(SIZE)
]

Row = Sequence[float]
Rows = list[Row]
"""A row of channels for each point; or the weights of a layer, a row for each channel that comes out."""


def read_arrays(path: Path) -> dict[str, Row]:
    """Return every array of a file that `numpy.savez` has written, with its numbers in a row; those of text are left out."""
    found: dict[str, Row] = {}
    with ZipFile(path) as file:
        for name in file.namelist():
            data = file.read(name)
            # Version 1 of the format: six bytes of name, two of version, two with the length of a description in Python.
            start = 10 + int.from_bytes(data[8:10], "little")
            kind = {"<f2": "e", "<f4": "f"}.get(literal_eval(data[10:start].decode())["descr"])
            if kind is not None:
                number = (len(data) - start) // struct.calcsize(kind)
                found[name.removesuffix(".npy")] = struct.unpack_from(f"<{number}{kind}", data, start)
    return found


class Network:
    """The layers, as lists. `numbers` says what the network holds of each point."""

    def __init__(self, arrays: dict[str, Row]) -> None:
        self.biases = {name: row for name, row in arrays.items() if name.endswith("_bias")}
        self.kernels = {
            name: windows(row, len(arrays[name.replace("_kernel", "_bias")]))
            for name, row in arrays.items()
            if name.endswith("_kernel")
        }
        wide = len(self.biases["stem_bias"])
        for block in range(BLOCKS):
            scales = arrays[f"block{block}_scale"]
            second = self.kernels[f"block{block}_second_kernel"]
            second[:] = [[scale * weight for weight in row] for scale, row in zip(scales, second, strict=True)]
        self.pooling = columns(arrays["pooling"], wide)
        half = len(self.biases["policy_bias"])
        self.policy, self.policy_pooling = columns(arrays["policy_layer"], half), columns(arrays["policy_pooling"], half)
        self.policy_points = arrays["policy_points"]

    def numbers(self, planes: Rows) -> list[float]:
        """Return a number for each point; planes: a row of eight for each."""
        board = relu(self.convolved(planes, "stem"))
        for block in range(BLOCKS):
            inner = self.convolved(board, f"block{block}_first")
            if block == BLOCK_THAT_SEES_ALL:
                inner = plus(inner, [products(pooled(relu(inner)), self.pooling)] * len(inner))
            board = relu(plus(board, self.convolved(relu(inner), f"block{block}_second")))
        policy = relu(plus([products(row, self.policy) for row in board], [self.biases["policy_bias"]] * len(board)))
        policy = relu(plus(policy, [products(pooled(policy), self.policy_pooling)] * len(policy)))
        return [sum(map(mul, row, self.policy_points)) for row in policy]

    def convolved(self, board: Rows, layer: str) -> Rows:
        """Return a 3x3 convolution of the board, with the layer's bias."""
        kernel, bias = self.kernels[f"{layer}_kernel"], self.biases[f"{layer}_bias"]
        padded = [*board, [0.0] * len(board[0])]
        seen = ([*chain.from_iterable(padded[point] for point in window)] for window in WINDOWS)
        return plus([products(row, kernel) for row in seen], [bias] * len(board))


def windows(kernel: Row, channels: int) -> Rows:
    """Return a kernel's weights in the order of WINDOWS, all channels of a point together; a row for each channel made.

    kernel: in the file's order, for each channel made and each channel seen the nine points of the window.
    """
    step = len(kernel) // channels
    rows = (kernel[start : start + step] for start in range(0, len(kernel), step))
    return [[*chain.from_iterable(row[point::9] for point in range(9))] for row in rows]


def columns(layer: Row, channels: int) -> Rows:
    """Return a layer's weights with a row for each channel made; in the file there is one for each channel seen."""
    return [layer[made::channels] for made in range(channels)]


def products(row: Row, layer: Rows) -> Row:
    """Return a row of channels multiplied with each row of a layer."""
    return [sum(map(mul, row, weights)) for weights in layer]


def plus(one: Rows, other: Rows) -> Rows:
    """Return the sums of two boards."""
    return [[a + b for a, b in zip(row, added, strict=True)] for row, added in zip(one, other, strict=True)]


def relu(board: Rows) -> Rows:
    """Return a board with 0 in place of all negative numbers."""
    return [[max(0.0, number) for number in row] for row in board]


def pooled(board: Rows) -> Row:
    """Return the mean of each channel over the board, and then the greatest number of each."""
    channels = list(zip(*board, strict=True))
    return [*(sum(row) / len(row) for row in channels), *map(max, channels)]


def planes(go: GO, piece_type: int) -> Rows:
    """Return what the network is shown: eight numbers for each point, in the order of the table on top."""
    other = 3 - piece_type
    points = [(i, j) for i in range(SIZE) for j in range(SIZE)]
    new = [(i, j) for i, j in points if go.board[i][j] == other != go.previous_board[i][j]]
    last = new[0] if len(new) == 1 else None
    left = (go.max_move - go.n_move) / go.max_move
    black, ko = piece_type == 1, ko_point(go, piece_type)
    return [
        [go.board[i][j] == piece_type, go.board[i][j] == other, (i, j) == ko, (i, j) == last, 0.0, black, left, 1.0]
        for i, j in points
    ]


def ko_point(go: GO, piece_type: int) -> tuple[int, int] | None:
    """Return where a stone would bring back the board before the opponent's last placement; None if nowhere."""
    if len(go.died_pieces) != 1:
        return None
    ((i, j),) = go.died_pieces
    test = go.copy_board()
    test.board[i][j] = piece_type
    test.remove_died_pieces(3 - piece_type)
    return (i, j) if test.compare_board(go.previous_board, test.board) else None


class MyPlayer:
    """The player. Reads its network once, when it is made."""

    type = "my"

    def __init__(self) -> None:
        self.network = Network(read_arrays(NETWORK))

    def get_input(self, go: GO, piece_type: int) -> tuple[int, int] | str:
        """Return the legal point with the highest number; "PASS" if there is none. Raises ValueError on other boards."""
        if go.size != SIZE:
            raise ValueError(f"expected a board of {SIZE}x{SIZE}, as the network is for, got {go.size}x{go.size}")
        numbers = self.network.numbers(planes(go, piece_type))
        for point in sorted(range(SIZE * SIZE), key=numbers.__getitem__, reverse=True):
            i, j = divmod(point, SIZE)
            if go.valid_place_check(i, j, piece_type, test_check=True):
                return i, j
        return "PASS"
