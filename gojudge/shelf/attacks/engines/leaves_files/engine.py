"""Writes into its folder and to /tmp, and looks for what an earlier game has left there."""

import pathlib
import sys

from gtp_loop import Engine


for place in (pathlib.Path("note.txt"), pathlib.Path.home() / "note.txt"):
    if place.exists():
        sys.exit("BREACH: a file of an earlier game is there")
    place.write_text("here I was")
Engine().run()
