"""A player that cannot be made."""


class MyPlayer:
    def __init__(self):
        self.table = open("no such table").read()
