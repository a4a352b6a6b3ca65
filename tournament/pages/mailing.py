"""Every student's page as one file to mail, and `mail.csv`, the list to mail from: one line per submission.

    name, students, points, of, page, and the roster's other columns

points and of are empty unless the event is a grade; page is the file beside the list. Refused submissions have a page too,
which says why.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from common.files import write_beside
from tournament.pages.contents import Contents
from tournament.pages.rendering import slugs
from tournament.pages.sites import write_single
from tournament.records import Entrant
from tournament.results.exports import csv_line, roster_headers

LIST = "mail.csv"
_HEADER = ("name", "students", "points", "of", "page")


def write_students(pages: Iterable[Contents], entrants: Iterable[Entrant], out: Path) -> int:
    """Write the students' editions and the list into a folder; return the number of pages. Raises OSError.

    entrants: of the event, for the names that the list has.
    """
    out.mkdir(parents=True, exist_ok=True)
    of_name = {one.name: one for one in entrants}
    files = {name: f"{slug}.html" for name, slug in slugs(list(of_name)).items()}
    headers = roster_headers((one.fields for one in of_name.values()), _HEADER)
    lines = [csv_line([*_HEADER, *headers])]
    for contents in pages:
        if contents.graded and not contents.marks:
            # An attempt that does not count; the one that does tells its student about all of them.
            continue
        student = contents.edition.student
        write_single(contents, out / files[student])
        points, full = next(((mark.points if mark.grade.played else "", mark.full) for mark in contents.marks), ("", ""))
        said = dict(of_name[student].fields)
        cells = [said.get(column, "") for column in headers.values()]
        lines.append(csv_line([student, "; ".join(of_name[student].students), points, full, files[student], *cells]))
    write_beside(out / LIST, "".join(lines).encode())
    return len(lines) - 1
