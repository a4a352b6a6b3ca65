"""Options that describe an event, over an event file or without one: those that are typed. All others are keys of the file.
And the arguments that say who plays: submissions and their roster; and the options of a run.

What a run tells: lines on stderr, and how far its games are: a bar on a terminal; elsewhere, as in a log, a line a minute. The
time left comes from how long games of each pairing take, for those that are still to be played: fast games at the beginning say
little of slow ones at the end. Of a pairing that has not begun, the games of its two players with others tell.
"""

from __future__ import annotations

import argparse
import dataclasses
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, NoReturn

from goban.common.command_lines import is_installed, say
from goban.common.excerpts import is_terminal, printable, quoted
from goban.common.terminals import fit_tables
from goban.rulesets import PRESETS, full_name
from gojudge.errors import ClusterError
from gojudge.intake.rosters import COLUMNS
from gojudge.records import Entrant, GameResult, Tier
from tournament.application.classes import SubmissionSources
from tournament.application.plans import EventPlan, in_file, make_plan, usual
from tournament.application.runs import RunSettings
from tournament.errors import StoreError
from tournament.events.event_files import NO_FILE, EventFile, make_event, make_key, make_machine, read_event_file
from tournament.events.events import LIMIT_CHECKS, USUAL, Event, Machine
from tournament.results.ratings import count
from tournament.results.rubric_files import names, read_rubric
from tournament.results.standings import terminal_table
from tournament.store.store import Store, read_results, read_store, without_beside

if TYPE_CHECKING:
    from tqdm import tqdm


_OPTIONS = {
    "name": ("NAME", "name of the event and its results file, NAME.db (default: the command)"),
    "rules": ("NAME", "rule set (default: the rubric's, or course)"),
    "size": ("N", "board size (default: the rubric's, or the rules' usual one)"),
    "games": ("N", "games per pair (default: the rubric's, or the command's)"),
    "seed": ("N", "repeats the games; makes all random choices public (default: a secret key)"),
    "rubric": ("NAME", f"what results are worth: {', '.join(names())} or a FILE.toml"),
    "require-tier": ("TIER", f"the weakest sandbox to accept, T0 to T3 (default: {USUAL.require_tier})"),
    "move-seconds": ("N", f"for one answer, of a program seconds of CPU (default: {usual('move_seconds')})"),
    "memory-mib": ("N", f"MiB of memory, all processes of a submission together (default: {usual('memory_mib')})"),
}
PLAYED = ("name", "games", "seed", "require-tier", "move-seconds")
"""Of every command that plays an event."""


def add_event_arguments(parser: argparse.ArgumentParser, *names: str) -> None:
    """Add the option for an event file, and these of `_OPTIONS`, which override it."""
    add_event_option(parser)
    for name, (metavar, what) in _OPTIONS.items():
        if name in names:
            parser.add_argument(f"--{name}", type=_text if metavar in ("NAME", "TIER") else _number, metavar=metavar, help=what)


def add_move_seconds(parser: argparse.ArgumentParser) -> None:
    """Add the one limit that has an option where a single player is tried."""
    metavar, what = _OPTIONS["move-seconds"]
    parser.add_argument("--move-seconds", type=_number, metavar=metavar, help=what)


def add_event_option(
    parser: argparse.ArgumentParser, what: str = "a TOML file that says all this and more", usual_rules: str = ""
) -> None:
    """Add the option for an event file; and for the rules, if `usual_rules` says which are usual. what: the file in words."""
    parser.add_argument("--event", type=Path, metavar="FILE", help=f"{what}; options override it")
    if usual_rules:
        parser.add_argument(
            "--rules", type=full_name, choices=PRESETS, metavar="NAME", help=f"rule set (default: {usual_rules})"
        )


