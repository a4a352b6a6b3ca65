"""Standings, crosstable, a player's opponents and the points of a grade, ready for the templates: pure functions of standings,
tallies, grades and a rubric.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from markupsafe import Markup

from tournament.pages.profiles import Profile
from tournament.pages.rendering import histogram, interval_bar, opponent_bars
from tournament.pages.truths import Accuracy
from tournament.results.grade_report import forfeits_text
from tournament.results.grading import Grade, Part, against, by_points, late_lines
from tournament.results.ratings import Rating, Ratings, Score, Tally
from tournament.results.rubrics import OpponentRubric, Rubric, show_chance, show_points
from tournament.results.standings import Standing, Standings

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


def lines(ranking: Standings, rated: Ratings | None, profiles: Mapping[str, Profile], tags: Mapping[str, str]) -> list[Line]:
    """Return the standings, best first, of the players who have a profile. tags: name -> what is said of it, of all but
    submissions."""
    of_name = {one.name: one for one in rated.players} if rated is not None else {}
    bounds = min((one.low for one in of_name.values()), default=0.0), max((one.high for one in of_name.values()), default=1.0)
    order = [one.name for one in ranking.players]
    known = any(phase.known for profile in profiles.values() for phase in profile.phases)
    made = []
    for one in ranking.players:
        if one.name not in profiles:
            continue
        rating, total = of_name.get(one.name), one.tally.total
        made.append(
            Line(
                name=one.name,
                tag=tags.get(one.name, ""),
                rank=one.rank,
                wins=one.won,
                points="" if one.points is None else show_points(one.points),
                pairs=f"{one.won}-{one.lost}" + (f"-{one.even}" if one.even else ""),
                games=total.text(),
                share=share_of(total),
                black=_rate(one.tally.black),
                white=_rate(one.tally.white),
                forfeits=one.tally.forfeited,
                rating=rating,
                interval=interval_bar(rating.low, rating.rating, rating.high, bounds) if rating is not None else Markup(),
                bars=_bars(ranking, one, order),
                phases=profiles[one.name].phases if known else (),
                seconds=one.tally.mean,
            )
        )
    return made


def _bars(ranking: Standings, one: Standing, order: Sequence[str]) -> Markup:
    shares = []
    for name in order:
        tally = ranking.tallies.get((one.name, name))
        shares.append(None if tally is None else share_of(tally.total))
    met = [share for share in shares if share is not None]
    ahead = sum(share > 0.5 for share in met)
    return opponent_bars(shares, f"won more than half of the games against {ahead} of {len(met)} opponents, in order of rank")


def _rate(score: Score) -> str:
    return f"{100 * score.wins / score.games:.0f} %" if score.games else "–"


def cell(ranking: Standings, player: str, opponent: str) -> Cell | None:
    """Return one cell of the crosstable; None if the two did not meet."""
    tally = ranking.tallies.get((player, opponent))
    if tally is None:
        return None
    total = tally.total
    share = share_of(total)
    return Cell(opponent, total.text(), share, round(_HEAT * share), tally)


def crosstable(ranking: Standings) -> list[tuple[str, list[Cell | None]]]:
    """Return the rows, (player, cells). Rows and cells are in the order of the standings."""
    names = [one.name for one in ranking.players]
    return [(name, [cell(ranking, name, other) for other in names]) for name in names]


def opponents(ranking: Standings, name: str) -> list[Cell]:
    """Return a player's games against each opponent, in the order of the standings."""
    return [one for other in ranking.players if (one := cell(ranking, name, other.name)) is not None]


def strongest_and_weakest(ranking: Standings, name: str) -> tuple[list[Cell], list[Cell]]:
    """Return up to three opponents the player beat, strongest first, and up to three they lost to, weakest first.

    To beat somebody is to win more than half of the games against them, to lose is to win less; a tie is half a win.
    """
    place = {one.name: one.rank for one in ranking.players}
    cells = opponents(ranking, name)
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


BINS = 10


@dataclass(frozen=True)
class OpponentMark:
    """A submission's points against one reference player. heat: the share of its full points, 0..10.

    band: the band that the win rate lies in, in words. interval: the win rate's, in percent. between: the points within the
    interval. open: the same if the games played leave another band open, else ''. other: the chance that other seeds would give
    another band, in words.
    """

    opponent: str
    points: str
    full: str
    heat: int
    games: int
    rate: str
    interval: str
    band: str
    between: str
    open: str
    other: str
    tally: Tally


@dataclass(frozen=True)
class MarkLine:
    """A submission. rank: by points, shared by equals; 0 if refused or not played yet.

    before: the points before any penalty. remarks: what its student should know of times and attempts. handed_in: all of their
    attempts; empty if the rubric has no deadline. other: the chance that other seeds would give another band, in words.
    """

    name: str
    rank: int
    grade: Grade
    points: str
    full: str
    heat: int
    marks: Sequence[OpponentMark]
    forfeits: str
    over_budget: str
    phases: Sequence[Accuracy]
    before: str
    remarks: Sequence[str]
    handed_in: Sequence[ShownAttempt]
    other: str


