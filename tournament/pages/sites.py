"""A whole site from its contents, as many files or as one.

    contents = gather(store, edition, rubric, truths)
    write_folder(contents, Path("site"))             index.html, games.html, player-NAME.html, data/, assets/ and so on
    write_single(contents, Path("cup.html"))

The same store and edition give the same bytes: the date on every page is that of the games.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from goban.board.page import game_markup, script_json
from goban.common.files import make_folder, write_beside
from goban.rulesets import ruleset
from gojudge.errors import JudgeError
from gojudge.intake.rosters import student_of
from gojudge.records import Entrant
from tournament.pages.contents import Contents
from tournament.pages.editions import START
from tournament.pages.profiles import BIN_LABELS
from tournament.pages.rendering import Pages, histogram, position, script, slugs, style
from tournament.pages.tables import (
    Line,
    Placed,
    crosstable,
    distribution,
    figures,
    leaderboards,
    opponents,
    strongest_and_weakest,
    worths,
)
from tournament.pages.words import show_name, visible
from tournament.results.course_systems import OPEN
from tournament.results.deadlines import words
from tournament.results.exports import csv_line, roster_headers
from tournament.results.grade_report import grades_csv
from tournament.results.rubrics import show_points
from tournament.results.standings import standings_csv

LEADERBOARD = "leaderboard"
PHASE_LABELS = ("Opening", "Middle", "End")
_OURS = re.compile(r"(index|leaderboard|crosstable|games|player-.+)\.html\Z|games-\d+\.js\Z|(standings|grades)\.csv\Z")
_SCRIPT = "assets/site.js"
_MOST_BARS = 30
"""With more opponents than this, the standings would be wider than any screen."""
_REACHES = "the 95 % interval of the win rate reaches into another band"
_UNDECIDED = "all games that may be played do not decide the band"
_DECIDING = (
    "After {0.games} games a pair up to {0.deciding:,} more are played between neighbours in rating whose order is open, "
    "those first that need fewest."
)
_ROUNDS = (
    "Everybody plays {0.rounds} others or a few more, {0.games} games each: in each round those nearest in rating whom they "
    "have not met. As opponents are not equally strong, the ranking is by rating, which takes that into account, not by WINs."
)
_EXPLAINED = (
    "Opening, middle, end: the share of moves that cost nothing with best play, among those of known value. Where only the "
    "winner is known, a move that kept the result counts as right. A dash: too few are known."
)


class _Site:
    """Turns contents into sections, with links either between files or within a single page."""

    def __init__(self, contents: Contents, single: bool) -> None:
        self.contents = contents
        self.single = single
        event = contents.event
        self.title = show_name(event.name)
        self.navigation = self._navigation()
        tiers = f" Sandbox: {contents.tiers}." if contents.tiers else ""
        played = f" Games of {contents.date}." if contents.date else ""
        edition = f"{contents.edition.kind.capitalize()} edition."
        about = f"{event.rules} rules, {event.size}×{event.size}. {edition}{played}{tiers}"
        everywhere = {
            "event": self.title, "navigation": self.navigation, "about": about, "date": contents.date.partition(",")[0],
            "pair": self.pair,
        }  # fmt: skip
        self.pages = Pages(self.link, everywhere)

    def _navigation(self) -> list[tuple[str, str]]:
        """Return (key, label) of the pages that every page leads to."""
        if self.contents.edition.kind == "student":
            start = [(f"player/{self.contents.edition.own}", "My results")]
        elif self.contents.graded:
            start = [("standings", "Marks")]
        else:
            start = [("standings", "Standings"), ("crosstable", "Crosstable")]
        if self.contents.sections:
            start.append((LEADERBOARD, "Leaderboard"))
        if self.contents.course:
            start = [("course", show_name(self.contents.course)), *start]
        return [*start, *([("games", "Games")] if self.contents.album.games else [])]

    def link(self, key: str) -> str:
        """Return the address of the page with this key."""
        kind, _, name = key.partition("/")
        if self.single:
            return f"#player/{self.contents.slugs[name]}" if name else f"#{key}"
        if name:
            student = self.contents.edition.kind == "student"
            return "index.html" if student else f"player-{self.contents.slugs[name]}.html"
        return {"standings": "index.html", "course": "../index.html"}.get(kind, f"{kind}.html")

    def pair(self, one: str, other: str, number: int | None = None, ply: int = 0) -> str:
        """Return the address of two players' games as `one` sees them, of one game, or of a move in it."""
        parts = [self.contents.slugs[one], self.contents.slugs[other], *([] if number is None else [number])]
        address = "/".join(map(str, parts + [ply] * bool(ply)))
        return f"#games/{address}" if self.single else f"games.html#{address}"

    def data(self) -> Iterator[tuple[str, str]]:
        """Yield (name, JSON) of what the scripts load."""
        yield "head", self._head()
        for number, (_, text) in enumerate(self.contents.album.chunks()):
            yield f"games-{number}", text

    def _head(self) -> str:
        """Return what the scripts need to know about the event, as JSON."""
        contents, event = self.contents, self.contents.event
        pages = {name: self.link(f"player/{name}") for name in contents.profiles}
        places = contents.album.places
        players = [{"name": name, "slug": contents.slugs[name], "page": pages.get(name, "")} for name in places]
        starts = [list(first) for first, _ in contents.album.chunks()]
        komi = ruleset(event.rules).komi(event.size)
        return script_json({
            "players": players, "starts": starts, "size": event.size, "rules": event.rules, "komi": komi,
            "lists": contents.highlights.lists(),
        })  # fmt: skip

    def sections(self) -> list[tuple[str, str, Markup]]:
        """Return (key, title, content) of every page, the start page first."""
        contents = self.contents
        sections = []
        if contents.edition.kind != "student" and contents.graded:
            sections.append(("standings", "Marks", self._marks()))
        elif contents.edition.kind != "student":
            rows = crosstable(contents.count.standings)
            sections.append(("standings", "Standings", self._standings()))
            sections.append(("crosstable", "Crosstable", self.pages.section("crosstable.html", rows=rows)))
        if contents.sections:
            sections.append((LEADERBOARD, "Leaderboard", self._leaderboard()))
        sections += [(f"player/{line.name}", line.name, self._player(line)) for line in contents.lines]
        game = Markup(game_markup(contents.edition.shows_logs))
        sections.append(("games", "Games", self.pages.section("games.html", game=game)))
        return sections

    def csv(self) -> tuple[str, str]:
        """Return the name and the text of the file with the table of the start page; '' for none."""
        contents = self.contents
        if contents.edition.kind == "student":
            return "", ""
        if contents.graded and contents.rubric is not None:
            return "grades.csv", grades_csv(contents.count.grades, contents.rubric)
        return "standings.csv", standings_csv(contents.count.standings.players, contents.count.rated)

    def _marks(self) -> Markup:
        contents, rubric = self.contents, self.contents.rubric
        assert rubric is not None
        grades = contents.count.grades
        return self.pages.section(
            "marks.html",
            lead=f"{rubric.title}: {contents.event.per_opponent}, {show_points(rubric.full)} points at most.",
            note=contents.note,
            figures=figures(grades),
            distribution=distribution(grades, rubric.full),
            lines=contents.marks,
            worths=worths(grades, rubric),
            deadline=words(rubric.deadline) if rubric.deadline is not None else "",
            dated=any(grade.late is not None for grade in grades),
            met={line.name for line in contents.lines},
            few=OPEN,
            undecided=_UNDECIDED if contents.event.until_decided else _REACHES,
            open=any(mark.open for line in contents.marks for mark in line.marks),
            phases=PHASE_LABELS if any(line.phases for line in contents.marks) else (),
            explained=_EXPLAINED,
            csv="" if self.single else self.csv()[0],
        )

    def _standings(self) -> Markup:
        contents, event = self.contents, self.contents.event
        past = contents.past
        players, games, rated = len(contents.lines), contents.album.games, contents.count.rated
        remarks = [
            "A player gets a WIN for each opponent they won more games against than they lost. Players with equally many "
            f"{'points of rating' if event.ranks_by_rating else 'WINs'} share the better rank. ± is the 95 % interval of a "
            "rating; ~ marks a lead over the next that may be chance.",
            *([_ROUNDS.format(event)] if event.rounds else []),
            *([_DECIDING.format(event)] if event.deciding else []),
            *([f"Moved: places gained (▲) or lost (▼) since {past.since}."] if past is not None and past.since else []),
            *(visible(warning, 600) for warning in (rated.warnings if rated else ())),
        ]
        known = any(line.phases for line in contents.lines)
        return self.pages.section(
            "standings.html",
            lead=(
                f"{players} players, {games:,} games, {contents.different:,} different, {event.rules} rules on "
                f"{event.size}×{event.size}."
            ),
            note=contents.note,
            lines=contents.lines,
            past=past,
            with_points=any(line.points for line in contents.lines),
            with_ratings=rated is not None,
            with_bars=players <= _MOST_BARS,
            phases=PHASE_LABELS if known else (),
            remarks=[*remarks, *([_EXPLAINED] if known else [])],
            csv="" if self.single else self.csv()[0],
        )

    def _leaderboard(self) -> Markup:
        """Return the order of all, and of each section of the class."""
        contents, rubric = self.contents, self.contents.rubric
        lead = "Everybody who hands in, and each section of the class. Equals share the better rank."
        if contents.graded:
            ranked = [one for one in contents.marks if one.rank]
            placed = [Placed(one.name, one.rank, one.rank, "", one.points) for one in ranked]
            if rubric is not None and rubric.deadline is not None and not contents.edition.shows_all:
                lead += " Points are those before any penalty."
        else:
            submissions = [one for one in contents.lines if not one.tag]
            placed = [Placed(one.name, one.rank, one.rank, "", str(one.wins)) for one in submissions]
        boards = leaderboards(placed, contents.sections)
        return self.pages.section(
            "leaderboard.html", lead=lead, boards=boards, worth="Points" if contents.graded else "WINs"
        )  # fmt: skip

    def _player(self, line: Line) -> Markup:
        contents, ranking, rubric = self.contents, self.contents.count.standings, self.contents.rubric
        profile = contents.profiles[line.name]
        best, worst = strongest_and_weakest(ranking, line.name)
        tally = next(one.tally for one in ranking.players if one.name == line.name)
        values: dict[str, Any] = {
            "line": line,
            "mark": next((mark for mark in contents.marks if mark.name == line.name), None),
            "met": {one.name for one in contents.lines},
            "owner": next((mark.name for mark in contents.marks for one in mark.handed_in if one.name == line.name), ""),
            "graded": contents.graded,
            "few": OPEN,
            "deadline": words(rubric.deadline) if rubric is not None and rubric.deadline is not None else "",
            "rules": contents.event.rules,
            "people": [show_name(name) for name in _about(contents.entrants[line.name]) if name != line.name],
            "players": contents.players,
            "longest": tally.worst,
            "phases": list(zip(PHASE_LABELS, line.phases, strict=True)) if line.phases else [],
            "best": best,
            "worst": worst,
            "opponents": opponents(ranking, line.name),
            "times": histogram(profile.times, BIN_LABELS, "Answers by the time they took"),
            "profile": profile,
            "timed_out": any(fault.timed_out is not None for fault in profile.faults.values()),
            "past": contents.past.lines.get(line.name, ()) if contents.past is not None else (),
            "chart": contents.past.charts.get(line.name, "") if contents.past is not None else "",
            "probed": contents.probed.get(line.name),
            "position": lambda late: position(late.rows, late.last, f"The board before move {late.move}"),
        }
        return self.pages.section("player.html", **values)


