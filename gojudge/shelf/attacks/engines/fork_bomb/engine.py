"""Forks without end."""

import os

from gtp_loop import Engine


class Bad(Engine):
    def choose(self, colour):
        while self.moves == 2:
            os.fork()
        return super().choose(colour)


Bad().run()
