"""Tables that people write: event files, rosters, rubrics, points, nicknames; what is known of games' moves; and what
Gradescope says of a submission."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from goban.common.moments import find_zone
from gojudge.errors import JudgeError
from gojudge.intake.names import Kept, Owner, hand_out, likeness, read_names
from gojudge.intake.rosters import Attempts, read_roster, resolve_attempts
from tests.fuzz.readers import Reader
from tournament.application.grades import read_points
from tournament.courses.calendars import Participant, read_extensions, with_extensions
from tournament.courses.course_files import read_course
from tournament.courses.ledgers import rankings_of, read_ledger
from tournament.events.event_files import event_from_text, event_text, make_event, make_machine, read_event_file
from tournament.events.events import LIMIT_CHECKS
from tournament.pages.contents import past_of
from tournament.pages.editions import Edition, read_nicknames
from tournament.pages.truths import PHASES, Accuracy, count_accuracy, read_truths
from tournament.results.autograders import read_submission_metadata
from tournament.results.deadlines import days_late
from tournament.results.rubric_files import SHIPPED, parse_rubric
from tournament.results.rubrics import Deadline

_ENGINE = b"""[[engine]]
name = "gnu"
command = ["gnugo", "{seed}"]
startup = ["x"]
restart = "match"
limits = {memory_mib = 9}
"""
_EVENT = b"""name = "cup"
kind = "round-robin"
rules = "course"
size = 5
games = 11
seed = 7
submissions = ["handed-in", "late"]
roster = "class.csv"
first_stage = "grade.db"
rubric = "own.toml"
references = ["random", "greedy"]
require_tier = "T2"
python = "python3.11"

