"""Event files for command lines of tests."""

from pathlib import Path

# Two games against one reference player, on a small board.
SMALL_RUBRIC = """
title = "Small"
rules = "course"
size = 3
games = 2

[[opponent]]
name = "random"
bands = [{ from = 0, times_rate = 10 }]
"""


def kept_in(name, more=""):
    """The option for an event file that keeps the results in a file of this name, whatever the event is called."""
    Path(f"{name}.toml").write_text(f'store = "{name}.db"\n{more}')
    return f"--event={name}.toml"
