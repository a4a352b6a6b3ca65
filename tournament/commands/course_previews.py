"""What a run of a course would do: who is taken in, who is refused and why, what is due, and how long it would take."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tournament.application.conditions import at_once, tell_nobody
from tournament.commands.check import about, verdict
from tournament.commands.course_stages import Opened, games_to_play, unchecked
from tournament.commands.progress import say
from tournament.courses.due import Deed, Step
from tournament.courses.estimates import PlayingTime, estimate, measured
from tournament.intake.submissions import Refused
from tournament.records import Entrant, GameRow
from tournament.store.store import read_store

_TRIALS = 2
"""Games that a submission plays when it is checked."""


def preview(stages: Iterable[Opened], steps: Iterable[tuple[Opened, Step]], jobs: int | None) -> None:
    """Print what would be done, stage by stage, and tell how long it would take. jobs: games at a time, None for all cores."""
    whole, lanes = PlayingTime(), 1
    told: set[str] = set()
    for stage, step in steps:
        name = stage.stage.name
        if name not in told:
            told.add(name)
            for line in _intake(stage):
                print(f"{name}: {line}")
        print(f"{name}: would {step.words}")
        if step.deed in (Deed.CHECK, Deed.PLAY):
            taken = _time(stage, step, stages)
            lanes = at_once(jobs, stage.entrants, 1000, tell_nobody)
            if step.games or step.deed is Deed.CHECK:
                say(f"{name}: to {step.deed} takes {taken.words(lanes)}")
            whole += taken
    if not told:
        print("nothing is due")
    elif whole.seconds:
        say(f"in all: {whole.words(lanes)}")


def _intake(stage: Opened) -> Iterable[str]:
    """Yield a line for each who is taken in and was not checked as they are now, and for each who is refused."""
    new = set(unchecked(stage))
    for entrant in stage.intake.entrants:
        if entrant.name in new:
            yield f"{_called(entrant)}: {verdict(entrant, [], about(entrant))[1]}"
    nothing = []
    for one in stage.intake.refused:
        # What a roster lists and is not there has no place.
        if one.source.is_absolute():
            yield f"{_called(one)}: refused: {one.reason}"
        else:
            nothing.append(_called(one))
    if nothing:
        yield f"nothing was handed in by {', '.join(nothing)}"


def _called(one: Entrant | Refused) -> str:
    return f"{one.name} ({', '.join(one.students)})" if one.students and one.students != (one.name,) else one.name


def _time(stage: Opened, step: Step, stages: Iterable[Opened]) -> PlayingTime:
    """Return how long a step takes: by games of this stage, or else its trials, or else those of other stages."""
    own = [stage.store, stage.course.trials(stage.stage)]
    others = [path for one in stages if one is not stage for path in (one.store, one.course.trials(one.stage))]
    known = measured(*(_rows(path) for path in (*own, *others)))
    if step.deed is Deed.PLAY:
        return estimate(games_to_play(stage), known, stage.entrants)
    return estimate({frozenset((name,)): _TRIALS for name in step.names}, known, stage.entrants)


def _rows(path: Path) -> list[GameRow]:
    if not path.exists():
        return []
    with read_store(path) as store:
        return store.rows()
