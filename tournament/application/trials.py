"""Trial games: each submission, or engine, plays one with each colour against random; what came of them in a line of words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from common.excerpts import printable
from goban.rulesets import ruleset
from tournament.application.classes import described
from tournament.application.conditions import Tell, at_once, tell_nobody, this_run
from tournament.application.runs import GameSetup, MakeWatcher, NoWatcher, play_batches
from tournament.events.events import Event, Machine
from tournament.events.schedules import Pairing, key_of_seed, open_batches
from tournament.records import Entrant, GameResult, GameSpec, Tier
from tournament.refereeing.open_seats import Conditions, open_entrant
from tournament.refereeing.referee import play
from tournament.store.store import open_store
from tournament.times import Spent

OPPONENT = Entrant("random", reference="random", digest="random")
_SEED = 1
_GAMES = 2
_MOST_NAMES = 4
# Waiting for a core is worth a word from so many seconds on, and this share of the time.
_BUSY_SECONDS, _BUSY_SHARE = 0.5, 0.1

NO_PROTECTION = (
    "no sandbox: nothing protects this machine from the code that is run here, only the clock limits it, and no mark may follow"
)

Told = Callable[[Entrant, Sequence[GameResult], str], None]


def try_entrants(
    store_path: Path, entrants: Sequence[Entrant], conditions: Conditions, told: Told, *,
    jobs: int | None = None, force_new: bool = False, tell: Tell = tell_nobody, watch: MakeWatcher = NoWatcher,
) -> bool:  # fmt: skip
    """Play the trial games that the store does not have yet; those of a submission that has changed are played again.

    told: called for each entrant as soon as its games are done, with them and ''; or with the reason why one is void.
    jobs: how many games are played at a time. force_new: begin a new store.
    Returns whether it was stopped.
    """
    event = Event("check", "grade", conditions.rules, conditions.size, _GAMES, (OPPONENT.name,), limits=conditions.limits)
    machine = Machine(Tier(conditions.tier), conditions.python)
    everybody = [*entrants, OPPONENT]
    with open_store(
        store_path, event, key=key_of_seed(_SEED), machine=machine, force_new=force_new
    ) as store:
        store.begin_run(everybody, this_run())
        waiting = {entrant.name: entrant for entrant in entrants}
        games: dict[str, list[GameResult]] = {name: [] for name in waiting}

        def take(result: GameResult) -> None:
            name = result.spec.black if result.spec.white == OPPONENT.name else result.spec.white
            if name not in waiting:
                return
            games[name].append(result)
            if len(games[name]) == _GAMES:
                told(waiting.pop(name), sorted(games[name], key=lambda game: game.spec.id), "")

        pairs = [Pairing(name, OPPONENT.name, name, _GAMES) for name in sorted(waiting)]
        for result in store.results():
            take(result)
        batches = open_batches(pairs, store.finished())
        missing = sum(len(batch.numbers) for batch in batches)
        table = GameSetup(conditions, everybody, at_once(jobs, entrants, missing, tell))
        account = play_batches(store, batches, table, _GAMES * len(pairs), take, tell=tell, watch=watch)
        for pairing in pairs:
            reasons = [account.void[pairing.id_of(number)] for number in (1, 2) if pairing.id_of(number) in account.void]
            if pairing.one in waiting and reasons:
                told(waiting.pop(pairing.one), games[pairing.one], reasons[0])
        return account.stopped


def try_without_sandbox(
    entrants: Sequence[Entrant], conditions: Conditions, told: Told, watch: MakeWatcher = NoWatcher
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
                    games.append(_played_without_sandbox(entrant, pairing.game(number, key), conditions))
                    progress.count(games[-1])
                    progress.tick()
                void = [game.detail for game in games if game.winner is None]
                told(entrant, [] if void else games, void[0] if void else "")
        except KeyboardInterrupt:
            return True
    return False


def _played_without_sandbox(entrant: Entrant, spec: GameSpec, conditions: Conditions) -> GameResult:
    from tournament.sandbox.unprotected_seats import open_unprotected

    seats = {OPPONENT.name: open_entrant(OPPONENT, conditions)}
    with closing(open_unprotected(entrant, ruleset(conditions.rules), conditions.size, conditions.limits)) as seat:
        seats[entrant.name] = seat
        return play(spec, conditions.start(), seats[spec.black], seats[spec.white]).result


def about(entrant: Entrant, brought: Sequence[str] = ()) -> str:
    """Return what plays of a submission.

    brought: files that came along with the one that was named, and so must be handed in with it.
    """
    # Worth saying, because the course ran my_player.py as Python 2.
    said = described(entrant) + (", run as Python 3" if described(entrant) == "my_player.py, a program" else "")
    if brought:
        names = ", ".join(printable(name, 60) for name in brought[:_MOST_NAMES])
        said += f", with {names}" + (f" and {len(brought) - _MOST_NAMES} more" if len(brought) > _MOST_NAMES else "")
    return said


def verdict(entrant: Entrant, games: Sequence[GameResult], said: str) -> tuple[bool, str]:
    """Return whether all went well, and one line: 'ok' with a few figures, or what went wrong. said: what plays."""
    if not games:
        return True, f"ok ({said})"
    for game in games:
        if game.forfeited_by and (game.spec.black, game.spec.white)[game.forfeited_by - 1] == entrant.name:
            # The printed line begins with the name already.
            return False, game.detail.replace(f" ({entrant.name})", "", 1)
    as_colours = list(enumerate(games, 1))
    times = [answer.spent for colour, game in as_colours for answer in game.answers_of(colour)]
    longest = max((spent.charge for spent in times), default=0.0)
    won = sum(game.winner == colour for colour, game in as_colours)
    line = f"ok ({said}): won {won} of {len(games)} games against random, longest answer {longest:.2f} s"
    return True, line + _busy(times)


def _busy(times: Sequence[Spent]) -> str:
    """Return what to add if other programs kept a player waiting for a core, which costs it nothing; '' if they did not."""
    wall, waited = sum(spent.wall for spent in times), sum(spent.waited for spent in times)
    busy = waited > max(_BUSY_SECONDS, _BUSY_SHARE * wall)
    return f"; this machine was busy: it waited {waited:.1f} of {wall:.1f} s for a core, which is not counted" if busy else ""