def add_rubric_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option for what stored results are worth."""
    parser.add_argument("--rubric", metavar="NAME", help=f"{_OPTIONS['rubric'][1]} (default: the event's)")


def _text(text: str) -> str:
    return text


def _number(text: str) -> object:
    """Return the number that a text stands for, else the text. Values are checked later, for files and options alike."""
    for kind in (int, float):
        try:
            return kind(text) if text.isascii() and "_" not in text else text
        except ValueError:
            continue
    return text


def _collect_given(options: argparse.Namespace, names: Sequence[str]) -> dict[str, Any]:
    """Return the values of those of these options that were given. `kind` and `limits` are fields without an option."""
    values = {name: getattr(options, name, None) for name in names if name not in ("kind", "limits")}
    return {name: value for name, value in values.items() if value is not None}


def read_named_file(options: argparse.Namespace) -> EventFile:
    """Return what the event file says, if one was named. Raises BadEventError."""
    return NO_FILE if options.event is None else read_event_file(options.event)


def single_event(options: argparse.Namespace, file: EventFile, rules: str = Event.rules) -> tuple[Event, Machine]:
    """Return how a player is tried, by the options and an event file. Any sandbox will do if the file names none.

    rules: for when neither names any. Raises BadEventError or BadRubricError.
    """
    given = _collect_given(options, ("rules", "size", "move_seconds"))
    named = file.values.get("rubric")
    rubric = read_rubric(named) if isinstance(named, str) and named else None
    usual_board = {"rules": rules} if rubric is None else {"rules": rubric.rules, "size": rubric.size}

    def place(key: str) -> str:
        return f"--{key.replace('_', '-')}" if key in given or options.event is None else in_file(options.event, key)

    values = {key: value for key, value in file.values.items() if key not in ("kind", "games", "until_decided", "deciding")}
    event = make_event({"kind": "gauntlet", **usual_board, **values, **given}, place)
    return event, make_machine({"require_tier": Tier.T0.value, **file.machine}, place)


def read_graded_plan(options: argparse.Namespace, file: EventFile) -> EventPlan | None:
    """Return the grade that an event file describes, else the usual one under these rules; None if the file is of another
    event, or no rubric has reference players under these rules.

    Any sandbox will do if the file names none. Raises BadEventError or BadRubricError.
    """
    given = _collect_given(options, ("rules", "size", "move_seconds"))
    values = {**file.values, **given}
    if values.get("kind", "grade") != "grade" or file.engines or values.get("references"):
        return None
    named = values.get("rubric")
    rubrics = [named] if named else [name for name in names() if read_rubric(name).rules == values.get("rules", Event.rules)]
    rubric = next((name for name in rubrics if read_rubric(str(name)).opponents), None)
    if rubric is None:
        return None
    both = replace(
        file, values={**values, "rubric": rubric}, machine={"require_tier": Tier.T0.value, **file.machine}
    )
    return make_plan(both, "grade", lambda key: f"--{key.replace('_', '-')}" if key in given else in_file(options.event, key))


def seed_of(options: argparse.Namespace, file: EventFile, usual_seed: int) -> int:
    """Return the seed of an event file, `usual_seed` if it names none. Raises BadEventError."""
    make_key(file.chance, lambda key: in_file(options.event, key))
    seed = file.chance.get("seed")
    return seed if isinstance(seed, int) else usual_seed


def read_plan(
    options: argparse.Namespace, kind: str, default_rubric: str = "", *, references: Sequence[str] = ()
) -> EventPlan:
    """Return the event that the options and the event file describe. Raises BadEventError or BadRubricError.

    references: players that were named on the command line, in place of those of the file.
    """
    file = read_named_file(options)
    given = _collect_given(options, [field.name for field in dataclasses.fields(Event)] + list(LIMIT_CHECKS))
    if references:
        given["references"] = list(references)
    of_machine = _collect_given(options, [field.name for field in dataclasses.fields(Machine)])
    of_chance = _collect_given(options, ["seed"])

    def place(key: str) -> str:
        if key in {**given, **of_machine, **of_chance} or key not in {**file.values, **file.machine, **file.chance}:
            return "PLAYER" if key == "references" else f"--{key.replace('_', '-')}"
        return in_file(options.event, key)

    store = None if "name" in given else file.store
    both = replace(
        file, values={**file.values, **given}, machine={**file.machine, **of_machine}, chance={**file.chance, **of_chance},
        store=store,
    )  # fmt: skip
    return make_plan(both, kind, place, default_rubric)


def add_class_arguments(parser: argparse.ArgumentParser, more: str = "") -> None:
    """Add the arguments for a class's submissions and their roster; see `read_sources`. more: what else may be named."""
    what = f"submissions, or folders of them{more}"
    parser.add_argument("submissions", type=Path, nargs="*", metavar="FOLDER|FILE", help=what)
    parser.add_argument("--roster", type=Path, metavar="FILE", help=f"CSV file: {','.join(COLUMNS)}")


def read_sources(options: argparse.Namespace, file: EventFile) -> SubmissionSources:
    """Return what the arguments and the event file say; an argument overrides the file."""
    return SubmissionSources(options.submissions or file.submissions, options.roster or file.roster, file.only_listed)


