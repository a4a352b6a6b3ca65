"""When a repository's last commit was made, as `git log` says it, and what a hostile one may do about it: nothing."""

import os
import subprocess
import zlib
from datetime import datetime
from pathlib import Path

import pytest

from gojudge.errors import BadSubmissionError
from gojudge.intake import repositories
from gojudge.intake.repositories import commit_time, commit_times
from tests.support.missing import needs, no_program, skip_if

pytestmark = needs(no_program("git"))
FIRST, LAST = "2026-10-01T20:00:00+02:00", "2026-10-02T00:10:00-07:00"


def git(folder, *words, time=FIRST):
    settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "PATH": os.environ["PATH"]}
    settings |= {"GIT_AUTHOR_DATE": FIRST, "GIT_COMMITTER_DATE": time}
    who = ("-c", "user.name=Ann Lee", "-c", "user.email=ann@example.org")
    return subprocess.run(["git", *who, *words], cwd=folder, env=settings, check=True, capture_output=True, text=True).stdout


def repository(folder, *more):
    """A repository with two commits, the later one at LAST."""
    folder.mkdir()
    git(folder, "init", "-q", *more)
    for number, time in enumerate((FIRST, LAST)):
        (folder / "my_player.py").write_text(f"{number}\n" * 100)
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", f"step {number}\n\ncommitter Eve <eve> 1 +0000", time=time)
    return folder


def as_it_is(folder):
    pass


def packed(folder):
    git(folder, "gc", "-q")
    assert not list((folder / ".git/refs/heads").iterdir())


def packed_by_deltas(folder):
    """Many commits that differ little: git packs most of them as changes of others."""
    text = "A message that is long enough for a change of it to be shorter.\n" * 20
    for number in range(30):
        git(folder, "commit", "-q", "--allow-empty", "-m", f"{text}{number}", time=LAST)
    git(folder, "repack", "-q", "-a", "-d", "-f", "--depth=50", "--window=50")
    git(folder, "checkout", "-q", "HEAD~15")


def detached(folder):
    git(folder, "checkout", "-q", "--detach")


SLOW = [pytest.param(one, marks=pytest.mark.slow) for one in (packed, packed_by_deltas)]


@pytest.mark.parametrize("kept", [as_it_is, detached, *SLOW])
def test_the_time_is_that_of_the_commit_that_is_checked_out(kept, tmp_path):
    folder = repository(tmp_path / "hw2-ann")
    kept(folder)
    said = git(folder, "log", "-1", "--format=%cI").strip()
    assert commit_time(folder) == datetime.fromisoformat(said) == datetime.fromisoformat(LAST)
    assert commit_time(folder).isoformat() == LAST


