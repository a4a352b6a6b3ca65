"""A store with an event of two players, and games to put into it."""

from __future__ import annotations

from gojudge.records import Entrant, GameResult, GameSpec, Spent, Termination, Turn
from tournament.events.event_files import make_event
from tournament.events.schedules import key_of_seed
from tournament.results.exports import Extras, write_json
from tournament.store.store import Run, open_store, read_store

EVENT = make_event({"kind": "round-robin", "name": "cup", "games": 2})
RUN = Run("2026-05-01T10:00:00+00:00", "host", "Python 3")
ALICE, BOB = Entrant("alice", ("Alice A.",), digest="a1"), Entrant("bob", digest="b1", kind="program", entry="my_player.cpp")


KEY = key_of_seed(7)


def game(game_id, black="alice", white="bob", winner=1, **fields):
    turns = (Turn("C3", Spent(0.25, 0.125)), Turn("B2", Spent(0.5, 0.25)))
    spec = GameSpec(game_id, black, white, KEY.seeds(game_id))
    return GameResult(spec, winner, 13, 12, Termination.SCORE, turns=turns, **fields)


def opened(path, *entrants, **options):
    store = open_store(path, EVENT, key=KEY, **options)
    store.begin_run(entrants or (ALICE, BOB), RUN)
    return store


def exported(path):
    """The games of a results file with all that exports have."""
    with read_store(path) as store:
        write_json(store.results(), path.with_suffix(".json"), Extras(logs=True, machine=True), {})
    return path.with_suffix(".json").read_bytes()
