"""Sends signals to every process that it may reach."""

import os
import signal

from gtp_loop import Engine


class Bad(Engine):
    def choose(self, colour):
        if self.moves == 2:
            os.kill(-1, signal.SIGKILL)
            os.kill(os.getpid(), signal.SIGKILL)
        return super().choose(colour)


Bad().run()
