"""python3 -m tournament COMMAND ...: competitions between people's programs.

Exit status of every command: 0 done, 1 done but something is left or wrong (the output says what), 2 it could not be done
(one line says why), 130 stopped by Ctrl-C.

Whoever types a command or an option of an earlier version is told, in one line, what it is called now.
"""

from __future__ import annotations

from goban.common.starting import begin, is_started

if is_started(__name__):
    begin()

import json
import shlex
import sys
from collections.abc import Sequence
from itertools import zip_longest

from goban.common.command_lines import CommandError, Subcommands, command_line, complain
from goban.errors import GobanError
from gojudge.errors import HarnessFaultError, JudgeError

_VALUE = "VALUE"
_LIMITS = ("start-seconds", "game-cpu-seconds", "processes", "disk-mib", "log-kib")
_PLAYED = ("grade", "round-robin", "gauntlet")
_ONE_PLAYER = ("check", "play", "probe")

OLD_COMMANDS = {
    "match": ("gauntlet", ""),
    "watch": ("standings", " --follow"),
    "serve": ("report", " --serve"),
    "gradescope-autograder": ("autograder gradescope", ""),
    "gradescope-run": ("autograder-run gradescope", ""),
}
"""Command of before -> the command now, and an option to end it with."""


def _key(key: str, *commands: str, table: str = "", value: str = "") -> dict[tuple[str, str], str]:
    """Return what is said where an option became a key of the event file. value: of one that had none."""
    where = f" under [{table}]" if table else ""
    said = f"is a key of the event file now: `{key} = {value or _VALUE}`{where} in FILE.toml, and --event FILE.toml"
    return {(command, f"--{key.replace('_', '-')}"): said for command in commands}


def _now(said: str, option: str, *commands: str) -> dict[tuple[str, str], str]:
    return {(command, f"--{option}"): said for command in commands}


_NEW_NAME = "is gone: another --name begins a results file of its own, and the old one stays"

OLD_OPTIONS: dict[tuple[str, str], str] = {
    **{pair: said for key in _LIMITS for pair, said in _key(
        key.replace("-", "_"), *_PLAYED, "autograder", table="limits"
    ).items()},
    **_key("memory_mib", "gauntlet", "autograder", table="limits"),
    **_key("move_seconds", "probe", "autograder", table="limits"),
    **_key("python", *_PLAYED, *_ONE_PLAYER, "autograder"),
    **_key("require_tier", *_ONE_PLAYER, "autograder"),
    **_key("only_listed", "check", "grade", "round-robin", value="true"),
    **_key("size", "check", "grade", "autograder"),
    **_key("rules", "grade", "autograder"),
    **_key("seed", "probe", "autograder"),
    **_key("name", "autograder"),
    **_key("until_decided", "grade"),
    **_key("deciding", "round-robin"),
    **_key("roster", "gauntlet"),
    **_key("store", *_PLAYED),
    **_now("is a key of the event file now: `start_each_move = true` in FILE.toml, and --event FILE.toml", "exec",
           *_PLAYED, "check", "play"),
    **_now("is what happens now: changed submissions are played anew, and their old games kept", "rerun", *_PLAYED),
    **_now(_NEW_NAME, "force-new", *_PLAYED),
    **_now("is gone: another --store begins a file of its own", "force-new", "check"),
    **_now("is gone: name the players, as in `round-robin hw2 random greedy`", "references", "round-robin"),
    **_now("is gone: name the opponents, as in `gauntlet my random greedy`", "references", "gauntlet"),
    **_now("is gone: a gauntlet gives no points", "rubric", "gauntlet"),
    **_now("is gone: `autograder gradescope` writes what Gradescope takes", "gradescope", "grade"),
    **_now("is gone: `autograder gradescope --visibility` says it", "visibility", "grade"),
    **_now("is now `--out`", "csv", "standings", "similarity"),
    **_now("is now `--out`", "output", "probe"),
    **_now("is now `--out FILE.sgf`", "sgf", "probe"),
    **_now("is gone: ratings are always shown", "no-ratings", "standings"),
    **_now("is what happens now where there is room: up to 20 players, or not on a terminal", "crosstable", "standings"),
    **_now("is now the format `sgf-per-game`", "per-game", "export"),
    **{pair: said for part in ("times", "machine", "logs")
       for pair, said in _now(f"is now `--with {part}`", part, "export").items()},
    **_now("is now `--out FILE.html`", "single-file", "report"),
    **_now("is now `--edition students`", "all", "report"),
    **_now("is gone: nicknames stand beside the results, in STORE.names.csv", "names", "report"),
    **_now("is gone: run it in the folder where the player is to be left", "out", "play"),
    **_now("is gone: more `--minutes`, or a shorter `--move-time`, makes it", "force", "autograder"),
    **_now("is gone: name the player in place of a game, as in `verify cup.db ann`", "player", "verify"),
    **_now("is now `--base FILE.toml`", "event", "similarity"),
    **_now("is now `--base FILE.toml`", "course", "similarity"),
    **_now("is gone: what did not hold stands below the table", "quiet", "doctor"),
    **_now("is now the second argument, as in `sample hw2 200`", "submissions", "sample"),
}  # fmt: skip
"""(Command, option of before) -> what is said of it."""


VALUES = {("report", "--edition", "student"): "is now `--student NAME`, or `--edition students` for everybody's"}
"""(Command, option, value of before) -> what is said of it."""


def refuse_old_spelling(command: str, arguments: Sequence[str]) -> None:
    """Raise CommandError for a command or an option of before, with what it is now; OLD_COMMANDS and OLD_OPTIONS know them."""
    if command in OLD_COMMANDS:
        now, end = OLD_COMMANDS[command]
        first_option = next((number for number, word in enumerate(arguments) if word.startswith("-")), len(arguments))
        more = " ..." if first_option < len(arguments) else ""
        again = f"{now} {shlex.join(arguments[:first_option])}".rstrip()
        raise CommandError(f"`{command}` is now `{now}{end}`: {command_line('tournament')} {again}{end}{more}")
    for word, following in zip_longest(arguments, arguments[1:], fillvalue=""):
        if word == "--":
            return
        option, _, value = word.partition("=")
        if said := VALUES.get((command, option, value or following)):
            raise CommandError(f"`{option} {value or following}` {said}")
        if said := OLD_OPTIONS.get((command, option)):
            raise CommandError(f"`{option}` {said.replace(_VALUE, _in_toml(value or following))}")


def _in_toml(value: str) -> str:
    """Return a value as it stands in an event file."""
    if value.replace(".", "", 1).isdigit():
        return value
    return json.dumps(value) if value and not value.startswith("-") else "..."


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
        return complain(command_line("tournament"), line)
    what = "Competitions between Go programs."
    program = command_line("tournament")
    commands = Subcommands(program, what, COMMANDS, HIDDEN, "check my_player.py", refuse_old_spelling, ALSO)
    return commands.main(arguments, JudgeError, GobanError, HarnessFaultError)


if __name__ == "__main__":
    sys.exit(main())
