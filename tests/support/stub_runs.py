"""Games of stub seats played by a runner in this process."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from typing import ClassVar

from gojudge.records import Entrant
from gojudge.refereeing.runner import Runner
from tests.support.stubs import conditions, open_stub
from tournament.events.event_files import make_event
from tournament.events.schedules import key_of_seed, pairings


class Inline(Executor):
    """Does every task at once, in this process; `order` keeps the games in the order they were given."""

    order: ClassVar = []

    def submit(self, task, /, *args, **kwargs):
        future = Future()
        if len(args) > 1:
            Inline.order.append(args[1].id)
        try:
            future.set_result(task(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def people(*names):
    return [Entrant(name, digest=name) for name in names]


def schedule(names, games=4, seed=1):
    event = make_event({"kind": "round-robin", "games": games})
    key = key_of_seed(seed)
    pairs = pairings(event, people(*names), key)
    return [[pairing.game(number, key) for number in range(1, games + 1)] for pairing in pairs]


def run(names, games=4, opener=open_stub, executor=Inline, batches=None, **options):
    kept = []
    runner = Runner(conditions(opener=opener), people(*names), kept.extend, executor=executor, **options)
    return kept, runner.run(batches or schedule(names, games))
