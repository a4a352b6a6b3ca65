"""What a site is made of, gathered from a store and counted under the names of an edition.

    gather(store, edition, ...)              one edition, reading the games one by one
    gather_students(store, editions, ...)    many students' editions: all is counted once, and each reads its own games only

A ladder's pages show its past, too: who moved since a week before, and each player's versions and ratings over time. All names
are those of an edition; a student's edition has their own past only.

Games are kept in few bytes, sorted into files that a page loads on demand. A game is a list as `goban.board.views` explains it.
The games of a pair stand together, pairs in the order of the players, and a page is told with which pair each file begins.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from markupsafe import Markup

from goban.board.page import script_json
from goban.common.command_lines import command_line
from goban.common.player_faults import passages_by_move
from goban.grids import WHITE
from gojudge.intake.submissions import Refused
from gojudge.records import ENGINE, Entrant, GameResult, GameRow
from gojudge.sandbox.transcripts import split
from tournament.events.events import Event
from tournament.pages.editions import Edition, game_number
from tournament.pages.losses import LosingMove, known_loss, loser_of
from tournament.pages.profiles import Highlights, Probed, Profile, add_game
from tournament.pages.rendering import interval_bar, rating_chart, slugs
from tournament.pages.tables import Line, MarkLine, lines, mark_lines
from tournament.pages.truths import Truth, truth_of
from tournament.pages.words import TimeOut, ending, excerpt, time_out, turning_point, visible
from tournament.results.grade_report import everybody
from tournament.results.grading import Grade, class_grades
from tournament.results.ratings import Ranking, Ratings, Span, count_places_gained, history, ratings, week_before
from tournament.results.rubrics import Rubric
from tournament.results.standings import Standings, standings
from tournament.store.store import Store

CHUNK_CHARACTERS = 200_000
"""Characters in a file of games, so that a small event has few files and a big one has none that is slow to load."""
_LOG_CHARACTERS = 6_000
_EVIDENCE_CHARACTERS = 4_000
_UNKNOWN = -1


@dataclass
class Album:
    """Games as text, by pair. places: name -> place in the list of players."""

    places: Mapping[str, int]
    pairs: dict[tuple[int, int], list[tuple[int, str]]] = field(default_factory=dict)
    games: int = 0

    def add(
        self, result: GameResult, truth: Truth | None, timed_out: TimeOut | None = None, loss: LosingMove | None = None
    ) -> None:
        """Keep a game. timed_out: what is known of the answer that ended it; loss: of the move that lost it."""
        spec = result.spec
        one, other = sorted((self.places[spec.black], self.places[spec.white]))
        number = int(game_number(spec.id))
        text = script_json(record(result, number, self.places, truth, timed_out, loss))
        self.pairs.setdefault((one, other), []).append((number, text))
        self.games += 1

    def chunks(self) -> Iterator[tuple[tuple[int, int], str]]:
        """Yield each file's first pair, and its games as a JSON list. The games of one pair may fill several files."""
        first: tuple[int, int] | None = None
        texts: list[str] = []
        length = 0
        for pair in sorted(self.pairs):
            for _, text in sorted(self.pairs[pair]):
                if first is None:
                    first = pair
                texts.append(text)
                length += len(text)
                if length > CHUNK_CHARACTERS:
                    yield first, f"[{','.join(texts)}]"
                    first, texts, length = None, [], 0
        if first is not None:
            yield first, f"[{','.join(texts)}]"


def record(
    result: GameResult, number: int, places: Mapping[str, int], truth: Truth | None, timed_out: TimeOut | None = None,
    loss: LosingMove | None = None,
) -> list[object]:  # fmt: skip
    """Return a game as the list described above."""
    spec = result.spec
    return [
        number,
        places[spec.black],
        places[spec.white],
        result.winner,
        result.text,
        ending(result),
        " ".join(turn.move for turn in result.turns),
        [round(1000 * turn.spent.charge) for turn in result.turns],
        [result.black_score, result.white_score],
        turning_point(truth, result),
        _truth(truth),
        _logs(result, loss),
        *([_slow(timed_out)] if timed_out is not None else []),
    ]


def _slow(timeout: TimeOut) -> list[object]:
    """Return a time-out as `replay.js` shows it: a sentence, [[move, milliseconds], ...] of the others, command lines."""
    others = [[ply, round(1000 * seconds)] for ply, seconds in timeout.others]
    return [timeout.words, others, list(timeout.asks), timeout.replays]


