"""Goes on thinking in a thread while its opponent has the move."""

import sys
import threading
import time

from gtp_loop import Engine


class Bad(Engine):
    seen = pause = 0.0
    answered = False

    def think(self):
        self.seen = time.monotonic()
        while True:
            now = time.monotonic()
            self.pause = max(self.pause, now - self.seen)
            self.seen = now

    def choose(self, colour):
        # Who was stopped while the opponent had the move, however late, has paused that long.
        asked = time.monotonic()
        while self.seen < asked and time.monotonic() < asked + 0.1:
            time.sleep(0.001)
        if self.answered and self.seen > asked and self.pause < 0.05:
            sys.exit("BREACH: it thinks while its opponent has the move")
        point = super().choose(colour)
        self.answered, self.pause = True, 0.0
        return point


bad = Bad()
threading.Thread(target=bad.think, daemon=True).start()
bad.run()
