"""A damaged store gives a line that names it, or what was stored: never a traceback, and never another result."""

import random
import shutil
import zlib
from pathlib import Path

import pytest

from gojudge.errors import BadRosterError
from gojudge.records import Spent, Turn
from tests.support.stores import ALICE, BOB, EVENT, KEY, RUN, game
from tournament.__main__ import main
from tournament.errors import StoreError
from tournament.store.store import open_store, read_store
from tournament.store.stored_games import check_row, checksum

GAMES = 12


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A store with games of every sort; return its path and all that can be read in it."""
    path = tmp_path_factory.mktemp("whole") / "cup.db"
    with open_store(path, EVENT, key=KEY) as store:
        store.begin_run([ALICE, BOB], RUN)
        for number in range(GAMES):
            store.add(game(f"alice-bob-{number:03}", black_log=random.Random(number).randbytes(900).hex(), tier="T3"))
        lost = {"winner": 2, "forfeited_by": 1, "last": Turn("(9, 9)", Spent(0.5, 0.25)), "detail": "x", "notes": ("late",)}
        store.add(game("alice-bob-099", evidence="Traceback", **lost))
    return path, everything(path)


def everything(path):
    with read_store(path) as store:
        games = list(store.results()), list(store.results(superseded=True))
        one = store.result("alice-bob-099")
        return store.event, store.machine, store.key, store.entrants(), store.runs(), store.tiers(), store.rows(), games, one


def flipped(data, rng):
    place = rng.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << rng.randrange(8)]) + data[place + 1 :]


def another_byte(data, rng):
    place = rng.randrange(len(data))
    return data[:place] + rng.randbytes(1) + data[place + 1 :]


def cut_off(data, rng):
    return data[: rng.randrange(1, len(data))]


def block_lost(data, rng):
    place = rng.randrange(len(data)) // 512 * 512
    return data[:place] + bytes(512) + data[place + 512 :]


def in_the_first_page(data, rng):
    place = rng.randrange(4096)
    return data[:place] + rng.randbytes(1) + data[place + 1 :]


# How often each is tried in the short suite, and in the slow part.
SORTS = [
    (flipped, 200, 700), (another_byte, 100, 300), (cut_off, 50, 100), (block_lost, 50, 100), (in_the_first_page, 100, 300),
]  # fmt: skip
DAMAGE = [case for damage, few, many in SORTS for case in ((damage, few), pytest.param(damage, many, marks=pytest.mark.slow))]


@pytest.mark.parametrize(("damage", "times"), DAMAGE)
def test_what_is_read_is_what_was_stored_or_a_line_that_names_the_file(whole, tmp_path, damage, times):
    path, stored = tmp_path / "cup.db", whole[1]
    data, rng, lines = whole[0].read_bytes(), random.Random(damage.__name__), []
    for _ in range(times):
        path.write_bytes(damage(data, rng))
        try:
            assert everything(path) == stored
        except StoreError as error:
            lines.append(str(error))
    assert lines
    assert all(line.startswith(f"{path}: ") and line.isprintable() for line in lines)


@pytest.mark.parametrize(("damage", "times"), DAMAGE)
def test_a_run_that_goes_on_in_a_damaged_file_says_so(whole, tmp_path, damage, times):
    path = tmp_path / "cup.db"
    data, rng, lines = whole[0].read_bytes(), random.Random(damage.__name__), []
    for _ in range(times // 4):
        path.write_bytes(damage(data, rng))
        try:
            with open_store(path, EVENT, key=KEY) as store:
                store.begin_run([ALICE, BOB], RUN)
                store.tiers()
                store.finished()
                store.add(game("alice-bob-100"))
        except (StoreError, BadRosterError) as error:
            lines.append(str(error))
        for ending in ("-wal", "-shm", "-journal"):
            Path(f"{path}{ending}").unlink(missing_ok=True)
    assert lines
    assert all(str(path) in line and line.isprintable() for line in lines)


RUN_ON = ["gauntlet", "random", "greedy", "--name=cup", "--size=3", "--games=40", "--jobs=1"]
COMMANDS = [
    ["standings", "cup.db"], ["report", "cup.db"], ["export", "cup.db", "json", "--with=logs"], ["export", "cup.db", "sgf"],
    ["verify", "cup.db", "--every=20", "--jobs=1"], ["standings", "cup.db", "--follow"], ["key", "cup.db"],
    ["round-robin", "--first-stage=cup.db", "submissions"], RUN_ON,
]  # fmt: skip


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A store of real games, of reference players."""
    folder = tmp_path_factory.mktemp("played")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(RUN_ON) == 0
    return folder / "cup.db"


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(command[:3]))
def test_no_command_gives_a_traceback_on_a_damaged_store(played, tmp_path, monkeypatch, capsys, command):
    monkeypatch.chdir(tmp_path)
    Path("submissions").mkdir()
    for name in "ab":
        shutil.copy(Path(__file__).parents[3] / "gojudge/shelf/attacks/plain/my_player.py", f"submissions/{name}.py")
    data, rng, named = played.read_bytes(), random.Random("commands"), 0
    for damage in (flipped, flipped, flipped, cut_off, block_lost, block_lost, in_the_first_page, in_the_first_page):
        Path("cup.db").write_bytes(damage(data, rng))
        for beside in Path().glob("cup.db-*"):
            beside.unlink()
        status = main(command)
        lines = capsys.readouterr().err.splitlines()
        if status == 2:
            assert lines[-1].startswith(f"{command[0]}: "), lines
            named += "cup.db" in lines[-1]
        else:
            assert status in (0, 1)
    assert named


def test_a_checksum_does_not_depend_on_which_characters_python_knows(tmp_path):
    row = ("alice", 1.5, "\u00e9 \U0001fae9", None, b"x")
    found = zlib.crc32(rb"('alice', 1.5, '\xe9 \U0001fae9', None, b'x')")
    assert checksum(row) == found
    # Files of before have that of what Python's `repr` made of it then.
    for good in (found, zlib.crc32(repr(row).encode())):
        assert check_row(tmp_path, "entrant", (*row, good)) == [*row]
    with pytest.raises(StoreError, match="entrant 'alice' is damaged"):
        check_row(tmp_path, "entrant", (*row, found + 1))
