"""`python3 -m golearn.alphazero` in this process: what its commands print, and how they refuse."""

import re

from golearn.alphazero.__main__ import main

COMPILING = re.compile(r"^\w+: compiling, once for this machine\.\.\.\n", re.M)


def said(capsys, *words):
    """What a command that ends well prints."""
    status, printed = main([str(word) for word in words]), capsys.readouterr()
    assert (status, COMPILING.sub("", printed.err)) == (0, "")
    return printed.out


def refused(capsys, *words):
    """The line with which a command is refused, and all it prints."""
    try:
        status = main([str(word) for word in words])
    except SystemExit as end:
        status = end.code
    printed = capsys.readouterr()
    assert (status, printed.out, printed.err.count("\n")) == (2, "", 1)
    return printed.err
