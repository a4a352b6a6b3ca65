"""The zip with which a course system grades each submission, and what Gradescope says there of one.

The zip needs nothing but Python 3.11 where it is unpacked:

    setup.sh, run_autograder   what Gradescope calls, see `autograder/`, where all these scripts lie
    grade.sh                   what Vocareum calls
    harness/                   our own modules; they are no package of the interpreter's, where a submission could read them
    event.toml                 what is played, and the rubric with its players beside it if it is not a shipped one
    settings.json              the secret key and how a result is shown: see AutograderSettings
    packages.txt               packages of Debian and Ubuntu that are needed besides: compilers, where programs play
    requirements.txt           what pip installs for submissions to import, if anything

GitHub Classroom has the zip in the assignment's repository, beside a workflow that unpacks it and calls `autograder-run`.

Sources: https://gradescope-autograders.readthedocs.io/en/latest/specs/ and .../submission_metadata/;
https://help.vocareum.com/en/articles/14120536-using-custom-grading-scripts-in-vocareum-labs;
https://github.com/classroom-resources/autograding-grading-reporter
"""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import math
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from goban.common.excerpts import as_written
from goban.common.files import read_bounded
from goban.common.moments import read_moment
from goban.common.tables import WrongValueError
from gojudge.intake.dependencies import companions
from gojudge.intake.rosters import SUBMITTED
from gojudge.records import Fields
from players.registry import split_options
from tournament.errors import BadEventError, BadRubricError
from tournament.events.events import Event, Machine
from tournament.events.schedules import Key
from tournament.results.rubrics import Rubric

_ROOT = Path(__file__).resolve().parents[2]
_ROOMS = ("goban", "gojudge", "players", "tournament")
_HOST = "go.py"
# The player `my`, which may be anybody's; other players do without it.
_MY = ("my_player.py", "my_player_search.py", "my_player_table.py", "my_player_table.bin")
# Nothing of them is needed for a grade, and of some a student could make use.
_LEFT_OUT = ("goban/board", "gojudge/shelf", "tournament/pages", "tournament/results/autograder")
# But students are told of their faults in the words of their pages.
_NEEDED = tuple(f"tournament/pages/{name}.py" for name in ("__init__", "words"))
_SCRIPTS = _ROOT / "tournament/results/autograder"
GRADESCOPE, VOCAREUM, GITHUB = "gradescope", "vocareum", "github-classroom"
SYSTEMS: Mapping[str, Sequence[str]] = {GRADESCOPE: ("setup.sh", "run_autograder"), VOCAREUM: ("grade.sh",), GITHUB: ()}
"""The systems that grade with such a zip, and what each calls in it."""
WORKFLOW, ZIP_BESIDE = ".github/workflows/classroom.yml", ".github/classroom/autograder.zip"
"""Where these lie in a repository of GitHub Classroom."""
_COMPILERS = "g++ default-jdk-headless\n"
_MOST_BYTES = 10_000_000
_MARGIN_SECONDS = 60.0


@dataclass(frozen=True)
class AutograderSettings:
    """How each submission is graded. key: of all its chance, hexadecimal, see `key_for`. visibility: as Gradescope has it.

    minutes: the time-out that is set for the assignment. jobs: games played at a time. attempts: how many submissions of a
    student are graded, 0 for all.
    """

    key: str
    visibility: str = "visible"
    minutes: float = 10.0
    jobs: int = 1
    attempts: int = 0

    @property
    def seconds(self) -> float:
        """The seconds that there are for games: the rest is for starting, for the last game and for the result."""
        return 60 * self.minutes - _MARGIN_SECONDS


@dataclass(frozen=True)
class Handed:
    """What Gradescope says of a submission. What it does not say is empty.

    student: who has handed it in, the same text whenever the same people do. fields: whose it is, as a roster would have it.
    due, late_due: the assignment's dates, with the extension of this student. graded: how many submissions of theirs were
    graded before. result: the contents of `results.json` of the one before this. unread: why nothing of it could be read, '' if
    it could.
    """

    student: str = ""
    fields: Fields = ()
    due: datetime | None = None
    late_due: datetime | None = None
    graded: int = 0
    result: Mapping[str, Any] = field(default_factory=dict)
    unread: str = ""


