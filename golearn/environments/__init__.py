"""Go as an environment for reinforcement learning: Pgx's rules and arrays, many games a step. Where to look for what:

    batches           GoBatch: many games at once; files    gymnasium_envs     GoEnv and GoVectorEnv, against an opponent
    settings          what a batch is made for              pettingzoo_envs    two agents, as go_v5 has them
    views             games as others want them seen        sb3_envs           GoVectorEnv for Stable-Baselines3
    functional        states that do not change, as in Pgx  opponents          who plays against a learner; baselines
    asked_opponents   players, searches and networks behind opponents
    cuda_batches      CudaGoBatch: a GoBatch on a graphics card
"""

from goban.kernels.environments.steps import ENDINGS
from golearn.environments.batches import GoBatch, load_batch, save_batch
from golearn.environments.functional import BatchState, Go, make
from golearn.environments.opponents import Baseline, baseline
from golearn.environments.settings import AutoReset
from golearn.errors import ActionError, BatchFileError, EnvironmentsError, SettingError

__all__ = [
    "ENDINGS", "ActionError", "AutoReset", "Baseline", "BatchFileError", "BatchState", "EnvironmentsError", "Go", "GoBatch",
    "SettingError", "baseline", "load_batch", "make", "save_batch",
]  # fmt: skip
