"""What a batch of games shows, to be compared."""

import numpy as np

SHOWN = (
    "observation", "legal_action_mask", "rewards", "terminated", "truncated", "current_player", "colour", "winner", "ending",
    "step_count",
)  # fmt: skip


def shown(batch, rows=slice(None)):
    return {name: getattr(batch, name)[rows].copy() for name in SHOWN}


def assert_same(one, other):
    for name in SHOWN:
        np.testing.assert_array_equal(one[name], other[name], err_msg=name)
