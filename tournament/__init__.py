"""Competitions between people's programs, from a folder of submissions to marks and pages.

    import tournament

    event = tournament.read_event("hw2.toml")
    intake = tournament.take_in(event, "hw2", store="hw2.db")
    run = tournament.grade(event, intake, store="hw2.db", tell=print)
    run.grades, run.standings
    tournament.report(run.store, "site", edition="class")
    tournament.Course("course.toml").do_due(tell=print)

`__all__` is what a program may rely on; `docs/judge.md` shows it. The rest is private, whatever its name. Nothing is printed:
what somebody should know is told to `tell`, line by line. Each name is imported when it is first asked for. What goes wrong
is a TournamentError, see `gojudge.errors`; what a player does wrong is a verdict of its game.

Where to look for what:

    commands/    `python3 -m tournament`: check, grade, round-robin, report, ...: words in, words out
    application/ what an instructor does, as functions: they take records and return records
    events/      what is to be played: event files, and the games they stand for
    intake/      who plays: inspects, names and copies folders and archives
    inside/      everything that runs inside a sandbox, and nothing else: strangers' code can see it
    sandbox/     the only room that starts a process for a submission: tiers, limits, seats of submissions
    refereeing/  one game between two seats, and many games at a time
    store/       what came of them: the results file; the only room that knows SQL
    results/     from rows to marks: standings, ratings, grades, exports
    pages/       results as web pages
    probing/     what a player can do: positions with exact answers
    similarity/  submissions that play or read alike, for a person to look at
    cluster/     workers on other machines: what they are asked, sent and believed
    courses/     a whole course in one file: what is due, and what was published
    shelf/       attacks and other odd submissions, the doctor that plays them, a class to try all this with

At the top stay the modules that all rooms use:

    records     entrants, games, results: pure values             errors      everything that is raised on purpose
    verdicts    how a game between two programs ended             seats       what the referee talks to, and its limits
    times       seconds that were used, and how they are told

Who imports whom: inside <- sandbox <- intake, events <- refereeing <- cluster <- store <- results, shelf, probing <- pages,
similarity <- courses <- application <- commands. A room may import the rooms to its left and the modules at the top; `inside`
imports neither.
"""

# As in `typing`, which takes longer to import than all the rest.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from gojudge.errors import TournamentError
    from gojudge.intake.submissions import Intake
    from gojudge.records import Entrant, GameResult, GameSpec, Tier, open_seeds
    from gojudge.refereeing.open_seats import Conditions, open_seat
    from gojudge.refereeing.referee import play
    from gojudge.refereeing.runner import Runner
    from gojudge.sandbox.tiers import best_tier
    from gojudge.seats import Limits
    from gojudge.shelf.doctor import Finding
    from tournament.application.courses import Course, CourseRun
    from tournament.application.examinations import doctor
    from tournament.application.grades import EventRun, grade, round_robin, take_in
    from tournament.application.plans import EventPlan, read_event
    from tournament.application.reports import report
    from tournament.application.runs import RunSettings
    from tournament.results.grading import Grade
    from tournament.store.store import read_store

__all__ = [
    "Conditions", "Course", "CourseRun", "Entrant", "EventPlan", "EventRun", "Finding", "GameResult", "GameSpec", "Grade",
    "Intake", "Limits", "RunSettings", "Runner", "Tier", "TournamentError", "best_tier", "doctor", "grade", "open_seat",
    "open_seeds", "play", "read_event", "read_store", "report", "round_robin", "take_in",
]  # fmt: skip

_HOMES = {
    "tournament.application.courses": "Course CourseRun",
    "tournament.application.examinations": "doctor",
    "tournament.application.grades": "EventRun grade round_robin take_in",
    "tournament.application.plans": "EventPlan read_event",
    "tournament.application.reports": "report",
    "tournament.application.runs": "RunSettings",
    "gojudge.errors": "TournamentError",
    "gojudge.intake.submissions": "Intake",
    "gojudge.records": "Entrant GameResult GameSpec Tier open_seeds",
    "gojudge.refereeing.open_seats": "Conditions open_seat",
    "gojudge.refereeing.referee": "play",
    "gojudge.refereeing.runner": "Runner",
    "tournament.results.grading": "Grade",
    "gojudge.sandbox.tiers": "best_tier",
    "gojudge.seats": "Limits",
    "gojudge.shelf.doctor": "Finding",
    "tournament.store.store": "read_store",
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in __all__:
        home = next(home for home, names in _HOMES.items() if name in names.split())
        value = globals()[name] = getattr(import_module(home), name)
        return value
    raise AttributeError(f"module 'tournament' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
