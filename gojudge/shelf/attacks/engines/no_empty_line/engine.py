"""Ends its answers with the end of a line."""

import sys

from gtp_loop import Engine


class Bad(Engine):
    def send(self, number, done, result):
        sys.stdout.write(f"={number} {result}\n" + "\n" * (self.moves < 2))
        sys.stdout.flush()


Bad().run()
