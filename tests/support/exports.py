"""A class of eight as each course system hands it out, with the rubbish that comes along; and as a plain folder.

The shapes are those that the systems' own code and documents have: see `gojudge.intake.exports`.
"""

import io
import os
import subprocess
import zipfile
from dataclasses import dataclass
from pathlib import Path

from goban.common.tables import SheetError, parse_sheet
from gojudge.errors import BadRosterError
from gojudge.intake import rosters
from gojudge.intake.submissions import take_in
from tests.support.sources import FIRST_LEGAL

IMPORTS = """from helper import first

class MyPlayer:
    def get_input(self, go, piece_type):
        return first(go, piece_type)
"""
HELPER = """def first(go, piece_type):
    points = [(i, j) for i in range(go.size) for j in range(go.size)]
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))
"""
BROKEN = "class MyPlayer\n"
DUE = "2026-10-01 23:59:59"


@dataclass(frozen=True)
class Student:
    """One of the class. files: what they handed in; time: when, in UTC, by way of which they are late after DUE."""

    short: str
    name: str
    email: str
    number: int
    files: dict[str, str]
    time: str = "2026-10-01 20:00:00"
    again: int = 0
    zipped: bool = False

    @property
    def sid(self):
        return f"s{self.number}"

    @property
    def late(self):
        return self.time > DUE

    @property
    def last_first(self):
        first, _, last = self.name.rpartition(" ")
        return f"{last}, {first}" if first else last


PLAYER = {"my_player.py": FIRST_LEGAL}
CLASS = [
    Student("jose", "José Núñez", "jose@example.org", 101, PLAYER),
    Student("ann", "Ann Lee", "ann@example.org", 102, {"my_player.py": IMPORTS, "helper.py": HELPER}, "2026-10-02 12:00:00", 2),
    Student("ann2", "Ann Lee", "lee@example.org", 103, PLAYER, zipped=True),
    Student("wang", "王小明", "wang@example.org", 104, PLAYER),
    Student("bob", "Bob O'Ray-Smith", "bob@example.org", 105, {"my_player.py": BROKEN}),
    Student("cai", "Cai Zed", "cai@example.org", 106, {**PLAYER, "notes.md": "# mine"}, "2026-10-03 00:00:01"),
    Student("nia", "Nia Po", "nia@example.org", 107, {}),
    Student("eva", "Eva Müller", "eva@example.org", 108, PLAYER, again=1),
]
RUBBISH = {".DS_Store": b"\0", "__MACOSX/._x": b"\0", "Thumbs.db": b"\0", "read me.txt": b"hello", "._my_player.py": b"\0"}


def contents(student, files=None):
    """What a student handed in: path -> bytes. A zip of it if they made one."""
    files = {name: text.encode() for name, text in (student.files if files is None else files).items()}
    if not student.zipped:
        return files
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("hw/.DS_Store", b"\0")
        for name, data in files.items():
            archive.writestr(f"hw/{name}", data)
    return {"hw 2.zip": packed.getvalue()}


def write(folder, files):
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)


def plain(folder):
    """As somebody unpacks it by hand."""
    for one in CLASS:
        (folder / one.short).mkdir(parents=True, exist_ok=True)
        write(folder / one.short, {name: text.encode() for name, text in one.files.items()})


METADATA = """---
submission_{number}00:
  :submitters:
  - :name: {name}
    :sid: {sid}
    :email: {email}
  :created_at: {time}.123456789 Z
  :score: {score}
  :status: processed
  :results:
    tests:
    - score: 1.0
      output: |
        a line
        submission_99: no entry
    output: ''
  :history:{history}
"""
EARLIER = """
  - :id: {k}
    :created_at: !ruby/object:ActiveSupport::TimeWithZone
      utc: 2026-09-30 08:00:00.000000000 Z
      zone: !ruby/object:ActiveSupport::TimeZone
        name: Etc/UTC
      time: 2026-09-30 08:00:00.000000000 Z
    :score: 0.0
    :status: processed"""


def metadata(student):
    history = "".join(EARLIER.format(k=k) for k in range(student.again)) or " []"
    values = {"name": student.name, "sid": f"'{student.sid}'", "email": student.email, "time": student.time}
    score = "" if student.again else "5.0"
    return METADATA.format(number=student.number, score=score, history=history, **values).removeprefix("---\n")


def gradescope(folder):
    """A folder each, archives unpacked, and who they are in a file. Whoever handed in nothing has an entry and no folder."""
    top = folder / "assignment_8046601_export"
    for one in CLASS:
        if one.files:
            write(top / f"submission_{one.number}00", {name: text.encode() for name, text in one.files.items()})
    write(top, {**RUBBISH, "submission_metadata.yml": ("---\n" + "".join(map(metadata, CLASS))).encode()})


def canvas(folder):
    """All files in one folder, each with its owner in front; `sortable_name` without anything but letters and digits."""
    number = 678900
    for one in CLASS:
        owner = "".join(sign for sign in one.last_first.lower() if sign.isalnum() or sign == "_")
        start = "_".join([owner, *(["LATE"] if one.late else []), str(one.number)])
        for name, data in contents(one).items():
            number += 1
            stem, dot, ending = name.rpartition(".")
            again = f"{stem}-{one.again}{dot}{ending}" if one.again else name
            write(folder, {f"{start}_{number}_{again}": data})
        if not one.files:
            write(folder, {f"{start}_text.html": b"<p>I could not</p>"})
    write(folder, RUBBISH)


