"""Names as a harness process that is gone would have given them."""

from __future__ import annotations

from gojudge.sandbox.leftovers import PREFIX, owned_name


def stale_name(prefix=PREFIX):
    """Return a name whose maker is gone: it has our process id, but was started at another time."""
    rest, _, number = owned_name(prefix).rpartition("-")
    head, _, started = rest.rpartition("-")
    return f"{head}-{int(started) + 1}-{number}"
