"""Closes its output and lives on."""

import os
import time

from gtp_loop import Engine


class Bad(Engine):
    def choose(self, colour):
        if self.moves == 2:
            os.close(1)
            time.sleep(1000)
        return super().choose(colour)


Bad().run()