def moodle(folder, after="_", flat=False):
    """A folder for each student and kind of submission, or all of that in the names of files."""
    for one in CLASS:
        start = f"{one.name}_{one.number}_assignsubmission"
        for name, data in contents(one).items():
            write(folder, {f"{start}_file_{name}" if flat else f"{start}_file{after}/{name}": data})
        if one.name.startswith(("Nia", "Eva")):
            write(folder, {f"{start}_onlinetext{'_' if flat else after + '/'}onlinetext.html": b"<p>hello</p>"})
    write(folder, RUBBISH)


ABOUT = """Name: {name} ({short})
Assignment: hw 2
Date Submitted: Thursday, October 1, 2026 8:00:00 PM PDT
Current Grade: Needs Grading

Submission Field:
{typed}

Files:
"""


def blackboard(folder):
    """All files in one folder, each with the assignment, its owner and the attempt in front; what was typed is a file, too."""
    for one in CLASS:
        times = [f"2026-09-{20 + k}-08-00-00" for k in range(one.again)] + [one.time.replace(" ", "-").replace(":", "-")]
        for time in times:
            start = f"hw_2_{one.short}_attempt_{time}"
            files = contents(one) if time == times[-1] else {"my_player.py": BROKEN.encode()}
            write(folder, {f"{start}.txt": ABOUT.format(name=one.name, short=one.short, typed="I could not").encode()})
            write(folder, {f"{start}_{name}": data for name, data in files.items()})
    write(folder, RUBBISH)


def github(folder):
    """As `gh classroom clone student-repos` clones them."""
    top = folder / "hw2-submissions"
    for one in CLASS:
        repository = top / f"hw2-{one.short}"
        files = {name: text.encode() for name, text in one.files.items()}
        write(repository, {"README.md": b"# hw2\n", ".github/workflows/classroom.yml": b"name: x\n", **files})
        commit(repository, f"{one.time}+00:00")
    write(top, RUBBISH)


def commit(folder, time):
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "PATH": os.environ["PATH"]}
    settings |= {"GIT_AUTHOR_DATE": time, "GIT_COMMITTER_DATE": time}
    who = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    for words in (("init", "-q"), ("add", "-A"), ("commit", "-q", "-m", "hw2")):
        subprocess.run(["git", *who, *words], cwd=folder, env=settings, check=True, capture_output=True)


def taken(source, into, *rest, **options):
    return take_in([Path(source)], into, *rest, **options)


def zipped(folder, path, name_of=str):
    """A zip of a folder, in the order of its names. name_of: what a file's name becomes there."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.rglob("*")):
            if file.is_file():
                archive.write(file, name_of(file.relative_to(folder).as_posix()))
    return Path(path)


SYSTEMS = {"gradescope": gradescope, "canvas": canvas, "moodle": moodle, "blackboard": blackboard, "github": github}


# Their own lists of the class


def own_roster():
    """One that names everybody, with what each system knows them by."""
    lines = ["name,students,email,sid,canvas_id,participant,username,github_username"]
    for one in CLASS:
        lines.append(f"{one.short},{one.name},{one.email},{one.sid},{one.number},{one.number},{one.short},{one.short}")
    return "\n".join(lines) + "\n"


def canvas_gradebook():
    lines = ["Student,ID,SIS User ID,SIS Login ID,Section,hw1 (23),Current Score", "    Points Possible,,,,,10.00,(read only)"]
    lines += [f'"{one.last_first}",{one.number},{one.sid},{one.short},CS 561-01,8.00,80' for one in CLASS]
    return "\n".join([*lines, '"Student, Test",999,,teststudent,CS 561-01,,']) + "\n"


def gradescope_roster():
    lines = ["First Name,Last Name,SID,Email,Role"]
    lines += [f"{one.name.rpartition(' ')[0]},{one.name.rpartition(' ')[2]},{one.sid},{one.email},Student" for one in CLASS]
    return "\n".join([*lines, "Pat,Staff,,staff@example.org,Instructor"]) + "\n"


def moodle_participants():
    """In German, as a spreadsheet saves it there."""
    lines = ["\ufeffVorname;Nachname;E-Mail-Adresse;Rollen;Gruppen"]
    for one in CLASS:
        first, _, last = one.name.rpartition(" ")
        lines.append(f'"{first}";"{last}";"{one.email}";"Teilnehmer/in";"Übung 3"')
    return "\n".join([*lines, '"Pat";"Staff";"staff@example.org";"Lehrende";""']) + "\n"


def blackboard_grades():
    """Behind tabs, as its button *Download grades* saves them."""
    lines = ['\ufeff"Last Name"\t"First Name"\t"Username"\t"Student ID"\t"hw 2 [Total Pts: 10 Score] |1"']
    for one in CLASS:
        first, _, last = one.name.rpartition(" ")
        lines.append(f'"{last}"\t"{first}"\t"{one.short}"\t"{one.sid}"\t""')
    return "\n".join(lines) + "\n"


def github_roster():
    lines = ['"identifier","github_username","github_id","name"']
    return "\n".join([*lines, *(f'"{one.sid}","{one.short}","1","{one.name}"' for one in CLASS)]) + "\n"


ROSTERS = {
    "gradescope": gradescope_roster, "canvas": canvas_gradebook, "moodle": moodle_participants,
    "blackboard": blackboard_grades, "github": github_roster,
}  # fmt: skip


def parse_roster(text, where):
    """The lines of a roster that is a text; `where` begins the message of BadRosterError."""
    try:
        return rosters._lines(parse_sheet(text, where), where)
    except SheetError as error:
        raise BadRosterError(str(error)) from error
