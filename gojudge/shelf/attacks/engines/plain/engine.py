"""Plays the first legal point."""

from gtp_loop import Engine


Engine().run()
