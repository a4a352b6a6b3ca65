"""What the environments raise on purpose.

    EnvironmentsError (a GobanError)
     +- SettingError     a batch or environment that cannot be made as it was asked for
     +- ActionError      an action that is none, or not one for each game
     +- BatchFileError   a file that is no saved batch
"""

from __future__ import annotations

from goban.errors import GobanError


class EnvironmentsError(GobanError):
    """Base of all errors of the environments."""


class SettingError(EnvironmentsError):
    """A batch or environment cannot be made as it was asked for; the message names the setting and the value."""


class ActionError(EnvironmentsError):
    """An action is none, or there is not one for each game; the message names the game and the value."""


class BatchFileError(EnvironmentsError):
    """A file is no saved batch; the message says what is wrong with it."""