[limits]
move_seconds = 5
start_seconds = 2.5
game_cpu_seconds = 60
memory_mib = 1024
processes = 16
disk_mib = 4
log_kib = 64
"""
_ROSTER = """submission,name,students,class
bob_hw2.zip,bob,Bob Ray,
team7,team_seven,Ann Lee; Kim Po,Agent
"Ünal, Zoë.py",,"Zoë ""Z"" Ünal",MyPlayer
"""
_ATTEMPTS = b"""submission,name,submitted,late_days
a.py,ann,2026-10-01 23:59:59,
b.py,ann,2026-10-02T06:59:59.5Z,2
c.py,bob,2026-11-01 01:30:00 -0400,
"""
_LISTS = (
    b'Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n"Ray, Bob",7,s7,bob,A\n"Student, Test",1,,t,\n',
    b"First Name,Last Name,SID,Email,Role,Submission Time\nBob,Ray,s7,b@x.org,Student,2026-06-25 13:16:26 -0600\n",
    "Identifier;Full name;Email address;Last modified (submission)\n"
    'Participant 7;Zoë Ray;b@x.org;"Friday, 2 October 2026, 9:05 AM"\n'.encode("utf-8-sig"),
    b"identifier,github_username,name\ns7,bob,Bob Ray\n",
)
_DEADLINE = b"""title = "Mine"
rules = "course"
size = 5
games = 2
[[opponent]]
name = "random"
bands = [{ from = 0, times_rate = 50 }]
[deadline]
due = 2026-10-01T23:59:59
zone = "America/Los_Angeles"
grace_minutes = 10
late_days = 2
points_per_day = 7.5
cut_off = 2026-10-05 23:59:59Z
attempts = "best"
"""
_TRUTH = json.dumps({
    "key": "0123456789abcdef01234567", "winners": [1, 1, 2, None], "margins": [3, 3, -1, None], "best": {"2": "C3 D4"},
    "seconds": 2.0, "winning": {"3": "A1"},
})  # fmt: skip


def _read_event(data: bytes, folder: Path) -> str:
    path = folder / "cup.toml"
    path.write_bytes(data)
    file = read_event_file(path)
    event = make_event({"kind": "match", **file.values})
    machine = make_machine(file.machine)
    assert event_from_text(event_text(event, machine)) == (event, machine)
    given = file.submissions, file.roster, file.first_stage
    return f"{event.kind} {event.rules} {len(event.references)} {machine.require_tier} {[bool(one) for one in given]}"


def _read_roster(data: bytes, folder: Path) -> str:
    path = folder / "class.csv"
    path.write_bytes(data)
    lines = resolve_attempts(read_roster(path), Attempts(find_zone("America/New_York"), all_play=True), "class.csv")
    return f"{min(len(lines), 5)} {len(lines[0].students)} {bool(lines[0].name)} {bool(lines[-1].class_name)}"


def _read_rubric(data: bytes, folder: Path) -> str:
    rubric = parse_rubric(data, folder / "own.toml")
    days = days_late(rubric.deadline, datetime(2026, 11, 5, tzinfo=UTC)) if rubric.deadline is not None else None
    said = f"{rubric.entry is None} {rubric.seconds is None} {days is None or min(days, 3)}"
    return f"{rubric.rules} {len(rubric.opponents)} {len(rubric.ranks)} {said}"


def _read_points(data: bytes, folder: Path) -> str:
    path = folder / "points.csv"
    path.write_bytes(data)
    return f"{min(len(read_points(path)), 5)}"


def _read_nicknames(data: bytes, folder: Path) -> str:
    path = folder / "names.csv"
    path.write_bytes(data)
    return f"{min(len(read_nicknames(path)), 5)}"


def _read_names(data: bytes, folder: Path) -> str:
    path = folder / "cup.db.files.json"
    path.write_bytes(data)
    kept = read_names(path)
    names = hand_out([Owner(title, (f"hw/{title}.py", f"{title}.py")) for title in ("bob", "Bob", "!")], ["random"], Kept(kept))
    assert len({likeness(name) for name in names}) == 3, names
    return f"{min(len(kept), 5)}"


def _read_truths(data: bytes, folder: Path) -> str:
    path = folder / "truth.jsonl"
    path.write_bytes(data)
    truths = read_truths(path)
    for truth in truths.values():
        for colour in (1, 2):
            count_accuracy([Accuracy() for _ in range(PHASES)], truth, colour, 5)
    return f"{min(len(truths), 5)} {[(truth.first_losing_move, truth.complete) for truth in truths.values()][:2]}"


def _read_course(data: bytes, folder: Path) -> str:
    path = folder / "course.toml"
    path.write_bytes(data)
    course = read_course(path)
    begun = [stage.has_begun(datetime(2026, 11, 5, tzinfo=UTC)) for stage in course.stages]
    return f"{course.editions} {[stage.kind for stage in course.stages][:3]} {begun[:3]} {course.stages[0].deadline is None}"


def _read_extensions(data: bytes, folder: Path) -> str:
    path = folder / "extensions.csv"
    path.write_bytes(data)
    zone = find_zone("America/Los_Angeles")
    found = read_extensions([], path, {"first": zone})
    due, cut_off = datetime(2026, 10, 30, 23, 59, 59, tzinfo=zone), datetime(2026, 11, 1, 12, tzinfo=zone)
    whole_class = Deadline(due, zone, cut_off=cut_off)
    everybody = [Participant("ann", ("Ann Lee",), {"id": "17"})]
    own = with_extensions(whole_class, found, everybody, "").own
    return f"{min(len(found), 3)} {len(own)} {[one.days > 0 for one in found][:2]}"


def _read_ledger(data: bytes, folder: Path) -> str:
    path = folder / "published.jsonl"
    path.write_bytes(data)
    ledger = read_ledger(path)
    past = past_of(rankings_of(ledger, "cup"), Edition("instructor", {"ann": "ann"}))
    return f"{len(ledger)} {[(one.final, len(one.marks)) for one in ledger]} {past is None}"


def _read_metadata(data: bytes, folder: Path) -> str:
    path = folder / "submission_metadata.json"
    path.write_bytes(data)
    handed = read_submission_metadata(path)
    return f"{bool(handed.student)} {len(handed.fields)} {handed.due is None} {handed.late_due is None} {handed.graded}"


_METADATA = {
    "id": 12,
    "created_at": "2026-10-02T14:22:32.365935-07:00",
    "assignment": {"due_date": "2026-10-01T23:59:00-07:00", "late_due_date": None},
    "users": [{"email": "a@example.org", "id": 1, "name": "Ann", "assignment": {"due_date": "2026-10-03T23:59:00-07:00"}}],
    "previous_submissions": [{"submission_time": "2026-10-01T14:22:32-07:00", "score": 1.0, "results": {"score": 1.0}}],
}
_CSV = (b",", b";", b'"', b'""', b"\r\n", b"\n", b"=A1", b"'", b"  ", b"\xef\xbb\xbf")
_TOML = (b"[[", b"]]", b'"""', b"'''", b" = ", b"{", b"}", b"1979-05-27T07:32:00Z", b"07:32:00", b"\\u0000", b"\\U0010ffff",
    b"\\e")

