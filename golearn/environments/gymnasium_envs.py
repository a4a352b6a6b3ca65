"""Go for one learner, by Gymnasium's rules: the opponent answers within the step.

    env = GoEnv(size=5, rules="course", opponent="greedy", learner="alternate")
    envs = GoVectorEnv(1024, size=9, opponent="naive")

Importing this module registers `go_harness/Go-v0` with Gymnasium, for `gymnasium.make` and `gymnasium.make_vec`. Observations
are those of `GoBatch`; the reward is 1 for a win, -1 for a loss, 0 for a tie and while the game goes on. `action_masks()`
(which MaskablePPO of sb3-contrib calls) and `info["action_mask"]` give the legal actions. An illegal action
loses the game.
"""

from __future__ import annotations

import os
from copy import deepcopy
from typing import Any

import numpy as np
import numpy.typing as npt

from golearn.environments.batches import Flags, GoBatch
from golearn.environments.opponents import Baseline, Function, Opponent, opponent_of
from golearn.environments.settings import AutoReset, auto_reset_of
from golearn.environments.views import Picture, Seen, View, board_picture, text_of
from golearn.errors import ActionError, SettingError, without_extra

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise without_extra(error) from None

LEARNERS = ("black", "white", "alternate")
_LEARNER = 0
"""The learner's number as a player; the opponent's is 1."""


Infos = dict[str, Any]


class Actions(spaces.Discrete):  # type: ignore[misc, unused-ignore]
    """Gymnasium's numbers from 0 on, of which `sample` also takes a mask of booleans, as they are in `info`."""

    def sample(self, mask: npt.NDArray[Any] | None = None, probability: npt.NDArray[Any] | None = None) -> np.int64:
        """Return a random action, by default each as likely; mask: of those to draw from; probability: of each."""
        if isinstance(mask, np.ndarray) and mask.dtype == np.bool_:
            mask = mask.astype(np.int8)
        action: np.int64 = super().sample(mask, probability)
        return action