def _truth(truth: Truth | None) -> object:
    if truth is None or all(winner is None for winner in truth.winners):
        return 0
    winners = [_UNKNOWN if winner is None else winner for winner in truth.winners]
    best, winning = ({str(ply): moves for ply, moves in known.items()} for known in (truth.best, truth.winning))
    return [winners, list(truth.margins), best, winning]


def _logs(result: GameResult, loss: LosingMove | None) -> Sequence[object] | int:
    logs = [_by_move(result.black_log), _by_move(result.white_log), excerpt(result.evidence, _EVIDENCE_CHARACTERS)]
    lines = [] if loss is None else passages_by_move({loss.move: loss.passages}, {loss.move: loss.why})
    return [*logs, *([lines] if lines else [])] if any(logs) or lines else 0


def _by_move(log: str) -> dict[str, str] | int:
    """Return move -> what was printed then. A long log keeps only the head and the tail of each text. 0 for no log."""
    texts = split(log)
    most = _fair_share([len(text) for text in texts.values()], _LOG_CHARACTERS)
    return {str(ply): excerpt(text, most) for ply, text in texts.items()} or 0


def _fair_share(lengths: Sequence[int], room: int) -> int:
    """Return how long each text may be at most so that all fit. Room that short texts do not need goes to long ones."""
    for k, length in enumerate(sorted(lengths)):
        share = room // (len(lengths) - k)
        if length > share:
            return share
        room -= length
    return max(lengths, default=0)


@dataclass(frozen=True)
class PastLine:
    """What a player was from some time on. version: its number, '' if it is that of the line before. bar: of the rating."""

    time: str
    version: str
    rank: int
    rating: str
    bar: Markup


@dataclass(frozen=True)
class Past:
    """since: the time of the ranking that movement is counted from, in words; '' if there is no earlier one.

    moved: name -> places gained, below 0 if lost, without those who were not on that ranking. lines: name -> their past, newest
    first. charts: name -> their rating over time, of who has more than one line.
    """

    since: str
    moved: Mapping[str, int]
    lines: Mapping[str, Sequence[PastLine]]
    charts: Mapping[str, Markup]

    def movement(self, name: str) -> str:
        """Return '▲ 2', '▼ 1', '–' for no movement, or 'new'."""
        gained = self.moved.get(name)
        if gained is None:
            return "new"
        return f"{'▲' if gained > 0 else '▼'} {abs(gained)}" if gained else "–"


def past_of(rankings: Sequence[Ranking], edition: Edition) -> Past | None:
    """Return the past that the rankings show to the readers of an edition, None if there is no ranking."""
    if not rankings:
        return None
    seen = {
        name: shown for name, shown in edition.names.items() if edition.kind != "student" or name == edition.student
    }  # fmt: skip
    spans = {shown: span for name, shown in seen.items() if (span := history(rankings, name))}
    places = [place for ranking in rankings for place in ranking.places]
    bounds = min(place.low for place in places), max(place.high for place in places)
    before = week_before(rankings)
    return Past(
        "" if before is None else _day(before.time),
        {seen[name]: gained for name, gained in count_places_gained(rankings).items() if name in seen},
        {name: _lines(span, bounds) for name, span in spans.items()},
        {name: _chart(span, rankings[-1].time) for name, span in spans.items() if len(span) > 1},
    )


def _lines(spans: Sequence[Span], bounds: tuple[float, float]) -> list[PastLine]:
    lines = []
    for number, span in enumerate(spans):
        place = span.place
        again = number > 0 and spans[number - 1].number == span.number
        rating = f"{place.rating:.0f} ± {place.high - place.rating:.0f}"
        bar = interval_bar(place.low, place.rating, place.high, bounds)
        when = f"{span.time.astimezone(UTC):%Y-%m-%d %H:%M}"
        lines.append(PastLine(when, "" if again else str(span.number), place.rank, rating, bar))
    return lines[::-1]


def _chart(spans: Sequence[Span], end: datetime) -> Markup:
    """Return the chart of a player's ratings until the last ranking."""
    days = [(span.time - spans[0].time).total_seconds() / 86_400 for span in spans]
    values = [(span.place.low, span.place.rating, span.place.high) for span in spans]
    last = (end - spans[0].time).total_seconds() / 86_400
    return rating_chart([*days, last], [*values, values[-1]], _day(spans[0].time), _day(end))


def _day(time: datetime) -> str:
    return f"{time.astimezone(UTC):%Y-%m-%d}"


@dataclass(frozen=True)
class Count:
    """What is counted from all games. grades: of a grade's submissions by name, else empty."""

    standings: Standings
    rated: Ratings | None
    grades: Sequence[Grade]


