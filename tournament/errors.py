"""What can go wrong with a course, besides what `gojudge.errors` has. All hang on its JudgeError.

    JudgeError                  one clear line for the user: what was expected, what came, where
    ├── BadEventError           the description of an event
    ├── BadCourseError          the description of a course, or what it keeps
    ├── BadRubricError          a rubric file
    └── StoreError              the results file
        ├── StoreBusyError      somebody else is writing to it
        ├── StoreVersionError   written by another version of this program
        └── OtherEventError     holds another event under the same name
"""

from __future__ import annotations

from gojudge.errors import JudgeError


class BadEventError(JudgeError):
    """The description of an event cannot be used."""


class BadCourseError(JudgeError):
    """The description of a course, or what it keeps, cannot be used."""


class BadRubricError(JudgeError):
    """A rubric cannot be used."""


class StoreError(JudgeError):
    """The results file cannot be used."""


class StoreBusyError(StoreError):
    """Another process is writing to the store."""


class StoreVersionError(StoreError):
    """The store was written by another version of this program."""


class OtherEventError(StoreError):
    """The store holds a different event under this name."""
