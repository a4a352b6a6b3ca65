"""Writes megabytes to standard error at each move."""

import sys

from gtp_loop import Engine


class Bad(Engine):
    def choose(self, colour):
        for _ in range(64):
            sys.stderr.write("x" * 65536)
        return super().choose(colour)


Bad().run()
