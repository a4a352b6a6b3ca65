"""The file of learned values that `my_player.py` reads.

One zlib stream; inside, little-endian and without gaps:

    4 bytes            b"goQ1"
    uint32             last stage that has known states, 0 if there are none
    uint32             number n of known states
    n x uint64         their keys, rising: stage * 3**25 + least number of the board's images
    n x int16          their values
    23 x 177147 int8   weights of the patterns for stages 1 to 23, laid out as in `golearn/qlearning/patterns.py`, mirror
                       images written out, so that the player need not look for them
    23 x 1764 int8     weights of the stones in atari for the same stages, if there are any

Values and weights are sums before `squash`, in units of 1/64.
"""

from __future__ import annotations

import struct
import zlib

import numpy as np
import numpy.typing as npt

from golearn.qlearning.patterns import BOARDS, ENTRIES, Geometry, Weights

MAGIC = b"goQ1"
UNIT = 64


def quantised(weights: Weights, geo: Geometry) -> npt.NDArray[np.int8]:
    """Return the weights as they are written: int8 of the same shape, mirror images filled in; row 0 is unused."""
    written = np.clip(np.rint(weights * UNIT), -127, 127).astype(np.int8)
    written[:, :ENTRIES] = written[:, geo.shared]
    return written


def table_bytes(weights: Weights, keys: npt.NDArray[np.uint64], values: npt.NDArray[np.float32], geo: Geometry) -> bytes:
    """Return the contents of a table file. `keys` rise; `values`, -1 to 1, are those of their states."""
    last_stage = int(keys[-1] // np.uint64(BOARDS)) if len(keys) else 0
    sums = values / np.sqrt(np.maximum(1 - np.square(values, dtype=np.float64), 1e-4))  # the inverse of `squash`
    values = np.clip(np.rint(sums * UNIT), -32767, 32767)
    data = struct.pack("<4sII", MAGIC, last_stage, len(keys)) + keys.astype("<u8").tobytes() + values.astype("<i2").tobytes()
    written = quantised(weights, geo)[1:]
    return zlib.compress(data + written[:, :ENTRIES].tobytes() + written[:, ENTRIES:].tobytes(), 6)
