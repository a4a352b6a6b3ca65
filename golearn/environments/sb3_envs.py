"""Many games of a learner for Stable-Baselines3, as one `VecEnv`.

    envs = GoVecEnv(256, size=5, opponent="greedy", learner="alternate")
    MaskablePPO("MlpPolicy", envs).learn(1_000_000)

MaskablePPO, of sb3-contrib, asks `env_method("action_masks")` for the legal actions of every game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Any

import numpy as np
import numpy.typing as npt

from golearn.environments.batches import Flags
from golearn.environments.gymnasium_envs import GoVectorEnv
from golearn.environments.settings import AutoReset
from golearn.environments.views import Seen
from golearn.errors import SettingError, without_extra

try:
    from stable_baselines3.common.vec_env import VecEnv
except ImportError as error:
    raise without_extra(error, "sb3") from None

Indices = int | Iterable[int] | None


class GoVecEnv(VecEnv):  # type: ignore[misc, unused-ignore]
    """A `GoVectorEnv` whose games begin anew in the step that ends them.

    `infos` of a game that has ended have `terminal_observation`, "ending", why it is over, and "steps", as in `GoEnv`.
    `seed(n)` seeds all games at once.
    """

    def __init__(self, num_envs: int = 1, size: int = 9, *, render_mode: str | None = None, **options: Any) -> None:  # noqa: ANN401
        """Make the environment; options: those of `GoVectorEnv` but `autoreset`. Raises SettingError."""
        self.games: GoVectorEnv = GoVectorEnv(num_envs, size, render_mode=render_mode, autoreset=AutoReset.SAME_STEP, **options)
        self.render_mode = render_mode
        super().__init__(num_envs, self.games.single_observation_space, self.games.single_action_space)
        self._actions: npt.ArrayLike = ()

    def __copy__(self) -> GoVecEnv:
        return deepcopy(self)

    def reset(self) -> Seen:
        """Begin all games."""
        seed = self._seeds[0]
        observations, _ = self.games.reset(seed=seed)
        self.reset_infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        self._reset_seeds()
        self._reset_options()
        return observations

    def step_async(self, actions: npt.ArrayLike) -> None:
        """Keep the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Seen, npt.NDArray[np.float32], Flags, list[dict[str, Any]]]:
        """Play the learner's actions and the opponent's answers; raises ActionError."""
        observations, rewards, ended, _, infos = self.games.step(self._actions)
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for game in np.flatnonzero(ended):
            last = infos["final_info"]
            told[game] = {
                "ending": int(last["ending"][game]), "steps": int(last["steps"][game]),
                "terminal_observation": infos["final_obs"][game], "TimeLimit.truncated": False,
            }  # fmt: skip
        return observations, rewards.astype(np.float32), ended, told

    def action_masks(self) -> Flags:
        """Return which actions are legal, (num_envs, actions)."""
        return self.games.action_masks()

    def close(self) -> None:
        """Do nothing: no window and no process is open."""

    # What others ask of single games

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Return an attribute once for each of these games; raises AttributeError."""
        of = self if attr_name in ("render_mode", "action_masks") else self.games
        return [getattr(of, attr_name)] * len(self._numbers(indices))

    def set_attr(self, attr_name: str, value: Any, indices: Indices = None) -> None:  # noqa: ANN401
        """Refuse: games of a batch have no attributes of their own. Raises SettingError."""
        raise SettingError(f"{attr_name}: games of a batch have no attributes of their own; make the environment with it")

    def env_method(self, method_name: str, *args: Any, indices: Indices = None, **options: Any) -> list[Any]:  # noqa: ANN401
        """Return what a method says of each of these games: `action_masks` or `render`. Raises AttributeError."""
        if method_name == "action_masks":
            answers: Sequence[Any] = list(self.games.action_masks())
        elif method_name == "render":
            answers = self.games.render() or [None] * self.num_envs
        else:
            raise AttributeError(f"games of a batch have the methods action_masks and render, not {method_name!r}")
        return [answers[number] for number in self._numbers(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: Indices = None) -> list[bool]:
        """Return that no game is wrapped."""
        return [False] * len(self._numbers(indices))

    def get_images(self) -> Sequence[Any]:
        """Return every game as a picture."""
        return self.env_method("render")

    def _numbers(self, indices: Indices) -> list[int]:
        if indices is None:
            return list(range(self.num_envs))
        return list(indices) if isinstance(indices, Iterable) else [int(indices)]
