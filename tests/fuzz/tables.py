"""Tables that people write: event files, rosters, rubrics, points, nicknames; and what is known of games' moves."""

from __future__ import annotations

import json
from pathlib import Path

from tests.fuzz.readers import Reader
from tournament.errors import TournamentError
from tournament.events.event_files import LIMITS, event_from_text, event_text, make_event, make_machine, read_event_file
from tournament.intake.rosters import read_roster
from tournament.pages.nicknames import read_nicknames
from tournament.pages.truths import PHASES, Accuracy, count_accuracy, read_truths
from tournament.results.first_stage import read_points
from tournament.results.rubric_files import SHIPPED, parse_rubric

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
    lines = read_roster(path)
    return f"{min(len(lines), 5)} {len(lines[0].students)} {bool(lines[0].name)} {bool(lines[-1].class_name)}"


def _read_rubric(data: bytes, folder: Path) -> str:
    rubric = parse_rubric(data, folder / "own.toml")
    return f"{rubric.rules} {len(rubric.opponents)} {len(rubric.ranks)} {rubric.entry is None} {rubric.seconds is None}"


def _read_points(data: bytes, folder: Path) -> str:
    path = folder / "points.csv"
    path.write_bytes(data)
    return f"{min(len(read_points(path)), 5)}"


def _read_nicknames(data: bytes, folder: Path) -> str:
    path = folder / "names.csv"
    path.write_bytes(data)
    return f"{min(len(read_nicknames(path)), 5)}"


def _read_truths(data: bytes, folder: Path) -> str:
    path = folder / "truth.jsonl"
    path.write_bytes(data)
    truths = read_truths(path)
    for truth in truths.values():
        for colour in (1, 2):
            count_accuracy([Accuracy() for _ in range(PHASES)], truth, colour, 5)
    return f"{min(len(truths), 5)} {[(truth.first_losing_move, truth.complete) for truth in truths.values()][:2]}"


_CSV = (b",", b";", b'"', b'""', b"\r\n", b"\n", b"=A1", b"'", b"  ", b"\xef\xbb\xbf")
_TOML = (b"[[", b"]]", b'"""', b"'''", b" = ", b"{", b"}", b"1979-05-27T07:32:00Z", b"07:32:00", b"\\u0000", b"\\U0010ffff",
    b"\\e")

READERS = {
    "event": Reader(
        lambda: [_EVENT, b'name = "cup"\n', b'kind = "grade"\nrubric = "2019"\n', b"[limits]\nmove_seconds = 1e3"],
        _read_event, (TournamentError,),
        (*_TOML, *(name.encode() for name in LIMITS), b"name", b"kind", b"gauntlet", b"littlego", b"seed", b"[limits]", b"T0"),
    ),
    "roster": Reader(
        lambda: [_ROSTER.encode(), _ROSTER.replace(",", ";").encode(), _ROSTER.replace("\n", "\r\n").encode("utf-8-sig")],
        _read_roster, (TournamentError,), (*_CSV, b"submission", b"name", b"students", b"class"),
    ),
    "rubric": Reader(
        lambda: [path.read_bytes() for path in sorted(SHIPPED.glob("*.toml"))], _read_rubric, (TournamentError,),
        (*_TOML, b"[[opponent]]", b"[[rank]]", b"bands", b"from", b"points", b"times_rate", b"stage", b"entry", b"seconds",
            b"to = 2",
         b"player", b"1e-30", b"1e999999999", b"0.9"),
    ),
    "points": Reader(lambda: [b"name,points\nann,95.5\nbob,0\n", b"points,x,name\r\n1,2,bob\r\n"], _read_points,
    (TournamentError,), _CSV),
    "nicknames": Reader(lambda: [b"name,nickname\nann,Keen-Otter\n'=bob,Calm-Yak\n"], _read_nicknames, (TournamentError,),
    _CSV),
    "truths": Reader(
        lambda: [f"{_TRUTH}\n{_TRUTH.replace('0123', '3210')}\n".encode(), _TRUTH[:60].encode()], _read_truths, (),
        (b"null", b"[]", b"{}", b'""', b"NaN", b"Infinity", b'"winners"', b'"margins"', b'"best"', b'"seconds"'),
    ),
}  # fmt: skip