@dataclass(frozen=True)
class Contents:
    """All names are those of the edition. note: a line about what is missing, '' if nothing is. players: how many there
    are, shown or not. probed: of submissions that were probed, where the edition shows it. different: how many games differ
    from each other, see `StoredGames.different_games`; 0 where nobody is told. date: when the games were played, in words.
    past: of a ladder, None for other events. course: the name of the one whose first page lies above, '' if there is none.
    sections: name -> the part of the class in which they are, where the roster says it."""

    event: Event
    edition: Edition
    rubric: Rubric | None
    entrants: Mapping[str, Entrant]
    count: Count
    players: int
    profiles: Mapping[str, Profile]
    probed: Mapping[str, Probed]
    album: Album
    different: int
    highlights: Highlights
    lines: Sequence[Line]
    marks: Sequence[MarkLine]
    slugs: Mapping[str, str]
    note: str
    tiers: str
    date: str
    past: Past | None = None
    course: str = ""
    sections: Mapping[str, str] = field(default_factory=dict)

    @property
    def graded(self) -> bool:
        """True if the event is about points against reference players."""
        return self.rubric is not None and bool(self.rubric.opponents)


def gather(
    store: Store, edition: Edition, rubric: Rubric | None, truths: Mapping[str, Truth], note: str = "",
    refused: Sequence[Refused] = (), probed: Mapping[str, Probed] | None = None, losses: Mapping[str, LosingMove] | None = None,
) -> Contents:  # fmt: skip
    """Return all that a site shows. probed: by names of the event. Raises StoreError."""
    if edition.kind == "student":
        return next(gather_students(store, [edition], rubric, truths, note, refused, probed, losses))
    rows, known = store.rows(), everybody(store.entrants(), refused)
    graded = _grades(store.event, rubric, rows, known, refused)
    edition = edition.counting(graded)
    entrants = edition.entrants(known)
    # In the order of the names shown: that of the true names would give some of them away.
    grades = sorted((edition.grade(grade) for grade in graded), key=lambda grade: grade.name)
    count = _count(store.event, rubric, edition.rows(rows), entrants, grades, rated=True)
    names = [one.name for one in count.standings.players]
    if count.grades:
        references = [one.name for one in entrants if one.reference]
        names = [*sorted(set(names) - set(references)), *references]
    contents = _contents(
        store, edition, rubric, entrants, count, names, store.results(), truths, note, probed or {}, losses or {}
    )
    return replace(contents, sections=edition.sections(known))


def gather_students(
    store: Store, editions: Iterable[Edition], rubric: Rubric | None, truths: Mapping[str, Truth], note: str = "",
    refused: Sequence[Refused] = (), probed: Mapping[str, Probed] | None = None, losses: Mapping[str, LosingMove] | None = None,
) -> Iterator[Contents]:  # fmt: skip
    """Yield all that each of these students' editions shows. Raises StoreError."""
    entrants, rows = everybody(store.entrants(), refused), store.rows()
    grades = _grades(store.event, rubric, rows, entrants, refused)
    # A student's marks say nothing of ratings, which take long to find.
    count = _count(store.event, rubric, rows, entrants, grades, rated=not grades)
    several = [grade for grade in grades if grade.attempts]
    games: dict[str, list[str]] = {}
    for row in rows:
        for name in (row.black, row.white):
            games.setdefault(name, []).append(row.id)
    for one in editions:
        edition = one.counting(several)
        own = _own(count, edition)
        # In the order of names: the order of rank would give away how others did.
        names = [one.name for one in own.standings.players]
        results = store.results_of(games.get(edition.student, ()))
        known = truths, note, probed or {}, losses or {}
        yield _contents(store, edition, rubric, edition.entrants(entrants), own, names, results, *known)


def _count(
    event: Event, rubric: Rubric | None, rows: Sequence[GameRow], entrants: Sequence[Entrant], grades: Sequence[Grade], *,
    rated: bool,
) -> Count:  # fmt: skip
    ranking = standings(rows, (one.name for one in entrants), rubric, by_rating=event.ranks_by_rating)
    return Count(ranking, ratings(ranking.tallies) if rows and rated else None, grades)


def _grades(
    event: Event, rubric: Rubric | None, rows: Sequence[GameRow], entrants: Sequence[Entrant], refused: Sequence[Refused]
) -> list[Grade]:
    """Return the grades of a grade's submissions, under the names of the event."""
    graded = rubric is not None and rubric.opponents
    return class_grades(rows, rubric, entrants, refused, event.games, event.until_decided) if graded and rubric else []


