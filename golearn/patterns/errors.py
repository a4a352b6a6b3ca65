"""Errors of learning patterns."""

from __future__ import annotations


class PatternTrainingError(ValueError):
    """The games or options are none that weights can be learned from; the message says what was expected."""
