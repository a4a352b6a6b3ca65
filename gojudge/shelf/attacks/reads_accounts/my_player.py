"""Cannot be copied, and looks in what it was forked from for what earlier games have used."""

import gc
import sys
import threading
import time


def numbers(thing):
    """All that an object holds, at any depth, under names of accounts."""
    seen, waiting = set(), [thing]
    while waiting:
        thing = waiting.pop()
        if id(thing) in seen or len(seen) > 10_000:
            continue
        seen.add(id(thing))
        if type(thing).__name__ == "ProcessAccount":
            yield thing._ended + sum(thing._seen.values())
        if type(thing).__module__.startswith("gojudge"):
            waiting += gc.get_referents(thing)
        elif isinstance(thing, dict):
            waiting += thing.values()


USED = []
frame = sys._getframe()
while frame is not None:
    USED += [number for value in frame.f_locals.values() for number in numbers(value)]
    frame = frame.f_back

# For every game it has to be loaded anew.
threading.Thread(target=time.sleep, args=[1000], daemon=True).start()


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        if go.n_move < 2 and any(USED):
            raise RuntimeError(f"BREACH: news of another game, {max(USED)}")
        return first_legal(go, piece_type)