class GoVectorEnv(VectorEnv[Seen, npt.ArrayLike, npt.NDArray[Any]]):  # type: ignore[misc, unused-ignore]
    """Many games of a learner against an opponent.

    metadata["autoreset_mode"] is what `autoreset` says. infos: `action_mask` (num_envs, actions) bool, and under SAME_STEP
    `final_obs` and `final_info` of the games that have just ended, in the form of Gymnasium's `SyncVectorEnv`. Why a game is
    over, "ending", is in `final_info` alone, as in `GoEnv`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["ansi", "rgb_array"], "render_fps": 2, "autoreset_mode": AutoresetMode.NEXT_STEP,
    }  # fmt: skip

    def __init__(
        self,
        num_envs: int = 1,
        size: int = 9,
        *,
        opponent: str | os.PathLike[str] | Baseline | Function = "random",
        learner: str = "black",
        rules: str = "tromp-taylor-pgx",
        komi: float | None = None,
        history_length: int = 8,
        max_terminal_steps: int | None = None,
        autoreset: str | AutoresetMode = AutoReset.NEXT_STEP,
        threads: int = 1,
        render_mode: str | None = None,
        channels_first: bool = False,
        floats: bool = False,
    ) -> None:
        """Make the environment; opponent: see `golearn.environments.opponents`; channels_first, floats: `views` there.

        Raises SettingError.
        """
        if learner not in LEARNERS:
            raise SettingError(f"learner: expected one of {', '.join(LEARNERS)}, got {learner!r}")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise SettingError(f"render_mode: expected one of {', '.join(self.metadata['render_modes'])}, got {render_mode!r}")
        self.batch = GoBatch(
            size, num_envs, rules=rules, komi=komi, history_length=history_length, max_terminal_steps=max_terminal_steps,
            threads=threads,
        )  # fmt: skip
        self.num_envs, self.render_mode = num_envs, render_mode
        name = autoreset.name.lower() if isinstance(autoreset, AutoresetMode) else autoreset
        self.autoreset = auto_reset_of(name, "autoreset")
        # TorchRL looks for the attribute.
        self.autoreset_mode: AutoresetMode = AutoresetMode[self.autoreset.name]
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        # A name that is no player's is refused here; who plays in earnest is made by `reset`, which knows the seed.
        opponent_of(opponent, 0, self.batch.settings)
        self._learner, self._opponent_named = learner, opponent
        self._view = View(channels_first, floats)
        shape = self._view.shape(self.batch.observation.shape[1:])
        self.single_observation_space: spaces.Space[Seen] = spaces.Box(0, 1, shape, self._view.dtype)
        self.single_action_space: Actions = Actions(self.batch.settings.actions)
        self.observation_space: spaces.Space[Any] = batch_space(self.single_observation_space, num_envs)
        self.action_space: spaces.Space[Any] = batch_space(self.single_action_space, num_envs)
        self._opponent: Opponent | None = None
        # Whether it is the learner's turn in every game: not before a reset, nor after a step that failed halfway.
        self._is_ready = False
        # The colour (0 Black) of the learner in the next game of each row.
        self._next_colour = np.zeros(num_envs, dtype=np.int64)

    def __copy__(self) -> GoVectorEnv:
        return deepcopy(self)

    def reset(self, *, seed: int | None = None, options: Infos | None = None) -> tuple[Seen, Infos]:
        """Start all games anew, or those that options["reset_mask"] marks.

        The seed decides the opponent's random choices. With a seed, an alternating learner starts as Black in even rows.
        """
        super().reset(seed=seed)
        mask = np.ones(self.num_envs, dtype=np.bool_) if not options else options.get("reset_mask")
        mask = np.ones(self.num_envs, dtype=np.bool_) if mask is None else np.asarray(mask)
        if seed is not None or self._opponent is None:
            seed = int(self.np_random.integers(2**63))
            self._opponent = opponent_of(self._opponent_named, seed, self.batch.settings)
            fixed = {"black": 0, "white": 1}.get(self._learner)
            self._next_colour[:] = np.arange(self.num_envs) % 2 if fixed is None else fixed
        was_ready, self._is_ready = self._is_ready, False
        self._begin(mask)
        self._is_ready = was_ready or bool(mask.all())
        return self._view.of(self.batch.observation), self._infos()

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[Seen, npt.NDArray[np.float64], Flags, Flags, Infos]:
        """Play the learner's actions and the opponent's answers; raises ActionError.

        If an opponent fails, or Ctrl-C comes in between, all games must be reset before the next step.
        """
        if not self._is_ready:
            raise SettingError("reset: must come before the first step, and after a step that failed halfway, for all games")
        batch, over = self.batch, self.batch.terminated.copy()
        self._is_ready = False
        try:
            # Of the positions in between only those are shown that an opponent looks at.
            batch.step(actions, ~over, show=getattr(self._opponent, "looks", True))
        except ActionError:
            self._is_ready = True
            raise
        rewards = np.where(over, 0.0, batch.rewards[:, _LEARNER].astype(np.float64))
        answered = ~batch.terminated
        self._answer(answered)
        rewards[answered] = batch.rewards[answered, _LEARNER]
        ended, infos = batch.terminated.copy(), {}
        if self.autoreset is AutoReset.NEXT_STEP:
            self._begin(over)
            ended &= ~over
        elif self.autoreset is AutoReset.SAME_STEP and ended.any():
            infos = self._finals(ended)
            self._begin(ended)
        self._is_ready = True
        return self._view.of(batch.observation), rewards, ended, np.zeros_like(ended), {**infos, **self._infos()}

    def action_masks(self) -> Flags:
        """Return which actions are legal, (num_envs, actions)."""
        return self.batch.legal_action_mask.copy()

    def render(self) -> tuple[str | Picture, ...] | None:
        """Return every game as text or as a picture, as `render_mode` says."""
        games = range(self.num_envs)
        if self.render_mode == "ansi":
            return tuple(text_of(self.batch, game) for game in games)
        if self.render_mode == "rgb_array":
            return tuple(board_picture(self.batch, game) for game in games)
        return None

    def _begin(self, mask: Flags) -> None:
        """Begin games, and play the opponent's first move where it has Black."""
        if not mask.any():
            return
        colour = self._next_colour
        self.batch.reset(mask, np.stack([colour, 1 - colour], axis=1))
        self._answer(mask & (colour == 1))
        if self._learner == "alternate":
            self._next_colour = np.where(mask, 1 - colour, colour)

    def _answer(self, mask: Flags) -> None:
        """Have the opponent play in some games."""
        rows = np.flatnonzero(mask)
        if not len(rows) or self._opponent is None:
            return
        chosen = np.asarray(self._opponent.choose(self.batch, rows))
        actions = np.zeros(self.num_envs, dtype=chosen.dtype)
        actions[rows] = chosen
        self.batch.step(actions, mask)

    def _infos(self) -> Infos:
        return {"action_mask": self.action_masks(), "_action_mask": np.ones(self.num_envs, dtype=np.bool_)}

    def _finals(self, ended: Flags) -> Infos:
        """Return the last observations of games that are about to begin anew, and what `GoEnv` tells of their ends."""
        observations = np.full(self.num_envs, None, dtype=object)
        for game, observation in zip(np.flatnonzero(ended), self._view.of(self.batch.observation[ended]), strict=True):
            observations[game] = observation
        endings, steps = (np.where(ended, many, 0).astype(np.int64) for many in (self.batch.ending, self.batch.step_count))
        masks = self.batch.legal_action_mask & ended[:, None]
        told = {"action_mask": masks, "ending": endings, "steps": steps}
        infos = told | {f"_{key}": ended.copy() for key in told}
        return {"final_obs": observations, "_final_obs": ended.copy(), "final_info": infos, "_final_info": ended.copy()}


