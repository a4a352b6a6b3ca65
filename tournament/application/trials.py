"""Trial games: each submission or engine plays one with each colour against random. Their outcome is told in a line.

A single submission also plays against each reference player of a rubric: see `play_ahead`.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from goban.common.excerpts import printable
from goban.rulesets import ruleset
from gojudge.records import Entrant, GameResult, GameRow, GameSpec, Spent, Tier
from gojudge.refereeing.open_seats import OPEN_SEATS, Conditions, ReferenceSeat
from gojudge.refereeing.referee import play
from gojudge.seats import Seat
from tournament.application.classes import describe_entrant
from tournament.application.plans import EventPlan, Tell, tell_nobody
from tournament.application.runs import GameSetup, MakeWatcher, NoWatcher, at_once, conditions_at, play_groups, this_run
from tournament.errors import BadEventError
from tournament.events.events import Event, Machine
from tournament.events.schedules import Key, Pairing, in_groups, in_turns, key_of_seed, open_batches, pairings
from tournament.store.store import open_store

OPPONENT = Entrant("random", reference="random", digest="random")
_SEED = 1
# Who has submissions tried chooses the results file itself; see `open_store`.
_NAMED_BY = "store"
_GAMES = 2
_MOST_NAMES = 4
# Waiting for a core is mentioned from so many seconds on, and from this share of the time.
_BUSY_SECONDS, _BUSY_SHARE = 0.5, 0.1

GAMES_AHEAD = 20
"""Games against each reference player from which a grade is estimated."""
_MOST_SECONDS = 55.0
_SLOW_SECONDS = 20.0
"""By the clock, for a submission that was charged more than this for its answers. Others have time: a busy machine must not
decide how many games there are."""

NO_PROTECTION = (
    "no sandbox: nothing protects this machine from the code, only the clock limits it, and the result must not count for marks"
)

OnTried = Callable[[Entrant, Sequence[GameResult], str], None]
"""(entrant, its trial games, why one of them is void, or ''): called as soon as an entrant's games are done."""


def try_entrants(
    store_path: Path, entrants: Sequence[Entrant], conditions: Conditions, on_tried: OnTried, *,
    jobs: int | None = None, force_new: bool = False, tell: Tell = tell_nobody, watch: MakeWatcher = NoWatcher,
) -> bool:  # fmt: skip
    """Play the trial games that the store does not have yet; those of a submission that has changed are played again.

    jobs: how many games are played at a time. force_new: begin a new store.
    Returns whether it was stopped.
    """
    event = Event("check", "grade", conditions.rules, conditions.size, _GAMES, (OPPONENT.name,), limits=conditions.limits)
    machine = Machine(Tier(conditions.tier), conditions.python)
    everybody = [*entrants, OPPONENT]
    with open_store(
        store_path, event, key=key_of_seed(_SEED), machine=machine, force_new=force_new, named_by=_NAMED_BY
    ) as store:
        store.begin_run(everybody, this_run())
        waiting = {entrant.name: entrant for entrant in entrants}
        games: dict[str, list[GameResult]] = {name: [] for name in waiting}

        def take(result: GameResult) -> None:
            name = result.spec.opponent_of(OPPONENT.name)
            if name not in waiting:
                return
            games[name].append(result)
            if len(games[name]) == _GAMES:
                on_tried(waiting.pop(name), sorted(games[name], key=lambda game: game.spec.id), "")

        pairs = [Pairing(name, OPPONENT.name, name, _GAMES) for name in sorted(waiting)]
        for result in store.results():
            take(result)
        batches = open_batches(pairs, store.finished())
        missing = sum(len(batch.numbers) for batch in batches)
        setup = GameSetup(replace(conditions, tells_where=True), everybody, at_once(jobs, entrants, missing, tell))
        groups = in_groups(batches, {OPPONENT.name}, OPEN_SEATS)
        account = play_groups(store, groups, setup, _GAMES * len(pairs), take, tell_saved=tell, watch=watch)
        for pairing in pairs:
            reasons = [account.void[game] for game in pairing.ids if game in account.void]
            if pairing.one in waiting and reasons:
                on_tried(waiting.pop(pairing.one), games[pairing.one], reasons[0])
        return account.stopped


