"""Sleeps at its second move."""

import time

from gtp_loop import Engine


class Bad(Engine):
    def choose(self, colour):
        time.sleep(1000 if self.moves == 2 else 0)
        return super().choose(colour)


Bad().run()
