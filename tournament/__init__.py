"""A course's competitions, from a folder of submissions to marks and pages, on top of the judge.

    import tournament

    event = tournament.read_event("hw2.toml")
    intake = tournament.take_in(event, "hw2", store="hw2.db")
    run = tournament.grade(event, intake, store="hw2.db", tell=print)
    run.grades, run.standings
    tournament.report(run.store, "site", edition="class")
    tournament.Course("course.toml").do_due(tell=print)

`__all__` is what a program may rely on; `docs/judge.md` shows it. The rest is private, whatever its name. Nothing is printed:
what somebody should know is told to `tell`, line by line. Each name is imported when it is first asked for. What goes wrong
is a `gojudge.JudgeError`, see `tournament.errors`; what a player does wrong is a verdict of its game.

Where to look for what:

    commands/    `python3 -m tournament`: check, grade, round-robin, report, ...: words in, words out
    application/ what an instructor does, as functions: they take records and return records
    events/      what is to be played: event files, and the games they stand for
    store/       what came of them: the results file; the only room that knows SQL
    results/     from rows to marks: standings, ratings, grades, exports
    pages/       results as web pages
    probing/     what a player can do: positions with exact answers
    similarity/  submissions that play or read alike, for a person to look at
    courses/     a whole course in one file: what is due, and what was published
    errors       everything that is raised on purpose, besides what `gojudge` raises

Who plays, and how it is judged, is `gojudge`. Who imports whom: events <- store <- results, probing <- pages, similarity <-
courses <- application <- commands. A room may import the rooms to its left, and all of `gojudge`.
"""

from goban.common.facades import lazy_names

# As in `typing`, which takes longer to import than all the rest.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from tournament.application.courses import Course, CourseRun
    from tournament.application.grades import EventRun, grade, round_robin, take_in
    from tournament.application.plans import EventPlan, read_event
    from tournament.application.reports import report
    from tournament.application.runs import RunSettings
    from tournament.results.grading import Grade
    from tournament.store.store import read_store

__all__ = [
    "Course", "CourseRun", "EventPlan", "EventRun", "Grade", "RunSettings", "grade", "read_event", "read_store", "report",
    "round_robin", "take_in",
]  # fmt: skip

_HOMES = {
    "tournament.application.courses": "Course CourseRun",
    "tournament.application.grades": "EventRun grade round_robin take_in",
    "tournament.application.plans": "EventPlan read_event",
    "tournament.application.reports": "report",
    "tournament.application.runs": "RunSettings",
    "tournament.results.grading": "Grade",
    "tournament.store.store": "read_store",
}

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
