"""Plans: everything the result of a training run depends on, as a TOML file.

    game = "go5"            a name of `golearn.alphazero.games`, or "nim:Nim": class Nim of your nim.py
    games = 100_000         games of self-play
    channels = 32           ...

Fields that a plan leaves out have the defaults of `Plan`. `golearn/alphazero/presets` holds plans for some games, used by name.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from goban.common.arguments import check_kind
from goban.common.excerpts import printable, quoted, suggestion
from goban.common.files import read_bounded
from goban.common.tables import Table, WrongValueError, number, parse_toml, whole
from golearn.alphazero.games import GAME_CHOICES, CompleteGame, find_game
from golearn.alphazero.weights import MOST
from golearn.errors import BadPlanError, UnknownGameError, UnknownPlayerError

_PRESETS = Path(__file__).parent / "presets"
PRESETS = tuple(sorted(path.stem for path in _PRESETS.glob("*.toml")))
_MOST_BYTES = 100_000


@dataclass(frozen=True)
class Plan:
    """A training plan. Numbers of games and positions are totals over all workers."""

    game: str
    games: int
    """Total number of games of self-play."""
    seed: int = 1
    round_games: int = 512
    """Games that one network plays before it learns from them."""
    lockstep: int = 128
    """Games that share each call of the network."""
    simulations: int = 32
    """Simulations of a full search, whose policy is learned."""
    quick_simulations: int = 8
    """Simulations of all other searches."""
    turned: bool = False
    """Whether a search shows the network each state in one of its symmetries; see `golearn.alphazero.planners.turn_states`."""
    full_share: float = 0.25
    """Fraction of the moves that are searched in full."""
    random_plies: int = 0
    """Maximum number of random moves at the start of a game; the actual number is random."""
    rivals: str = ""
    """Players, such as "my perfect" in Go; games start within theirs against the network: see `golearn.alphazero.selfplay`."""
    rival_share: float = 0.5
    """Fraction of the games that start this way."""
    max_plies: int = 0
    """Moves after which a game is broken off; 0: as the game says."""
    root_share: float = 0.25
    """Weight of the search's own value in the value that is learned; the rest is the result."""
    window: int = 50_000
    """Initial number of positions that are kept; see `golearn.alphazero.selfplay`."""
    uses: float = 4.0
    """How often a position is learned from, on average."""
    batch: int = 256
    channels: int = 32
    blocks: int = 3
    rate: float = 1e-3
    """Initial learning rate; it falls to 0 along a cosine."""
    weight_decay: float = 1e-4
    clip: float = 1.0
    """Bound on the gradient's norm; longer gradients are scaled down to it."""
    auxiliary: float = 0.15
    """Weight of the losses of margin and ownership, if the game has them."""
    threads: int = 1
    """Threads that learn, each from its part of a batch; their number may change the last bits of the result."""

    def __post_init__(self) -> None:
        """Raise BadPlanError for a field of a wrong kind or out of range."""
        table = Table(vars(self), lambda key: f"Plan: {key}", BadPlanError)
        for key, check in _CHECKS.items():
            table.take(key, check)

    def make_game(self) -> CompleteGame[Any]:
        """Return the game; raises BadPlanError if your own class cannot be loaded or created."""
        try:
            return find_game(self.game)
        except UnknownGameError as error:
            raise BadPlanError(str(error)) from error

    @property
    def rounds(self) -> int:
        """The number of rounds, after each of which the network learns."""
        return -(-self.games // self.round_games)

    def count_played(self, rounds: int) -> int:
        """Return the number of games played after this many rounds."""
        return min(self.games, rounds * self.round_games)


def _is_game(value: object) -> str:
    if not isinstance(value, str) or (":" not in value and value not in GAME_CHOICES):
        raise WrongValueError(f"one of {', '.join(GAME_CHOICES)}, or MODULE:CLASS")
    return value


def _are_rivals(value: object) -> str:
    if not isinstance(value, str):
        raise WrongValueError("players' names, such as 'my perfect'")
    return value


def _is_flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise WrongValueError("true or false")
    return value


_CHECKS: dict[str, Callable[[Any], Any]] = {
    "game": _is_game,
    "games": whole(1, 10**9),
    "seed": whole(0, 2**63 - 1),
    "round_games": whole(1, 10**6),
    "lockstep": whole(1, 10**5),
    "simulations": whole(1, 10**4),
    "quick_simulations": whole(1, 10**4),
    "full_share": number(0.01, 1),
    "random_plies": whole(0, 10**4),
    "rivals": _are_rivals,
    "rival_share": number(0, 1),
    "turned": _is_flag,
    "max_plies": whole(0, 10**5),
    "root_share": number(0, 1),
    "window": whole(1, 10**9),
    "uses": number(0.01, 100),
    "batch": whole(1, 10**5),
    "channels": whole(1, MOST["channels"]),
    "blocks": whole(1, MOST["blocks"]),
    "rate": number(1e-9, 1),
    "weight_decay": number(0, 1),
    "clip": number(1e-6, 1e6),
    "auxiliary": number(0, 10),
    "threads": whole(1, 256),
}


_GROUPS = {
    "play": ("seed", "games", "round_games", "random_plies", "rivals", "rival_share", "max_plies"),
    "search": ("lockstep", "simulations", "quick_simulations", "full_share", "root_share", "turned"),
    "network": ("channels", "blocks"),
    "learning": ("window", "uses", "batch", "rate", "weight_decay", "clip", "auxiliary", "threads"),
}
"""Other names for fields on a command line, such as search.simulations."""


def change_of(text: str) -> tuple[str, object]:
    """Return a field and its value from FIELD=VALUE; raises BadPlanError. Values that are not numbers are text."""
    name, equals, value = text.partition("=")
    group, dot, field = name.strip().rpartition(".")
    if not equals or field not in _CHECKS or (dot and field not in _GROUPS.get(group, ())):
        meant = suggestion(field, _CHECKS) if equals else ""
        raise BadPlanError(f"expected FIELD=VALUE with one of {', '.join(_CHECKS)} as FIELD, got {quoted(text)}{meant}")
    try:
        return field, parse_toml(f"value = {value}".encode())["value"]
    except (ValueError, KeyError):
        return field, value.strip()


def read_plan(name: str | Path, **changes: object) -> Plan:
    """Return a plan by preset name or file name, with some fields changed (None: unchanged); raises BadPlanError."""
    check_kind(name, (str, os.PathLike), "the name of a plan or of its file", BadPlanError)
    path = _PRESETS / f"{name}.toml" if name in PRESETS else Path(name)
    try:
        values = parse_toml(read_bounded(path, _MOST_BYTES))
    except OSError as error:
        choices = f"expected one of {', '.join(PRESETS)}, or a file" if not path.suffix else error.strerror
        raise BadPlanError(f"{printable(str(name), 400)}: {choices}") from None
    except ValueError as error:
        raise BadPlanError(f"{printable(str(name), 400)}: expected a TOML file: {error}") from None
    values |= {key: value for key, value in changes.items() if value is not None}
    for key in values:
        if key not in _CHECKS:
            raise BadPlanError(f"{path}: expected one of {', '.join(_CHECKS)}; got {quoted(key)}")
    table = Table(values, lambda key: f"{path}: {key}", BadPlanError)
    wanted = [field.name for field in dataclasses.fields(Plan) if field.default is dataclasses.MISSING]
    plan = Plan(**{key: table.take(key, _CHECKS[key]) for key in (*wanted, *values)})
    try:
        _check_rivals(plan, plan.make_game())
    except (BadPlanError, UnknownPlayerError) as error:
        raise BadPlanError(f"{path}: {error}") from None
    return plan


def _check_rivals(plan: Plan, game: CompleteGame[Any]) -> None:
    """Raise BadPlanError in a game that has no players to begin against, UnknownPlayerError for one that nobody knows."""
    for name in plan.rivals.split():
        if game.player(name, "1") is None:
            raise BadPlanError(f"rivals: expected a game of Go, got {quoted(plan.game)}")


def plan_text(plan: Plan) -> str:
    """Return a plan as TOML with all its fields; `read_plan` reads the same plan from it."""
    fields = dataclasses.asdict(plan).items()
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in fields)


def difference(one: Plan, other: Plan) -> str:
    """Return the first field in which two plans differ, as 'seed (1 there, 2 here)'; '' if there is none."""
    for key, value in dataclasses.asdict(one).items():
        if value != getattr(other, key):
            there, here = (printable(str(text), 60) for text in (value, getattr(other, key)))
            return f"{key} ({there} there, {here} here)"
    return ""
