"""All readers by name. Importing them takes a while."""

from __future__ import annotations

from tests.fuzz import answers, arrays, binaries, games, patterns, requests, runs, stores, submissions, tables
from tests.fuzz.readers import Reader

READERS: dict[str, Reader] = {
    **games.READERS, **tables.READERS, **answers.READERS, **submissions.READERS, **binaries.READERS, **stores.READERS,
    **arrays.READERS, **patterns.READERS, **requests.READERS,
    **runs.READERS,
}  # fmt: skip
