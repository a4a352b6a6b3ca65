"""The pages of an event: collecting their contents, and writing them."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from goban.common.arguments import check_functions
from goban.common.excerpts import quoted, suggestion
from gojudge.errors import HarnessFaultError, JudgeError
from gojudge.intake.copies import find_copies
from tournament.application.classes import copies_beside
from tournament.application.plans import Tell, rubric_now, tell_nobody
from tournament.application.runs import conditions_for
from tournament.results.grade_report import everybody, read_refusals
from tournament.store.store import Store, read_results

if TYPE_CHECKING:
    from tournament.pages.contents import Contents
    from tournament.pages.editions import Edition
    from tournament.pages.losses import LosingMove
    from tournament.pages.profiles import Probed
    from tournament.pages.truths import Truth


class EventPages:
    """Everything the pages of an event show. kind: see `tournament.pages.editions`. entrants: all, including refused ones.

    student: the reader, '' for editions of all, None for those of each student. rubric: in place of the event's own. names: the
    file of nicknames, to which missing ones are added; by default beside the store. Raises JudgeError.
    """

    def __init__(
        self, store: Store, kind: str, student: str | None, *,
        rubric: str | None = None, names: Path | None = None, tell: Tell = tell_nobody,
    ) -> None:  # fmt: skip
        from tournament.pages.editions import KINDS, edition

        if kind not in KINDS:
            raise JudgeError(f"expected one of {', '.join(KINDS)} as `edition`, got {quoted(kind)}{suggestion(kind, KINDS)}")
        self._store, self._kind = store, kind
        self._rubric, self._refused = rubric_now(store, rubric, tell), read_refusals(store.path)
        self.entrants = everybody(store.entrants(), self._refused)
        if student is not None:
            # Before names are drawn, of which nothing is to be left if that is refused.
            edition(kind, self.entrants, defaultdict(str), student)
        self._nicknames = {} if kind == "instructor" else self._draw_nicknames(names, tell)

    def _draw_nicknames(self, names: Path | None, tell: Tell) -> dict[str, str]:
        """Return the nicknames of all submissions; those not drawn before are added to their file."""
        from tournament.pages.editions import nickname_notices, nicknames_in_event

        path = names or self._store.path.with_name(f"{self._store.path.name}.names.csv")
        for line in nickname_notices(path):
            tell(line)
        # Not seeded: nobody must be able to draw the same names again.
        return nicknames_in_event(path, self.entrants, random.SystemRandom())

    def edition(self, student: str = "") -> Edition:
        """Return the edition of the pages. student: the reader, if they are a student's; raises BadRosterError."""
        from tournament.pages.editions import edition

        return edition(self._kind, self.entrants, self._nicknames, student)

    def contents(self, shown: Edition, note: str = "") -> Contents:
        """Return the contents of the pages. note: about what moves were worth."""
        from tournament.pages.contents import gather

        truths, probed, losses = self._gather_known()
        return gather(self._store, shown, self._rubric, truths, note, self._refused, probed, losses)

    def students(self, note: str = "") -> Iterable[Contents]:
        """Return the contents of each student's own pages: those of the attempt that counts."""
        from tournament.pages.contents import gather_students
        from tournament.pages.editions import first_attempts

        truths, probed, losses = self._gather_known()
        editions = [self.edition(name) for name in first_attempts(self.entrants)]
        return gather_students(self._store, editions, self._rubric, truths, note, self._refused, probed, losses)

    def _gather_known(self) -> tuple[dict[str, Truth], dict[str, Probed], dict[str, LosingMove]]:
        """Return what is known of moves and players besides the games."""
        from tournament.pages.losses import losses_path, read_losses
        from tournament.pages.profiles import probed_path, read_probed
        from tournament.pages.truths import read_truths, truth_path

        path = self._store.path
        return read_truths(truth_path(path)), read_probed(probed_path(path), self.entrants), read_losses(losses_path(path))


def ask_losses_again(store: Store, tell: Tell = tell_nobody) -> int:
    """Ask classes once more for the moves that lost their games, in sandboxes; return the number of moves.

    Earlier findings are kept beside the results and not asked for again. If nothing can be asked, a message says so.
    """
    # Imported late: pages can be made where there are no sandboxes, as on Windows.
    from gojudge.refereeing.open_seats import open_seat
    from gojudge.sandbox.class_seat import ClassSeat
    from tournament.pages.losses import append_loss, ask_again, known_loss, losses_path, questions, read_losses
    from tournament.pages.truths import read_truths, truth_path

    event, path = store.event, losses_path(store.path)
    entrants, absent = find_copies(store.entrants(), copies_beside(store.path))
    losses, truths = read_losses(path), read_truths(truth_path(store.path))
    wanted = [
        one for one in questions(store.results(), entrants, truths, event.rules, event.size)
        if known_loss(one.result, one.loser, losses) is None
    ]
    try:
        conditions = conditions_for(event, store.machine, [one.loser for one in wanted], tell_nobody)
        for loser, asked in groupby(sorted(wanted, key=lambda one: one.loser.name), key=lambda one: one.loser):
            # A fault of ours costs the other losses of this one; they are asked for with the next pages.
            with suppress(HarnessFaultError), open_seat(loser, conditions) as seat:
                for one in asked:
                    if isinstance(seat, ClassSeat):
                        append_loss(path, one.result.spec.id, ask_again(one, seat, conditions.start()))
    except JudgeError as error:
        tell(f"the lines that lost games are not shown: {error}")
        return 0
    if absent and wanted:
        tell(f"the lines that lost these games are not shown: {', '.join(absent)}")
    return len(wanted)


def report(
    store: Path | str, out: Path | str, *, edition: str = "instructor", student: str = "", rubric: str | None = None,
    names: Path | None = None, tell: Tell = tell_nobody,
) -> int:  # fmt: skip
    """Write the pages of an event to a folder, and return the number of files.

    edition: their readers, see `tournament.pages.editions`; student: the reader of the student edition. rubric, names: see
    `EventPages`. Raises JudgeError.
    """
    from tournament.pages.sites import write_folder

    check_functions(JudgeError, tell=tell)
    with read_results(Path(store)) as results:
        pages = EventPages(results, edition, student, rubric=rubric, names=names, tell=tell)
        return write_folder(pages.contents(pages.edition(student)), Path(out))
