"""Networks as files: NumPy's .npz, read without pickle.

    write_weights("go5.npz", weights, half=True)          weights = read_weights("go5.npz")

Besides the arrays a file holds `header`, JSON as octets: the format's version, the architecture and what is known of the
network. The same weights give the same bytes. A reader knows from the header how long everything must be, before it makes room
for anything, so that a stranger's file can neither fill the memory nor run code.
"""

from __future__ import annotations

import json
import math
import warnings
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from common.excerpts import quoted
from common.files import read_bounded, write_beside
from learning.alphazero.errors import BadWeightsError
from learning.alphazero.weights import ARCHITECTURE_FIELDS, Architecture, Array, Shape, Weights

VERSION = 1
MOST_BYTES = 2**26
_MOST_HEADER_BYTES = 2**16
_NPY_BYTES = 128
"""What stands before the numbers of an array, at most."""


def write_weights(path: str | Path, weights: Weights, half: bool = False) -> None:
    """Write a network to a file, whole or not at all; `half`: as float16, half as long. Raises OSError, BadWeightsError."""
    header = {"version": VERSION, "architecture": vars(weights.architecture), "about": weights.about}
    text = json.dumps(header, sort_keys=True, allow_nan=False).encode()
    if len(text) > _MOST_HEADER_BYTES - _NPY_BYTES:
        raise BadWeightsError(f"expected at most {_MOST_HEADER_BYTES - _NPY_BYTES} bytes about a network, got {len(text)}")
    arrays: dict[str, npt.NDArray[Any]] = {"header": np.frombuffer(text, np.uint8)}
    for name, array in weights.arrays.items():
        arrays[name] = _halved(name, array) if half else array
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as members:
        for name, array in arrays.items():
            # A member without a date of its own, so that the same weights give the same bytes.
            with members.open(zipfile.ZipInfo(f"{name}.npy"), "w") as member:
                np.lib.format.write_array(member, np.ascontiguousarray(array), version=(1, 0), allow_pickle=False)
    if len(file.getvalue()) > MOST_BYTES:
        raise BadWeightsError(f"expected a network of at most {MOST_BYTES} bytes, got {len(file.getvalue())}")
    write_beside(Path(path), file.getvalue())


def _halved(name: str, array: Array) -> npt.NDArray[np.float16]:
    if np.abs(array).max(initial=0) > np.finfo(np.float16).max:
        raise BadWeightsError(f"{name}: has numbers too large for float16")
    return array.astype(np.float16)


def read_weights(path: str | Path) -> Weights:
    """Return the network of a file; raises OSError, and BadWeightsError, which names the file, for one that is none."""
    content = read_bounded(path, MOST_BYTES)
    try:
        # numpy warns of headers that are then refused.
        with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(BytesIO(content)) as members:
            return _read(members)
    except BadWeightsError as error:
        raise BadWeightsError(f"{path}: {error}") from None
    except Exception:  # whatever is damaged: zip files, their packing, tokens of a header, JSON
        raise BadWeightsError(f"{path}: no network, or a damaged one") from None


def _read(members: zipfile.ZipFile) -> Weights:
    header = json.loads(_array(members, "header", np.dtype(np.uint8), None, _MOST_HEADER_BYTES).tobytes())
    if header["version"] != VERSION:
        raise BadWeightsError(f"expected a network of version {VERSION}, got {quoted(header['version'])}")
    said, about = dict(header["architecture"]), header["about"]
    if said.keys() != set(ARCHITECTURE_FIELDS) or not isinstance(about, dict):
        raise BadWeightsError(f"expected an architecture of {', '.join(ARCHITECTURE_FIELDS)}, got {quoted(said)}")
    architecture = Architecture(**said)
    shapes = architecture.shapes()
    length = 2 * sum(map(math.prod, shapes.values()))
    if length > MOST_BYTES:
        raise BadWeightsError(f"expected a network of at most {MOST_BYTES} bytes, got one of at least {length}")
    names = [f"{name}.npy" for name in ("header", *shapes)]
    if sorted(members.namelist()) != sorted(names):
        unlike = sorted(set(members.namelist()) ^ set(names)) or ["twice the same"]
        raise BadWeightsError(f"expected the arrays of such a network; missing or too much: {quoted(', '.join(unlike))}")
    arrays = {name: _array(members, name, None, shape, 4 * math.prod(shape) + _NPY_BYTES) for name, shape in shapes.items()}
    return Weights(architecture, {name: array.astype(np.float32) for name, array in arrays.items()}, about)


def _array(
    members: zipfile.ZipFile, name: str, dtype: np.dtype[Any] | None, shape: Shape | None, most: int
) -> npt.NDArray[Any]:
    """Return one array of a file. shape: None for a row of any length; dtype: None for float32 or float16."""
    info = members.getinfo(f"{name}.npy")
    if info.file_size > most:
        raise BadWeightsError(f"{name}: expected at most {most} bytes, got {info.file_size}")
    data = BytesIO(members.read(info))
    if np.lib.format.read_magic(data) != (1, 0):
        raise BadWeightsError(f"{name}: expected an array of NumPy's format 1.0")
    found, by_columns, kind = np.lib.format.read_array_header_1_0(data)
    wanted = found[:1] if shape is None else shape
    kinds = [dtype] if dtype else [np.dtype("<f4"), np.dtype("<f2")]
    if kind not in kinds or by_columns or found != wanted:
        expected = " or ".join(str(one) for one in kinds)
        raise BadWeightsError(f"{name}: expected {expected} of shape {wanted} by rows, got {kind.str} of shape {found}")
    return np.frombuffer(data.read(), kind).reshape(wanted)
