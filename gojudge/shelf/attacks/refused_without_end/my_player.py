"""Makes calls that are refused, without end."""

import os


class MyPlayer:
    def get_input(self, go, piece_type):
        while True:
            try:
                os.setpriority(os.PRIO_PROCESS, 0, 1)
            except PermissionError:
                continue
