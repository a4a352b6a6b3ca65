"""The judge: strangers' programs play Go against each other, and can harm nobody but themselves. `import gojudge`.

    import gojudge

    intake = gojudge.take_in(["hand-ins"], "copies")
    conditions = gojudge.Conditions("course", 5, gojudge.Limits(), tier=gojudge.best_tier())
    runner = gojudge.Runner(conditions, intake.entrants, results.extend, jobs=2)
    runner.run([[game]])

Programs may rely on the names in `__all__`; `docs/judge.md` shows them. Everything else is private, whatever its name. Nothing
is printed. Names are imported on first use. Errors are JudgeErrors, see `gojudge.errors`; what a player does wrong becomes the
verdict of its game.

Map:

    intake/      who plays: inspects, names and copies folders and archives
    inside/      everything that runs inside a sandbox, and nothing else: strangers' code can see it
    sandbox/     the only package that starts a process for a submission: tiers, limits, seats of submissions
    refereeing/  one game between two seats, and many games at a time
    cluster/     workers on other machines: what they are asked, what they are sent, and what is believed of their answers
    shelf/       attacks and other odd submissions, the doctor that plays them, a sample class for trials

Modules that all packages use are at the top:

    records     entrants, games, seconds used, verdicts, results: pure values
    seats       what the referee talks to, and its limits
    errors      everything that is raised on purpose
    game        everything the judge knows about Go

Who imports whom: inside <- sandbox <- intake <- refereeing <- cluster, shelf. A package may import those to its left and the
modules at the top; `inside` imports neither. `tournament` builds a course on the judge, with events, results files and marks.
"""

from goban.common.facades import lazy_names

# As in `typing`, which takes longer to import than all the rest.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from goban.common.facades import __version__
    from gojudge.errors import JudgeError
    from gojudge.intake.submissions import Intake, take_in
    from gojudge.records import Entrant, GameResult, GameSpec, Tier, open_seeds
    from gojudge.refereeing.open_seats import Conditions, open_seat
    from gojudge.refereeing.referee import play
    from gojudge.refereeing.runner import Runner
    from gojudge.sandbox.tiers import best_tier
    from gojudge.seats import Limits
    from gojudge.shelf.doctor import Finding, doctor

__all__ = [
    "Conditions", "Entrant", "Finding", "GameResult", "GameSpec", "Intake", "JudgeError", "Limits", "Runner", "Tier",
    "__version__", "best_tier", "doctor", "open_seat", "open_seeds", "play", "take_in",
]  # fmt: skip

_HOMES = {
    "goban.common.facades": "__version__",
    "gojudge.errors": "JudgeError",
    "gojudge.intake.submissions": "Intake take_in",
    "gojudge.records": "Entrant GameResult GameSpec Tier open_seeds",
    "gojudge.refereeing.open_seats": "Conditions open_seat",
    "gojudge.refereeing.referee": "play",
    "gojudge.refereeing.runner": "Runner",
    "gojudge.sandbox.tiers": "best_tier",
    "gojudge.seats": "Limits",
    "gojudge.shelf.doctor": "Finding doctor",
}

__getattr__, __dir__ = lazy_names(__name__, _HOMES)
