"""Takes the language away from whoever calls it."""

import builtins
import sys


class MyPlayer:
    def get_input(self, go, piece_type):
        builtins.len = builtins.isinstance = builtins.type = builtins.open = builtins.print = None
        builtins.BaseException = builtins.dict = builtins.list = None
        sys.modules.clear()
        raise ValueError