# What a run tells, its options, and its scores


def add_run_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of a run, on which no result depends."""
    add_jobs_argument(parser)
    add_cluster_argument(parser)
    parser.add_argument("--verify", metavar="P%", help=(
        "replay this share of a cluster's games on other workers, and expel a worker whose results differ"
    ))  # fmt: skip


def add_jobs_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option for how many games are played at a time."""
    parser.add_argument("--jobs", type=int, metavar="N", help="games played at the same time (default: one per core)")


def add_cluster_argument(parser: argparse.ArgumentParser, what: str = "have the games played") -> None:
    """Add the option that names a cluster. what: it is for."""
    parser.add_argument("--cluster", metavar="ADDRESS", help=(
        f"{what} by a dask cluster: tls://HOST:PORT, or local:N processes"
    ))  # fmt: skip


def add_copies_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option for where the copies of the submissions of a results file are."""
    parser.add_argument("--submissions", type=Path, metavar="FOLDER", help=(
        "where the copies of the submissions are (default: beside the results file)"
    ))  # fmt: skip


def store_of(plan: EventPlan) -> Path:
    """Return the path of an event's results file; raises StoreError if it is a folder."""
    path = plan.file.store or Path(f"{plan.event.name}.db")
    if path.is_dir():
        raise StoreError(f"{path}: expected a results file, got a folder")
    return path


def run_settings(options: argparse.Namespace) -> RunSettings:
    """Return what the options of `add_run_arguments` and `add_event_arguments` say of the run."""
    tier_named = bool(options.require_tier)
    return RunSettings(options.jobs, options.cluster, read_share(options), tier_named=tier_named)


def read_share(options: argparse.Namespace) -> float:
    """Return the share of games that --verify names, 0 if it is not given. Raises ClusterError."""
    text = options.verify
    if text is None:
        return 0.0
    number = float(text[:-1]) if re.fullmatch(r"\d{1,3}(\.\d{1,6})?%", text, re.ASCII) else 0.0
    if not 0 < number <= 100:
        raise ClusterError(f"--verify: expected a share above 0% and up to 100%, as 2%, got {quoted(text)}")
    if options.cluster is None:
        raise ClusterError("--verify: expected together with --cluster, whose workers it checks")
    return number / 100


def print_scores(path: Path, players: Sequence[Entrant], opponents: Sequence[Entrant]) -> None:
    """Print how often some players won, tied and lost against others, and how many games differ from each other."""
    with read_store(path) as store:
        rows, different = store.rows(), store.different_games()
    tallies = count(rows)
    lines = [
        (player.name, opponent.name, tally.total.games, tally.total.wins, tally.total.ties, tally.total.losses)
        for player in players
        for opponent in opponents
        if (tally := tallies.get((player.name, opponent.name))) is not None
    ]
    print_tables(terminal_table(lines, ("player", "opponent", "games", "wins", "ties", "losses")))
    print(f"\n{len(rows)} games, {different} different")


Pair = frozenset[str]

_LINE_SECONDS = 60.0
_BAR_SECONDS = 1.0
_BAR = "{percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt} [{elapsed}, {rate_fmt}{postfix}]"


def open_results(path: Path) -> Store:
    """Open a results file to show it, and say who is left out; see `tournament.store.store.read_results`."""
    store = read_results(path)
    if store.left_out:
        say(f"left out, as {without_beside(path)} says: {printable(', '.join(store.left_out), 300)}")
    return store


def print_tables(text: str) -> None:
    """Print text; on a terminal its tables are folded to fit."""
    print(fit_tables(text))


def say_result(text: str) -> None:
    """Print a line on stdout as `say` does."""
    say(text, sys.stdout)


