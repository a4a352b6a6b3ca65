"""Overflows the stack of the interpreter itself."""

import sys


class MyPlayer:
    def get_input(self, go, piece_type):
        sys.setrecursionlimit(1 << 30)
        nest = []
        for _ in range(1 << 18):
            nest = [nest]
        return repr(nest)
