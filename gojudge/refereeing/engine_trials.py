"""Whether engines can begin a game of an event, and keep to its ko rule: found out before the first game.

So nobody waits for the forfeits of an engine that does not start, and nobody wonders why one lost by a move it thought legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field

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


@dataclass
class EngineTrials:
    """What came of starting engines.

    introductions: how those that can play call themselves, as 'GNU Go 3.8'. refused: name of each other one -> the error, which
    names it and quotes the last line that it has written to standard error. warnings: about their ko rules and passes.
    """

    introductions: dict[Entrant, str] = field(default_factory=dict)
    refused: dict[str, BadEngineError] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)


def try_engines(entrants: Sequence[Entrant], conditions: Conditions) -> EngineTrials:
    """Start the engines among the entrants; have each begin a game, and then play some positions with kos.

    Raises HarnessFaultError.
    """
    trials, engines = EngineTrials(), [entrant for entrant in entrants if entrant.engine is not None]
    for engine in engines:
        with closing(conditions.opener(engine, conditions)) as seat:
            try:
                introduction, warnings = _try(seat, engine, conditions)
            except BadEngineError as error:
                trials.refused[engine.name] = error
            else:
                trials.introductions[engine] = introduction or "an unnamed engine"
                trials.warnings += [f"{engine.name}: {warning}" for warning in warnings]
    if engines and not conditions.start().rules.passing:
        names = ", ".join(engine.name for engine in engines)
        trials.warnings.append(f"{names}: engines that speak GTP may pass; under {conditions.rules} a pass is an illegal move")
    return trials


def _try(seat: Seat, entrant: Entrant, conditions: Conditions) -> tuple[str, list[str]]:
    """Return an engine's introduction, '' if it has none, and the warnings about its ko rule. Raises BadEngineError."""
    try:
        seat.begin(GameSpec(f"{entrant.name}-trial-001", entrant.name, "trial", open_seeds(_SEED, entrant.name)), 1)
        if not isinstance(seat, EngineSeat):
            return "", []
        return seat.introduction, _ko_warnings(seat, conditions) if conditions.size >= _LEAST_SIZE else []
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
