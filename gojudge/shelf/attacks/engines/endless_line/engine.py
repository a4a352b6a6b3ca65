"""Writes a line of ten megabytes before an answer."""

import sys

from gtp_loop import Engine


class Bad(Engine):
    def choose(self, colour):
        if self.moves == 2:
            sys.stdout.write("x" * 10_000_000)
        return super().choose(colour)


Bad().run()
