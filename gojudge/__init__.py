"""The judge: strangers' programs play Go against each other, and cost nobody but themselves anything. `import gojudge`.

    import gojudge

    intake = gojudge.take_in(["hand-ins"], "copies")
    conditions = gojudge.Conditions("course", 5, gojudge.Limits(), tier=gojudge.best_tier())
    runner = gojudge.Runner(conditions, intake.entrants, results.extend, jobs=2)
    runner.run([[game]])

`__all__` is what a program may rely on; `docs/judge.md` shows it. The rest is private, whatever its name. Nothing is printed.
Each name is imported when it is first asked for. What goes wrong is a JudgeError, see `gojudge.errors`; what a player does
wrong is a verdict of its game.

Where to look for what:

    intake/      who plays: inspects, names and copies folders and archives
    inside/      everything that runs inside a sandbox, and nothing else: strangers' code can see it
    sandbox/     the only room that starts a process for a submission: tiers, limits, seats of submissions
    refereeing/  one game between two seats, and many games at a time
    cluster/     workers on other machines: what they are asked, sent and believed
    shelf/       attacks and other odd submissions, the doctor that plays them, a class to try all this with

At the top stay the modules that all rooms use:

    records     entrants, games, seconds used, verdicts, results: pure values
    seats       what the referee talks to, and its limits
    errors      everything that is raised on purpose
    game        all that the judge knows of Go

Who imports whom: inside <- sandbox <- intake <- refereeing <- cluster, shelf. A room may import the rooms to its left and the
modules at the top; `inside` imports neither. What the judge does for a course, with events, results files and marks, is
`tournament`.
"""

from goban.common.facades import lazy_names

# As in `typing`, which takes longer to import than all the rest.
TYPE_CHECKING = False
if TYPE_CHECKING:
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
    "best_tier", "doctor", "open_seat", "open_seeds", "play", "take_in",
]  # fmt: skip

_HOMES = {
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
