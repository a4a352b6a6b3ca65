"""Sends its answer a byte at a time, and never the last one."""

import itertools
import sys
import time

from gtp_loop import Engine


class Bad(Engine):
    def send(self, number, done, result):
        if self.moves < 2:
            return super().send(number, done, result)
        for sign in itertools.chain(f"={number} ", itertools.repeat("A")):
            sys.stdout.write(sign)
            sys.stdout.flush()
            time.sleep(0.05)


Bad().run()
