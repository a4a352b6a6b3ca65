"""A course's competitions, from a folder of submissions to marks and pages, on top of the judge.

    import tournament

    event = tournament.read_event("hw2.toml")
    intake = tournament.take_in(event, "hw2", store="hw2.db")
    run = tournament.grade(event, intake, store="hw2.db", tell=print)
    run.grades, run.standings
    tournament.report(run.store, "site", edition="class")
    tournament.Course("course.toml").do_due(tell=print)

Programs may rely on the names in `__all__`; `docs/judge.md` shows them. Everything else is private, whatever its name. Nothing
is printed: messages go to `tell`, line by line. Names are imported on first use. Errors are `gojudge.JudgeError`s, see
`tournament.errors`; what a player does wrong becomes the verdict of its game.

Map:

    commands/    `python3 -m tournament`: check, grade, round-robin, report, ...: words in, words out
    application/ what an instructor does, as functions: they take records and return records
    events/      what to play: event files, and the games they describe
    store/       the outcome: the results file; the only package that knows SQL
    results/     from rows to marks: standings, ratings, grades, exports
    pages/       results as web pages
    probing/     what a player can do: positions with exact answers
    similarity/  submissions that play or read alike, for a person to look at
    courses/     a whole course in one file: what is due, and what was published
    errors       everything that is raised on purpose, besides the errors of `gojudge`

`gojudge` takes in the players and judges them. Who imports whom: events <- store <- results, probing <- pages, similarity <-
courses <- application <- commands. A package may import those to its left, and all of `gojudge`.
"""

from goban.common.facades import lazy_names

# As in `typing`, which takes longer to import than all the rest.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from goban.common.facades import __version__
    from tournament.application.classes import take_in
    from tournament.application.courses import Course, CourseRun
    from tournament.application.grades import EventRun, grade, round_robin
    from tournament.application.plans import EventPlan, read_event
    from tournament.application.reports import report
    from tournament.application.runs import RunSettings
    from tournament.results.grading import Grade
    from tournament.store.store import read_store

__all__ = [
    "Course", "CourseRun", "EventPlan", "EventRun", "Grade", "RunSettings", "__version__", "grade", "read_event", "read_store",
    "report", "round_robin", "take_in",
]  # fmt: skip

_HOMES = {
    "goban.common.facades": "__version__",
    "tournament.application.classes": "take_in",
    "tournament.application.courses": "Course CourseRun",
    "tournament.application.grades": "EventRun grade round_robin",
    "tournament.application.plans": "EventPlan read_event",
    "tournament.application.reports": "report",
    "tournament.application.runs": "RunSettings",
    "tournament.results.grading": "Grade",
    "tournament.store.store": "read_store",
}

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
