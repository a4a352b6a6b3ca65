"""Standings, crosstable and a player's opponents, ready for the templates: pure functions of standings and tallies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from tournament.pages.profiles import Profile
from tournament.pages.svg import interval_bar, opponent_bars
from tournament.pages.truths import Accuracy
from tournament.results.ratings import Rating, Ratings
from tournament.results.rubrics import shown
from tournament.results.standings import Standing, Standings
from tournament.results.tallies import Score, Tally

_HEAT = 10


@dataclass(frozen=True)
class Line:
    """A player in the standings. tag: what it is, '' for a submission. phases: accuracy per phase of the game; empty if no
    player's is known."""

    name: str
    tag: str
    rank: int
    wins: int
    points: str
    pairs: str
    games: str
    share: float
    black: str
    white: str
    forfeits: int
    rating: Rating | None
    interval: Markup
    bars: Markup
    phases: Sequence[Accuracy]
    seconds: float


@dataclass(frozen=True)
class Cell:
    """A player's games against one opponent. text: '7-3'. share: of the games won, 0..1. heat: the same as 0..10."""

    opponent: str
    text: str
    share: float
    heat: int
    tally: Tally


def share_of(score: Score) -> float:
    """Return the share of games won, 0..1; a tie counts as half a win."""
    return (score.wins + score.ties / 2) / score.games if score.games else 0.0


def lines(found: Standings, rated: Ratings | None, profiles: Mapping[str, Profile], tags: Mapping[str, str]) -> list[Line]:
    """Return the standings, best first, of the players who have a profile. tags: name -> what is said of it, of all but
    submissions."""
    of_name = {one.name: one for one in rated.players} if rated is not None else {}
    bounds = min((one.low for one in of_name.values()), default=0.0), max((one.high for one in of_name.values()), default=1.0)
    order = [one.name for one in found.players]
    known = any(phase.known for profile in profiles.values() for phase in profile.phases)
    made = []
    for one in found.players:
        if one.name not in profiles:
            continue
        rating, total = of_name.get(one.name), one.tally.total
        made.append(
            Line(
                one.name,
                tags.get(one.name, ""),
                one.rank,
                one.won,
                "" if one.points is None else shown(one.points),
                f"{one.won}-{one.lost}" + (f"-{one.even}" if one.even else ""),
                total.text(),
                share_of(total),
                _rate(one.tally.black),
                _rate(one.tally.white),
                one.tally.forfeits.total(),
                rating,
                interval_bar(rating.low, rating.rating, rating.high, bounds) if rating is not None else Markup(),
                _bars(found, one, order),
                profiles[one.name].phases if known else (),
                one.tally.mean,
            )
        )
    return made


def _bars(found: Standings, one: Standing, order: Sequence[str]) -> Markup:
    shares = []
    for name in order:
        tally = found.tallies.get((one.name, name))
        shares.append(None if tally is None else share_of(tally.total))
    met = [share for share in shares if share is not None]
    ahead = sum(share > 0.5 for share in met)
    return opponent_bars(shares, f"won more than half of the games against {ahead} of {len(met)} opponents, in order of rank")


def _rate(score: Score) -> str:
    return f"{100 * score.wins / score.games:.0f} %" if score.games else "–"


def cell(found: Standings, player: str, opponent: str) -> Cell | None:
    """Return one cell of the crosstable; None if the two did not meet."""
    tally = found.tallies.get((player, opponent))
    if tally is None:
        return None
    total = tally.total
    share = share_of(total)
    return Cell(opponent, total.text(), share, round(_HEAT * share), tally)


def crosstable(found: Standings) -> list[tuple[str, list[Cell | None]]]:
    """Return the rows, (player, cells). Rows and cells are in the order of the standings."""
    names = [one.name for one in found.players]
    return [(name, [cell(found, name, other) for other in names]) for name in names]


def opponents(found: Standings, name: str) -> list[Cell]:
    """Return a player's games against each opponent, in the order of the standings."""
    return [one for other in found.players if (one := cell(found, name, other.name)) is not None]


def strongest_and_weakest(found: Standings, name: str) -> tuple[list[Cell], list[Cell]]:
    """Return up to three opponents the player beat, strongest first, and up to three they lost to, weakest first.

    To beat somebody is to win more than half of the games against them, to lose is to win less; a tie is half a win.
    """
    place = {one.name: one.rank for one in found.players}
    cells = opponents(found, name)
    beaten = [one for one in cells if share_of(one.tally.total) > 0.5]
    lost = [one for one in cells if share_of(one.tally.total) < 0.5]
    return (
        sorted(beaten, key=lambda one: place[one.opponent])[:3],
        sorted(lost, key=lambda one: -place[one.opponent])[:3],
    )


# Leaderboards: over all, and of each section of the class.


@dataclass(frozen=True)
class Placed:
    """A submission on a leaderboard. rank: among those on it, shared by equals; overall: among all. worth: points or WINs."""

    name: str
    rank: int
    overall: int
    section: str
    worth: str


def leaderboards(placed: Sequence[Placed], sections: Mapping[str, str]) -> list[tuple[str, list[Placed]]]:
    """Return (title, lines) of each leaderboard. placed: all, best first. sections: name -> section, of those who have one."""
    everybody = [replace(one, section=sections.get(one.name, "")) for one in placed]
    boards = [("All", everybody)]
    for section in sorted({*sections.values()}):
        own = [one for one in everybody if one.section == section]
        ranked = [replace(one, rank=1 + sum(other.overall < one.overall for other in own)) for one in own]
        boards += [(f"Section {section}", ranked)] if ranked else []
    return boards
