"""Files of arrays: what was saved comes back, and whatever is damaged is one line."""

import io
import zipfile

import numpy as np
import pytest

from common.array_files import one_line, read_arrays


def saved(**arrays):
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def packed(member, kind=zipfile.ZIP_STORED, name="numbers.npy"):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", kind) as file:
        file.writestr(name, member)
    return buffer.getvalue()


def header(text):
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def test_what_was_saved_is_read():
    found = read_arrays(saved(numbers=np.arange(3), word=np.array("go")))
    assert found.keys() == {"numbers", "word"}
    assert found["numbers"].tolist() == [0, 1, 2]
    assert str(found["word"]) == "go"


GOOD = packed(header(b"{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }\n") + b"abcd", zipfile.ZIP_DEFLATED)
UNREADABLE = {
    "empty": b"",
    "no zip file": b"numbers",
    "a single array": header(b"{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }\n") + b"abcd",
    "cut": GOOD[:-30],
    "damaged packing": GOOD.replace(GOOD[43:60], bytes(17)),
    "a method nobody knows": GOOD.replace(b"\x08\x00", b"\x63\x00"),
    "a bracket left open": packed(header(b"{'descr': '<i2', 'shape': ((2, }\n") + b"abcd"),
    "objects": packed(header(b"{'descr': '|O', 'fortran_order': False, 'shape': (2,), }\n") + b"abcd"),
    "more numbers than there are": packed(header(b"{'descr': '<i8', 'fortran_order': False, 'shape': (99999999999999,), }\n")),
    "a text": packed(b"no array", name="numbers"),
}


@pytest.mark.parametrize("content", UNREADABLE.values(), ids=UNREADABLE)
def test_whatever_is_damaged_is_one_line(content):
    with pytest.raises(ValueError, match=r"^no file of arrays, or a damaged one") as caught:
        read_arrays(content)
    assert "\n" not in one_line(caught.value)


def test_arrays_that_would_fill_the_memory_are_refused_before_they_are_unpacked():
    with pytest.raises(ValueError, match="expected arrays of at most 100 bytes, got 1"):
        read_arrays(saved(numbers=np.zeros(200)), 100)
