"""Leaves processes that hold its output in sessions of their own, and ends."""

import os
import sys
import time

from gtp_loop import Engine


class Bad(Engine):
    def choose(self, colour):
        if self.moves == 2:
            for _ in range(3):
                if not os.fork():
                    os.setsid()
                    time.sleep(1000)
            sys.exit()
        return super().choose(colour)


Bad().run()
