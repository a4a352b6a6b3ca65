"""Sets itself an alarm nobody turns off."""

import signal


class MyPlayer:
    def get_input(self, go, piece_type):
        signal.alarm(1)
        signal.pause()
