"""Errors of the trainer.

TrainingError (a ValueError)
  BadPlanError         options that make no training run
  BadCheckpointError   a file from which training cannot go on
"""

from __future__ import annotations


class TrainingError(ValueError):
    """Base of every error this package raises on purpose."""


class BadPlanError(TrainingError):
    """The options ask for something that cannot be done; the message names the option and what it expects."""


class BadCheckpointError(TrainingError):
    """The file is no checkpoint of a training run; the message names the file."""
