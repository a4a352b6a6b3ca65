"""A whole site: everything is gathered in one pass over the games, then written as many files or as one.

    contents = gather(store, edition, rubric, truths)
    write_folder(contents, Path("site"))             index.html, crosstable.html, games.html, player-NAME.html, data/, assets/
    write_single(contents, Path("cup.html"))

The same store and edition give the same bytes; nothing says when a page was made.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from common.files import write_beside
from goban.rulesets import ruleset
from tournament.events.events import Event
from tournament.pages.editions import Edition
from tournament.pages.game_data import Album
from tournament.pages.profiles import BIN_LABELS, Profile, add_game
from tournament.pages.rendering import Pages, asset, script, slugs
from tournament.pages.sanitising import script_json, visible
from tournament.pages.svg import histogram
from tournament.pages.tables import Line, crosstable, lines, opponents, strongest_and_weakest
from tournament.pages.truths import Truth, truth_of
from tournament.records import Entrant
from tournament.results.ratings import Ratings, ratings
from tournament.results.rubrics import Rubric
from tournament.results.standings import Standings, standings
from tournament.results.standings_report import standings_csv
from tournament.store.store import Store

PHASE_LABELS = ("Opening", "Middle", "End")
_NAME_CHARACTERS = 80
_OURS = re.compile(r"(index|crosstable|games|player-.+)\.html\Z|games-\d+\.js\Z")


@dataclass(frozen=True)
class Contents:
    """What a site is made of. All names are those of the edition. note: a line about what is missing, '' if nothing is."""

    event: Event
    edition: Edition
    entrants: Mapping[str, Entrant]
    found: Standings
    rated: Ratings | None
    profiles: Mapping[str, Profile]
    album: Album
    lines: list[Line]
    slugs: Mapping[str, str]
    note: str
    tiers: str


def gather(store: Store, edition: Edition, rubric: Rubric | None, truths: Mapping[str, Truth], note: str = "") -> Contents:
    """Return all that the site shows, reading the games one by one. Raises StoreError."""
    event = store.event
    entrants = {one.name: one for one in edition.entrants(store.entrants())}
    rows = edition.rows(store.rows())
    found = standings(rows, entrants, rubric)
    rated = ratings(found.tallies) if rows else None
    shown = [one.name for one in found.players]
    if edition.kind == "student":
        # A list in the order of rank would give away how others did.
        met = {name for pair in found.tallies if edition.own in pair for name in pair}
        shown = sorted(met | {edition.own})
    profiles = {name: Profile() for name in shown if edition.kind != "student" or name == edition.own}
    album = Album({name: place for place, name in enumerate(shown)})
    for result in edition.results(store.results()):
        truth = truth_of(result.turns, event.rules, event.size, truths) if truths else None
        album.add(result, truth)
        add_game(profiles, result, truth, event.size)
    references = {name for name, one in entrants.items() if one.reference}
    all_lines = lines(found, rated, profiles, references)
    chosen = [line for line in all_lines if line.name in profiles]
    tiers = ", ".join(tier or "none" for tier in store.tiers()) if edition.shows_all else ""
    return Contents(event, edition, entrants, found, rated, profiles, album, chosen, slugs(shown), note, tiers)


class _Site:
    """Turns contents into sections, with links either between files or within a single page."""

    def __init__(self, contents: Contents, single: bool) -> None:
        self.contents = contents
        self.single = single
        event = contents.event
        self.title = visible(event.name, _NAME_CHARACTERS)
        student = contents.edition.kind == "student"
        own = f"player/{contents.edition.own}"
        self.navigation = [(own, "My results")] if student else [("standings", "Standings"), ("crosstable", "Crosstable")]
        self.navigation.append(("games", "Games"))
        tiers = f" Sandbox: {contents.tiers}." if contents.tiers else ""
        about = f"{event.rules} rules, {event.size}×{event.size}. {contents.edition.kind.capitalize()} edition.{tiers}"
        everywhere = {"event": self.title, "navigation": self.navigation, "about": about, "pair": self.pair}
        self.pages = Pages(self.link, everywhere)

    def link(self, key: str) -> str:
        """Return the address of the page with this key."""
        kind, _, name = key.partition("/")
        if self.single:
            return f"#player/{self.contents.slugs[name]}" if name else f"#{key}"
        if name:
            student = self.contents.edition.kind == "student"
            return "index.html" if student else f"player-{self.contents.slugs[name]}.html"
        return {"standings": "index.html"}.get(kind, f"{kind}.html")

    def pair(self, one: str, other: str, number: int | None = None) -> str:
        """Return the address of two players' games, or of one game."""
        places = self.contents.album.places
        first, second = sorted((one, other), key=lambda name: places[name])
        address = f"{self.contents.slugs[first]}/{self.contents.slugs[second]}" + (f"/{number}" if number is not None else "")
        return f"#games/{address}" if self.single else f"games.html#{address}"

    def head(self) -> str:
        """Return what the scripts need to know about the event, as JSON."""
        contents, event = self.contents, self.contents.event
        pages = {name: self.link(f"player/{name}") for name in contents.profiles}
        places = contents.album.places
        players = [{"name": name, "slug": contents.slugs[name], "page": pages.get(name, "")} for name in places]
        starts = [list(first) for first, _ in contents.album.chunks()]
        komi = ruleset(event.rules).komi(event.size)
        return script_json({"players": players, "starts": starts, "size": event.size, "rules": event.rules, "komi": komi})

    def sections(self) -> list[tuple[str, str, Markup]]:
        """Return (key, title, content) of every page, the start page first."""
        contents = self.contents
        made = []
        if contents.edition.kind != "student":
            made.append(("standings", "Standings", self._standings()))
            made.append(("crosstable", "Crosstable", self.pages.section("crosstable.html", rows=crosstable(contents.found))))
        made += [(f"player/{line.name}", line.name, self._player(line)) for line in contents.lines]
        with_logs = contents.edition.shows_logs
        made.append(("games", "Games", self.pages.section("games.html", with_logs=with_logs)))
        return made

    def _standings(self) -> Markup:
        contents, event = self.contents, self.contents.event
        players, games = len(contents.lines), contents.album.games
        remarks = [
            "A player gets a WIN for each opponent they won more games against than they lost. Players with equally many WINs "
            "share the better rank. ± is the 95 % interval of a rating; ~ marks a lead over the next that may be chance.",
            *(visible(warning, 600) for warning in (contents.rated.warnings if contents.rated else ())),
        ]
        known = any(line.phases for line in contents.lines)
        if known:
            remarks.append(
                "Opening, middle, end: the share of moves that cost nothing with best play, among those of known value. Where "
                "only the winner is known, a move that kept the result counts as right. A dash: too few are known."
            )
        return self.pages.section(
            "standings.html",
            lead=f"{players} players, {games:,} games, {event.rules} rules on {event.size}×{event.size}.",
            note=contents.note,
            lines=contents.lines,
            with_points=any(line.points for line in contents.lines),
            with_ratings=contents.rated is not None,
            with_bars=players <= _MOST_BARS,
            phases=PHASE_LABELS if known else (),
            remarks=remarks,
            csv="" if self.single else "standings.csv",
        )

    def _player(self, line: Line) -> Markup:
        contents = self.contents
        profile = contents.profiles[line.name]
        best, worst = strongest_and_weakest(contents.found, line.name)
        tally = next(one.tally for one in contents.found.players if one.name == line.name)
        values: dict[str, Any] = {
            "line": line,
            "people": [visible(name, _NAME_CHARACTERS) for name in contents.entrants[line.name].students if name != line.name],
            "players": len(contents.found.players),
            "longest": tally.worst,
            "phases": list(zip(PHASE_LABELS, line.phases, strict=True)) if line.phases else [],
            "best": best,
            "worst": worst,
            "opponents": opponents(contents.found, line.name),
            "times": histogram(profile.times, BIN_LABELS, "Answers by the time they took"),
            "losses": profile.losses,
            "lost": profile.lost,
        }
        return self.pages.section("player.html", **values)