def _about(entrant: Entrant) -> Sequence[str]:
    """Return the people behind a submission, or the command line of an engine."""
    return entrant.students if entrant.engine is None else (shlex.join(entrant.engine.command),)


def check_site(out: Path) -> None:
    """Raise JudgeError if a folder has files of somebody else that a site would replace or remove."""
    if out.is_dir() and not (out / _SCRIPT).exists():
        for path in sorted(out.iterdir()):
            if _OURS.match(path.name):
                raise JudgeError(f"{out}: expected a site of before, or a folder without pages; {path.name} would be lost")


def write_folder(contents: Contents, out: Path) -> int:
    """Write the site; return the number of files. Pages of an earlier site that no longer exist are removed.

    Raises OSError, and JudgeError if that would take away what others wrote.
    """
    check_site(out)
    site = _Site(contents, single=False)
    for folder in (out, out / "data"):
        make_folder(folder)
    names = write_assets(out)
    name, text = site.csv()
    if name:
        write_beside(out / name, text.encode())
        names.add(out / name)
    for name, text in site.data():
        path = out / "data" / f"{name}.js"
        write_beside(path, f'site.take("{name}",{text});\n'.encode())
        names.add(path)
    for key, title, content in site.sections():
        path = out / site.link(key)
        write_beside(path, site.pages.page(f"{title} – {site.title}", key, content))
        names.add(path)
    for folder in (out, out / "data"):
        for path in folder.iterdir():
            if path not in names and _OURS.match(path.name):
                path.unlink()
    return len(names)