_COURSE = b"""name = "go"
zone = "America/Los_Angeles"
roster = "class.csv"
editions = ["class", "student"]
late_days = 5
[[homework]]
name = "first"
submissions = "first"
begins = 2026-09-24T08:00:00
limits = { move_seconds = 0.5 }
deadline = { due = 2026-10-01T23:59:59, percent_per_day = 12.5, attempts = "best" }
[ladder]
games = 3
[[extension]]
student = "ann@example.org"
homework = "first"
days = 2
reason = "ill"
"""
_EXTENSIONS = b"""student,homework,until,days,cut_off,reason
ann,first,,2,,ill
17,first,2026-11-01 01:30:00 -0700,,2026-11-03 12:00,
"""
_PUBLISHED = (
    b'{"before":"","time":"2026-10-02T00:00:00+00:00","stage":"cup","store":"cup.db","run":3,"key":"51b0","rubric":"","final":true,'
    b'"marks":[{"name":"ann","submission":"ann","version":"3f","points":"82.5","of":"100","games":4,"refused":""}],'
    b'"places":[{"name":"ann","version":"3f","rank":1,"rating":1510.5,"low":1480.0,"high":1541.0}]}\n'
)

READERS = {
    "course": Reader(
        lambda: [_COURSE, b'name = "go"\n[ladder]\nsubmissions = "x"\n'], _read_course, (JudgeError,),
        (*_TOML, b"[[homework]]", b"[ladder]", b"begins", b"deadline", b"zone", b"editions", b"kept", b"pages", b"seed",
        b"[[extension]]", b"late_days", b"until", b"cut_off"),
    ),
    "extensions": Reader(
        lambda: [_EXTENSIONS, _EXTENSIONS.replace(b",", b";")], _read_extensions, (JudgeError,),
        (*_CSV, b"student", b"homework", b"first", b"until", b"days", b"cut_off", b"2026-03-08 02:30", b"9999", b"0001-01-01"),
    ),
    "ledger": Reader(
        lambda: [_PUBLISHED, _PUBLISHED[:-80]], _read_ledger, (JudgeError,),
        (b"null", b"[]", b"{}", b'""', b"NaN", b"Infinity", b"1e999", b'"marks"', b'"places"', b"0001-01-01", b"true"),
    ),
    "event": Reader(
        lambda: [_EVENT, b'name = "cup"\n', b'kind = "grade"\nrubric = "2019"\n', b"[limits]\nmove_seconds = 1e3", _ENGINE],
        _read_event, (JudgeError,),
        (
            *_TOML, *(name.encode() for name in LIMIT_CHECKS), b"name", b"kind", b"gauntlet", b"littlego", b"seed", b"[limits]",
            b"T0", b"[[engine]]", b"command", b"restart", b"startup", b"clock",
        ),
    ),
    "roster": Reader(
        lambda: [_ROSTER.encode(), _ROSTER.replace(",", ";").encode(), _ROSTER.replace("\n", "\r\n").encode("utf-8-sig"),
            *_LISTS, _ATTEMPTS, _ROSTER.replace(",", "\t").encode("utf-16"), _ROSTER.replace("Ray", "Núñez").encode("cp1252")],
        _read_roster, (JudgeError,), (*_CSV, b"submission", b"name", b"students", b"class", b"submitted", b"03-08 02:30"),
    ),
    "rubric": Reader(
        lambda: [*(path.read_bytes() for path in sorted(SHIPPED.glob("*.toml"))), _DEADLINE], _read_rubric, (JudgeError,),
        (*_TOML, b"[[opponent]]", b"[[rank]]", b"bands", b"from", b"points", b"times_rate", b"stage", b"entry", b"seconds",
            b"to = 2", b"[deadline]", b"due", b"percent_per_day", b"0001-01-01T00:00:00", b"9999-12-31T23:59:59",
         b"player", b"1e-30", b"1e999999999", b"0.9"),
    ),
    "points": Reader(lambda: [b"name,points\nann,95.5\nbob,0\n", b"points,x,name\r\n1,2,bob\r\n"], _read_points,
    (JudgeError,), _CSV),
    "nicknames": Reader(lambda: [b"name,nickname\nann,Keen-Otter\n'=bob,Calm-Yak\n"], _read_nicknames, (JudgeError,),
    _CSV),
    "names": Reader(lambda: [b'{"names": {"/srv/hw/bob.py": "bob", "hw/Bob.py": "Bob-2", "\\udce9.py": "s17"}}'], _read_names,
    (JudgeError,), (b"null", b"[]", b"{}", b'""', b'"names"', b"/", b"bob", b"\\ud800")),
    "truths": Reader(
        lambda: [f"{_TRUTH}\n{_TRUTH.replace('0123', '3210')}\n".encode(), _TRUTH[:60].encode()], _read_truths, (),
        (b"null", b"[]", b"{}", b'""', b"NaN", b"Infinity", b'"winners"', b'"margins"', b'"best"', b'"seconds"'),
    ),
    "metadata": Reader(
        lambda: [json.dumps(_METADATA).encode(), b'{"id": 1, "users": []}'], _read_metadata, (),
        (b"null", b"[]", b"{}", b'""', b"NaN", b"9" * 5000, b'"users"', b'"email"', b'"name"', b'"\\ud800"'),
    ),
}  # fmt: skip
