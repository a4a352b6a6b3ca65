"""Errors of this package.

    BadPlayerError (a ValueError)   a name, file or class that gives no player; says why in one line
"""

from __future__ import annotations


class BadPlayerError(ValueError):
    """No player can be made from this."""
