"""python3 -m tournament COMMAND ...: competitions between people's programs.

Exit status of every command: 0 done, 1 done but something is left or wrong (the output says what), 2 it could not be done
(one line says why), 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from goban.common.command_lines import Subcommands, command_line
from goban.errors import GobanError
from gojudge.errors import HarnessFaultError, JudgeError
from tournament.commands.old_spellings import refuse_old_spelling

COMMANDS = {
    "check": "tournament.commands.check",
    "play": "tournament.commands.play",
    "probe": "tournament.commands.probe",
    "gauntlet": "tournament.commands.events:GAUNTLET",
    "grade": "tournament.commands.events:GRADE",
    "round-robin": "tournament.commands.events:ROUND_ROBIN",
    "course": "tournament.commands.course",
    "standings": "tournament.commands.standings",
    "report": "tournament.commands.report",
    "export": "tournament.commands.stores:EXPORT",
    "verify": "tournament.commands.stores:VERIFY",
    "similarity": "tournament.commands.similarity",
    "autograder": "tournament.commands.autograder",
    "doctor": "tournament.commands.machines:DOCTOR",
}
HIDDEN = {
    "autograder-run": "tournament.commands.autograder_run",
    "cluster": "tournament.commands.machines:CLUSTER",
    "key": "tournament.commands.stores:KEY",
    "sample": "tournament.commands.events:SAMPLE",
}
"""Commands without a line of their own in the overview: other programs call them, or people once."""
ALSO = "sample (a class to try these with), cluster (other machines), key (of an event)"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; return the exit status."""
    if (encoding := sys.getfilesystemencoding()) != "utf-8":
        # Names of files in a submission could not be written, which would cost a student the mark.
        line = f"expected a locale of UTF-8, got one of {encoding}: set PYTHONUTF8=1, or LC_ALL=C.UTF-8"
        print(f"{command_line('tournament')}: {line}", file=sys.stderr)
        return 2
    what = "Competitions between people's programs that play Go."
    program = command_line("tournament")
    commands = Subcommands(program, what, COMMANDS, HIDDEN, "check my_player.py", refuse_old_spelling, ALSO)
    return commands.main(arguments, JudgeError, GobanError, HarnessFaultError)


if __name__ == "__main__":
    sys.exit(main())