@dataclass(frozen=True)
class ShownAttempt:
    """One of a student's attempts. before: its points before the penalty. counts: whether it is their grade."""

    name: str
    time: str
    late: str
    before: str
    penalty: str
    points: str
    counts: bool


@dataclass(frozen=True)
class Worth:
    """A reference player of the rubric. words: its bands. tally: all games against it, from the submissions'
    side. full: how many of them got its full points."""

    name: str
    points: str
    words: Sequence[str]
    tally: Tally
    full: int


def mark_lines(grades: Sequence[Grade], rubric: Rubric, profiles: Mapping[str, Profile]) -> list[MarkLine]:
    """Return the submissions, most points first, then the refused ones, and last those that have not played yet."""
    made: list[MarkLine] = []
    known = any(phase.known for profile in profiles.values() for phase in profile.phases)
    for place, grade in enumerate(by_points(grades), 1):
        shared = made and made[-1].grade.points == grade.points
        rank = 0 if grade.refused or not grade.played else made[-1].rank if shared else place
        parts = zip(rubric.opponents, grade.parts, strict=True)
        over = f"All games took {grade.whole.seconds:.0f} s; the rubric allows {rubric.seconds} s." if grade.over_budget else ""
        made.append(
            MarkLine(
                name=grade.name,
                rank=rank,
                grade=grade,
                points=show_points(grade.points) if grade.played else "–",
                full=show_points(grade.full),
                heat=_heat(grade.points, grade.full),
                marks=[mark(opponent, part) for opponent, part in parts],
                forfeits=forfeits_text(grade),
                over_budget=over,
                phases=profiles[grade.name].phases if known and grade.name in profiles else (),
                before=show_points(grade.earned),
                remarks=late_lines(grade),
                handed_in=_list_attempts(grade),
                other=show_chance(grade.other),
            )
        )
    return made


def _list_attempts(grade: Grade) -> list[ShownAttempt]:
    return [
        ShownAttempt(
            one.name, late.time, late.words, show_points(one.earned), show_points(late.penalty), show_points(one.points),
            one.name == grade.name,
        )
        for one in grade.attempts or (grade,)
        if (late := one.late) is not None
    ]


def mark(opponent: OpponentRubric, part: Part) -> OpponentMark:
    """Return what a submission got against one reference player."""
    games = part.tally.total.games
    between = f"{show_points(part.least)} to {show_points(part.most)}"
    return OpponentMark(
        opponent=opponent.name,
        points=show_points(part.points) if games else "–",
        full=show_points(part.full),
        heat=_heat(part.points, part.full),
        games=games,
        rate=f"{100 * float(part.rate):.3g} %" if games else "–",
        interval=f"{100 * part.low:.0f} to {100 * part.high:.0f} %",
        band=opponent.bands[part.band].words if games else "",
        between=between,
        open=between if part.uncertain else "",
        other=show_chance(part.other),
        tally=part.tally,
    )


def _heat(points: Fraction, full: Fraction) -> int:
    return round(_HEAT * points / full) if full else 0


def worths(grades: Sequence[Grade], rubric: Rubric) -> list[Worth]:
    """Return the rubric's reference players, and how they did."""
    made = []
    for opponent in rubric.opponents:
        parts = [part for grade in grades for part in grade.parts if part.opponent == opponent.name and part.tally.total.games]
        full = sum(part.points == part.full for part in parts)
        words = [band.words for band in opponent.bands]
        made.append(Worth(opponent.name, show_points(opponent.full), words, against(grades, opponent.name), full))
    return made


def distribution(grades: Sequence[Grade], full: Fraction) -> Markup:
    """Return a histogram of the points of all who have played, in BINS equal parts of the full ones, which are in the last."""
    counts = [0] * BINS
    for grade in (grade for grade in grades if grade.played):
        counts[min(BINS - 1, int(BINS * grade.points / full)) if full else 0] += 1
    labels = [f"{show_points(full * k / BINS)}–{show_points(full * (k + 1) / BINS)}" for k in range(BINS)]
    return histogram(counts, labels, "Submissions by their points")


def figures(grades: Sequence[Grade]) -> list[tuple[str, str]]:
    """Return what there is to say of all points, as (label, value)."""
    points = [float(grade.points) for grade in grades if grade.played]
    said = [("Submissions", str(len(grades)))]
    said += [("Not played yet", str(len(grades) - len(points)))] if len(points) < len(grades) else []
    if points:
        said += [("Mean", f"{statistics.fmean(points):.1f}"), ("Median", f"{statistics.median(points):g}")]
    said.append(("Refused", str(sum(bool(grade.refused) for grade in grades))))
    said.append(("With forfeits", str(sum(bool(grade.whole.forfeited) for grade in grades))))
    said.append(("Left open", str(sum(any(part.uncertain for part in grade.parts) for grade in grades))))
    return said
