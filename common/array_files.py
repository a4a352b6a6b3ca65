"""Files of arrays, as `numpy.savez` writes them, from whoever made them or damaged them.

    read_arrays(content)    the arrays by name, or one error that says in one line what is wrong
    check_array(...)        that one of them is as it must be
    one_line(error)         what such an error says, or any other that came of what a file holds

numpy raises some ten kinds of exceptions for such a file, depending on what is damaged where: of its own, of zip files, of
decompression, of the tokens of a header. Asks for numpy when it is called.
"""

from __future__ import annotations

import io
import warnings
from typing import Any

from common.excerpts import error_line, printable, quoted

MOST_BYTES = 2**31
"""How many bytes all arrays of a file may take."""


def read_arrays(content: bytes, most_bytes: int = MOST_BYTES) -> dict[str, Any]:
    """Return the arrays of a file by name, without running code of it. Raises ValueError, with one line, for any other file."""
    import numpy as np

    try:
        # It warns of headers that it then refuses.
        with warnings.catch_warnings(action="ignore"), np.load(io.BytesIO(content), allow_pickle=False) as file:
            size = sum(member.file_size for member in file.zip.infolist())
            if size > most_bytes:
                raise ValueError(f"expected arrays of at most {most_bytes} bytes, got {size}")
            found = {name: file[name] for name in file.files}
        if other := next((name for name, array in found.items() if not isinstance(array, np.ndarray)), None):
            raise ValueError(f"{quoted(other)} is no array")
        return found
    except Exception as error:
        raise ValueError(f"no file of arrays, or a damaged one ({error_line(error)})") from None


def check_array(name: str, array: Any, dtype: Any, shape: tuple[int, ...]) -> None:  # noqa: ANN401
    """Raise ValueError unless an array has this kind of numbers and this shape. dtype: whatever numpy.dtype takes."""
    import numpy as np

    if array.shape != shape or array.dtype != dtype:
        raise ValueError(f"{name}: expected {np.dtype(dtype)} of shape {shape}, got {array.dtype} of {array.shape}")


def one_line(error: Exception) -> str:
    """Return what went wrong with a file, in one printable line."""
    return printable(str(error), 200) if isinstance(error, (OSError, ValueError)) else error_line(error)
