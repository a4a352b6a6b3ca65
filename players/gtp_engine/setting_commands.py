"""The commands about time, chance and strength. Players without a clock or levels play on as they do."""

from __future__ import annotations

from common.excerpts import quoted
from goban.errors import GtpError
from goban.gtp import colour_of, real_number_of, whole_number_of
from players.gtp_engine.arguments import Handler, Words, check_count
from players.gtp_engine.seats import Seats

_KGS_SYSTEMS = {"none": 0, "absolute": 1, "byoyomi": 3, "canadian": 3}
"""System of time -> how many numbers follow."""
_LARGEST_LEVEL = 1_000_000


class SettingCommands:
    """Commands on the players."""

    def __init__(self, seats: Seats) -> None:
        self._seats = seats

    def table(self) -> dict[str, Handler]:
        """Return the commands by name."""
        return {
            "time_settings": self._time_settings, "kgs-time_settings": self._kgs_time_settings, "time_left": self._time_left,
            "level": self._level, "set_random_seed": self._set_random_seed, "get_random_seed": self._get_random_seed,
        }  # fmt: skip

    def _time_settings(self, words: Words) -> str:
        check_count(words, "main time, byo-yomi time and stones", 3)
        main, period, stones = _times(words)
        self._seats.clocks.set(main, period, int(stones))
        return ""

    def _kgs_time_settings(self, words: Words) -> str:
        check_count(words, "a system of time and its numbers", 1, 4)
        numbers = _KGS_SYSTEMS.get(words[0].lower())
        if numbers is None:
            raise GtpError(f"syntax error: expected one of {', '.join(_KGS_SYSTEMS)}, got {quoted(words[0])}")
        check_count(words[1:], f"{numbers} numbers", numbers)
        times = (*_times(words[1:]), 0.0, 0.0)
        if not numbers:
            self._seats.clocks.set_free()
        else:
            # Of Japanese byo-yomi the last number counts periods, each of which is for one move.
            self._seats.clocks.set(times[0], times[1], 1 if words[0].lower() == "byoyomi" else int(times[2]))
        return ""

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
