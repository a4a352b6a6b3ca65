"""What runs in a worker of a cluster. Each task returns bytes, see `gojudge.cluster.replies`, and raises nothing.

A worker process plays one game at a time, in a thread of its own that lives as long as the process: sandboxes end with the
thread that opened them. Seats stay open from task to task. If no task comes for a while, they are closed: whoever asked may
be gone. Submissions are kept by digest, in a folder that all workers of this user share, beside what was compiled of them.
"""

from __future__ import annotations

import base64
import json
import queue
import threading
import time
import uuid
import zlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import asdict, replace
from functools import cache
from pathlib import Path
from typing import Any

from goban.common.excerpts import error_line
from gojudge.cluster.replies import describe, pack_reply, record_of
from gojudge.errors import BadSubmissionError, HarnessFaultError, JudgeError
from gojudge.inside.workdirs import remove_tree
from gojudge.intake.archives import Files, read_files
from gojudge.intake.copies import digest_of, write_files
from gojudge.records import Entrant, GameResult, GameSpec, Termination
from gojudge.refereeing.open_seats import Conditions, KnownFailure, close_here, play_here
from gojudge.refereeing.referee import Played
from gojudge.sandbox.leftovers import cache_folder, owned_name, sweep_folder
from gojudge.sandbox.sweeping import sweep

_IDLE_SECONDS = 60.0


# What the head asks for


def introduce(python: str, sandboxed: bool) -> bytes:
    """Reply with a description of this machine, after removing what killed runs have left here."""

    def work() -> dict[str, Any]:
        sweep()
        return asdict(describe(python, sandboxed=sandboxed, place=_place()))

    return reply_with(work)


def keep(digest: str, parcel: bytes) -> bytes:
    """Keep a submission here, if it is whole."""

    def work() -> dict[str, Any]:
        files = files_of(parcel)
        if digest_of(files) != digest:
            raise HarnessFaultError("a submission has changed on its way")
        _put(digest, files)
        return {}

    return reply_with(work)


def play(
    conditions: Conditions, games: Sequence[GameSpec], entrants: Sequence[Entrant], known: Sequence[Mapping[str, KnownFailure]]
) -> bytes:
    """Play games and reply with them; or with the digests of submissions that are not here, if there are any.

    known: for each game, how entrants fail that are not started.
    """

    def work() -> dict[str, Any]:
        at_home = {entrant.name: _at_home(entrant) for entrant in entrants}
        missing = [entrant.digest for entrant in entrants if not _is_here(at_home[entrant.name])]
        if missing:
            return {"missing": missing}
        began = time.monotonic()
        played = [_play(conditions, *game, at_home) for game in zip(games, known, strict=True)]
        return {"games": [record_of(one) for one in played], "seconds": time.monotonic() - began}

    return reply_with(lambda: _lane().do(work))


def leave() -> bytes:
    """Close what is open here."""

    def work() -> dict[str, Any]:
        close_here()
        return {}

    return reply_with(lambda: _lane().do(work))


def reply_with(work: Callable[[], dict[str, Any]]) -> bytes:
    """Do some work; return its result as a reply, or the reason why it cannot be done."""
    try:
        return pack_reply(**work())
    except Exception as error:
        return pack_reply(failed=error_line(error)[:1000])


def _play(
    conditions: Conditions, spec: GameSpec, known: Mapping[str, KnownFailure], entrants: Mapping[str, Entrant]
) -> Played:
    try:
        return play_here(conditions, spec, entrants[spec.black], entrants[spec.white], known)
    except JudgeError:
        raise
    except Exception as error:
        reason = f"game {spec.id} is void: {error_line(error)}"
        return Played(GameResult(spec, None, 0.0, 0.0, Termination.VOID, detail=reason))


# Submissions


def parcel_of(files: Files) -> bytes:
    """Return files as bytes that can travel; `files_of` is the inverse."""
    texts = {path: base64.b64encode(data).decode() for path, data in files.items()}
    return zlib.compress(json.dumps(texts).encode(), 1)


def files_of(parcel: bytes) -> Files:
    """Return the files in a parcel."""
    return {path: base64.b64decode(text) for path, text in json.loads(zlib.decompress(parcel)).items()}


def _home() -> Path:
    folder = cache_folder("submissions")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def _place() -> str:
    """Return a name for the folder in which submissions are kept: the same for all workers that share it, and only these."""
    mark = _home() / "name"
    if not mark.exists():
        beside = _home() / owned_name(".name")
        beside.write_text(uuid.uuid4().hex)
        with suppress(OSError):
            # Two that do this at the same time must read the same name in the end.
            mark.hardlink_to(beside)
        beside.unlink()
    return mark.read_text()


def _at_home(entrant: Entrant) -> Entrant:
    """Return the entrant with its folder on this machine, whether or not the folder is there."""
    return replace(entrant, folder=_home() / entrant.digest) if entrant.is_submission else entrant


def _is_here(entrant: Entrant) -> bool:
    if not entrant.is_submission or _is_whole(entrant.folder, entrant.digest):
        return True
    # Others who share the folder may bring it at any moment.
    _is_whole.cache_clear()
    return False


@cache
def _is_whole(folder: Path, digest: str) -> bool:
    """Tell whether a submission is here as it was handed in: a power failure may have left half of it."""
    try:
        return folder.is_dir() and digest_of(read_files(folder)) == digest
    except BadSubmissionError:
        return False


def _put(digest: str, files: Files) -> None:
    """Put a submission where it belongs, unless somebody has just done so; in place of one that is damaged."""
    target = _home() / digest
    part, damaged = _home() / owned_name(".part"), _home() / owned_name(".part")
    sweep_folder(_home(), ".part")
    _is_whole.cache_clear()
    try:
        write_files(files, part)
        with suppress(OSError):
            if target.is_dir() and not _is_whole(target, digest):
                target.rename(damaged)
            part.rename(target)
    finally:
        remove_tree(part)
        remove_tree(damaged)
        _is_whole.cache_clear()
    if not target.is_dir():
        raise HarnessFaultError(f"a submission cannot be kept in {target}")


# The thread that plays


class _Lane:
    """Does one piece of work after the other, always in the same thread."""

    def __init__(self) -> None:
        self._work: queue.SimpleQueue[tuple[Callable[[], dict[str, Any]], Future[dict[str, Any]]]] = queue.SimpleQueue()
        threading.Thread(target=self._run, name="games", daemon=True).start()

    def do(self, work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return what `work` returns, or raise what it raises."""
        future: Future[dict[str, Any]] = Future()
        self._work.put((work, future))
        return future.result()

    def _run(self) -> None:
        while True:
            try:
                work, future = self._work.get(timeout=_IDLE_SECONDS)
            except queue.Empty:
                with suppress(Exception):
                    close_here()
                continue
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)


_lane_is_made = threading.Lock()


def _lane() -> _Lane:
    """Return this process's one thread for games, however many threads the worker has of its own."""
    with _lane_is_made:
        return _make_lane()


@cache
def _make_lane() -> _Lane:
    return _Lane()
