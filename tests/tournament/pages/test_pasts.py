"""A ladder's past, as its pages show it to each kind of reader."""

import re
from dataclasses import replace
from datetime import timedelta
from xml.etree import ElementTree

from gojudge.records import Entrant
from tests.support.page_events import small_store
from tests.tournament.pages.test_sites import checked, contents_of
from tests.tournament.results.test_ratings import FIRST, SECOND, START, THIRD, ranking
from tournament.pages.contents import past_of
from tournament.pages.editions import edition
from tournament.pages.rendering import rating_chart
from tournament.pages.sites import write_folder
from tournament.store.store import read_store

ENTRANTS = [Entrant(name, digest=name) for name in ("ann", "bob", "cy", "dee")]
NICKNAMES = {"ann": "Fox", "bob": "Owl", "cy": "Yak", "dee": "Elk"}
RANKINGS = [FIRST, SECOND, THIRD]


def past(kind, student="", rankings=RANKINGS):
    return past_of(rankings, edition(kind, ENTRANTS, NICKNAMES, student))


def test_movement_has_the_names_of_the_edition():
    for kind, names in (("instructor", ("cy", "bob", "ann", "dee")), ("class", ("Yak", "Owl", "Fox", "Elk"))):
        found = past(kind)
        assert found.since == "2026-10-04"
        assert [found.movement(name) for name in names] == ["▲ 1", "▼ 1", "–", "new"]


def test_a_student_sees_no_past_but_their_own():
    found = past("student", "bob")
    assert list(found.lines) == list(found.charts) == list(found.moved) == ["bob"]


def test_a_past_has_each_version_once_newest_first():
    lines = past("class").lines["Owl"]
    assert [(line.time, line.version, line.rank, line.rating) for line in lines] == [
        ("2026-10-11 00:00", "", 2, "1500 ± 100"), ("2026-10-04 00:00", "2", 1, "1500 ± 100"),
        ("2026-10-01 00:00", "1", 2, "1500 ± 100"),
    ]  # fmt: skip


def test_a_ladder_of_one_ranking_has_not_moved():
    found = past("class", rankings=[FIRST])
    assert (found.since, found.moved, found.charts) == ("", {}, {})
    assert past("class", rankings=[]) is None


def test_a_chart_is_a_line_of_steps_within_a_band():
    chart = rating_chart([0, 1, 4], [(1400, 1500, 1600), (1450, 1550, 1650), (1450, 1550, 1650)], "a <day>", "later")
    svg = ElementTree.fromstring(str(chart))
    corners = [re.findall(r"([\d.]+) ([\d.]+)", path.get("d")) for path in svg.findall("path")]
    band, line = ([(float(x), float(y)) for x, y in path] for path in corners)
    assert len(line) == 5
    assert len(band) == 10
    xs, ys = zip(*line, strict=True)
    assert list(xs) == sorted(xs)
    # Higher is stronger, and the step lies a quarter of the way.
    assert ys[0] == ys[1] > ys[2] == ys[4]
    assert (xs[1] - xs[0]) * 4 == xs[4] - xs[0]
    low, high = max(y for _, y in band), min(y for _, y in band)
    assert high < min(ys) < max(ys) < low
    assert "a &lt;day&gt;" in str(chart)


def test_the_pages_show_it_and_others_do_not(tmp_path):
    contents = contents_of(small_store(tmp_path / "cup.db"))
    write_folder(contents, tmp_path / "without")
    assert "Moved" not in (tmp_path / "without/index.html").read_text()
    with read_store(tmp_path / "cup.db") as store:
        names = [entrant.name for entrant in store.entrants()]
    one, other = names[:2]
    rankings = [ranking(0, (one, "1"), (other, "1")), ranking(8, (other, "1"), (one, "2"))]
    write_folder(replace(contents, past=past_of(rankings, contents.edition)), tmp_path / "site")
    text = (tmp_path / "site/index.html").read_text()
    assert text.count("▲ 1") == text.count("▼ 1") == 1
    assert f"since {START:%Y-%m-%d}." in text
    page = tmp_path / f"site/player-{contents.slugs[one]}.html"
    assert "Rating over time" in page.read_text()
    assert checked(page).elements.count("svg") >= 3
    assert f"{START + timedelta(days=8):%Y-%m-%d} 00:00" in page.read_text()