@pytest.mark.parametrize("digits", [40, 64])
def test_every_object_of_a_pack_is_found_and_no_other(digits, tmp_path):
    """In an index as git lays it out: names in order, and offsets from 2 GiB on in a list of their own."""
    names = sorted(bytes([3 * k // 5 % 200]) + k.to_bytes(digits // 2 - 1, "big") for k in range(1, 400))
    places = {name: 12 + 40 * k + (2**31 if k % 7 == 0 else 0) for k, name in enumerate(names)}
    far = [place for place in places.values() if place >= 2**31]
    numbers = [sum(name[0] <= first for name in names) for first in range(256)]
    offsets = [2**31 + far.index(place) if place in far else place for place in places.values()]
    first, second = (b"".join(number.to_bytes(4, "big") for number in part) for part in (numbers, offsets))
    sums, last = bytes(4 * len(names)), b"".join(place.to_bytes(8, "big") for place in far)
    (tmp_path / "pack.idx").write_bytes(b"\xfftOc\0\0\0\2" + first + b"".join(names) + sums + second + last)
    assert {name: repositories._place(tmp_path / "pack.idx", name) for name in names} == places
    for name in (bytes(digits // 2), b"\xff" * (digits // 2), names[3][:-1] + b"\xff"):
        assert repositories._place(tmp_path / "pack.idx", name) is None


@pytest.mark.parametrize(
    ("base", "delta", "made"),
    [
        # The two sizes, of seven bits a byte and the lowest first; then three bytes of its own.
        (b"abcdef", b"\x06\x03" b"\x03xyz", b"xyz"),
        (b"abc", b"\x03\x07" b"\x07uvwxyz!", b"uvwxyz!"),
        (b"a" * 300, b"\xac\x02\x01" b"\x01x", b"x"),
        # Of the base four bytes from the third on; all of it; three bytes from the 258th on, between two of its own.
        (b"abcdef", b"\x06\x04" b"\x91\x02\x04", b"cdef"),
        (b"a" * 0x10000, b"\x80\x80\x04\x80\x80\x04" b"\x80", b"a" * 0x10000),
        (bytes(257) + b"abcdef", b"\x87\x02\x05" b"\x01x\x93\x01\x01\x03\x01y", b"xabcy"),
    ],
)  # fmt: skip
def test_what_is_packed_as_a_change_is_made_of_pieces_of_the_base_and_of_its_own(base, delta, made):
    assert repositories._apply_delta(base, delta) == made


@pytest.mark.slow
def test_names_of_64_digits_are_read_too(tmp_path):
    folder = repository(tmp_path / "new", "--object-format=sha256")
    assert commit_time(folder).isoformat() == LAST
    packed(folder)
    assert commit_time(folder).isoformat() == LAST


@pytest.mark.slow
def test_a_clone_is_read_like_its_origin(tmp_path):
    repository(tmp_path / "origin")
    git(tmp_path, "clone", "-q", "origin", "copy")
    assert commit_time(tmp_path / "copy").isoformat() == LAST


HOSTILE = """
[core]
    fsmonitor = touch {mark}
    sshCommand = touch {mark}
    pager = touch {mark}
[log]
    showSignature = true
[gpg]
    program = touch {mark}
[include]
    path = /dev/zero
"""


def test_nothing_that_a_repository_configures_is_run(tmp_path):
    folder = repository(tmp_path / "hw2-eve")
    mark = tmp_path / "ran"
    (folder / ".git/config").write_text(HOSTILE.replace("{mark}", str(mark)))
    for hook in ("post-checkout", "pre-commit", "fsmonitor-watchman"):
        (folder / ".git/hooks").mkdir(exist_ok=True)
        (folder / ".git/hooks" / hook).write_text(f"#!/bin/sh\ntouch {mark}\n")
        (folder / ".git/hooks" / hook).chmod(0o755)
    assert commit_time(folder).isoformat() == LAST
    assert not mark.exists()


def spoil_head(git_folder):
    (git_folder / "HEAD").write_text("ref: refs/../../../../etc/passwd\n")


def lose_commit(git_folder):
    name = (git_folder / "refs/heads/main").read_text().strip()
    (git_folder / "objects" / name[:2] / name[2:]).unlink()


def make_a_bomb_of_the_commit(git_folder):
    name = (git_folder / "refs/heads/main").read_text().strip()
    place = git_folder / "objects" / name[:2] / name[2:]
    place.chmod(0o644)
    place.write_bytes(zlib.compress(b"commit 9\0" + b"x" * 20_000_000, 1))


def make_a_pipe_of_head(git_folder):
    (git_folder / "HEAD").unlink()
    os.mkfifo(git_folder / "HEAD")


def spoil_the_pack(git_folder):
    packed(git_folder.parent)
    for path in (git_folder / "objects/pack").iterdir():
        path.chmod(0o644)
        path.write_bytes(path.read_bytes()[:1100])


@pytest.mark.slow
@pytest.mark.parametrize("spoil", [spoil_head, lose_commit, make_a_bomb_of_the_commit, make_a_pipe_of_head, spoil_the_pack])
def test_a_repository_that_cannot_be_read_has_no_time(spoil, tmp_path):
    skip_if("" if hasattr(os, "mkfifo") else "no pipes with names here")
    folder = repository(tmp_path / "hw2-bob", "--initial-branch=main")
    spoil(folder / ".git")
    assert commit_time(folder) is None


def test_of_many_one_that_cannot_be_read_costs_nobody_else_their_time(tmp_path, monkeypatch):
    folders = [repository(tmp_path / name, "--initial-branch=main") for name in ("ann", "bob")]
    spoil_head(folders[0] / ".git")
    times = commit_times([*folders, tmp_path / "none"])
    assert [moment and moment.isoformat() for moment in times.values()] == [None, LAST, None]
    # Also if the process that reads is ended for it.
    together = repositories.read_apart

    def refuse(work):
        found = together(work)
        if len(found) > 1:
            raise BadSubmissionError("cannot be read within 30 s of CPU time")
        return found

    monkeypatch.setattr(repositories, "read_apart", refuse)
    assert commit_times([*folders, tmp_path / "none"]) == times


def test_what_is_no_repository_of_its_own_has_no_time(tmp_path):
    folder = repository(tmp_path / "own")
    (tmp_path / "plain").mkdir()
    (tmp_path / "file").mkdir()
    (tmp_path / "file/.git").write_text(f"gitdir: {folder}/.git\n")
    (tmp_path / "link").mkdir()
    (tmp_path / "link/.git").symlink_to(folder / ".git")
    assert [commit_time(Path(tmp_path / name)) for name in ("plain", "file", "link")] == [None] * 3
