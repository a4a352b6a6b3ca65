"""Go as an environment for reinforcement learning: Pgx's rules and arrays, many games a step. Where to look for what:

    batches           GoBatch: many games at once           gymnasium_envs     GoEnv and GoVectorEnv, against an opponent
    settings          what a batch is made for              pettingzoo_envs    two agents, as go_v5 has them
    saving            batches as .npz files                 opponents          who plays against a learner
    errors            what is raised on purpose             sb3_envs           GoVectorEnv for Stable-Baselines3
    functional        states that do not change, as in Pgx  baselines          the opponents with names and versions
    pictures          boards to look at                     views              observations as others want them

Behind the opponents: random_opponents, reference_opponents (compiled), network_opponents, search_opponents and
asked_opponents (one game at a time), positions (games as states of `goban`), chances (random words for each row).
"""

from learning.environments.baselines import Baseline, baseline
from learning.environments.batches import GoBatch
from learning.environments.errors import ActionError, BatchFileError, EnvironmentsError, SettingError
from learning.environments.functional import BatchState, Go, make
from learning.environments.saving import load_batch, save_batch
from learning.environments.settings import AutoReset

__all__ = [
    "ActionError", "AutoReset", "Baseline", "BatchFileError", "BatchState", "EnvironmentsError", "Go", "GoBatch",
    "SettingError", "baseline", "load_batch", "make", "save_batch",
]  # fmt: skip
