"""Reading an SGF file takes work that grows no faster than the file, however deep or broken it is."""

import sys

import pytest
from sgfmill import sgf as mill

from goban.errors import SgfError
from goban.sgf import HEADER
from goban.solver import sgf_files
from goban.solver.sgf_files import read_game
from tests.support.sgf_reading import read


def test_ten_thousand_nested_variations_are_no_problem():
    deep = "(;SZ[5]" + "(;B[aa]" * 10_000 + ")" * 10_000 + ")"
    assert len(read(deep).moves) == 10_000
    assert len(read("(;SZ[5];B[aa]" + "(;W[bb])" * 10_000 + "(;C" * 10_000 + ")" * 10_001).moves) == 2


LONG = {
    "moves": ("(;", ";B[aa];W[bb]", ")"),
    "an open value": ("(;C[", "\\]", ""),
    "a closed value of backslashes": ("(;C[", "\\\\", "])"),
    "games that never close": ("(;", "(;C[", ""),
    "nested games that never close": ("(;", "(;C[a]", ""),
    "games cut off": ("", f"(;{HEADER}5]C[", ""),
    "variations": ("(;(;B[aa])", "(;W[bb](", ""),
    "nested variations": ("(;", "(;B[aa]", ""),
    "comment nodes": ("(;;B[aa]", ";C[a]", ")"),
    "spaces": ("", "( ", ""),
    "letters": ("(;", "ab ", ")"),
    "values": ("(;ZZ", "[] ", ")"),
    "stones": ("(;", "AB[aa:ss]", ")"),
    "names": ("(;", "PB[x\\\\]", ")"),
    "a long name": ("(;PB[", "\\\n", "])"),
    "games": ("", "(;)", ""),
}


class Counted:
    """A pattern that adds up how many bytes it has been led over."""

    def __init__(self, pattern):
        self.pattern, self.bytes = pattern, 0

    def search(self, data, start):
        found = self.pattern.search(data, start)
        self.bytes += (found.end() if found else len(data)) - start
        return found

    def finditer(self, data, start):
        for found in self.pattern.finditer(data, start):
            self.bytes += found.end() - start
            start = found.end()
            yield found
        self.bytes += len(data) - start


def work(data, monkeypatch):
    """(bytes that our patterns were led over, bytes given to sgfmill, lines of Python executed) while a file is read."""
    start, mark, given, lines = Counted(sgf_files._START), Counted(sgf_files._MARK), [], 0

    def from_bytes(line, override_encoding):
        given.append(len(line))
        return mill.Sgf_game.from_bytes(line, override_encoding)

    class Watched:
        pass

    Watched.from_bytes = staticmethod(from_bytes)

    def trace(frame, event, _):
        nonlocal lines
        lines += event == "line"
        return trace

    with monkeypatch.context() as patched:
        patched.setattr(sgf_files, "_START", start)
        patched.setattr(sgf_files, "_MARK", mark)
        patched.setattr(sgf_files, "Sgf_game", Watched)
        before = sys.gettrace()
        sys.settrace(trace)
        try:
            read_game(data)
        except SgfError:
            pass
        finally:
            sys.settrace(before)
    return start.bytes + mark.bytes, sum(given), lines


@pytest.mark.parametrize("kind", LONG)
def test_work_grows_no_faster_than_the_file(kind, monkeypatch):
    head, middle, tail = LONG[kind]

    def of(length):
        data = (head + middle * (length // len(middle)) + tail).encode()
        scanned, given, lines = work(data, monkeypatch)
        # Each byte is looked at once for marks and once for the next game, and sgfmill gets no more than one game.
        assert scanned <= 2 * len(data) + 2
        assert given <= len(data) + 2
        return lines

    assert of(16_000) < 9 * of(2_000) + 500
