"""Exit statuses, the same for every command."""

DONE = 0
LEFT = 1
"""Something is left to do, or wrong with what was looked at; the output says what."""
FAILED = 2
"""It could not be done; one line says why."""
INTERRUPTED = 130
