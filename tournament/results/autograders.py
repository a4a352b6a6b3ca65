"""The zip that Gradescope takes as an autograder: it needs nothing but Python 3.11 in the container.

    setup.sh, run_autograder   see `autograder/`, where they lie
    harness/                   our own modules; they are no package of the interpreter's, where a submission could read them
    event.toml                 what is played, and the rubric with its players beside it if it is not a shipped one
    settings.json              the secret key and how a result is shown: see Settings
    packages.txt               packages of Debian and Ubuntu that are needed besides: compilers, where programs play
    requirements.txt           what pip installs for submissions to import, if anything

Source: https://gradescope-autograders.readthedocs.io/en/latest/specs/ and .../submission_metadata/
"""

from __future__ import annotations

import hashlib
import hmac
import io
import json
import zipfile
from dataclasses import asdict, dataclass
from datetime import UTC
from pathlib import Path
from typing import Any

from common.excerpts import printable
from common.files import read_bounded
from common.moments import read_moment
from common.tables import WrongValueError
from players.options import split_options
from tournament.errors import BadEventError, BadRubricError
from tournament.events.chance import Key
from tournament.events.events import Event
from tournament.events.machines import Machine
from tournament.intake.attempts import SUBMITTED
from tournament.intake.dependencies import companions
from tournament.records import Fields
from tournament.results.rubrics import Rubric

_ROOT = Path(__file__).resolve().parents[2]
_ROOMS = ("common", "goban", "kernels", "search", "players", "tournament")
_HOST = "go.py"
# The player `my`, which may be anybody's; other players do without it.
_MY = ("my_player.py", "my_player_table.bin")
# Nothing of them is needed for a grade, and of some a student could make use.
_LEFT_OUT = ("tournament/pages", "tournament/shelf", "tournament/results/autograder")
_SCRIPTS = _ROOT / "tournament/results/autograder"
_COMPILERS = "g++ default-jdk-headless\n"
_MOST_BYTES = 10_000_000


@dataclass(frozen=True)
class Settings:
    """How each submission is graded. key: of all its chance, hexadecimal, see `key_for`. visibility: as Gradescope has it.

    minutes: the time-out that is set for the assignment. jobs: games played at a time.
    """

    key: str
    visibility: str = "visible"
    minutes: float = 10.0
    jobs: int = 1


@dataclass(frozen=True)
class Handed:
    """What Gradescope says of a submission. id: '' if it says nothing. fields: whose it is, as a roster would have it."""

    id: str = ""
    fields: Fields = ()


def autograder(event: Event, machine: Machine, rubric: Rubric, settings: Settings, requirements: bytes = b"") -> bytes:
    """Return the zip. Raises BadRubricError, BadEventError, BadSubmissionError for a rubric's player, and OSError."""
    beside = _rubric_files(event.rubric, rubric)
    rubric_name = Path(event.rubric).name if beside else event.rubric
    files = {
        "setup.sh": (_SCRIPTS / "setup.sh").read_bytes(),
        "run_autograder": (_SCRIPTS / "run_autograder").read_bytes(),
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
            entry.external_attr = (0o755 if name in ("setup.sh", "run_autograder") else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return packed.getvalue()


def _modules(rubric: Rubric) -> list[Path]:
    """Return the files of ours that a grade needs, the books and tables of its players included."""
    found = [path for room in _ROOMS for path in sorted((_ROOT / room).rglob("*")) if path.is_file()]
    out = tuple(_ROOT / place for place in _LEFT_OUT)
    kept = [path for path in found if "__pycache__" not in path.parts and not any(path.is_relative_to(one) for one in out)]
    plays = any(split_options(opponent.player)[0].lower() == "my" for opponent in rubric.opponents)
    return [*(_ROOT / name for name in (_HOST, *(_MY if plays else ()))), *kept]


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
        raise BadRubricError(f"{name}: expected it and its players under other names than {taken[0]!r}")
    return files


def event_toml(event: Event, machine: Machine, rubric: str) -> str:
    """Return an event file for this event. rubric: its name, or its path from the file."""
    values = {"kind": event.kind, "rules": event.rules, "size": event.size, "games": event.games, "rubric": rubric}
    values |= {"until_decided": event.until_decided} if event.until_decided else {}
    values |= {"require_tier": str(machine.require_tier), "python": machine.python}
    # A text of JSON in ASCII is one of TOML, too.
    lines = [f"{key} = {json.dumps(value)}" for key, value in values.items()]
    limits = [f"{key} = {json.dumps(value)}" for key, value in asdict(event.limits).items()]
    return "\n".join([*lines, "", "[limits]", *limits, ""])


def read_settings(path: Path) -> Settings:
    """Return the settings of a zip; raises BadEventError, and OSError if there are none."""
    try:
        return Settings(**json.loads(read_bounded(path, _MOST_BYTES)))
    except (ValueError, TypeError):
        raise BadEventError(f"{path.name}: expected the settings as gradescope-autograder writes them") from None


def read_metadata(path: Path) -> Handed:
    """Return what Gradescope's `submission_metadata.json` says; nothing if it is missing or has another form by now."""
    try:
        said = json.loads(read_bounded(path, _MOST_BYTES))
        users = said["users"]
        fields = ((key, "; ".join(printable(str(user[key]), 100) for user in users)) for key in ("name", "email"))
        return Handed(printable(str(said["id"]), 100), (*fields, *_submitted(said)))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Handed()


def _submitted(said: dict[str, Any]) -> Fields:
    """Return when it came, by which a rubric's deadline knows how late it was; nothing if that is not said."""
    try:
        return ((SUBMITTED, read_moment(str(said["created_at"]), UTC).isoformat()),)
    except (KeyError, WrongValueError):
        return ()


def key_for(settings: Settings, submission: str) -> Key:
    """Return the key of one submission's games: grading it again plays the same ones, and another submission's are others."""
    text = f"gradescope\x1f{submission}".encode()
    return Key(hmac.digest(bytes.fromhex(settings.key), text, hashlib.sha256))
