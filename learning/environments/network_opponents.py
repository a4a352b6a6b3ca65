"""A network file as an opponent: all games in one call."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from learning.alphazero.errors import BadWeightsError
from learning.alphazero.games import CompleteGame
from learning.alphazero.go_games import PLANES, GoGame
from learning.alphazero.go_states import draw_planes
from learning.alphazero.numpy_network import NumpyNetwork
from learning.alphazero.weights import read_weights
from learning.environments.batches import GoBatch, Rows
from learning.environments.errors import SettingError
from learning.environments.settings import Settings


class NetworkOpponent:
    """Plays the legal action that a network holds for best, as the player `zero` does without search.

    Raises SettingError for a file that is none, and for one for boards of another size.
    """

    def __init__(self, path: str, settings: Settings) -> None:
        try:
            weights = read_weights(path)
            weights.check_game(CompleteGame(GoGame(settings.rules, settings.size)))
        except OSError as error:
            raise SettingError(f"opponent: {path}: {error.strerror or error}") from None
        except BadWeightsError as error:
            raise SettingError(f"opponent: {error}") from None
        self._network = NumpyNetwork(weights)

    def choose(self, batch: GoBatch, rows: Rows) -> npt.NDArray[np.int64]:
        """Return an action for each of these games."""
        size = batch.settings.size
        planes = np.zeros((len(rows), len(PLANES), size, size), dtype=np.float32)
        draw_planes(batch.arrays.boards, rows.astype(np.int64), planes)
        logits, _ = self._network(planes)
        best: npt.NDArray[np.int64] = np.where(batch.legal_action_mask[rows], logits, -np.inf).argmax(axis=1)
        return best
