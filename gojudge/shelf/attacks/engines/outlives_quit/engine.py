"""Ignores quit, the end of its input, and every signal that can be ignored."""

import signal
import time

from gtp_loop import Engine


class Bad(Engine):
    def run(self):
        super().run()
        time.sleep(1000)


for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
Bad().run()
