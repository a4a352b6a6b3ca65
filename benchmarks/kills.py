"""Kills an event at random moments, again and again, and compares it with one that nobody disturbed.

    python3 -m benchmarks.kills                         100 kills, some minutes
    python3 -m benchmarks.kills 1000 --seed 7           more, at other moments
    python3 -m benchmarks.kills 100 --tier T1           in weaker sandboxes than the best that work here

    runner      the main process
    lane        a worker process; the run goes on without it
    sandbox     a keeper or what encloses it; the run goes on, and plays its game again
    group       the runner's process group, with lanes: what `kill -9 -PID` does
    all         every process of the run, players included
    again       the runner, within half a second after it was started once more

Players' own processes are only killed along with the rest: one that somebody else has killed looks like one that has ended
itself, and forfeits. When an event has ended, what it exports must be that of the undisturbed one, byte for byte. After one
more start, nothing may be left: no process, no file or folder among the temporary ones or beside the results, no control group,
no semaphore. Exit status 1 if any of this fails; the folder is then kept. Linux only.

The project must stay as it is meanwhile: of its modules, sandboxes see a copy, which is compared, too.

The processes of a run are told apart, by what they are for, as /proc shows them.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tabulate import tabulate

from benchmarks.pools import parser_of
from goban.common.command_lines import DONE, LEFT, CommandError, run, whole_number
from gojudge.errors import JudgeError
from gojudge.inside.confinement import adopt_orphans
from gojudge.records import Tier
from gojudge.sandbox.leftovers import is_stale
from gojudge.sandbox.sweeping import all_leftovers
from tournament.__main__ import main as tournament
from tournament.results.exports import FORMATS

# How many seconds killed processes may take to be gone.
_GONE_SECONDS = 2.0


@dataclass
class Family:
    """The processes that a runner has started. lanes: its worker processes; sandboxes: keepers, and what encloses them;
    players: all that keepers have started."""

    lanes: list[int] = field(default_factory=list)
    sandboxes: list[int] = field(default_factory=list)
    players: list[int] = field(default_factory=list)


def family_of(runner: int) -> Family:
    """Return the processes that a runner has started."""
    family = Family()
    for child in children_of(runner):
        command = _command(child)
        if b"spawn_main" in command:
            family.lanes.append(child)
        elif b"resource_tracker" not in command:
            family.sandboxes.append(child)
    for lane in family.lanes:
        family.sandboxes += children_of(lane)
    for outer in list(family.sandboxes):
        inner = children_of(outer)
        if b"bwrap" in _command(outer).split(b"\0")[0]:
            family.sandboxes += inner
            inner = [pid for keeper in inner for pid in children_of(keeper)]
        family.players += [each for pid in inner for each in (pid, *descendants_of(pid))]
    return family


def children_of(pid: int) -> list[int]:
    """Return a process's children, zombies included."""
    found: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            found += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    return found


def descendants_of(pid: int) -> list[int]:
    """Return a process's children, their children, and so on."""
    return [each for child in children_of(pid) for each in (child, *descendants_of(child))]


def living_descendants() -> list[int]:
    """Return our own descendants, after reaping those that have ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    return descendants_of(os.getpid())


def kill(*pids: int) -> None:
    """Kill processes, in this order; those that are gone already are left out."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def kill_descendants() -> None:
    """Kill all our descendants, until none is left but those that are frozen: these die as soon as somebody thaws them."""
    deadline = time.monotonic() + _GONE_SECONDS
    while (found := living_descendants()) and time.monotonic() < deadline:
        kill(*found)
        time.sleep(0.01)


def shared_memory_of(pids: list[int]) -> set[Path]:
    """Return the files in /dev/shm, semaphores included, that processes have mapped."""
    found = set()
    for pid in pids:
        with suppress(OSError):
            lines = Path(f"/proc/{pid}/maps").read_text().splitlines()
            found |= {Path(line.split(maxsplit=5)[5]) for line in lines if "/dev/shm/" in line}
    return found


def describe(pid: int) -> str:
    """Return a process's number and command, for a report."""
    return f"process {pid}: {_command(pid).replace(bytes(1), b' ').decode(errors='replace')[:100]}"


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


KINDS = ("runner", "lane", "sandbox", "group", "all", "again")
_ROOT = Path(__file__).resolve().parents[1]
# An event that was disturbed so often is left to end; the next one takes the other kills.
_MOST_KILLS = 40
_PATIENCE = 60.0

