"""A run of training that is killed again and again: `python -m tests.support.killed_training FOLDER SEED`.

It says how often the run was killed, how many of these times rounds were already kept, and the digests of the killed run and
of one that nobody disturbed.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import sys
from pathlib import Path

from golearn.alphazero.commands.training import train_with
from golearn.alphazero.plans import read_plan
from golearn.alphazero.runs import begin, resume_run
from tests.support.plain_learner import PlainLearner, tiny_plan

KILLS = 6


def rounds_kept(folder):
    return max((int(path.stem[-6:]) for path in folder.glob("checkpoint-*.npz")), default=0)


def killed_after(folder, rounds, seconds):
    """Train in a process of its own that dies when it has learned from so many more rounds and then worked for so long.

    Seconds are of the processor, as a process that waits for its turn does no rounds. Tell whether it was still at it.
    """
    enough = rounds_kept(folder) + rounds

    class Dying(PlainLearner):
        def learn(self, batch, rate):
            if rounds_kept(folder) >= enough and not any(signal.getitimer(signal.ITIMER_PROF)):
                signal.setitimer(signal.ITIMER_PROF, seconds)
            return super().learn(batch, rate)

    child = os.fork()
    if not child:
        with contextlib.redirect_stdout(None):
            train_with(Dying, folder, 2)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGPROF


def main(folder, seed):
    rng = random.Random(seed)
    (folder / "plan.toml").write_text(tiny_plan(games=32 * KILLS))
    for name in ("killed", "undisturbed"):
        begin(folder / name, read_plan(str(folder / "plan.toml")))
    killed = kept = 0
    for _ in range(KILLS):
        killed += killed_after(folder / "killed", rng.randrange(2), 0.001 + rng.random() * 0.05)
        kept += rounds_kept(folder / "killed") > 0
    with contextlib.redirect_stdout(None):
        for name in ("killed", "undisturbed"):
            train_with(PlainLearner, folder / name, 1)
    digests = [resume_run(folder / name, PlainLearner).digest() for name in ("killed", "undisturbed")]
    print(json.dumps({"killed": killed, "kept": kept, "digests": digests}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
