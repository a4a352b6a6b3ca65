"""The search behind an analysis: it goes on in a thread while the engine waits for the next command."""

from __future__ import annotations

import threading
from importlib.util import find_spec
from typing import TYPE_CHECKING

from goban.rulesets import RuleSet
from goban.states import State

if TYPE_CHECKING:
    from search.candidates import Analyst, Candidates, Moves


class Analysis:
    """Within its block an analyst searches. Raises what `Analyst.candidates` raises. only: see there."""

    def __init__(self, analyst: Analyst, state: State, only: Moves | None = None) -> None:
        self._stop = threading.Event()
        self._steps = analyst.candidates(state, self._stop.is_set, only)
        self._thread = threading.Thread(target=self._search, daemon=True)
        self.found: Candidates = ()
        """What is known so far."""

    def __enter__(self) -> Analysis:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _search(self) -> None:
        for found in self._steps:
            self.found = found


def exact_analyst(rules: RuleSet) -> Analyst | None:
    """Return the exact solver, None for rules it does not know, and where the packages it needs are missing."""
    if find_spec("numpy") is None or find_spec("numba") is None:
        return None
    from search.alphabeta.boards import RULES
    from search.exact_candidates import ExactAnalyst

    return ExactAnalyst() if rules.name in RULES else None
