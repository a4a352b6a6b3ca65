"""Answers with an object that takes for ever to be shown."""


class Answer:
    def __repr__(self):
        while True:
            pass


class MyPlayer:
    def get_input(self, go, piece_type):
        return Answer()
