"""A class over a term of three homeworks, with all that happens: every mark is that of a plain computation.

Extensions, late days of the whole course, two zones, attempts, a cut-off, names with accents in both forms, namesakes, people
who hand in nothing or something broken, and rubbish among what lies there. Who plays has 50 points before penalties.
"""

import csv
import random
import re
import unicodedata
from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from tests.support.courses import RUBRIC, course, play_with_stubs
from tests.support.sources import FIRST_LEGAL
from tournament.courses.ledgers import read_ledger

pytestmark = pytest.mark.slow

PACIFIC, BERLIN = ZoneInfo("America/Los_Angeles"), ZoneInfo("Europe/Berlin")
COURSE_DAYS = 4
# name: zone, due, cut-off, minutes of grace, points and percent a day, most free days, which attempt counts
HOMEWORKS = {
    "one": (PACIFIC, datetime(2026, 10, 1, 23, 59, 59), datetime(2026, 10, 6, 23, 59, 59), 10, 10, 0, None, "best"),
    "two": (BERLIN, datetime(2026, 10, 22, 23, 59, 59), datetime(2026, 10, 27, 23, 59, 59), 0, 0, 20, 2, "last"),
    "three": (PACIFIC, datetime(2026, 10, 30, 23, 59, 59), datetime(2026, 11, 4, 23, 59, 59), 0, 15, 0, None, "last-in-time"),
}
FIRST = ("Zoë", "José", "Łukasz", "Ann", "Bob", "Çem", "Đạt", "李雷", "Søren", "Mia")
LAST = ("Lee", "Núñez", "O'Neil", "van der Berg", "Ångström", "王", "Smith")
WORTH = 50


def moment(zone, naive):
    return naive.replace(tzinfo=zone).timestamp()


class Term:
    """A class made up by a seed. sent: (homework, student) -> submissions, oldest first: (file, time by its clocks)."""

    def __init__(self, seed, size):
        rng = random.Random(seed)
        self.students = [f"s{number:03}" for number in range(size)]
        self.names = {one: f"{rng.choice(FIRST)} {rng.choice(LAST)}" for one in self.students}
        self.sections = {one: rng.choice("ABC") for one in self.students}
        self.sent, self.broken, self.extensions = {}, set(), []
        for name, (_, due, cut_off, *_) in HOMEWORKS.items():
            for student in self.students:
                if rng.random() < 0.05:
                    continue
                number = rng.choice((1, 1, 1, 2, 3))
                late = [rng.choice((-30, -5, -1, 0, 0, 1, 20, 30, 50, 75, 119, 121, 150)) for _ in range(number)]
                times = sorted({due + timedelta(hours=hours, minutes=rng.randrange(60)) for hours in late})
                self.sent[name, student] = [(f"{student}{'abc'[k]}" if k else student, at) for k, at in enumerate(times)]
                if number == 1 and rng.random() < 0.1:
                    self.broken.add((name, student))
            for student in rng.sample(self.students, 12):
                days, until = rng.choice((1, 2, 3)), due + timedelta(days=rng.choice((1, 2)), hours=-7)
                cut = rng.choice((None, cut_off + timedelta(days=3)))
                self.extensions.append((student, name, *rng.choice(((days, None), (None, until))), cut))

    def write(self, folder, rng):
        tables = [
            f'[[homework]]\nname = "{name}"\nsubmissions = "{name}"\nroster = "{name}.csv"\nonly_listed = true\n'
            f'zone = "{zone}"\nrubric = "tiny.toml"\nseed = {len(name)}\n[homework.deadline]\ndue = {due.isoformat()}\n'
            f'cut_off = {cut_off.isoformat()}\ngrace_minutes = {grace}\n'
            + (f"points_per_day = {points}\n" if points else f"percent_per_day = {percent}\n")
            + (f"late_days = {most}\n" if most is not None else "") + f'attempts = "{attempts}"\n'
            for name, (zone, due, cut_off, grace, points, percent, most, attempts) in HOMEWORKS.items()
        ]  # fmt: skip
        head = 'name = "go"\nzone = "America/Los_Angeles"\neditions = ["class"]\nextensions = "extensions.csv"\n'
        (folder / "course.toml").write_text(f"{head}late_days = {COURSE_DAYS}\n" + "\n".join(tables))
        (folder / "tiny.toml").write_text(RUBRIC)
        for name in HOMEWORKS:
            self._write_homework(folder, name, rng)
        with (folder / "extensions.csv").open("w", encoding="utf-8-sig", newline="") as file:
            lines = csv.writer(file, delimiter=";")
            lines.writerow(("student", "homework", "days", "until", "cut_off", "reason"))
            for student, name, days, until, cut in self.extensions:
                who = rng.choice((student, f"ID{student}", f"{student.upper()}@example.org"))
                lines.writerow((who, name, days or "", until or "", cut or "", "ill"))

    def _write_homework(self, folder, name, rng):
        place = folder / name
        (place / "__MACOSX").mkdir(parents=True)
        for rubbish in (".DS_Store", "Thumbs.db", "__MACOSX/._s001.py", "notes.txt", "stranger.py"):
            (place / rubbish).write_bytes(b"\0rubbish")
        with (folder / f"{name}.csv").open("w", encoding="utf-8-sig", newline="") as file:
            lines = csv.writer(file, delimiter=";")
            lines.writerow(("submission", "name", "students", "submitted", "id", "email", "section"))
            for student in rng.sample(self.students, len(self.students)):
                shown = unicodedata.normalize(rng.choice(("NFC", "NFD")), self.names[student])
                rest = f"ID{student}", f"{student}@example.org", self.sections[student]
                for file_name, at in self.sent.get((name, student), [(student, "")]):
                    lines.writerow((file_name, student, shown, at, *rest))
                    if at:
                        text = "class MyPlayer(\n" if (name, student) in self.broken else f"{FIRST_LEGAL}# {file_name} {name}\n"
                        (place / f"{file_name}.py").write_text(text)


