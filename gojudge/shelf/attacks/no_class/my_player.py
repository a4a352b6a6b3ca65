"""A file without a player."""

PLAYER = None
