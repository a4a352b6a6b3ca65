"""Answers with an object that takes for ever to be looked at."""


class Answer(list):
    def __len__(self):
        while True:
            pass


class MyPlayer:
    def get_input(self, go, piece_type):
        return Answer()
