"""Raises an exception that cannot be shown."""


class Hostile(Exception):
    def __str__(self):
        raise SystemExit

    __repr__ = __str__


class MyPlayer:
    def get_input(self, go, piece_type):
        raise Hostile