_MOST_BARS = 60
"""With more opponents than this, the standings would be wider than any screen."""


def write_folder(contents: Contents, out: Path) -> int:
    """Write the site; return the number of files. Pages of an earlier site that no longer exist are removed.

    Raises OSError.
    """
    site = _Site(contents, single=False)
    for folder in (out, out / "data", out / "assets"):
        folder.mkdir(parents=True, exist_ok=True)
    written = {out / "assets" / "style.css": asset("style.css").encode(), out / "assets" / "site.js": script().encode()}
    written[out / "data" / "head.js"] = _data("head", site.head())
    if contents.edition.kind != "student":
        written[out / "standings.csv"] = standings_csv(contents.found.players, contents.rated).encode()
    names = set(written)
    for path, data in written.items():
        write_beside(path, data)
    for number, (_, text) in enumerate(contents.album.chunks()):
        path = out / "data" / f"games-{number}.js"
        write_beside(path, _data(f"games-{number}", text))
        names.add(path)
    for key, title, content in site.sections():
        path = out / site.link(key)
        write_beside(path, site.pages.page(f"{title} – {site.title}", key, content))
        names.add(path)
    for folder in (out, out / "data"):
        for path in folder.iterdir():
            if path not in names and (_OURS.match(path.name) or (path.name == "standings.csv" and folder == out)):
                path.unlink()
    return len(names)


def _data(name: str, text: str) -> bytes:
    return f'site.take("{name}",{text});\n'.encode()


def write_single(contents: Contents, path: Path) -> int:
    """Write the site as one page; return its size in bytes. Raises OSError."""
    site = _Site(contents, single=True)
    sections = [(site.link(key)[1:], title, content) for key, title, content in site.sections()]
    data = [("head", site.head())]
    data += [(f"games-{number}", text) for number, (_, text) in enumerate(contents.album.chunks())]
    page = site.pages.single(site.title, sections, data)
    write_beside(path, page)
    return len(page)