class TimeLeft:
    """Estimates how long the rest of a run takes. left: pair of names -> how many of its games are still to be played.

    An empty pair stands for games of players not known yet: they take as long as those so far.
    """

    def __init__(self, left: Mapping[Pair, int], now: float) -> None:
        self._left = Counter(left)
        self._started = self._last_end = now
        # Of pairs, and of players.
        self._games = Counter[Pair | str]()
        self._seconds = defaultdict[Pair | str, float](float)
        self._ended = 0
        self._played = 0.0

    def count(self, result: GameResult, now: float) -> None:
        """Take in a game that has ended."""
        pair, seconds = frozenset((result.spec.black, result.spec.white)), _seconds_of(result)
        keys: tuple[Pair | str, ...] = (pair, *pair)
        for key in keys:
            self._games[key] += 1
            self._seconds[key] += seconds
        self._left[pair] = max(0, self._left[pair] - 1)
        self._ended += 1
        self._played += seconds
        self._last_end = now

    def seconds(self, now: float) -> float | None:
        """Return about how many seconds are left; None while most of the rest is between players nothing is known of."""
        waiting = [pair for pair, games in self._left.items() if games]
        usual = self._played / self._ended if self._ended else 0.0
        lengths = {pair: self._length(pair) if pair else usual for pair in waiting}
        known = {pair: length for pair, length in lengths.items() if length is not None}
        games = sum(self._left[pair] for pair in waiting)
        if not self._ended or 2 * sum(self._left[pair] for pair in known) < games:
            return None
        # Games run side by side, and there is more to do than to play. What goes on since the last end may be no game at all:
        # a reference player compiles.
        elapsed = self._last_end - self._started
        work = sum(self._left[pair] * known.get(pair, usual) for pair in waiting)
        shared = work * elapsed / self._played if self._played else games * elapsed / self._ended
        # The longest game that is left needs its time however many play; if it takes longer than that, perhaps as long again.
        silent = now - self._last_end
        alone = max(known.values(), default=0.0) - silent
        return max(shared, alone if alone > 0 else silent) if games else 0.0

    def _length(self, pair: Pair) -> float | None:
        """Return how long a game of a pair takes in seconds, by its own games or else by those of its players."""
        keys: Collection[Pair | str] = [pair] if self._games[pair] else pair
        lengths = [self._seconds[key] / self._games[key] for key in keys if self._games[key]]
        return sum(lengths) / len(lengths) if lengths else None


def _seconds_of(result: GameResult) -> float:
    """Return how long the answers of a game took."""
    last = 0.0 if result.last is None else result.last.spent.wall
    return sum((turn.spent.wall for turn in result.turns), last)


def _in_words(seconds: float | None) -> str:
    if seconds is None:
        return "too early to say how long"
    if seconds < _LINE_SECONDS / 2:
        return "less than a minute left"
    return f"about {max(1, round(seconds / 60))} min left"


class GameProgress:
    """Counts games and shows them on stderr: games, rate, time left, forfeits.

    left: pair of names -> how many of its games are to be played. clock: in seconds, for tests. every: how many seconds there
    are between two lines.
    """

    def __init__(
        self, total: int, finished: int, left: Mapping[Pair, int], clock: Callable[[], float] = time.monotonic,
        every: float = _LINE_SECONDS,
    ) -> None:  # fmt: skip
        self._total = total
        self._finished = finished
        self._forfeits = 0
        self._clock = clock
        self._time_left = TimeLeft(left, clock())
        self._bar = _bar(total, finished) if is_terminal(sys.stderr) and is_installed("tqdm") else None
        self._every = every if self._bar is None else _BAR_SECONDS
        self._next_line = clock() + self._every

    def __enter__(self) -> GameProgress:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the progress bar."""
        if self._bar is not None:
            self._bar.close()

    def count(self, result: GameResult) -> None:
        """Count a finished game."""
        self._finished += 1
        self._time_left.count(result, self._clock())
        if result.termination.is_forfeit:
            self._forfeits += 1
        if self._bar is not None:
            self._bar.update()

    def tick(self) -> None:
        """Print a line if it is time for one, also while no game ends; to be called several times a second."""
        now = self._clock()
        if now < self._next_line:
            return
        self._next_line += self._every * (1 + (now - self._next_line) // self._every)
        notes = [f"{self._forfeits} forfeit{'s' * (self._forfeits > 1)}"] if self._forfeits else []
        notes.append(_in_words(self._time_left.seconds(now)))
        if self._bar is not None:
            self._bar.set_postfix_str(", ".join(notes))
        else:
            say(", ".join([f"{self._finished} of {self._total} games", *notes]))


def _bar(total: int, finished: int) -> tqdm[NoReturn]:
    from tqdm import tqdm

    # By default tqdm shares a semaphore with other processes, for nothing: only this one shows progress.
    tqdm.set_lock(RLock())
    # No monitor thread: it would only get in the way when worker processes start.
    tqdm.monitor_interval = 0
    return tqdm(total=total, initial=finished, unit="game", leave=False, bar_format=_BAR)
