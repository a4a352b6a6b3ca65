"""Whatever an attack does to remember: each game finds all that it can look at as the first one did."""

import json
from dataclasses import replace

import pytest

from goban.states import new_game
from gojudge.records import CLASS, Termination
from gojudge.sandbox import tiers as sandbox
from tests.support.submissions import shelf, spec, submission, tiers
from tests.support.waiting import PATIENCE

pytestmark = pytest.mark.slow

# They change something that could last, or end what does.
_NAMES = (
    "remembers_", "import_", "leaves_", "counts_", "kills_", "stops_parent", "sets_", "limits_processes", "memory_in_rulesets",
    "merges_", "seals_", "plain",
)  # fmt: skip
# What a control group has a part in: processes that are counted, stopped and ended, memory, and what lies in memory.
OF_GROUPS = ("counts_", "kills_", "import_", "leaves_", "limits_", "stops_", "plain", "remembers_by_process", "merges_")
REMEMBERING = [
    attack
    for attack in shelf()
    if attack.kind == CLASS and attack.name.startswith(_NAMES) and attack.expected == (Termination.SCORE,)
]

# What a game looks at, before it does anything else: its files, memory, clocks, ids, limits, and what lies where it may write.
LOOK = '''
import contextlib, ctypes, json, os, re, resource, signal, struct, time

def _text(name):
    try:
        with open("/proc/self/" + name) as file:
            return file.read()
    except OSError as error:
        return str(error)

def _clock(pid, kind):
    try:
        return time.clock_gettime(~pid << 3 | kind) >= 0
    except OSError as error:
        return error.errno

def _files():
    found = {}
    for number in range(256):
        with contextlib.suppress(OSError):
            kind = os.readlink("/proc/self/fd/%d" % number).partition(":[")[0]
            found[number] = kind, _text("fdinfo/%d" % number).split("mnt_id")[0], os.get_inheritable(number)
    return found

def _mapped():
    lines = [line.split(None, 5) for line in _text("maps").splitlines()]
    return [(line[1], line[5]) for line in lines if len(line) > 5 and not line[5].startswith(("[heap", "[anon"))]

def _mounts():
    # Their numbers are given out again and again, to other sandboxes as well.
    return [line.split()[3:5] + line.split(" - ")[1].split() for line in _text("mountinfo").splitlines()]

def _status():
    wanted = "Umask Tgid Pid PPid Uid Gid Groups FDSize Threads Sig Shd Cap NoNew Seccomp".split()
    return [line for line in _text("status").splitlines() if line.startswith(tuple(wanted))]

def _unique_mount():
    space = ctypes.create_string_buffer(256)
    return ctypes.CDLL(None).statx(-100, b"/tmp", 0, 0x4000, space), struct.unpack_from("I", space)[0]

def _known():
    # Even who may not look at a process can tell whether it has been looked for.
    for pid in range(1, 9):
        with contextlib.suppress(FileNotFoundError):
            os.statvfs("/proc/%d" % pid)
            yield pid

def _unmarked():
    # Memory of no file that the kernel does not show as used: who uses some of it leaves a mark.
    for part in re.split("(?m)^(?=[0-9a-f]+-[0-9a-f]+ )", _text("smaps"))[1:]:
        size = dict(re.findall("(?m)^([A-Za-z]+): +([0-9]+) kB", part))
        # Some pages are new where each game is loaded anew.
        if size["Anonymous"] == size["Rss"] and int(size["Rss"]) - int(size["Referenced"]) > 64:
            yield part.splitlines()[0].split()[1:]

def _look():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "files": _files(), "mapped": _mapped(), "mounts": _mounts(), "status": _status(), "unique": _unique_mount(),
        "clocks": [_clock(pid, kind) for pid in range(1, 9) if pid != os.getpid() for kind in range(3)],
        "ids": [os.getpid(), os.getppid(), os.getpgrp(), os.getsid(0), os.getuid()],
        "limits": [resource.getrlimit(kind) for kind in range(16)],
        "unmarked": [*_unmarked()],
        "children": [used.ru_utime, used.ru_stime, used.ru_minflt, os.times()[2:4]],
        "priority": [os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0), _text("oom_score_adj")],
        "signals": [str(signal.getsignal(number)) for number in range(1, 65) if number not in (32, 33)],
        "processes": [sorted(name for name in os.listdir("/proc") if name.isdigit()), *_known()],
        "places": {place: sorted(os.listdir(place)) for place in ("/", "/player", "/tmp", "/dev/shm", "/dev", "/stage")},
        "environment": sorted(os.environ.items()), "folder": os.getcwd(), "timer": signal.getitimer(signal.ITIMER_REAL),
    }

_Attack = MyPlayer

class MyPlayer(_Attack):
    def get_input(self, go, piece_type):
        if go.n_move < 2:
            # In short lines of digits, of which a transcript leaves nothing out.
            seen = json.dumps(_look()).encode().hex()
            with open(1, "w", closefd=False) as out:
                out.writelines("seen " + seen[place : place + 80] + "\\n" for place in range(0, len(seen), 80))
        return super().get_input(go, piece_type)
'''


def opening(rules):
    """The positions of two moves of Black's."""
    state = new_game(rules, 5)
    return state, state.play((4, 4)).play((4, 3))


@tiers("T3")
@pytest.mark.parametrize("attack", REMEMBERING, ids=lambda attack: attack.name)
def test_a_third_game_finds_what_the_first_one_found(tier, attack, tmp_path):
    check(tier, attack, tmp_path)


@tiers("T2")
@pytest.mark.parametrize(
    "attack", [one for one in REMEMBERING if one.name.startswith(OF_GROUPS)], ids=lambda attack: attack.name
)
def test_it_does_so_without_a_control_group(tier, attack, tmp_path):
    check(tier, attack, tmp_path)


def check(tier, attack, tmp_path):
    source = (attack.folder / "my_player.py").read_text()
    entrant = submission(tmp_path / "attack", source + LOOK)
    # A machine may be slow, and looking at everything is our own doing.
    limits = replace(attack.limits, log_kib=256, move_seconds=PATIENCE, game_cpu_seconds=PATIENCE)
    seat = sandbox.open_seat(entrant, attack.rules, 5, limits, tier=tier)
    seen = []
    try:
        for _ in range(3):
            seat.begin(spec(), 1)
            for state in opening(attack.rules):
                seat.answer(state, "")
            digits = [line.removeprefix("seen ") for line in seat.end().splitlines() if line.startswith("seen ")]
            seen.append(json.loads(bytes.fromhex("".join(digits))))
    finally:
        seat.close()
    if seat._load_each_game:
        seen = [without_chance(view) for view in seen]
    for later in seen[1:]:
        for key, found in later.items():
            assert found == seen[0][key], key


def without_chance(view):
    """Leave out what each new sandbox draws anew: the user id, if we are root, and in which order files are mapped."""
    *ids, user = view["ids"]
    status = [line.replace(str(user), "own") for line in view["status"]]
    return view | {"ids": ids, "status": status, "mapped": sorted(view["mapped"])}
