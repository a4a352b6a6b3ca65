"""Reads where no memory is."""

import ctypes


class MyPlayer:
    def get_input(self, go, piece_type):
        ctypes.string_at(0)
