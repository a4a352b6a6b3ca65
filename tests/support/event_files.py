"""Event files for command lines of tests."""

from pathlib import Path


def kept_in(name, more=""):
    """The option for an event file that keeps the results in a file of this name, whatever the event is called."""
    Path(f"{name}.toml").write_text(f'store = "{name}.db"\n{more}')
    return f"--event={name}.toml"
