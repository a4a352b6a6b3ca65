"""Runs only when nobody else wants to, so that a busy machine waits for it."""

import contextlib
import os


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        for policy in (os.SCHED_IDLE, os.SCHED_BATCH):
            with contextlib.suppress(PermissionError):
                os.sched_setscheduler(0, policy, os.sched_param(0))
                raise RuntimeError("BREACH: it waits as long as it likes")
        return first_legal(go, piece_type)
