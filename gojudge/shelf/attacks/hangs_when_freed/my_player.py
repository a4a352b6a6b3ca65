"""Hangs when its objects are freed, collected or watched, but never in a line that is asked for."""

import gc
import sys
import weakref


class Endless:
    armed = False

    def __del__(self):
        while True:
            pass


def watch(event, arguments):
    while Endless.armed:
        pass


def never(*_):
    while True:
        pass


class MyPlayer:
    def get_input(self, go, piece_type):
        gc.callbacks.append(never)
        self.watched = Endless()
        self.reference = weakref.ref(self.watched, never)
        sys.addaudithook(watch)
        Endless.armed = True
        del self.watched
        return 0, 0
