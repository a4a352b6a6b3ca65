"""Go for two agents, by PettingZoo's rules (AEC): the agents, spaces and arguments of its `go_v5`.

    env = pettingzoo_envs.env(board_size=9, komi=7.5)

Importing this module registers `go_harness/Go-v0` with PettingZoo, for `pettingzoo.make("aec", ...)`. What differs from go_v5:
the rules are Pgx's (making an earlier board again loses, and the game ends after 2 * N * N moves), the planes of an
observation are always seen by the agent that observes, at the end every action is shown as legal, `infos` have an "ending", an
index of `golearn.environments.ENDINGS` (why the game is over; 0 before), and no window is needed.
An illegal action ends the game with -1 for its agent and 0 for the other. Where go_v5 has an AssertionError, for an action
that is none, an ActionError is raised.
"""

from __future__ import annotations

from copy import deepcopy
from operator import index
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from goban.kernels.environments.steps import ENDINGS
from goban.rulesets import Ending
from golearn.environments.batches import GoBatch
from golearn.environments.views import Picture, View, board_picture, other_side, text_of
from golearn.errors import SettingError, without_extra

try:
    import pettingzoo
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
    from pettingzoo.utils.env_logger import EnvLogger
except ImportError as error:
    raise without_extra(error) from None

AGENTS = ("black_0", "white_0")
_OTHER = dict(zip(AGENTS, AGENTS[::-1], strict=True))

Observation: TypeAlias = dict[str, npt.NDArray[Any]]


def env(**options: Any) -> Any:  # noqa: ANN401
    """Return the environment wrapped to behave as go_v5 does in its wrappers; options: those of `raw_env`."""
    return CheckedEnv(raw_env(**options))