def write_assets(out: Path) -> set[Path]:
    """Write what the pages of a folder have in common; return its files. Raises OSError."""
    make_folder(out / "assets")
    written = _assets(out)
    for path, data in written.items():
        write_beside(path, data)
    return set(written)


def _assets(out: Path) -> dict[Path, bytes]:
    return {out / "assets" / "style.css": style().encode(), out / _SCRIPT: script().encode()}


def write_single(contents: Contents, path: Path) -> int:
    """Write the site as one page; return its size in bytes. Raises OSError."""
    site = _Site(contents, single=True)
    sections = [(site.link(key)[1:], title, content) for key, title, content in site.sections()]
    page = site.pages.single(site.title, sections, list(site.data()))
    write_beside(path, page)
    return len(page)


# The first page of a course: the state of its homeworks and its ladder, and what everybody got in each of them.
#
#     write_front(front, Path("pages/instructor/index.html"))
#
# It lies above their pages, which link back to it.


@dataclass(frozen=True)
class FrontStage:
    """A homework or the ladder; times in words, '' for none.

    state: 'waiting', 'open', 'late' or 'closed'; stands: the same in words. due_at: for programs. extensions, missing: who has
    until when, and who has not handed in, where readers may know. handed_in: by how many of how many. address, leaderboard:
    where its pages are, if there are any. what: was published last, at `time`; open: whether games were missing then. since:
    the time of the publication before; changes: what has changed since.
    """

    name: str
    graded: bool
    state: str
    stands: str
    due: str = ""
    due_at: str = ""
    cut_off: str = ""
    extensions: Sequence[str] = ()
    handed_in: str = ""
    missing: Sequence[str] = ()
    address: str = ""
    leaderboard: str = ""
    what: str = ""
    time: str = ""
    open: bool = False
    since: str = ""
    changes: Sequence[str] = ()


