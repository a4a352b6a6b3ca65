"""The project's own `my_player.py`, which no file at the top replaces: for players and measurements that are to stay the same.

The files at the top are a student's to overwrite, as the homework tells them. So there are copies in `players/shipped/`, held
against their SHA-256 before they play. Git keeps files of the same contents once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Protocol, cast

from players.errors import BadPlayerError
from players.host import Host
from players.player_files import load_file

_COPIES = Path(__file__).with_name("shipped")
_PLAYER, _TABLE, _SUMS = "my_player.py", "my_player_table.bin", "SHA256SUMS"
_FILES = (_PLAYER, "my_player_search.py", "my_player_table.py", _TABLE)
_MEND = "git checkout players/shipped brings it back"

SHIPPED = "players.shipped_player:ShippedPlayer"
"""What `players.registry.make_player` calls this player."""

Values = Callable[[int, int, int, list[tuple[int, int]], int], list[int]]
"""See `my_player_search.Values`."""


class Searching(Protocol):
    """A `my_player_search.SearchPlayer`."""

    def get_input(self, go: Host, piece_type: int, /) -> tuple[int, int] | str:
        """Return a point, or "PASS" where the rules know passing."""

    def values_for(self, go: Host, piece_type: int, /) -> Values:
        """Return what values the boards of this game."""


class ShippedPlayer:
    """Plays as `my_player.py` does as the project ships it. table: another one than its own.

    Raises BadPlayerError if the copy is not the project's.
    """

    type = "my"

    def __init__(self, table: Path | None = None) -> None:
        shipped_files()
        self._own_table = table
        self._player = _searching(table) if table else _shipped()

    def __reduce__(self) -> tuple[object, tuple[Path | None]]:
        return ShippedPlayer, (self._own_table,)

    def get_input(self, go: Host, piece_type: int) -> tuple[int, int] | str:
        """Return a point; "PASS" only where the rules know passing."""
        return self._player.get_input(go, piece_type)

    def values_for(self, go: Host, piece_type: int) -> Values:
        """Return what values the boards of this game: the table, if it was made for such games."""
        return self._player.values_for(go, piece_type)


def _searching(table: Path) -> Searching:
    # It knows of the host what `Host` has.
    return cast(Searching, _module().MyPlayer(table).search)


@cache
def _shipped() -> Searching:
    """Return one for all: it keeps nothing from move to move, and reading its table takes as long as it thinks in a game."""
    return _searching(shipped_files()[_TABLE])


@cache
def _module() -> ModuleType:
    # As a file, since a student's modules may have the names of those that it imports.
    return load_file(str(_COPIES / _PLAYER))


@cache
def shipped_files() -> dict[str, Path]:
    """Return where the project's own player and its table are, by their names. Raises BadPlayerError if one is not its own."""
    lines = (_COPIES / _SUMS).read_text(encoding="ascii").splitlines()
    sums = {name: digest for digest, name in map(str.split, lines)}
    return {name: _file(name, sums[name]) for name in _FILES}


def _file(name: str, digest: str) -> Path:
    place = _COPIES / name
    try:
        data = place.read_bytes()
    except OSError as error:
        raise BadPlayerError(f"{place}: the project's own copy cannot be read: {error.strerror}") from None
    # On Windows git may have written other line ends.
    text = data.replace(b"\r\n", b"\n") if name.endswith(".py") else data
    if (found := hashlib.sha256(text).hexdigest()) != digest:
        raise BadPlayerError(f"{place}: expected the project's own, SHA-256 {digest[:12]}..., got {found[:12]}...; {_MEND}")
    return place
