"""Who stands where: a pure function of rows.

A *pair* is all games that two players have played against each other so far. The player who won more of them than they
lost gets the WIN; nobody does if the pair is even. The ranking is by WINs alone, as in the course. Players with equally
many WINs share the best of their ranks, and its points: two players on rank 2 are followed by rank 4, and if rank 2 is
worth 20 points, both get 20. Players on one rank are listed by their share of games won, larger first, then by name.

Where not everybody has the same opponents the ranking is by rating instead, to a tenth: a WIN against somebody strong is worth
more there.

`terminal_table` keeps the columns of a table below each other, whatever the script of the names in them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from goban.common.terminals import WIDE, widen
from gojudge.records import Entrant, GameRow
from tournament.results.exports import csv_line, roster_headers
from tournament.results.ratings import Rating, Ratings, Score, Tallies, Tally, count, ratings
from tournament.results.rubrics import Rubric, show_points


def terminal_table(rows: Iterable[Sequence[object]], header: Sequence[str], align: Sequence[str] | None = None) -> str:
    """Return a table as text. Texts stay as they are; East Asian signs take two columns. align: 'left' or 'right' for each."""
    from tabulate import tabulate

    wide = [[widen(cell) if isinstance(cell, str) else cell for cell in row] for row in rows]
    return tabulate(wide, header, disable_numparse=align is not None, colalign=align).replace(WIDE, "")


@dataclass(frozen=True)
class Standing:
    """One player's place. won, lost, even: pairs. points: for the rank; None if no rubric says. tally: all games."""

    name: str
    rank: int
    points: Fraction | None
    won: int
    lost: int
    even: int
    tally: Tally


@dataclass(frozen=True)
class Standings:
    """players: best first. tallies: (player, opponent) -> that player's games against that opponent."""

    players: tuple[Standing, ...]
    tallies: Tallies


def standings(
    rows: Iterable[GameRow], names: Iterable[str] = (), rubric: Rubric | None = None, *, by_rating: bool = False
) -> Standings:
    """Return everybody who has played, and those of `names` who have not yet, in order. by_rating: rather than by WINs."""
    tallies = count(rows)
    wholes = {name: Tally() for name in names}
    pairs = {name: [0, 0, 0] for name in wholes}
    for (player, _), tally in tallies.items():
        wholes.setdefault(player, Tally()).add(tally)
        score = tally.total
        result = 2 if score.wins == score.losses else 0 if score.wins > score.losses else 1
        pairs.setdefault(player, [0, 0, 0])[result] += 1

    rating = {one.name: round(one.rating, 1) for one in ratings(tallies).players} if by_rating else {}

    def merit(name: str) -> float:
        return rating.get(name, -math.inf) if by_rating else pairs[name][0]

    def order(name: str) -> tuple[float, Fraction, str]:
        score = wholes[name].total
        return -merit(name), -Fraction(score.wins, score.games or 1), name

    players: list[Standing] = []
    for place, name in enumerate(sorted(wholes, key=order), 1):
        won, lost, even = pairs[name]
        shared = bool(players) and merit(players[-1].name) == merit(name)
        rank = players[-1].rank if shared else place
        points = rubric.rank_points(rank) if rubric is not None and rubric.ranks else None
        players.append(Standing(name, rank, points, won, lost, even, wholes[name]))
    return Standings(tuple(players), tallies)


# As text and CSV


def ranking_text(ranking: Standings, rated: Ratings | None) -> str:
    """Return the ranking as a table, with the warnings about the ratings below; see `Standings`, `Ratings`."""
    of_name = {one.name: one for one in rated.players} if rated is not None else {}
    with_points = any(one.points is not None for one in ranking.players)
    header = ["rank", "name", "WINs", *(["points"] if with_points else [])]
    header += ["pairs", "games", "as Black", "as White", "forfeits", *(["rating"] if rated is not None else [])]
    lines = []
    for one in ranking.players:
        pairs = f"{one.won}-{one.lost}" + (f"-{one.even}" if one.even else "")
        points = [show_points(one.points)] if one.points is not None else []
        rates = [_rate(one.tally.black), _rate(one.tally.white)]
        line = [str(one.rank), one.name, str(one.won), *points, pairs, one.tally.total.text(), *rates, _forfeits(one.tally)]
        lines.append(line + ([_rating(of_name.get(one.name))] if rated is not None else []))
    text = terminal_table(lines, header, ["right", "left", *["right"] * (len(header) - 2)])
    return "\n".join([text, *([""] if rated is not None and rated.warnings else []), *(rated.warnings if rated else ())])


def _rate(score: Score) -> str:
    return f"{100 * score.wins / score.games:.1f} %" if score.games else "-"


def _forfeits(tally: Tally) -> str:
    return str(tally.forfeited or "")


def _rating(one: Rating | None) -> str:
    if one is None:
        return "-"
    return f"{'~' if one.undecided else ''}{one.rating:.0f} ({one.low:.0f} to {one.high:.0f})"


def crosstable_text(ranking: Standings) -> str:
    """Return who won how many games against whom, rows against columns, both in the order of the ranking."""
    names = [one.name for one in ranking.players]
    numbers = [str(k) for k in range(1, len(names) + 1)]
    cells = [[_cell(ranking, row, column) for column in names] for row in names]
    lines = [[f"{number} {name}", *line] for number, name, line in zip(numbers, names, cells, strict=True)]
    return terminal_table(lines, ["won-lost", *numbers], ["left"] * (len(numbers) + 1))


def _cell(ranking: Standings, player: str, opponent: str) -> str:
    tally = ranking.tallies.get((player, opponent))
    return "." if tally is None else tally.total.text()


def standings_csv(players: Sequence[Standing], rated: Ratings | None, entrants: Sequence[Entrant] = ()) -> str:
    """Return the ranking as CSV: one line per player, and behind it what a roster says of them, if it does of `entrants`."""
    of_name = {one.name: one for one in rated.players} if rated is not None else {}
    header = ["rank", "name", "wins", "losses", "even", "points", "black_won", "black_lost", "black_tied", "white_won",
              "white_lost", "white_tied", "forfeits", "rating", "rating_low", "rating_high",
              "games_to_decide"]  # fmt: skip
    fields = {entrant.name: dict(entrant.fields) for entrant in entrants}
    more = roster_headers((entrant.fields for entrant in entrants), header)
    lines = [csv_line([*header, *more])]
    for one in players:
        black, white, rating = one.tally.black, one.tally.white, of_name.get(one.name)
        numbers: list[object] = [""] * 4
        if rating is not None:
            numbers = [*map(round, (rating.rating, rating.low, rating.high)), rating.needed_text]
        games = [black.wins, black.losses, black.ties, white.wins, white.losses, white.ties, one.tally.forfeited]
        points = "" if one.points is None else one.points
        said = [fields.get(one.name, {}).get(column, "") for column in more.values()]
        lines.append(csv_line([one.rank, one.name, one.won, one.lost, one.even, points, *games, *numbers, *said]))
    return "".join(lines)