@dataclass(frozen=True)
class FrontCell:
    """What somebody got. value: what it is sorted by. address: of their page, '' if there is none."""

    shown: str
    value: str
    address: str = ""
    bad: bool = False


@dataclass(frozen=True)
class FrontPerson:
    """fields: what the roster says besides, by column. cells: what they got in each stage, in the order of `Front.stages`."""

    name: str
    students: Sequence[str]
    fields: Mapping[str, str]
    section: str
    cells: Sequence[FrontCell]

    @property
    def sought(self) -> str:
        """What they are found by."""
        return " ".join([self.name, *self.students, *self.fields.values()])

    @property
    def address(self) -> str:
        """The address of their first page, '' if they have none."""
        return next((cell.address for cell in self.cells if cell.address), "")


@dataclass(frozen=True)
class FrontSection:
    """A section of a class: how many people, and how they stand in each homework."""

    name: str
    people: int
    cells: Sequence[str]


@dataclass(frozen=True)
class Front:
    """zone: whose clocks show the times. columns: of the roster. people, sections: empty where nobody may see them."""

    course: str
    edition: str
    zone: str
    stages: Sequence[FrontStage]
    columns: Sequence[str] = ()
    people: Sequence[FrontPerson] = ()
    sections: Sequence[FrontSection] = ()


def write_front(front: Front, path: Path) -> bool:
    """Write the page and what it needs beside it, unless they are there; return whether it wrote anything. Raises OSError."""
    title = show_name(front.course)
    everywhere = {"event": title, "navigation": [], "about": f"{front.edition.capitalize()} edition.", "date": ""}
    pages = Pages(lambda key: START, everywhere)
    page = pages.page(title, "front", pages.section("front.html", front=front, title=title, shown=show_name))
    try:
        if all(one.read_bytes() == data for one, data in (_assets(path.parent) | {path: page}).items()):
            return False
    except OSError:  # there is none, or none that can be read
        pass
    write_assets(path.parent)
    write_beside(path, page)
    return True


# Every student's page as one file to mail, and `mail.csv`, the list to mail from: one line per submission.
#
#     name, students, points, of, page, and the roster's other columns
#
# points and of are empty unless the event is a grade; page is the file beside the list. Refused submissions have a page too,
# which says why.


LIST = "mail.csv"
HEADER = ("name", "students", "points", "of", "page")


def write_students(pages: Iterable[Contents], entrants: Iterable[Entrant], out: Path) -> int:
    """Write the students' editions and the list into a folder; return the number of pages. Raises OSError.

    entrants: of the event, for the names that the list has.
    """
    make_folder(out)
    of_name = {one.name: one for one in entrants}
    students = dict.fromkeys([*of_name, *(student_of(one.name, one.fields) for one in of_name.values())])
    files = {name: f"{slug}.html" for name, slug in slugs(list(students)).items()}
    headers = roster_headers((one.fields for one in of_name.values()), HEADER)
    lines = [csv_line([*HEADER, *headers])]
    for contents in pages:
        if contents.graded and not contents.marks:
            # An attempt that does not count; the one that does tells its student about all of them.
            continue
        student = contents.edition.student
        # Whichever of their attempts counts, a student's page stays at one address.
        whose = student_of(student, of_name[student].fields)
        write_single(contents, out / files[whose])
        points, full = next(((mark.points if mark.grade.played else "", mark.full) for mark in contents.marks), ("", ""))
        fields = dict(of_name[student].fields)
        cells = [fields.get(column, "") for column in headers.values()]
        lines.append(csv_line([whose, "; ".join(of_name[student].students), points, full, files[whose], *cells]))
    write_beside(out / LIST, "".join(lines).encode())
    return len(lines) - 1
