"""The pages of an event: what they are made of, and writing them."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from tournament.application.conditions import Tell, tell_nobody
from tournament.application.plans import rubric_now
from tournament.results.refusals import everybody, read_refusals
from tournament.store.store import Store, read_store

if TYPE_CHECKING:
    from tournament.pages.contents import Contents
    from tournament.pages.editions import Edition
    from tournament.pages.probed import Probed
    from tournament.pages.truths import Truth


class EventPages:
    """What there is to show of an event. kind: see `tournament.pages.editions`. entrants: all, refused ones included.

    rubric: another than the event's own. names: the file of nicknames, to which missing ones are added; beside the store unless
    given.
    """

    def __init__(
        self, store: Store, kind: str, *, rubric: str | None = None, names: Path | None = None, tell: Tell = tell_nobody
    ) -> None:
        self._store, self._kind = store, kind
        self._rubric, self._refused = rubric_now(store, rubric, tell), read_refusals(store.path)
        self.entrants = everybody(store.entrants(), self._refused)
        self._nicknames = {} if kind == "instructor" else self._named(names, tell)

    def _named(self, names: Path | None, tell: Tell) -> dict[str, str]:
        """Return the nicknames of all submissions; those not drawn before are added to their file."""
        from tournament.pages.editions import nickname_notices, nicknames_in_event

        path = names or self._store.path.with_name(f"{self._store.path.name}.names.csv")
        for line in nickname_notices(path):
            tell(line)
        # Not seeded: nobody must be able to draw the same names again.
        return nicknames_in_event(path, self.entrants, random.SystemRandom())

    def edition(self, student: str = "") -> Edition:
        """Return for whom pages are. student: whose they are, if they are a student's; raises BadRosterError."""
        from tournament.pages.editions import edition

        return edition(self._kind, self.entrants, self._nicknames, student)

    def contents(self, shown: Edition, note: str = "") -> Contents:
        """Return what the pages show. note: on what moves were worth."""
        from tournament.pages.contents import gather

        truths, probed = self._known()
        return gather(self._store, shown, self._rubric, truths, note, self._refused, probed)

    def students(self, note: str = "") -> Iterable[Contents]:
        """Return what each student's own pages show: those of the attempt that counts."""
        from tournament.pages.contents import gather_students
        from tournament.pages.editions import first_attempts

        truths, probed = self._known()
        shown = [self.edition(name) for name in first_attempts(self.entrants)]
        return gather_students(self._store, shown, self._rubric, truths, note, self._refused, probed)

    def _known(self) -> tuple[dict[str, Truth], dict[str, Probed]]:
        """Return what is known of moves and players besides the games."""
        from tournament.pages.probed import probed_path, read_probed
        from tournament.pages.truths import read_truths, truth_path

        path = self._store.path
        return read_truths(truth_path(path)), read_probed(probed_path(path), self.entrants)


def report(
    store: Path | str, out: Path | str, *, edition: str = "instructor", student: str = "", rubric: str | None = None,
    names: Path | None = None, tell: Tell = tell_nobody,
) -> int:  # fmt: skip
    """Write the pages of an event to a folder, and return how many files they are.

    edition: who reads them, see `tournament.pages.editions`; student: whose games the last one shows. rubric, names: see
    `EventPages`. Raises TournamentError.
    """
    from tournament.pages.sites import write_folder

    with read_store(Path(store)) as results:
        pages = EventPages(results, edition, rubric=rubric, names=names, tell=tell)
        return write_folder(pages.contents(pages.edition(student)), Path(out))
