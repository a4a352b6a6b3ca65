"""Errors of the game of Go.

    GobanError (a ValueError)
      BadPointError        text or numbers that name no point of the board
      BadAnswerError       an answer of a player that cannot be read as a move
      BadBoardError        rows or a diagram that do not describe a board of the expected size
      BadInputError        a text that is not a Little-Go input.txt
      IllegalMoveError     a readable move that may not be played now; says which rule it breaks
      UnknownRuleSetError  a name of no preset; lists the choices
      SgfError             a game that SGF cannot hold, or a file that is not an SGF game that can be replayed
      GtpError             a GTP command that cannot be carried out; the text of its answer
      EngineError          an engine that cannot be started
      BadArgumentError     (a TypeError, too) an argument of a kind that a function does not take
"""

from __future__ import annotations


class GobanError(ValueError):
    """Base of every error this package raises on purpose."""


class BadPointError(GobanError):
    """The point cannot be read, or lies off the board."""


class BadAnswerError(GobanError):
    """A player's answer is neither a pair of integers nor a pass."""


class BadBoardError(GobanError):
    """Rows or a diagram do not describe a board."""


class BadInputError(GobanError):
    """The text is not an input.txt: a colour, the board before, the board now."""


class IllegalMoveError(GobanError):
    """The move is readable but may not be played; the message names the rule it breaks."""


class UnknownRuleSetError(GobanError):
    """No preset has this name."""


class SgfError(GobanError):
    """A game cannot be written as SGF, or a text is not an SGF game that can be replayed."""


class GtpError(GobanError):
    """A GTP command failed; the message says why."""


class EngineError(GobanError):
    """An engine cannot be started; the message says why."""


class BadArgumentError(GobanError, TypeError):
    """An argument is of a kind that the function does not take; the message says what it expected."""
