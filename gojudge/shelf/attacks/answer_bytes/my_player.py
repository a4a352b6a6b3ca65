"""Answers with a pickle."""

import pickle


class MyPlayer:
    def get_input(self, go, piece_type):
        return pickle.dumps((1, 2))
