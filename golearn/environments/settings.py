"""The settings of a batch: rules, board, observation, and what happens to a game that is over."""

from __future__ import annotations

import operator
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from numbers import Real

from goban.common.arguments import is_whole
from goban.common.excerpts import quoted
from goban.errors import GobanError
from goban.grids import MAX_SIZE, MIN_SIZE
from goban.rulesets import RuleSet, ruleset
from golearn.errors import SettingError

MAX_STEPS = 2**15 - 1
MAX_HISTORY = 8
# Greater numbers are none in single precision, in which points are compared.
_SINGLE = 2**127


class AutoReset(StrEnum):
    """What a step does with a game that is over; the names are Gymnasium's."""

    DISABLED = "disabled"
    """Nothing, and its rewards become 0: Pgx's `step`."""
    NEXT_STEP = "next_step"
    """The step after the end plays no action and begins the next game; its rewards are 0."""
    SAME_STEP = "same_step"
    """The step that ends a game begins the next one: observation, legal actions and player are the new game's; rewards,
    `terminated`, `winner` and `ending` the old one's. Pgx's `auto_reset`."""


@dataclass(frozen=True)
class Settings:
    """Everything a batch depends on except its actions. Raises SettingError for an impossible value.

    size: 2 to 19. rules: any preset, with its komi and move limit; if the preset has no limit, it is 2 * size * size,
    as in Pgx. history_length: frames in an observation, 1 to 8.
    """

    size: int
    games: int
    rules: RuleSet
    history_length: int
    seed: int
    auto_reset: AutoReset

    @property
    def actions(self) -> int:
        """The number of actions: a placement for each point, and the pass."""
        return self.size * self.size + 1


def settings_of(
    size: int, games: int, rules: str | RuleSet, komi: float | None, history_length: int,
    max_terminal_steps: int | None, seed: int, auto_reset: str,
) -> Settings:  # fmt: skip
    """Return checked settings; raises SettingError."""
    size = whole_setting("size", size, MIN_SIZE, MAX_SIZE)
    try:
        chosen = rules if isinstance(rules, RuleSet) else ruleset(str(rules))
    except GobanError as error:
        raise SettingError(str(error)) from None
    if chosen.suicide:
        raise SettingError(f"rules: expected some that forbid suicide, got {chosen.name}")
    if komi is not None:
        chosen = replace(chosen, fixed_komi=_number("komi", komi))
    steps = max_terminal_steps
    if steps is None:
        steps = chosen.max_move(size) or 2 * size * size
    steps = whole_setting("max_terminal_steps", steps, 1, MAX_STEPS)
    if chosen.max_move(size) != steps:
        chosen = replace(chosen, limit_per_point=1, limit_offset=steps - size * size)
    return Settings(
        size,
        whole_setting("games", games, 1, 2**31 - 1),
        chosen,
        whole_setting("history_length", history_length, 1, MAX_HISTORY),
        whole_setting("seed", seed, -(2**63), 2**64 - 1),
        auto_reset_of(auto_reset),
    )


def whole_setting(name: str, value: object, low: int, high: int) -> int:
    """Return a setting as an int; raises SettingError unless it is a whole number in this range, of Python or of numpy."""
    if not is_whole(value, low, high):
        raise SettingError(f"{name}: expected a whole number from {low} to {high}, got {quoted(value)}")
    return operator.index(value)  # type: ignore[arg-type]


def _number(name: str, value: object) -> float:
    if isinstance(value, Real) and not isinstance(value, bool):
        # An integer may be too large for a float.
        with suppress(OverflowError):
            number = float(value)
            if abs(number) < _SINGLE:
                return number
    raise SettingError(f"{name}: expected a number of single precision, got {quoted(value)}")


def auto_reset_of(value: str, name: str = "auto_reset") -> AutoReset:
    """Return what an option of this name says. Raises SettingError."""
    try:
        return AutoReset(value)
    except ValueError:
        raise SettingError(f"{name}: expected one of {', '.join(AutoReset)}, got {value!r}") from None
