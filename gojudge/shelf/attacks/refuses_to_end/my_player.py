"""Ignores every signal it can and catches every exception."""

import signal
import time


class MyPlayer:
    def get_input(self, go, piece_type):
        for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(number, signal.SIG_IGN)
        while True:
            try:
                time.sleep(1000)
            except BaseException:
                continue
