"""Reads and answers nothing."""

import time

from gtp_loop import Engine


time.sleep(1000 if Engine else 0)