_FREE = "[(row, col) for row in range(5) for col in range(5) if not board[row][col]]"
_CLASS = """\
    import random
    {top}
    class MyPlayer:
        def get_input(self, go, piece_type):
            board = go.board
            free = [point for point in {free} if go.valid_place_check(*point, piece_type, True)]
            {move}
"""
_PROGRAM = """\
    lines = open("input.txt").read().split()
    board = [[int(mark) for mark in line] for line in lines[6:11]]
    free = {free}
    open("output.txt", "w").write("%d,%d" % free[len(free) // 2] if len(free) > 3 else "PASS")
"""
# Each by what it does besides playing: nothing, prints, writes files, starts a process that leaves its session, forfeits.
_PLAYERS = {
    "ann": ("", "return random.choice(free) if free else 'PASS'"),
    "bob": ("", "print('free:', len(free)); return free[0] if len(free) > 2 else 'PASS'"),
    "cho": ("", "open('notes', 'a').write('x'); return free[-1] if len(free) > 3 else 'PASS'"),
    "dee": (
        "import os, time",
        "os.fork() or (os.setsid(), time.sleep(1000)); return random.choice(free) if len(free) > 5 else 'PASS'",
    ),
    "eli": ("", "return free[0] if go.n_move < 8 else (9, 9)"),
}
# The command line, with a weaker sandbox taken for the best one.
_AT_TIER = """
import sys
from tournament.__main__ import main
from gojudge.records import Tier
from gojudge.sandbox import tiers
tiers.best_tier = lambda: Tier(sys.argv[1])
sys.exit(main(sys.argv[2:]))
"""


class Event:
    """An event in a folder of its own. kills: how many there were of each kind; faults: what should not have been."""

    def __init__(self, folder: Path, jobs: int, tier: str, games: int) -> None:
        self._folder = folder
        self._store = folder / "event.db"
        (folder / "event.toml").write_text(f'name = "event"\nstore = "{self._store.name}"\n')
        self._shared: set[Path] = set()
        start = ["-c", _AT_TIER, tier] if tier else ["-m", "tournament"]
        self._command = [
            sys.executable, *start, "round-robin", str(_write_class(folder / "class")), f"--games={games}",
            f"--event={folder / 'event.toml'}", "--rules=littlego", "--seed=1", f"--jobs={jobs}",
            f"--require-tier={tier or 'T0'}",
        ]  # fmt: skip
        self.kills: Counter[str] = Counter()
        self.starts = 0
        self.faults: list[str] = []
        (folder / "temporary").mkdir()
        # With folders of its own, whatever is left there is the event's.
        places = {"TMPDIR": folder / "temporary", "XDG_CACHE_HOME": folder / "cache", "PYTHONPATH": _ROOT}
        self._environment = {**os.environ, **{name: str(path) for name, path in places.items()}}

    def start(self) -> subprocess.Popen[bytes]:
        """Start the event, or go on with it."""
        self.starts += 1
        with (self._folder.with_suffix(".said")).open("ab") as said:
            return subprocess.Popen(
                self._command, cwd=_ROOT, env=self._environment, start_new_session=True, stdout=said, stderr=said
            )

    def finish(self) -> None:
        """Let the event end undisturbed; raises CommandError if it does not."""
        while status := self.start().wait():
            if status != LEFT:
                said = self._folder.with_suffix(".said").read_text().splitlines()
                raise CommandError(f"the event ended with status {status}: {said[-1] if said else ''}")

    def disturb(self, rng: random.Random, kills: int, seconds: float) -> None:
        """Kill so often while the event lasts, within that many seconds after it was started or the last time; let it end."""
        process, soon = self.start(), False
        while sum(self.kills.values()) < kills:
            kind = "again" if soon and rng.random() < 0.3 else rng.choice(KINDS[:-1])
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(rng.uniform(0, 0.5 if kind == "again" else seconds))
                if process.returncode != LEFT:
                    break
            soon = self._kill(process, kind, rng)
            if soon or process.poll() is not None:
                process.wait()
                process = self.start()
        if process.wait() != DONE:
            self.finish()

    def _kill(self, process: subprocess.Popen[bytes], kind: str, rng: random.Random) -> bool:
        """Kill what is meant, if there is such a process; return whether the runner was killed."""
        family = family_of(process.pid)
        self._shared |= shared_memory_of([process.pid, *family.lanes])
        if kind in ("lane", "sandbox"):
            choices = family.lanes if kind == "lane" else family.sandboxes
            if choices:
                kill(rng.choice(choices))
                self.kills[kind] += 1
            return False
        if kind == "all":
            ours = [process.pid, *family.lanes, *family.sandboxes]
            rng.shuffle(ours)
            # Players last: while a runner and a lane live, a dead player has forfeited.
            kill(*ours, *family.players)
            process.wait()
            kill_descendants()
        elif kind == "group":
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        else:
            kill(process.pid)
        self.kills[kind] += 1
        return True

    def exports(self) -> dict[str, bytes]:
        """Return the contents of every file that the event exports, without what differs from run to run."""
        found: dict[str, bytes] = {}
        with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w") as nothing, contextlib.redirect_stderr(nothing):
            for kind in FORMATS:
                tournament(["export", str(self._store), kind, "--with=logs", "--out", f"{folder}/games.{kind}"])
            for path in sorted(Path(folder).rglob("*")):
                if path.is_file():
                    found[str(path.relative_to(folder))] = path.read_bytes()
        return found

    def files(self) -> list[str]:
        """Return the paths of all files and folders in this event's folder."""
        return sorted(str(path.relative_to(self._folder)) for path in self._folder.rglob("*"))

    def compare(self, calm: Event) -> None:
        """Start once more, then note whatever is not as in the event that nobody disturbed."""
        self.finish()
        ours, theirs = self.exports(), calm.exports()
        self.faults += [f"{name} differs" for name in sorted({*ours, *theirs}) if ours.get(name) != theirs.get(name)]
        deadline = time.monotonic() + _PATIENCE
        while (left := self._list_left()) and time.monotonic() < deadline:
            time.sleep(0.1)
        self.faults += left
        self.faults += [f"file {name}" for name in sorted({*self.files()} ^ {*calm.files()})]

    def _list_left(self) -> list[str]:
        """Return what is left of processes, groups and semaphores. A stale group may be another harness's, for a while."""
        processes = [describe(pid) for pid in living_descendants()]
        groups = [f"control group {path}" for path in all_leftovers() if is_stale(Path(path).name)]
        return [*processes, *groups, *(f"shared memory {path}" for path in self._shared if path.exists())]


