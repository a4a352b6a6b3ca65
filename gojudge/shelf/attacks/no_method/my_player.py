"""A player that cannot be asked."""


class MyPlayer:
    get_input = None
