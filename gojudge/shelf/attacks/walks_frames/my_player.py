"""Looks for the judge in its own process."""

import sys


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        import gc

        words = ("gojudge.refereeing.referee", "gojudge.sandbox.handles", "gojudge.sandbox.class_seat", "tournament.store.store")
        if any(word in sys.modules for word in words):
            raise RuntimeError("BREACH: the judge is in this process")
        frame = sys._getframe()
        while frame is not None:
            # From Python 3.13 on, only a module's can be cleared.
            if isinstance(frame.f_locals, dict):
                frame.f_locals.clear()
            frame = frame.f_back
        gc.unfreeze()
        if any(type(thing).__module__ in words for thing in gc.get_objects()):
            raise RuntimeError("BREACH: the judge is in this process")
        return first_legal(go, piece_type)
