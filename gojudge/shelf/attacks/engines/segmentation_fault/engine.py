"""Is killed by the kernel at its second move."""

import os
import signal

from gtp_loop import Engine


class Bad(Engine):
    def choose(self, colour):
        if self.moves == 2:
            os.kill(os.getpid(), signal.SIGSEGV)
        return super().choose(colour)


Bad().run()