def autograder(
    system: str, event: Event, machine: Machine, rubric: Rubric, settings: AutograderSettings, requirements: bytes = b""
) -> bytes:
    """Return the zip for one of SYSTEMS. Raises BadRubricError, BadEventError, BadSubmissionError for a rubric's player, and
    OSError."""
    beside = _rubric_files(event.rubric, rubric)
    rubric_name = Path(event.rubric).name if beside else event.rubric
    files = {
        **{name: (_SCRIPTS / name).read_bytes() for name in SYSTEMS[system]},
        "event.toml": event_toml(event, machine, rubric_name).encode(),
        "settings.json": json.dumps(asdict(settings), indent=1).encode(),
        "packages.txt": _COMPILERS.encode() if event.rules == "littlego" else b"",
        "requirements.txt": requirements,
        **beside,
        **{f"harness/{path.relative_to(_ROOT).as_posix()}": path.read_bytes() for path in _modules(rubric)},
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o755 if name in SYSTEMS[system] else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return packed.getvalue()


def workflow(settings: AutograderSettings) -> bytes:
    """Return the workflow that grades in a repository of GitHub Classroom, as a file of GitHub Actions."""
    text = (_SCRIPTS / "classroom.yml").read_text("utf-8")
    return text.replace("@MINUTES@", f"{math.ceil(settings.minutes)}").replace("@ZIP@", ZIP_BESIDE).encode()


def _modules(rubric: Rubric) -> list[Path]:
    """Return the files of ours that a grade needs, the books and tables of its players included."""
    found = [path for room in _ROOMS for path in sorted((_ROOT / room).rglob("*")) if path.is_file()]
    out = tuple(_ROOT / place for place in _LEFT_OUT)
    kept = [path for path in found if "__pycache__" not in path.parts and not any(path.is_relative_to(one) for one in out)]
    plays = any(split_options(opponent.player)[0].lower() == "my" for opponent in rubric.opponents)
    return [*(_ROOT / name for name in (_HOST, *(_MY if plays else ()), *_NEEDED)), *kept]


def _rubric_files(name: str, rubric: Rubric) -> dict[str, bytes]:
    """Return a rubric of one's own, and the files of its players, by their paths beside it; nothing for a shipped one."""
    if not name.endswith(".toml"):
        return {}
    folder = Path(name).resolve().parent
    files = {Path(name).name: read_bounded(name, _MOST_BYTES)}
    for opponent in rubric.opponents:
        if not opponent.player.endswith(".py"):
            continue
        player = Path(opponent.player).resolve()
        if not player.is_relative_to(folder):
            raise BadRubricError(f"{name}: player: expected a file beside the rubric or below, got {opponent.player!r}")
        needed = {player.name: read_bounded(player, _MOST_BYTES), **companions(player)}
        place = player.parent.relative_to(folder)
        files |= {(place / path).as_posix(): data for path, data in needed.items()}
    if taken := sorted({"event.toml", "settings.json", "packages.txt", "requirements.txt", "python"} & files.keys()):
        raise BadRubricError(f"{name}: expected names other than {taken[0]!r} for it and its players")
    return files


def event_toml(event: Event, machine: Machine, rubric: str) -> str:
    """Return an event file for this event. rubric: its name, or its path from the file."""
    values = {"kind": event.kind, "rules": event.rules, "size": event.size, "games": event.games, "rubric": rubric}
    values |= {"until_decided": event.until_decided} if event.until_decided else {}
    values |= {**machine.record, "require_tier": str(machine.require_tier)}
    # A text of JSON in ASCII is one of TOML, too.
    lines = [f"{key} = {json.dumps(value)}" for key, value in values.items()]
    limits = [f"{key} = {json.dumps(value)}" for key, value in asdict(event.limits).items()]
    return "\n".join([*lines, "", "[limits]", *limits, ""])


def read_settings(path: Path) -> AutograderSettings:
    """Return the settings of a zip; raises BadEventError, and OSError if there are none."""
    try:
        return AutograderSettings(**json.loads(read_bounded(path, _MOST_BYTES)))
    except (ValueError, TypeError):
        raise BadEventError(f"{path.name}: expected the settings as autograder writes them") from None


# What Gradescope says of a submission


def read_submission_metadata(path: Path) -> Handed:
    """Return what `submission_metadata.json` says: of each part nothing if it is missing, or has another form by now."""
    try:
        said = json.loads(read_bounded(path, _MOST_BYTES))
        if not isinstance(said, dict):
            raise TypeError("expected a table")
    except FileNotFoundError:  # as where somebody tries the zip
        return Handed()
    except OSError as error:
        return Handed(unread=f"{path.name} cannot be read: {error.strerror}")
    except (ValueError, TypeError, RecursionError):
        return Handed(unread=f"{path.name} is not what Gradescope writes: expected a table in JSON")
    users, created = _tables(said.get("users")), _moment(said.get("created_at"))
    submitted: Fields = () if created is None else ((SUBMITTED, created.isoformat()),)
    before = [one for one in _tables(said.get("previous_submissions")) if _is_before(one, created)]
    results = [one["results"] for one in before if isinstance(one.get("results"), dict)]
    due, late_due = _dates(said.get("assignment"), users)
    return Handed(
        _student(users), (*_people(users), *submitted), due, late_due,
        sum(map(_was_graded, before)), results[-1] if results else {},
    )  # fmt: skip


def _tables(found: object) -> list[dict[str, Any]]:
    return [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []


def _moment(text: object) -> datetime | None:
    try:
        return read_moment(str(text), UTC)
    except WrongValueError:
        return None


def _people(users: list[dict[str, Any]]) -> Fields:
    """Return names and e-mails of those who have handed in."""
    said = {key: [as_written(str(user[key])).strip() for user in users if user.get(key)] for key in ("name", "email")}
    return tuple((key, "; ".join(texts)) for key, texts in said.items() if texts)


def _student(users: list[dict[str, Any]]) -> str:
    """Return who has handed in: Gradescope's numbers of these people, whatever their order; without a number their e-mail."""
    known = []
    for user in users:
        if (number := user.get("id")) not in (None, ""):
            known.append(f"id {number}")
        elif text := str(user.get("email") or user.get("name") or "").strip():
            known.append(f"email {text.casefold()}")
    return json.dumps(sorted(known)) if known else ""


def _dates(assignment: object, users: list[dict[str, Any]]) -> tuple[datetime | None, datetime | None]:
    """Return when this submission is due, and until when late ones are taken; of a group, the latest dates of its members.

    Where somebody has dates of their own, these stand in `users[].assignment`.
    """
    whole = assignment if isinstance(assignment, dict) else {}
    own = [user["assignment"] if isinstance(user.get("assignment"), dict) else whole for user in users] or [whole]
    due, late_due = (
        max((moment for one in own if (moment := _moment(one.get(key, whole.get(key)))) is not None), default=None)
        for key in ("due_date", "late_due_date")
    )
    return due, late_due if late_due is None or due is None else max(due, late_due)


def _is_before(one: Mapping[str, Any], created: datetime | None) -> bool:
    """Tell whether a submission came before the one that is graded now, which may be graded again later."""
    moment = _moment(one.get("submission_time"))
    return moment is None or created is None or moment < created


def _was_graded(one: Mapping[str, Any]) -> bool:
    return one.get("autograder_error") is not True and one.get("score") is not None


def key_for(settings: AutograderSettings, student: str, digest: str) -> Key:
    """Return the key of a submission's games: the same files by the same student play the same ones, however often they come.

    student: see Handed. digest: of the files as they were taken in.
    """
    text = f"gradescope\x1f{student}\x1f{digest}".encode()
    return Key(hmac.digest(bytes.fromhex(settings.key), text, hashlib.sha256))
