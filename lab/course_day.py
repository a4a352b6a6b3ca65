"""How long the instructor's day takes: the script of docs/running-a-course.md, from the folder to everybody's mail.

    python3 -m lab.course_day            classes of 20 and of 200, made by `sample`; some minutes
    python3 -m lab.course_day 20         a class of 20; half a minute

Each line of the script is timed: by the clock, and in CPU seconds of all its processes. The rubric is that of the document: two
opponents, two games each. The load of the machine is printed, since other programs on it change the time by the clock.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tabulate import tabulate

from benchmarks.pools import parser_of
from goban.common.command_lines import DONE, LEFT, run, whole_number
from gojudge.errors import JudgeError

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "running-a-course.md"
SCRIPT = "day.sh"


def read_saved(name: str) -> str:
    """Return a file that the document tells its reader to save."""
    found = re.search(rf"^<!-- saved as: {re.escape(name)} -->\n```\w*\n(.*?)^```", DOCUMENT.read_text(), re.S | re.M)
    if found is None:
        raise JudgeError(f"{DOCUMENT.name}: expected a file {name!r} in it, found none")
    return found[1]


def commands(submissions: int) -> list[str]:
    """Return the commands of the day, the making of the class first."""
    first, *lines = read_saved(SCRIPT).splitlines()
    folder = first.removeprefix("hw=")
    sample = f"python3 -m tournament sample {folder} {submissions}"
    return [sample, *(line.replace("$hw", folder) for line in lines if line.startswith("python3 "))]


def run_timed(command: str, folder: Path) -> tuple[float, float]:
    """Run a command in a folder; return its seconds by the clock and in CPU. Raises JudgeError if it cannot be done."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    words = command.replace("python3", sys.executable, 1).split()
    paths = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(words, cwd=folder, env=paths, capture_output=True, text=True, check=False)
    if done.returncode not in (DONE, LEFT):
        raise JudgeError(f"{command}: status {done.returncode}: {done.stderr[-300:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - started, cpu


def day(submissions: int) -> list[list[str]]:
    """Return a row for each command of a class's day: the command, seconds by the clock, CPU seconds, the load after it."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in ("day.toml", "mail_pages.py"):
            (folder / file).write_text(read_saved(file))
        for command in commands(submissions):
            seconds, cpu = run_timed(command, folder)
            shown = command.removeprefix("python3 ").removeprefix("-m tournament ")
            rows.append([str(submissions), shown, f"{seconds:.1f}", f"{cpu:.1f}", f"{os.getloadavg()[0]:.1f}"])
            print(f"{shown}: {seconds:.1f} s", file=sys.stderr, flush=True)
    return rows


def main() -> int:
    """Measure and print."""
    parser = parser_of("course_day", "How long the instructor's day takes.")
    number = whole_number(1, 1000, "a number of submissions")
    parser.add_argument("submissions", type=number, nargs="*", default=[20, 200], help="sizes of classes (default: 20 200)")
    rows = [row for submissions in parser.parse_args().submissions for row in day(submissions)]
    titles = ["class", "command", "seconds", "CPU, s", "load"]
    print(tabulate(rows, titles, disable_numparse=True, colalign=["right", "left", "right", "right", "right"]))
    return DONE


if __name__ == "__main__":
    sys.exit(run("course_day", main, JudgeError))
