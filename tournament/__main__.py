"""python3 -m tournament COMMAND ...: competitions between people's programs.

Exit status of every command: 0 done, 1 done but something is left or wrong (the output says what), 2 it could not be done
(one line says why), 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from common.subcommands import Subcommands
from goban.errors import GobanError
from tournament.errors import HarnessFaultError, TournamentError

COMMANDS = {
    "check": "tournament.commands.check",
    "grade": "tournament.commands.grade",
    "round-robin": "tournament.commands.round_robin",
    "course": "tournament.commands.course",
    "play": "tournament.commands.play",
    "match": "tournament.commands.match",
    "gauntlet": "tournament.commands.gauntlet",
    "standings": "tournament.commands.standings",
    "export": "tournament.commands.export",
    "report": "tournament.commands.report",
    "watch": "tournament.commands.watch",
    "serve": "tournament.commands.serve",
    "verify": "tournament.commands.verify",
    "similarity": "tournament.commands.similarity",
    "autograder": "tournament.commands.autograder",
    "autograder-run": "tournament.commands.autograder_run",
    "key": "tournament.commands.key",
    "probe": "tournament.commands.probe",
    "doctor": "tournament.commands.doctor",
    "sample": "tournament.commands.sample",
}
MOVED = {
    "gradescope-autograder": "it is autograder gradescope FILE",
    "gradescope-run": "it is autograder-run gradescope",
    "grade --gradescope": "nothing takes these files; autograder gradescope FILE makes what grades there",
    "grade --visibility": "it is an option of autograder gradescope FILE",
}
PROGRAM = "python3 -m tournament"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; return the exit status."""
    if (encoding := sys.getfilesystemencoding()) != "utf-8":
        # Names of files in a submission could not be written, which would cost a student the mark.
        line = f"expected a locale of UTF-8, got one of {encoding}: set PYTHONUTF8=1, or LC_ALL=C.UTF-8"
        print(f"{PROGRAM}: {line}", file=sys.stderr)
        return 2
    commands = Subcommands(PROGRAM, "Competitions between people's programs that play Go.", COMMANDS, MOVED)
    return commands.main(arguments, TournamentError, GobanError, HarnessFaultError)


if __name__ == "__main__":
    sys.exit(main())
