"""Ends lines with CR LF, and writes tabs, NUL bytes and small letters."""

import sys

from gtp_loop import Engine


class Bad(Engine):
    def send(self, number, done, result):
        sys.stdout.write(f"\0={number}\t\0{result.lower()}\0\t\r\n\r\n")
        sys.stdout.flush()


Bad().run()