def try_without_sandbox(
    entrants: Sequence[Entrant], conditions: Conditions, on_tried: OnTried, watch: MakeWatcher = NoWatcher
) -> bool:
    """Play the trial games one after the other, each player in a plain process; keep none of them.

    Otherwise as `try_entrants`, and for submissions only.
    """
    key = key_of_seed(_SEED)
    left = {frozenset((entrant.name, OPPONENT.name)): _GAMES for entrant in entrants}
    with closing(watch(_GAMES * len(entrants), 0, left)) as progress:
        try:
            for entrant in sorted(entrants, key=lambda entrant: entrant.name):
                games: list[GameResult] = []
                pairing = Pairing(entrant.name, OPPONENT.name, entrant.name, _GAMES)
                for number in range(1, _GAMES + 1):
                    games.append(_play_one_without_sandbox(entrant, pairing.game(number, key), conditions))
                    progress.count(games[-1])
                    progress.tick()
                void = [game.detail for game in games if game.winner is None]
                on_tried(entrant, [] if void else games, void[0] if void else "")
        except KeyboardInterrupt:
            return True
    return False


def _play_one_without_sandbox(
    entrant: Entrant, spec: GameSpec, conditions: Conditions, opponent: Entrant = OPPONENT
) -> GameResult:
    """Play a game of a submission in a plain process against a reference player."""
    from gojudge.sandbox.unprotected_seats import open_unprotected

    rules = ruleset(conditions.rules)
    seats: dict[str, Seat] = {opponent.name: ReferenceSeat(opponent, rules, conditions.size)}
    with closing(open_unprotected(entrant, rules, conditions.size, conditions.limits)) as seat:
        seats[entrant.name] = seat
        return play(spec, conditions.start(), seats[spec.black], seats[spec.white]).result


def about(entrant: Entrant, brought: Sequence[str] = ()) -> str:
    """Return what plays of a submission.

    brought: files that came along with the one that was named, and so must be handed in with it.
    """
    # Said because the course ran my_player.py as Python 2.
    text = describe_entrant(entrant) + (", run as Python 3" if describe_entrant(entrant) == "my_player.py, a program" else "")
    if brought:
        names = ", ".join(printable(name, 60) for name in brought[:_MOST_NAMES])
        text += f", with {names}" + (f" and {len(brought) - _MOST_NAMES} more" if len(brought) > _MOST_NAMES else "")
    return text


def verdict(entrant: Entrant, games: Sequence[GameResult], entry_text: str) -> tuple[bool, str]:
    """Return whether all went well, and one line: 'ok' with a few figures, or what went wrong. entry_text: see `about`."""
    if not games:
        return True, f"ok ({entry_text})"
    for game in games:
        if game.forfeiter == entrant.name:
            # The printed line begins with the name already.
            return False, game.detail.replace(f" ({entrant.name})", "", 1)
    as_colours = list(enumerate(games, 1))
    times = [answer.spent for colour, game in as_colours for answer in game.answers_of(colour)]
    longest = max((spent.charge for spent in times), default=0.0)
    won = sum(game.winner == colour for colour, game in as_colours)
    line = f"ok ({entry_text}): won {won} of {len(games)} games against random, longest move {longest:.2f} s"
    return True, line + _busy(times)


def _busy(times: Sequence[Spent]) -> str:
    """Return a note if other programs kept a player waiting for a core, which costs it nothing; '' if they did not."""
    wall, waited = sum(spent.wall for spent in times), sum(spent.waited for spent in times)
    busy = waited > max(_BUSY_SECONDS, _BUSY_SHARE * wall)
    return f"; this machine was busy: it waited {waited:.1f} of {wall:.1f} s for a core, which is not counted" if busy else ""


@dataclass
class GamesAhead:
    """The games of one submission from which its grade is estimated. plan: of that grade. due: how many games there should be.

    enough: whether games ended because the submission is slow; stopped: because somebody stopped them.
    """

    plan: EventPlan
    due: int
    games: list[GameResult] = field(default_factory=list)
    enough: bool = False
    stopped: bool = False

    @property
    def rows(self) -> list[GameRow]:
        """The games, as grades are made of them."""
        return [row_of(game) for game in self.games]