class GoEnv(gymnasium.Env[Seen, np.int64]):  # type: ignore[misc, unused-ignore]
    """One game of a learner against an opponent.

    info: "action_mask"; "ending", why the game is over, an index of `ENDINGS`, 0 before that; "steps", how many it has had.
    These are arrays and numbers at every step: TorchRL takes no texts, and Tianshou's buffers no keys that come and go.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012

    def __init__(self, size: int = 9, *, render_mode: str | None = None, **options: Any) -> None:  # noqa: ANN401
        """Make the environment; options: those of `GoVectorEnv` except `autoreset` and `threads`. Raises SettingError."""
        self._games = GoVectorEnv(1, size, render_mode=render_mode, autoreset=AutoReset.DISABLED, **options)
        self.render_mode = render_mode
        self.observation_space: spaces.Space[Seen] = self._games.single_observation_space
        self.action_space: Actions = self._games.single_action_space

    def __copy__(self) -> GoEnv:
        return deepcopy(self)

    @property
    def batch(self) -> GoBatch:
        """The batch of the one game."""
        return self._games.batch

    def reset(self, *, seed: int | None = None, options: Infos | None = None) -> tuple[Seen, Infos]:
        """Start a game; the seed decides the opponent's random choices."""
        super().reset(seed=seed)
        observations, infos = self._games.reset(seed=seed)
        return observations[0], self._info(infos)

    def step(self, action: int | np.int64) -> tuple[Seen, float, bool, bool, Infos]:
        """Play an action and the opponent's answer; raises ActionError."""
        observations, rewards, ended, _, infos = self._games.step(np.asarray([action]))
        return observations[0], float(rewards[0]), bool(ended[0]), False, self._info(infos)

    def _info(self, infos: Infos) -> Infos:
        ending, steps = np.int64(self.batch.ending[0]), np.int64(self.batch.step_count[0])
        return {"action_mask": infos["action_mask"][0], "ending": ending, "steps": steps}

    def action_masks(self) -> Flags:
        """Return which actions are legal."""
        mask: Flags = self._games.action_masks()[0]
        return mask

    def render(self) -> str | Picture | None:
        """Return the board as text or as a picture, as `render_mode` says."""
        pictures = self._games.render()
        return pictures[0] if pictures else None


if "go_harness/Go-v0" not in gymnasium.registry:
    gymnasium.register("go_harness/Go-v0", f"{__name__}:GoEnv", vector_entry_point=f"{__name__}:GoVectorEnv")
