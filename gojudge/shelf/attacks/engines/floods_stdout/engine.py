"""Writes without end before an answer."""

import sys

from gtp_loop import Engine


class Bad(Engine):
    def choose(self, colour):
        while self.moves == 2:
            sys.stdout.write("visits 10000 winrate 0.5\n")
        return super().choose(colour)


Bad().run()
