"""Whether engines can begin a game of an event, and keep to its ko rule: found out before the first game.

So nobody waits for the forfeits of an engine that does not start, and nobody wonders why one lost by a move it thought legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from goban.common.excerpts import printable
from gojudge.errors import BadEngineError
from gojudge.game import Repetition, parse_vertex, ruleset
from gojudge.records import Entrant, GameSpec, PlayerFaultError, open_seeds
from gojudge.refereeing.open_seats import Conditions
from gojudge.sandbox.engine_seat import EngineSeat
from gojudge.seats import Seat

_SEED = 1
_LEAST_SIZE = 4


@dataclass(frozen=True)
class _KoTrial:
    """Moves of both sides, of which the last makes an earlier board again. forbidden: by which rules."""

    moves: str
    forbidden: tuple[Repetition, ...]


_TRIALS = (
    # Two passes, and a ko is taken back: a board again with the same player to move.
    _KoTrial("B1 C1 A2 D2 B3 C3 C2 B2 pass pass C2", (Repetition.POSITIONAL, Repetition.SITUATIONAL)),
    # Two stones are given and one taken: a board again with the other player to move.
    _KoTrial("A2 D1 B2 C2 D4 B1 B4 A1 C1 B1", (Repetition.POSITIONAL,)),
)


@dataclass(frozen=True)
class EngineTrial:
    """What came of starting an engine. introduction: how it calls itself, as 'GNU Go 3.8'. warnings: of its ko rule."""

    introduction: str
    warnings: tuple[str, ...] = ()


def try_engine(entrant: Entrant, conditions: Conditions) -> EngineTrial:
    """Start an engine, have it begin a game, and then play some positions with kos.

    Raises BadEngineError, which names it and quotes the last line that it has written to standard error; HarnessFaultError.
    """
    with closing(conditions.opener(entrant, conditions)) as seat:
        return _try(seat, entrant, conditions)


def _try(seat: Seat, entrant: Entrant, conditions: Conditions) -> EngineTrial:
    try:
        seat.begin(GameSpec(f"{entrant.name}-trial-001", entrant.name, "trial", open_seeds(_SEED, entrant.name)), 1)
        if not isinstance(seat, EngineSeat):
            return EngineTrial("")
        warnings = _ko_warnings(seat, conditions) if conditions.size >= _LEAST_SIZE else []
        return EngineTrial(seat.introduction, tuple(f"{entrant.name}: {warning}" for warning in warnings))
    except PlayerFaultError as error:
        last = [line for line in error.fault.evidence.splitlines() if line.strip()][-1:]
        words = f" (it wrote: {printable(last[0], 200)})" if last else ""
        raise BadEngineError(f"the engine {entrant.name} cannot play: {error.fault.detail}{words}") from None
    finally:
        seat.end()


def _ko_warnings(seat: EngineSeat, conditions: Conditions) -> list[str]:
    rules, warnings = ruleset(conditions.rules), []
    for trial in _TRIALS:
        forbidden = rules.repetition in trial.forbidden
        names = trial.moves.split()
        taken = seat.takes([parse_vertex(name, conditions.size) for name in names])
        if taken is not None and taken == forbidden:
            does, they = ("takes", "forbids") if taken else ("refuses", "allows")
            line = f"after {' '.join(names[:-1])} it {does} {names[-1]}, which {rules.name} {they}"
            warnings.append(f"{line}: is its ko rule another than {rules.repetition.value}?")
    return warnings


def warnings(entrants: Sequence[Entrant], conditions: Conditions) -> list[str]:
    """Return what is to be said of engines under these rules, one line each."""
    engines = [entrant.name for entrant in entrants if entrant.engine is not None]
    if not engines or conditions.start().rules.passing:
        return []
    rules = conditions.rules
    return [f"{', '.join(engines)}: engines that speak GTP may pass; under {rules} a pass is an illegal move"]
