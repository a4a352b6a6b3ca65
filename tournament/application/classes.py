"""Turns what was handed in, and names, into entrants: all those of an event, or the two of a single game.

A student's file is rarely alone. Its own modules and tables lie beside it, and are taken along; see
`gojudge.intake.dependencies`. If the command is refused, `nothing_left_if_refused` takes all away again.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from goban.common.arguments import check_functions, check_kind
from goban.common.excerpts import printable, quoted, quoted_path, suggestion
from goban.common.files import write_beside
from goban.rulesets import ruleset
from gojudge.errors import BadRosterError, BadSubmissionError, JudgeError
from gojudge.intake import submissions
from gojudge.intake.copies import take
from gojudge.intake.names import Kept, clean_name, names_in, read_names, write_names
from gojudge.intake.player_files import DECIDES, kinds_for
from gojudge.intake.rosters import ATTEMPT, ATTEMPT_OF, Attempts, roster_notices
from gojudge.intake.submissions import Intake, Refused, submissions_in, whole_folders
from gojudge.records import CLASS, PROGRAM, Entrant
from players.errors import BadPlayerError
from players.registry import check_game, check_player
from tournament.application.plans import EventPlan, Tell, tell_nobody
from tournament.errors import BadEventError, StoreError
from tournament.events.event_files import PREFIX as ENGINE_PREFIX
from tournament.events.event_files import REFERENCES, is_reference, name_engine
from tournament.events.schedules import reference_entrants
from tournament.results.rubrics import BEST, LAST_IN_TIME, Deadline
from tournament.store.store import lock_for_writing, read_store

_MOST_OTHERS = 4


@dataclass(frozen=True)
class SubmissionSources:
    """A class's submissions. roster: a file with their names, if any. only_listed: refuse everybody else.

    attempts: which of several attempts of one play; None for the last one. names: where their short names are kept from run to
    run; None for beside the results. earlier: the same of another event of theirs. before: names that they may have had there.
    """

    sources: Sequence[Path]
    roster: Path | None = None
    only_listed: bool = False
    attempts: Attempts | None = None
    names: Path | None = None
    earlier: Path | None = None
    before: Collection[str] = ()


def copies_beside(store: Path) -> Path:
    """Return the folder for the copies of the submissions whose games are in a results file."""
    return store.with_name(f"{store.stem}.submissions")


def names_beside(store: Path) -> Path:
    """Return the file that maps submissions to short names; see `gojudge.intake.names`."""
    return store.with_name(f"{store.name}.files.json")


def take_in(
    plan: EventPlan, handed: SubmissionSources | Path | str | Sequence[Path | str], store: Path | str, *,
    tell: Tell = tell_nobody,
) -> Intake:  # fmt: skip
    """Take in a class's submissions to an event, and put copies beside the store. tell: hears of refusals and oddities.

    handed: what was handed in, or files and folders of submissions, whose roster is then the event file's. Raises
    BadRosterError, and OSError if copies cannot be written.
    """
    check_kind(plan, EventPlan, "a plan of tournament.read_event", BadEventError)
    check_functions(BadEventError, tell=tell)
    if not isinstance(handed, SubmissionSources):
        sources = [handed] if isinstance(handed, Path | str) else handed
        handed = SubmissionSources([Path(source) for source in sources], plan.file.roster, plan.file.only_listed)
    if plan.event.kind == "grade" and plan.rubric is not None and plan.rubric.deadline is not None:
        handed = with_attempts(handed, plan.rubric.deadline)
    intake = take_in_submissions(handed, Path(store), [one.name for one in plan.given], plan.event.rules)
    for refused in intake.refused:
        tell(f"{refused.name}: refused: {refused.reason}")
    _tell_oddities(intake, handed, tell)
    return intake


def with_attempts(handed: SubmissionSources, deadline: Deadline) -> SubmissionSources:
    """Return the submissions, with the attempts that count under a deadline."""
    own = {one.student.casefold(): _limits(deadline.of(one.student)) for one in deadline.own}
    return replace(handed, attempts=Attempts(deadline.zone, deadline.attempts == BEST, _limits(deadline), own))


def _limits(deadline: Deadline) -> list[datetime]:
    """Return the times before which the last attempt counts, each if there is none before the one before."""
    due = [deadline.due.astimezone(UTC) + deadline.grace] if deadline.attempts == LAST_IN_TIME else []
    return [*due, *([deadline.cut_off] if deadline.cut_off is not None else [])]


def take_in_to_check(
    handed: SubmissionSources, store: Path, reserved: Sequence[str], rules: str, tell: Tell = tell_nobody
) -> Intake:
    """Return submissions to try; like `take_in`, but a lone file brings along what it needs from its folder.

    The caller must report refusals.
    """
    intake = take_in_submissions(handed, store, reserved, rules, with_companions=True)
    _tell_oddities(intake, handed, tell)
    return intake


def take_in_submissions(
    handed: SubmissionSources, store: Path, reserved: Sequence[str], rules: str, *, with_companions: bool = False
) -> Intake:
    """Do the work of `take_in` and `take_in_to_check`, without messages."""
    if not handed.sources:
        raise BadRosterError("expected a folder of submissions, got none")
    for name in [str(source) for source in handed.sources if not source.exists() and str(source) in REFERENCES]:
        raise BadRosterError(
            f"expected a folder or file of submissions, got {name!r}, which is a reference player: a grade's are those "
            "of its rubric"
        )
    copies = copies_beside(store)
    if any(source.resolve() == copies.resolve() for source in handed.sources):
        raise BadRosterError(f"{quoted_path(copies)}: expected another folder of submissions: copies for {store.name} go there")
    before = names_in(copies) | frozenset(handed.before)
    path = handed.names or names_beside(store)
    known = read_names(path)
    names = Kept((*known, *(read_names(handed.earlier) if handed.earlier is not None else ())), before)
    intake = submissions.take_in(
        handed.sources, copies, handed.roster, reserved=reserved, kinds=kinds_for(rules),
        with_companions=with_companions, only_listed=handed.only_listed, attempts=handed.attempts, kept=names,
    )  # fmt: skip
    write_names(path, intake.files.items(), known)
    return intake


def notices(handed: SubmissionSources) -> list[str]:
    """Return notices about how a class's roster was read, one line each."""
    return roster_notices(handed.roster) if handed.roster is not None else []