def play_ahead(
    store_path: Path | None, entrant: Entrant, plan: EventPlan, tier: str, trials: Sequence[GameResult], *,
    number: int = GAMES_AHEAD, jobs: int | None = None, started: float = 0.0, tell: Tell = tell_nobody,
    watch: MakeWatcher = NoWatcher,
) -> GamesAhead:  # fmt: skip
    """Let a submission play some games against each reference player of a grade, as the grade would play them.

    store_path: None for no sandbox, and no store. trials: its trial games; where they are the same, they are not played again,
    nor are games that the store has. started: the time, by `time.monotonic`, from which a slow submission has
    under a minute. Ctrl-C stops cleanly.
    """
    if plan.rubric is None:
        raise BadEventError("expected a rubric with reference players, got none")
    references = plan.given
    event = replace(plan.event, games=number, until_decided=0.0)
    key = plan.key or key_of_seed(_SEED)
    pairs = pairings(event, [entrant, *references], key)
    ahead = GamesAhead(plan, number * len(references))
    known = _same_games(trials, pairs, key, plan)

    def enough() -> bool:
        charged = sum(_sum_charges(game, entrant.name) for game in [*trials, *ahead.games])
        ahead.enough = charged > _SLOW_SECONDS and time.monotonic() - started > _MOST_SECONDS
        return ahead.enough

    conditions = replace(conditions_at(tier, event, plan.machine), tells_where=True)
    if store_path is None:
        ahead.games += known
        groups = in_turns(open_batches(pairs, {game.spec.id: game.spec.black for game in known}))
        games = (game for group in groups for batch in group for game in batch.games(key))
        _play_without_sandbox(ahead, entrant, {one.name: one for one in references}, games, conditions, started, watch)
        return ahead
    with open_store(store_path, event, plan.basis, key=key, machine=plan.machine, named_by=_NAMED_BY) as store:
        everybody = [entrant, *references]
        store.begin_run(everybody, this_run())
        finished = store.finished()
        store.add(*(game for game in known if game.spec.id not in finished))
        ahead.games += store.results()
        groups = in_turns(open_batches(pairs, store.finished()))
        if missing := ahead.due - len(ahead.games):
            setup = GameSetup(conditions, everybody, at_once(jobs, [entrant], missing, tell))
            account = play_groups(
                store, groups, setup, ahead.due, ahead.games.append, enough=enough, tell_saved=tell, watch=watch
            )
            ahead.stopped = account.stopped and not ahead.enough
    return ahead


def _same_games(trials: Sequence[GameResult], pairs: Sequence[Pairing], key: Key, plan: EventPlan) -> list[GameResult]:
    """Return those trial games that a grade would play, too: against the same player, with the same chance."""
    usual = {one.name for one in plan.rubric.opponents if one.player == OPPONENT.reference} if plan.rubric else set()
    specs = [pairing.game(number, key) for pairing in pairs if pairing.other in usual for number in range(1, _GAMES + 1)]
    return [game for game in trials if game.spec in specs]


def _sum_charges(game: GameResult, name: str) -> float:
    colour = 1 if game.spec.black == name else 2
    return sum(answer.spent.charge for answer in game.answers_of(colour))


def _play_without_sandbox(
    ahead: GamesAhead, entrant: Entrant, opponents: Mapping[str, Entrant], games: Iterable[GameSpec], conditions: Conditions,
    started: float, watch: MakeWatcher,
) -> None:  # fmt: skip
    specs = list(games)
    left = Counter(frozenset((spec.black, spec.white)) for spec in specs)
    with closing(watch(ahead.due, len(ahead.games), left)) as progress:
        try:
            for spec in specs:
                # A process for each game: the clock on the wall counts for all.
                ahead.enough = time.monotonic() - started > _MOST_SECONDS
                if ahead.enough:
                    return
                opponent = opponents[spec.opponent_of(entrant.name)]
                result = _play_one_without_sandbox(entrant, spec, conditions, opponent)
                if result.winner is not None:
                    ahead.games.append(result)
                progress.count(result)
                progress.tick()
        except KeyboardInterrupt:
            ahead.stopped = True


def row_of(game: GameResult) -> GameRow:
    """Return what grades need of a game."""
    charges = [[answer.spent.charge for answer in game.answers_of(colour)] for colour in (1, 2)]
    assert game.winner is not None
    return GameRow(
        game.spec.id, game.spec.black, game.spec.white, game.winner, game.termination, game.forfeited_by,
        *map(len, charges), *map(sum, charges), *(max(own, default=0.0) for own in charges),
    )  # fmt: skip