def dates_of(term, name, student):
    """When something is due for somebody, and until when it counts, as seconds and by the clocks."""
    zone, due, cut_off, *_ = HOMEWORKS[name]
    own = [(due, cut_off)]
    for who, homework, days, until, cut in term.extensions:
        if (who, homework) == (student, name):
            later = due + timedelta(days=days) if days else until
            own.append((later, cut or cut_off + (later - due)))
    return max(own, key=lambda one: moment(zone, one[0]))


def worth(term, name, student, left):
    """(points, late days that are spent) of each attempt of somebody, and whether it was in time, and before the cut-off."""
    zone, _, _, grace, points, percent, most, _ = HOMEWORKS[name]
    due, cut_off = dates_of(term, name, student)
    for _, at in term.sent[name, student]:
        days = 0
        while moment(zone, at) - 60 * grace > moment(zone, due + timedelta(days=days)):
            days += 1
        if moment(zone, at) > moment(zone, cut_off):
            yield Fraction(0), 0, False, False
            continue
        each = points + Fraction(percent * WORTH, 100)
        free = min(days, left, left if most is None else most)
        cost, full = min(WORTH, each * (days - free)), min(WORTH, each * days)
        yield WORTH - cost, free if cost < full else 0, not days, True


def marks_by_hand(term):
    """(homework, student) -> points, and late days that are left. What cannot be played spends none."""
    left, found = dict.fromkeys(term.students, COURSE_DAYS), {}
    for name in HOMEWORKS:
        for student in term.students:
            if (name, student) not in term.sent or (name, student) in term.broken:
                found[name, student] = Fraction(0), left[student]
                continue
            each = [*worth(term, name, student, left[student])]
            counts = HOMEWORKS[name][-1]
            in_time, accepted = [one for one in each if one[2]], [one for one in each if one[3]]
            if counts == "best":
                chosen = max(each, key=lambda one: one[0])
            else:
                chosen = ((in_time if counts == "last-in-time" else []) or accepted or each)[-1]
            left[student] -= chosen[1]
            found[name, student] = chosen[0], left[student]
    return found


@pytest.mark.parametrize(("seed", "size"), [(1, 60), pytest.param(2, 218, marks=pytest.mark.long)])
def test_every_mark_of_a_class_is_that_of_a_plain_computation(seed, size, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    play_with_stubs(monkeypatch)
    term = Term(seed, size)
    term.write(tmp_path, random.Random(seed))
    assert course(now="2026-11-26 12:00") == 0
    published = {one.stage: one.marks for one in read_ledger(Path("kept/published.jsonl"))}
    found = {}
    for name, marks in published.items():
        for mark in marks:
            if mark.name == "stranger":
                assert (mark.points, mark.refused) == ("0", f"not in {name}.csv, and only those listed take part")
                continue
            left = re.search(r"(\d+|none|no) (?:late days? )?left", mark.late)[1]
            assert (name, mark.name[:4]) not in found
            found[name, mark.name[:4]] = Fraction(mark.points), int(left) if left.isdigit() else 0
    expected = marks_by_hand(term)
    assert len(expected) == 3 * size
    assert {key: (found.get(key), value) for key, value in expected.items() if found.get(key) != value} == {}
    assert len(found) == len(expected)
    # All that can happen does.
    assert {days for _, days in expected.values()} == {*range(COURSE_DAYS + 1)}
    assert len({points for points, _ in expected.values()}) > 6
