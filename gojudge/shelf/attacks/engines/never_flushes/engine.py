"""Leaves its answers in a buffer."""

import sys

from gtp_loop import Engine


class Bad(Engine):
    def send(self, number, done, result):
        sys.stdout.write(f"={number} {result}\n\n")


Bad().run()
