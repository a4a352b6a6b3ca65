"""The commands about time, chance and strength. Players without a clock or levels play on as they do."""

from __future__ import annotations

from collections.abc import Callable

from common.excerpts import quoted
from goban.errors import GtpError
from goban.gtp import colour_of, real_number_of, whole_number_of
from players.gtp_engine.arguments import Handler, Words, check_count
from players.gtp_engine.clocks import TimeSystem
from players.gtp_engine.seats import Seats

_SYSTEMS: dict[str, tuple[int, Callable[..., TimeSystem | None]]] = {
    "none": (0, lambda: None),
    "absolute": (1, TimeSystem),
    "byoyomi": (3, lambda main, period, periods: TimeSystem(main, period, int(periods), japanese=True)),
    "canadian": (3, lambda main, period, stones: TimeSystem(main, period, int(stones))),
    "fischer": (2, lambda main, increment: TimeSystem(main, increment=increment)),
    "fischer-capped": (
        4, lambda main, increment, most_main, most_move: TimeSystem(
            main, increment=increment, most_main=_cap(most_main), most_move=_cap(most_move)
        ),
    ),
}  # fmt: skip
"""Name -> how many numbers follow, and what they stand for."""
_LARGEST_LEVEL = 1_000_000


class SettingCommands:
    """Commands on the players."""

    def __init__(self, seats: Seats) -> None:
        self._seats = seats

    def table(self) -> dict[str, Handler]:
        """Return the commands by name."""
        return {
            "time_settings": self._time_settings, "time_left": self._time_left, "kgs-time_settings": self._named_settings,
            "kata-time_settings": self._named_settings, "kata-list_time_settings": self._list_systems,
            "level": self._level, "set_random_seed": self._set_random_seed, "get_random_seed": self._get_random_seed,
        }  # fmt: skip

    def _time_settings(self, words: Words) -> str:
        check_count(words, "main time, byo-yomi time and stones", 3)
        main, period, stones = _times(words)
        self._seats.clocks.set(TimeSystem(main, period, int(stones)))
        return ""

    def _named_settings(self, words: Words) -> str:
        check_count(words, "a system of time and its numbers", 1, 5)
        numbers, system = _SYSTEMS.get(words[0].lower(), (0, None))
        if system is None:
            raise GtpError(f"syntax error: expected one of {', '.join(_SYSTEMS)}, got {quoted(words[0])}")
        check_count(words[1:], f"{numbers} numbers", numbers)
        # Two limits may follow, which are none below zero.
        times = _times(words[1:4]) if numbers < 4 else [*_times(words[1:3]), *map(real_number_of, words[3:])]
        self._seats.clocks.set(system(*times))
        return ""

    def _list_systems(self, words: Words) -> str:
        check_count(words, "nothing after kata-list_time_settings", 0)
        return " ".join(_SYSTEMS)

    def _time_left(self, words: Words) -> str:
        check_count(words, "a colour, a time and stones", 3)
        # Less than nothing is left when a controller is lenient.
        self._seats.clocks.set_left(colour_of(words[0]), real_number_of(words[1]), whole_number_of(words[2]))
        return ""

    def _level(self, words: Words) -> str:
        check_count(words, "a level", 1)
        level = whole_number_of(words[0])
        if not 1 <= level <= _LARGEST_LEVEL:
            raise GtpError(f"syntax error: expected a level from 1 to {_LARGEST_LEVEL}, got {quoted(words[0])}")
        self._seats.set_level(level)
        return ""

    def _set_random_seed(self, words: Words) -> str:
        """From now on the players draw as in an engine that was started with this seed."""
        check_count(words, "a seed", 1)
        self._seats.seat(whole_number_of(words[0], 2**64 - 1))
        return ""

    def _get_random_seed(self, words: Words) -> str:
        check_count(words, "nothing after get_random_seed", 0)
        return str(self._seats.seed)


def _times(words: Words) -> list[float]:
    found = [real_number_of(word) for word in words]
    for word, time in zip(words, found, strict=True):
        if time < 0:
            raise GtpError(f"syntax error: expected a time of 0 or more, got {quoted(word)}")
    return found


def _cap(seconds: float) -> float:
    """Return a limit of `fischer-capped`, where 0 and less stand for none."""
    return seconds if seconds > 0 else float("inf")
