"""Errors of the AlphaZero pipeline.

AlphaZeroError (a ValueError)
  UnknownGameError     a name that is no game; lists the choices
  BadGameError         a game that cannot be set up as asked
  IllegalActionError   an action that may not be played in a state; says why
  SearchRequestError   a search asked for what it cannot do
  BadEvaluationError   an evaluator that returns what is no number
  BadWeightsError      a network that cannot be, a file that holds none, or one for another game
  BadDeviceError       a device that torch does not know, or does not find
  BadPlanError         a plan of training that cannot be followed
  BadRunError          a folder that is no run, or from which a run cannot go on
  BadPositionSetError  a file of positions with exact values that cannot be used
  WrongAnswerError     a player of the registry that answers what may not be played
  UnknownPlayerError   a name that stands for nobody who could play a game
  TooLargeGameError    a game that has too many states to look at all of them
"""

from __future__ import annotations


class AlphaZeroError(ValueError):
    """Base of every error this package raises on purpose."""


class UnknownGameError(AlphaZeroError):
    """No registered game has this name."""


class BadGameError(AlphaZeroError):
    """The game knows no such size."""


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


class BadPlanError(AlphaZeroError):
    """A plan of training cannot be followed; the message names the file, the field and what it expects."""


class BadRunError(AlphaZeroError):
    """A folder is no run, or not one that can go on; the message names it."""
class BadPositionSetError(AlphaZeroError):
    """There is no such set of positions, or its file cannot be used; the message names it."""


class WrongAnswerError(AlphaZeroError):
    """A player's answer is none, or may not be played; the message names the player."""


class UnknownPlayerError(AlphaZeroError):
    """Nobody who plays this game has this name; lists the choices."""


class TooLargeGameError(AlphaZeroError):
    """The game has too many states to look at all of them."""