def _tell_oddities(intake: Intake, handed: SubmissionSources, tell: Tell) -> None:
    """Tell who is not in the roster, where names of files have decided what plays, and what is no submission."""
    for line in (*notices(handed), *intake.folders, *intake.called.values()):
        tell(line)
    names = {entrant.name: entrant for entrant in intake.entrants}
    for name in [name for name in intake.unlisted if name in names]:
        where = printable(handed.roster.name, 100) if handed.roster is not None else ""
        tell(f"{name}: unlisted: not in {where}, and takes part all the same")
    for name, others in sorted(intake.others.items()):
        _tell_choice(names[name], others, tell)
    several = {fields.get(ATTEMPT_OF, name) for name, fields in _attempts(intake)}
    if several:
        # An export has only the last one.
        all_play = any(ATTEMPT_OF in fields for _, fields in _attempts(intake))
        which = "all attempts play" if all_play else "the last attempt plays"
        tell(f"{len(several)} handed in more than once: {which}")
    for path in intake.aside:
        tell(f"{printable(str(path), 200)}: left aside, not a submission")


def _attempts(intake: Intake) -> list[tuple[str, dict[str, str]]]:
    """Return the names of all that are one of several attempts, and what the roster says of them."""
    everybody: list[Entrant | Refused] = [*intake.entrants, *intake.refused]
    attempts = [(one.name, dict(one.fields)) for one in everybody]
    return [(name, fields) for name, fields in attempts if " of " in fields.get(ATTEMPT, "")]


def _tell_choice(entrant: Entrant, others: Sequence[str], tell: Tell) -> None:
    passed_over = " nor ".join(others[:_MOST_OTHERS])
    tell(f"{entrant.name}: plays {describe_entrant(entrant)}; not {passed_over}: {DECIDES}")


def describe_entrant(entrant: Entrant) -> str:
    """Return a description of what plays for an entrant: 'agent.py, class Agent' or 'my_player3.py, a program'."""
    return f"{entrant.entry}, {f'class {entrant.class_name}' if entrant.kind == CLASS else 'a program'}"


def take_in_players(
    names: Sequence[str], roster: Path | None, store: Path, rules: str, engines: Sequence[Entrant] = (),
    tell: Tell = tell_nobody,
) -> list[list[Entrant]]:
    """Return the entrants each name stands for: a reference player, an engine, a submission, or all submissions in a folder.

    engines: those of the event file. Raises BadRosterError, BadEventError for a bad `gtp:...`, or BadSubmissionError for a
    submission that cannot be taken in.
    """
    named = {engine.name: engine for engine in engines}
    by_player: dict[str, list[Entrant]] = {}
    paths: dict[str, Path] = {}
    for name in names:
        if name in named or name.startswith(ENGINE_PREFIX):
            by_player[name] = [named[name] if name in named else name_engine(name)]
        elif is_reference(name):
            by_player[name] = [_reference_player(name)]
        else:
            _check_exists(Path(name))
            paths[name] = Path(name)
    reserved = {*REFERENCES, *named, *(one.name for some in by_player.values() for one in some)}
    if paths:
        by_player |= _of_paths(paths, roster, store, rules, reserved, tell)
    return [by_player[name] for name in names]