class CheckedEnv(wrappers.OrderEnforcingWrapper[str, Observation, int | None]):  # type: ignore[misc, unused-ignore]
    """All checks of go_v5's wrappers in one: order of calls, actions in range, -1 and the end for an illegal one.

    PettingZoo's own three (OrderEnforcing, AssertOutOfBounds, TerminateIllegal) look every attribute up through each other,
    which takes four times as long as all the rest.
    """

    def __copy__(self) -> CheckedEnv:
        return deepcopy(self)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return observation, cumulative reward, terminated, truncated and info of the agent to move."""
        inner = self.env
        # Before `reset` the wrapper's own look-up says what is missing.
        agent = inner.agent_selection if self._has_reset else self.agent_selection
        seen = inner.observe(agent) if observe else None
        return seen, inner._cumulative_rewards[agent], inner.terminations[agent], inner.truncations[agent], inner.infos[agent]

    def step(self, action: int | None) -> None:
        """Play an action, None for an agent whose game is over; raises ActionError for an action that is none."""
        inner = self.env
        if not self._has_reset or not inner.agents:
            super().step(action)
            return
        self._has_updated = True
        if inner.is_legal(action) or inner.over:
            inner.step(action)
        else:
            EnvLogger.warn_on_illegal_move()
            inner.end_illegally()


class raw_env(AECEnv[str, Observation, int | None]):  # type: ignore[misc, unused-ignore]  # noqa: N801 (PettingZoo's name for it)
    """The environment without wrappers."""

    metadata: ClassVar[dict[str, Any]] = {
        "render_modes": ["human", "ansi", "rgb_array"], "name": "go_harness_v0", "is_parallelizable": False, "render_fps": 2,
    }  # fmt: skip

    def __init__(
        self,
        board_size: int = 19,
        komi: float = 7.5,
        render_mode: str | None = None,
        *,
        channels_first: bool = False,
        floats: bool = False,
    ) -> None:
        """Make the environment. render_mode: 'ansi' for text, 'rgb_array' for a picture, 'human' to print the text.

        channels_first, floats: see `golearn.environments.views`. Raises SettingError.
        """
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise SettingError(f"render_mode: expected one of {', '.join(self.metadata['render_modes'])}, got {render_mode!r}")
        self.render_mode = render_mode
        self.batch = GoBatch(board_size, komi=komi)
        self._view = View(channels_first, floats)
        actions, shape = self.batch.settings.actions, self._view.shape(self.batch.observation.shape[1:])
        self.possible_agents = list(AGENTS)
        self.agents = self.possible_agents[:]
        self.observation_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Dict(
                {"observation": spaces.Box(0, 1, shape, self._view.dtype), "action_mask": spaces.Box(0, 1, (actions,), np.int8)}
            )
            for agent in AGENTS
        }
        self.action_spaces: dict[str, spaces.Space[Any]] = {agent: spaces.Discrete(actions) for agent in AGENTS}
        self._nothing, self._action = np.zeros(actions, dtype=np.int8), np.zeros(1, dtype=np.int64)
        self._mover = AGENTS[0]
        self._look_up()

    def _look_up(self) -> None:
        """Look up once what the batch writes anew with every step."""
        self._seen, self._legal = self.batch.observation[0], self.batch.legal_action_mask[0].view(np.int8)
        self._over = self.batch.terminated

    def __copy__(self) -> raw_env:
        return deepcopy(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._look_up()

    def observation_space(self, agent: str) -> Any:  # noqa: ANN401
        """Return the space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:  # noqa: ANN401
        """Return the space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """Return {"observation", "action_mask"} as the agent sees the board; no action is legal unless it is to move."""
        if agent == self._mover:
            return {"observation": self._view.of(self._seen), "action_mask": self._legal.copy()}
        return {"observation": self._view.of(other_side(self._seen)), "action_mask": self._nothing.copy()}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a game; nothing in it is random."""
        self.batch.reset(player_order=[[0, 1]])
        self.agents = self.possible_agents[:]
        self.agent_selection = self._mover = AGENTS[0]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self._say_why(None)

    def step(self, action: int | None) -> None:
        """Play an action, None for an agent whose game is over; raises ActionError."""
        if self.over:
            self._was_dead_step(action)
            return
        if type(action) is int and 0 <= action < len(self._legal):
            self._action[0] = action
            self.batch.step(self._action)
        else:
            self.batch.step(np.asarray([action]))
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        self.agent_selection = self._mover = _OTHER[agent]
        if self._over[0]:
            self.terminations = dict.fromkeys(AGENTS, True)
            self._say_why(self.batch.why_over(0))
            self.rewards = dict(zip(AGENTS, self.batch.rewards[0].tolist(), strict=True))
            self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | Picture | None:
        """Return the board as text or as a picture, or print it, as `render_mode` says."""
        if self.render_mode == "rgb_array":
            return board_picture(self.batch, 0)
        if self.render_mode == "human":
            print(text_of(self.batch, 0))
        return text_of(self.batch, 0) if self.render_mode == "ansi" else None

    @property
    def over(self) -> bool:
        """Whether the game is over for the agent to move."""
        return bool(self.terminations[self.agent_selection] or self.truncations[self.agent_selection])

    def is_legal(self, action: int | None) -> bool:
        """Return True if an action is legal now; a value that is not an action counts as legal, and `step` refuses it."""
        if type(action) is not int:
            try:
                action = -1 if isinstance(action, bool) else index(action)  # type: ignore[arg-type]
            except TypeError:
                return True
        return not 0 <= action < len(self._legal) or bool(self._legal[action])

    def end_illegally(self) -> None:
        """End the game as PettingZoo does after an illegal action: -1 for its agent, 0 for the other."""
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        self.terminations, self.truncations = dict.fromkeys(AGENTS, True), dict.fromkeys(AGENTS, True)
        self._say_why(Ending.ILLEGAL_MOVE)
        self.rewards = {**dict.fromkeys(AGENTS, 0.0), agent: -1.0}
        self._accumulate_rewards()
        self._deads_step_first()

    def _say_why(self, ending: Ending | None) -> None:
        # Numbers, and at every step: TorchRL takes no texts, and Tianshou's buffers no keys that come and go.
        self.infos: dict[str, dict[str, Any]] = {agent: {"ending": ENDINGS.index(ending)} for agent in AGENTS}

    def close(self) -> None:
        """Do nothing: no window is open."""


# PettingZoo has a register since 1.26.
if hasattr(pettingzoo, "register"):
    pettingzoo.register("aec", "go_harness/Go-v0", entry_point=env)
