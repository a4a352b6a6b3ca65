"""The first page of a course: its homeworks and its ladder, and what everybody got in each of them.

    write_front(Front("go-2026", "instructor", stages, people), Path("pages/instructor/index.html"))

It lies above the pages of these, which link back to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from common.files import write_beside
from tournament.pages.editions import START
from tournament.pages.rendering import Pages
from tournament.pages.sanitising import name_shown
from tournament.pages.sites import write_assets


@dataclass(frozen=True)
class FrontStage:
    """What was published last of a homework or of the ladder. name: also of the folder with its pages. what, time: in words.
    graded: whether it was marks; open: whether games were missing then."""

    name: str
    graded: bool
    what: str
    time: str
    open: bool


@dataclass(frozen=True)
class FrontCell:
    """What somebody got. value: by what it is sorted."""

    shown: str
    value: str


@dataclass(frozen=True)
class Front:
    """people: name -> what they got in each stage, in the order of `stages`; empty where nobody may see it."""

    course: str
    edition: str
    stages: Sequence[FrontStage]
    people: Mapping[str, Sequence[FrontCell]]


def write_front(front: Front, path: Path) -> None:
    """Write the page and what it needs beside it. Raises OSError."""
    title = name_shown(front.course)
    everywhere = {"event": title, "navigation": [], "about": f"{front.edition.capitalize()} edition.", "date": ""}
    pages = Pages(lambda key: START, everywhere)
    people = [(name_shown(name), cells) for name, cells in front.people.items()]
    content = pages.section("front.html", course=title, stages=front.stages, people=people)
    write_assets(path.parent)
    write_beside(path, pages.page(title, "front", content))
