"""Goes on thinking in a thread while its opponent has the move."""

import sys
import threading
import time

from gtp_loop import Engine


def think():
    while True:
        pass


class Bad(Engine):
    spent = left = 0.0

    def choose(self, colour):
        if self.left:
            self.spent += time.process_time() - self.left
        if self.spent > 0.25:
            sys.exit("BREACH: it thinks while its opponent has the move")
        point = super().choose(colour)
        self.left = time.process_time()
        return point


threading.Thread(target=think, daemon=True).start()
Bad().run()
