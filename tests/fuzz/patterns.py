"""Pattern files for Monte Carlo Go."""

from __future__ import annotations

import random
from pathlib import Path

from goban.montecarlo.pattern_files import SYMBOLS, combinations_of_word
from goban.montecarlo.pattern_sets import load_table
from goban.solver.errors import SearchError
from tests.fuzz.readers import Reader
from tests.support.plain_patterns import bits_that_matter

_FILE = b"""# Andr\xe9
?X|
O*|
%%%
:2,near
# on
:3 # for the rest

|OO
|*O
+--
:0
"""


def _drawing(rng: random.Random) -> bytes:
    rows = [[rng.choice(SYMBOLS) for _ in range(3)] for _ in range(3)]
    rows[1][1] = "*"
    words = rng.choices(list(combinations_of_word()), k=rng.randrange(4))
    return "\n".join([*map("".join, rows), ":" + ",".join([str(rng.choice((0, 5, 10**7, 2**32 - 1))), *words])]).encode()


def _read(data: bytes, folder: Path) -> str:
    path = folder / "my.db"
    path.write_bytes(data)
    table = load_table(path)
    assert all(warning.isprintable() for warning in table.warnings), table.warnings
    return f"{min(len(table.rules), 9)} {min(len(table.warnings), 9)} {bits_that_matter(table)}"


READERS = {
    "patterns": Reader(
        lambda: [_FILE, _FILE.replace(b"\n", b"\r\n"), b""], _read, (SearchError,),
        (b"?X?\n", b"O*o\n", b"---\n", b":5,near\n", b",osafe", b",ocap1+", b",xcap2-", b"%%%\n%*%\n%%%\n", b"#", b"|"),
        (_drawing,),
    ),
}  # fmt: skip
