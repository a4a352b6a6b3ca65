"""Games that Pgx 2.6.0 played, written down by `python3 -m lab.pgx_parity --record`: our batches show the same bytes."""

from pathlib import Path

import numpy as np
import pytest

from golearn.environments import GoBatch
from lab.pgx_parity import checksums, ours

TRACES = Path(__file__).with_name("pgx_traces.npz")

with np.load(TRACES) as file:
    FOUND = dict(file)
RUNS = sorted(int(name.removeprefix("kind")) for name in FOUND if name.startswith("kind"))


def kind(number):
    """What a run was made with."""
    size, komi, history, limit = FOUND[f"kind{number}"].tolist()
    return {"size": int(size), "komi": komi, "history_length": int(history), "max_terminal_steps": int(limit) or None}


@pytest.mark.parametrize("number", RUNS)
def test_recorded_games_are_replayed_bit_for_bit(number):
    actions = FOUND[f"actions{number}"]
    batch = GoBatch(games=actions.shape[1], **kind(number))
    batch.reset(player_order=FOUND[f"order{number}"])
    assert checksums(ours(batch), len(batch)) == FOUND[f"sums{number}"][0].tolist()
    for step, (chosen, sums) in enumerate(zip(actions, FOUND[f"sums{number}"][1:], strict=True), 1):
        batch.step(chosen)
        assert checksums(ours(batch), len(batch)) == sums.tolist(), f"step {step}"


def test_the_recorded_games_are_of_many_kinds_and_end_in_every_way():
    assert TRACES.stat().st_size < 500_000
    kinds = [kind(number) for number in RUNS]
    assert {k["size"] for k in kinds} >= {2, 3, 4, 5, 7, 9, 13, 19}
    assert {k["komi"] for k in kinds} >= {7.5, 0, 6.5, -3}
    assert {k["history_length"] for k in kinds} >= {1, 4, 8}
    ends = set()
    for number in RUNS:
        batch = GoBatch(games=FOUND[f"actions{number}"].shape[1], **kind(number))
        for chosen in FOUND[f"actions{number}"]:
            batch.step(chosen)
        ends |= {str(batch.why_over(g).value) for g in range(len(batch)) if batch.terminated[g]}
    assert ends == {"two passes", "repetition", "move limit", "illegal move"}
