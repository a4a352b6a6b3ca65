"""Writes a banner, and a line of news before each answer."""

import sys

from gtp_loop import Engine


class Bad(Engine):
    def send(self, number, done, result):
        sys.stdout.write("info: 3 threads\n\nthinking...\n")
        super().send(number, done, result)


print('Welcome!\n\nloading weights\n')
Bad().run()