def _write_class(folder: Path) -> Path:
    """Write the submissions: five classes and a program."""
    sources = {name: _CLASS.format(free=_FREE, top=top, move=move) for name, (top, move) in _PLAYERS.items()}
    sources["fay"] = _PROGRAM.format(free=_FREE)
    for name, source in sources.items():
        (folder / name).mkdir(parents=True)
        entry = "my_player3.py" if name == "fay" else "my_player.py"
        (folder / name / entry).write_text(textwrap.dedent(source))
    return folder


def disturb_events(
    folder: Path, kills: int, rng: random.Random, most_jobs: int, make: Callable[[Path, int], Event], events: list[Event]
) -> None:
    """Add events that were killed so often together, each as soon as it has been compared with an undisturbed one.

    make: returns a new event in a folder, of so many games at a time.
    """
    calm = make(_make_folder(folder / "calm"), most_jobs)
    began = time.monotonic()
    calm.finish()
    seconds = time.monotonic() - began
    while (left := kills - sum(sum(event.kills.values()) for event in events)) > 0:
        event = make(_make_folder(folder / f"event-{len(events) + 1}"), rng.randint(2, most_jobs))
        event.disturb(rng, min(left, _MOST_KILLS), seconds / 3)
        event.compare(calm)
        events.append(event)
        done = kills - left + sum(event.kills.values())
        print(f"{len(events)} events, {done} of {kills} kills, {len(event.faults)} faults in the last", file=sys.stderr)


def _make_folder(folder: Path) -> Path:
    folder.mkdir()
    return folder


def report(events: list[Event]) -> int:
    """Print how often what was killed, and what was found; return the exit status."""
    kills = sum((event.kills for event in events), Counter[str]())
    print(tabulate([(kind, kills[kind]) for kind in KINDS], ("killed", "times")))
    faults = [fault for event in events for fault in event.faults]
    starts = sum(event.starts for event in events)
    print(f"\n{sum(kills.values())} kills in {len(events)} events, {starts} starts: {len(faults)} faults")
    for fault in faults:
        print(fault)
    return LEFT if faults else DONE


def main() -> int:
    """Kill, compare, and print the table."""
    parser = parser_of("kills", "What a run leaves behind, and what it forgets, when it is killed.")
    parser.add_argument("kills", nargs="?", type=whole_number(1, 10**6, "a number of kills"), default=100, help="default: 100")
    parser.add_argument("--seed", type=whole_number(0, 10**9, "a seed"), default=0, help="of the moments (default: 0)")
    parser.add_argument("--jobs", type=whole_number(2, 100, "a number of lanes"), default=4, help="at most (default: 4)")
    parser.add_argument("--games", type=whole_number(1, 100, "a number of games"), default=4, help="of each pair (default: 4)")
    parser.add_argument("--tier", choices=[tier.value for tier in Tier], default="", help="default: the best that works here")
    options = parser.parse_args()
    if sys.platform != "linux":
        raise CommandError("processes are looked up in /proc, which only Linux has")
    # Whatever loses its parent becomes our child, so that none can hide.
    adopt_orphans()
    folder = Path(tempfile.mkdtemp(prefix="kills-"))
    events: list[Event] = []
    try:
        make = partial(Event, tier=options.tier, games=options.games)
        disturb_events(folder, options.kills, random.Random(options.seed), options.jobs, make, events)
    finally:
        # On Ctrl-C too: what has been found by then counts.
        kill_descendants()
        status = report(events)
    if status == DONE:
        shutil.rmtree(folder)
    else:
        print(f"kept: {folder}")
    return status


if __name__ == "__main__":
    sys.exit(run("kills", main, JudgeError))