def _of_paths(
    paths: Mapping[str, Path], roster: Path | None, store: Path, rules: str, reserved: Collection[str], tell: Tell
) -> dict[str, list[Entrant]]:
    """Return name -> the submissions at its path. They are taken in together, so that no two are called the same."""
    handed = SubmissionSources(list(dict.fromkeys(paths.values())), roster)
    intake = take_in_submissions(handed, store, sorted(reserved), rules)
    for refused in intake.refused:
        raise BadSubmissionError(f"{refused.name}: {refused.reason}")
    _tell_oddities(intake, handed, tell)
    return {name: [one for one in intake.entrants if intake.origins[one.name] == path] for name, path in paths.items()}


def _reference_player(name: str) -> Entrant:
    try:
        check_player(name)
    except BadPlayerError as error:
        raise BadRosterError(str(error)) from None
    return reference_entrants([name])[0]


def check_references(entrants: Sequence[Entrant], rules: str, size: int) -> None:
    """Raise BadRosterError if one of them is a reference player that does not play by these rules or on such a board."""
    for entrant in entrants:
        if entrant.reference:
            try:
                check_game(entrant.reference, ruleset(rules), size)
            except BadPlayerError as error:
                raise BadRosterError(str(error)) from None


def single_players(
    names: Sequence[str], copies: Path, kinds: Collection[str] = (CLASS, PROGRAM), tell: Tell = tell_nobody
) -> list[Entrant]:
    """Return the players of a game, under different names. copies: an empty folder for the copies of submissions.

    kinds: the accepted kinds of submission. Raises BadRosterError, BadEventError or BadSubmissionError.
    """
    players: list[Entrant] = []
    for number, name in enumerate(names, 1):
        place = copies / str(number)
        if name.startswith(ENGINE_PREFIX):
            entrant = name_engine(name)
        else:
            entrant = _reference_player(name) if is_reference(name) else _one_submission(Path(name), place, kinds, tell)
        used = {other.name.casefold() for other in players}
        own = entrant.name
        if own.casefold() in used or (not entrant.reference and own in REFERENCES):
            own = f"{own}-{number}"
        players.append(replace(entrant, name=own))
    return players


def _one_submission(source: Path, place: Path, kinds: Collection[str], tell: Tell) -> Entrant:
    _check_exists(source)
    submissions, _ = submissions_in([source], whole_folders([source]))
    if len(submissions) != 1:
        raise BadSubmissionError(f"expected one submission, found {len(submissions)} in {quoted_path(source)}")
    one = replace(submissions[0], name=clean_name(source.stem) or "player")
    place.mkdir(parents=True)
    try:
        copy = take(one, place, None, kinds)
    except BadSubmissionError as error:
        raise BadSubmissionError(f"{quoted_path(source)}: {error}") from error
    if copy.others:
        _tell_choice(copy.entrant, copy.others, tell)
    return copy.entrant


def _check_exists(source: Path) -> None:
    """Raise BadRosterError for a name that is neither a reference player's nor that of something that is there."""
    if not source.exists():
        players = ", ".join(REFERENCES)
        hint = suggestion(str(source), REFERENCES)
        choices = f"a player ({players}), {ENGINE_PREFIX}COMMAND, a file or a folder"
        raise BadRosterError(f"expected {choices}, got {quoted(str(source))}{hint}")


# A refused command


@contextmanager
def nothing_left_if_refused(store: Path) -> Iterator[None]:
    """Remove what a command has written, if it is refused before the first game: the store, names, and copies.

    What was there before is as it was, and once a game of the run is stored everything stays.
    """
    names, copies = names_beside(store), copies_beside(store)
    paths = [*(store.with_name(store.name + ending) for ending in ("", "-wal", "-shm", ".lock")), names, copies]
    there, copied, runs = {path for path in paths if path.exists()}, _entries(copies), _count_runs(store)
    known = names.read_bytes() if names.is_file() else None
    try:
        yield
    except Exception:
        # While another run holds the lock, what is new may be its own.
        with suppress(StoreError), closing(lock_for_writing(store)):
            if _count_runs(store) == runs or (store not in there and not _has_games(store)):
                for path in [*(_entries(copies) - copied), *(path for path in paths if path not in there)]:
                    _remove(path)
                if known is not None and names.read_bytes() != known:
                    write_beside(names, known)
        raise


def _entries(folder: Path) -> set[Path]:
    return set(folder.iterdir()) if folder.is_dir() else set()


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def _count_runs(path: Path) -> int:
    """Return how many runs a store has; 0 if there is none, or something else. Raises StoreError."""
    try:
        store = read_store(path)
    except JudgeError:
        return 0
    with store:
        return len(store.runs())


def _has_games(path: Path) -> bool:
    if not path.exists():
        return False
    try:
        with read_store(path) as store:
            return bool(store.rows())
    except JudgeError:
        return True
