"""The command lines of `python3 -m tournament`, one module each; nothing else in this package prints."""
