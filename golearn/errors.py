"""Everything that `golearn` raises on purpose.

LearningError (a ValueError)
  BadPlanError           a training plan or options that cannot be carried out
  BadCheckpointError     a file from which the training of a table cannot continue
  PatternTrainingError   games or options from which no patterns can be learned
  AlphaZeroError
    UnknownGameError     a name that is no game; lists the choices
    BadGameError         a game that cannot be set up as asked, or whose planes are none
    IllegalActionError   an action that may not be played in a state; says why
    SearchRequestError   a search asked for what it cannot do
    BadEvaluationError   an evaluator whose results are not numbers
    BadWeightsError      an impossible network, a file that holds none, or one for another game
    BadDeviceError       a device that torch does not know, or does not find
    BadRunError          a folder that is no run, or from which a run cannot continue
    BadPositionSetError  a file of positions with exact values that cannot be used
    WrongAnswerError     a player of the registry whose answer is not legal
    UnknownPlayerError   a name of no player for a game
    TooLargeGameError    a game that has too many states to look at all of them
  EnvironmentsError (a GobanError, too)
    SettingError         a batch or environment that cannot be made with these settings
    ActionError          something that is not an action, or not one for each game
    BatchFileError       a file that is no saved batch

A missing package is an ImportError that says how to install it.
"""

from __future__ import annotations

from goban.common.command_lines import MissingExtraError, how_to_install
from goban.errors import GobanError


class LearningError(ValueError):
    """Base of every error this package raises on purpose."""


class BadPlanError(LearningError):
    """A training plan cannot be carried out; the message names the file or the option, and what it expects."""


class BadCheckpointError(LearningError):
    """The file is no checkpoint of a training run; the message names the file."""


class PatternTrainingError(LearningError):
    """The games or options are none that weights can be learned from; the message says what was expected."""


class AlphaZeroError(LearningError):
    """Base of the errors of games, searches and networks."""


class UnknownGameError(AlphaZeroError):
    """No registered game has this name."""


class BadGameError(AlphaZeroError):
    """The game does not support this size, or what it encodes is no array of numbers of the shape that it names."""


class IllegalActionError(AlphaZeroError):
    """The action is out of range, or the rules forbid it here; the message says which."""


class SearchRequestError(AlphaZeroError):
    """A search was asked to start where a game is over, or with numbers out of range."""


class BadEvaluationError(AlphaZeroError):
    """The evaluator's logits or values are not finite."""


class BadWeightsError(AlphaZeroError):
    """The arrays or numbers are no network's, a file holds none, or it is one for another game; the message says which."""


class BadDeviceError(AlphaZeroError):
    """There is no such device to compute on."""


class BadRunError(AlphaZeroError):
    """A folder is no run, or not one that can continue; the message names it."""


class BadPositionSetError(AlphaZeroError):
    """There is no such set of positions, or its file cannot be used; the message names it."""


class WrongAnswerError(AlphaZeroError):
    """A player's answer is missing, or not legal; the message names the player."""


class UnknownPlayerError(AlphaZeroError):
    """No player of this game has this name; lists the choices."""


class TooLargeGameError(AlphaZeroError):
    """The game has too many states to look at all of them."""


class EnvironmentsError(LearningError, GobanError):
    """Base of all errors of the environments; it is raised itself where threads share a batch."""


class SettingError(EnvironmentsError):
    """A batch or environment cannot be made with these settings; the message names the setting and the value."""


class ActionError(EnvironmentsError):
    """A value is not an action, or there is not one for each game; the message names the game and the value."""


class BatchFileError(EnvironmentsError):
    """A file is no saved batch; the message says what is wrong with it."""


TORCH_WHEELS = "https://download.pytorch.org/whl/cpu"
"""The index with torch without 3 GB of CUDA."""

_OPTIONS = dict.fromkeys(("zero", "sb3"), f" --extra-index-url {TORCH_WHEELS}")


def without_extra(error: ImportError, extra: str = "env") -> MissingExtraError:
    """Return the error to raise instead: one sentence that says what is missing and how to install it."""
    missing = (error.name or str(error)).partition(".")[0]
    command = f"{how_to_install(extra)}{_OPTIONS.get(extra, '')}"
    return MissingExtraError(f"{missing} is missing; install it with: {command}", name=missing)