def _own(count: Count, edition: Edition) -> Count:
    """Return the part of the counts that a student may see: their own, and those of the players they met. The counts use the
    event's names."""
    names, own, tallies = edition.names, edition.student, count.standings.tallies
    met = [one for one in count.standings.players if one.name == own or (own, one.name) in tallies]
    players = sorted((replace(one, name=names[one.name]) for one in met), key=lambda one: one.name)
    mine = {(names[own], names[one.name]): tallies[own, one.name] for one in met if one.name != own}
    rated = None
    if count.rated is not None:
        rating = [replace(one, name=names[own]) for one in count.rated.players if one.name == own]
        rated = replace(count.rated, players=tuple(rating), warnings=())
    grades = [edition.grade(grade) for grade in count.grades if grade.name == own]
    return Count(Standings(tuple(players), mine), rated, grades)


def _contents(
    store: Store, edition: Edition, rubric: Rubric | None, entrants: Iterable[Entrant], count: Count, shown: Sequence[str],
    results: Iterator[GameResult], truths: Mapping[str, Truth], note: str, probed: Mapping[str, Probed],
    losses: Mapping[str, LosingMove],
) -> Contents:  # fmt: skip
    event, of_name = store.event, {one.name: one for one in entrants}
    profiles = {name: Profile(limits=event.limits) for name in shown if edition.kind != "student" or name == edition.own}
    album = Album({name: place for place, name in enumerate(shown)})
    # Ratings of others are none of a student's business.
    rated = count.rated.players if count.rated is not None and edition.kind != "student" else ()
    highlights = Highlights(album.places, {one.name: one.rating for one in rated})
    losers = {one.name: one for one in store.entrants()} if losses else {}
    for played in results:
        for result in edition.results([played]):
            truth = truth_of(result.turns, event.rules, event.size, truths)
            slow = _time_out(result, store, edition, of_name)
            album.add(result, truth, slow, _loss(played, edition, losers, losses))
            highlights.add(result, truth)
            add_game(profiles, result, truth, event.size, slow)
    tags = {name: ENGINE if one.kind == ENGINE else "reference" for name, one in of_name.items() if not one.is_submission}
    table = lines(count.standings, count.rated, profiles, tags)
    marks = mark_lines(count.grades, rubric, profiles) if rubric is not None and count.grades else []
    different = 0 if edition.kind == "student" or marks else store.different_games()
    tiers = ", ".join(tier or "none" for tier in store.tiers()) if edition.shows_all else ""
    return Contents(
        event=event,
        edition=edition,
        rubric=rubric,
        entrants=of_name,
        count=count,
        players=len(of_name),
        profiles=profiles,
        probed=edition.show_probed(probed),
        album=album,
        different=different,
        highlights=highlights,
        lines=table,
        marks=marks,
        slugs=slugs(shown),
        note=note,
        tiers=tiers,
        date=date_of(store),
    )


def _loss(
    result: GameResult, edition: Edition, losers: Mapping[str, Entrant], losses: Mapping[str, LosingMove]
) -> LosingMove | None:
    """Return what the readers of an edition may know of how a game was lost: it has lines of the loser's own files.

    The result and the losers are those of the event.
    """
    loser = loser_of(result)
    sees = edition.shows_all or (edition.kind == "student" and edition.names.get(loser) == edition.own)
    return known_loss(result, losers.get(loser), losses) if sees else None


def _time_out(result: GameResult, store: Store, edition: Edition, entrants: Mapping[str, Entrant]) -> TimeOut | None:
    """Return what the readers of an edition may know of a game that ended by a time-out, None if it did not."""
    event, spec = store.event, result.spec
    name = spec.white if result.forfeited_by == WHITE else spec.black
    sees = edition.shows_all or name == edition.own
    again = f"{command_line('tournament')} verify {shlex.join([store.path.name, spec.id])}"
    replays = again if edition.shows_all else ""
    return time_out(result, event.rules, event.size, event.limits, entrants.get(name) if sees else None, replays)


def date_of(store: Store) -> str:
    """Return when the run began that played the last game, in words; '' if there was no run.

    A store knows no other time of a game, and the time at which pages are made would make them differ.
    """
    run = store.last_run()
    if run is None:
        return ""
    try:
        return f"{datetime.fromisoformat(run.started):%Y-%m-%d, %H:%M} UTC"
    except ValueError:
        return visible(run.started, 40)
