"""Whether marks are the same on a busy machine: one class, graded with other programs beside it and several lanes.

    python3 -m benchmarks.fairness [GAMES]       default: 2 games, an even number, against each reference player

The class of twenty (`gojudge.shelf.classroom`) is handed in together with `needy`, which uses 60 % of its limit of CPU for
every move. It is graded with 0, 2 and 6 spinning processes beside it, at --jobs 1, 2 and 4; and all of that again with
`sessions` in the class, which has eight children spinning, each in a session of its own. The same seed throughout, so every
run must come to the same games. Each line tells how long the run took, whether its export is the same, byte for byte, as that
of the first, idle run of its class, how often honest players ran out of time, and how long players ran and waited for a core.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tabulate import tabulate

from benchmarks.pools import parser_of
from goban.common.command_lines import DONE, LEFT, run
from gojudge.errors import JudgeError
from gojudge.shelf.classroom import HEAD, LEGAL, make_class, roster_of

ROOT = Path(__file__).resolve().parent.parent
SPINNERS, JOBS = (0, 2, 6), (1, 2, 4)
LIMIT = 0.5
SHARE = 0.6
NEEDY = f"""import time

{HEAD}        started = time.thread_time()
        while time.thread_time() - started < {SHARE * LIMIT}:
            pass
{LEGAL}        return legal[len(legal) // 2]
"""
SESSIONS = f"""import os

{HEAD}        if go.n_move < 2:
            for _ in range(8):
                if os.fork() == 0:
                    os.setsid()
                    while True:
                        pass
{LEGAL}        return legal[-1]
"""
# Ends with the benchmark, however that ends.
SPINNER = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: pass"
# In the class of twenty, one player sleeps for a minute; time-outs are its due. The attacker earns them too.
NOT_HONEST = ("oli", "sessions")


@dataclass(frozen=True)
class Outcome:
    """What came of a run. games: the export without times. forfeits: time-outs of honest players."""

    games: bytes
    forfeits: int
    ran: float
    waited: float
    seconds: float


@contextmanager
def spinning(number: int) -> Iterator[None]:
    """Have so many processes spin beside the block."""
    busy = [subprocess.Popen([sys.executable, "-c", SPINNER]) for _ in range(number)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def tournament(folder: Path, *words: str) -> None:
    """Run a command of the tournament. Raises JudgeError if it fails; marks that some did not get are no failure."""
    command = [sys.executable, "-m", "tournament", *words]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        raise JudgeError(f"{' '.join(words[:1])} ended with status {done.returncode}: {done.stderr.strip()[-300:]}")


def grade(folder: Path, handed_in: Path, games: int, spinners: int, jobs: int) -> Outcome:
    """Grade a class once; return what came of it."""
    store = folder / f"{handed_in.name}-{spinners}-{jobs}.db"
    event = store.with_suffix(".toml")
    event.write_text(f'store = "{store.name}"\n')
    started = time.monotonic()
    with spinning(spinners):
        tournament(
            folder, "grade", str(handed_in), "--roster", str(roster_of(handed_in)), "--rubric", "2019", "--seed", "1",
            "--games", str(games), "--move-seconds", str(LIMIT), "--event", str(event), "--jobs", str(jobs),
        )  # fmt: skip
    seconds = time.monotonic() - started
    plain, timed = store.with_suffix(".json"), store.with_suffix(".times.json")
    tournament(folder, "export", str(store), "json", "--out", str(plain))
    tournament(folder, "export", str(store), "json", "--out", str(timed), "--with=times")
    found = json.loads(timed.read_text())["games"]
    late = [one for one in found if one["termination"] == "time-out" and one[one["forfeited_by"]] not in NOT_HONEST]
    ran, waited = (sum(sum(game[f"{name}_seconds"]) for game in found) for name in ("cpu", "waited"))
    return Outcome(plain.read_bytes(), len(late), ran, waited, seconds)


def hand_in(folder: Path, attacked: bool) -> Path:
    """Make the class, with or without the attacker; return its folder."""
    handed_in = folder / ("attacked" if attacked else "class")
    make_class(handed_in)
    more = {"needy.py": NEEDY, **({"sessions.py": SESSIONS} if attacked else {})}
    with roster_of(handed_in).open("a") as roster:
        for name, text in more.items():
            (handed_in / name).write_text(text)
            roster.write(f"{name},{name.removesuffix('.py')},,\n")
    return handed_in


def main() -> int:
    """Grade, compare and print; return 1 if a run came out differently."""
    games = parser_of("fairness", "Whether marks are the same on a busy machine.", 2).parse_args().games
    rows, fair = [], True
    with tempfile.TemporaryDirectory(prefix="fairness-") as name:
        for attacked in (False, True):
            handed_in = hand_in(Path(name), attacked)
            idle: Outcome | None = None
            for jobs, spinners in ((jobs, spinners) for spinners in SPINNERS for jobs in JOBS):
                found = grade(Path(name), handed_in, games, spinners, jobs)
                idle = idle or found
                same = found.games == idle.games
                fair = fair and same and not found.forfeits
                rows.append([
                    handed_in.name, spinners, jobs, f"{found.seconds:.0f}", "same" if same else "DIFFERENT", found.forfeits,
                    f"{found.ran:.1f}", f"{found.waited:.1f}",
                ])  # fmt: skip
                print(f"{len(rows)} of {2 * len(JOBS) * len(SPINNERS)} runs: {' '.join(map(str, rows[-1]))}", file=sys.stderr)
    heads = ["class", "spinning", "jobs", "seconds", "games", "honest time-outs", "ran, s", "waited, s"]
    print(tabulate(rows, heads, disable_numparse=True))
    return DONE if fair else LEFT


if __name__ == "__main__":
    sys.exit(run("fairness", main, JudgeError))
