"""What can go wrong when strangers' programs play. What players do wrong is a verdict instead, see `gojudge.records`.

    JudgeError                  one clear line for the user: what was expected, what came, where
    ├── BadRosterError          who plays: a missing folder, two entrants of one name, a bad CSV
    ├── BadSubmissionError      a submission that cannot be taken in: no player in it, an unreadable archive
    ├── BadEngineError          an engine that cannot begin a game
    ├── SandboxError            this machine cannot confine programs as asked
    ├── ClusterError            a cluster that is not there, or has no worker that may be used
    └── (of a course)           see `tournament.errors`

    HarnessFaultError           not a JudgeError: our side failed in the middle of a game; that game is void
    └── SpoiltSandboxError      a sandbox failed after code of the submission may have run there; the submission's fault
"""

from __future__ import annotations


class JudgeError(Exception):
    """Base of all errors that a user of `gojudge` or `tournament` may want to catch."""


class BadRosterError(JudgeError):
    """The list of entrants cannot be used."""


class BadSubmissionError(JudgeError):
    """A submission cannot be taken in."""


class BadEngineError(JudgeError):
    """An engine does not start, or will not play on this board."""


class SandboxError(JudgeError):
    """This machine cannot confine submissions as strictly as was asked for."""


class ClusterError(JudgeError):
    """A cluster cannot be used, or not any more."""


class HarnessFaultError(Exception):
    """Our side failed in the middle of a game. The game is void and will be played again; no player is charged."""


class SpoiltSandboxError(HarnessFaultError):
    """A sandbox failed after code of its submission may have run there. Seats make a forfeit of it."""
