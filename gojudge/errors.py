"""What can go wrong in a competition. What players do wrong is a verdict instead, see `gojudge.verdicts`.

    TournamentError             one clear line for the user: what was expected, what came, where
    ├── BadEventError           the description of an event
    ├── BadCourseError          the description of a course, or what it keeps
    ├── BadRosterError          who plays: a missing folder, two entrants of one name, a bad CSV
    ├── BadSubmissionError      a submission that cannot be taken in: no player in it, an unreadable archive
    ├── BadRubricError          a rubric file
    ├── BadEngineError          an engine that cannot begin a game
    ├── StoreError              the results file
    │   ├── StoreBusyError      somebody else is writing to it
    │   ├── StoreVersionError   written by another version of this program
    │   └── OtherEventError     holds another event under the same name
    ├── SandboxError            this machine cannot confine programs as asked
    └── ClusterError            a cluster that is not there, or has no worker that may be used

    HarnessFaultError           not a TournamentError: our side failed in the middle of a game; that game is void
    └── SpoiltSandboxError      a sandbox failed after code of the submission may have run there; the submission's fault
"""

from __future__ import annotations


class TournamentError(Exception):
    """Base of all that a user of this package may want to catch."""


class BadEventError(TournamentError):
    """The description of an event cannot be used."""


class BadCourseError(TournamentError):
    """The description of a course, or what it keeps, cannot be used."""


class BadRosterError(TournamentError):
    """The list of entrants cannot be used."""


class BadSubmissionError(TournamentError):
    """A submission cannot be taken in."""


class BadRubricError(TournamentError):
    """A rubric cannot be used."""


class BadEngineError(TournamentError):
    """An engine does not start, or will not play on this board."""


class StoreError(TournamentError):
    """The results file cannot be used."""


class StoreBusyError(StoreError):
    """Another process is writing to the store."""


class StoreVersionError(StoreError):
    """The store was written by another version of this program."""


class OtherEventError(StoreError):
    """The store holds a different event under this name."""


class SandboxError(TournamentError):
    """This machine cannot confine submissions as strictly as was asked for."""


class ClusterError(TournamentError):
    """A cluster cannot be used, or not any more."""


class HarnessFaultError(Exception):
    """Our side failed in the middle of a game. The game is void and will be played again; no player is charged."""


class SpoiltSandboxError(HarnessFaultError):
    """A sandbox failed after code of its submission may have run there. Seats make a forfeit of it."""
