"""Ends before it has read anything."""

import sys

from gtp_loop import Engine


sys.exit('no weights: ' + Engine.name)
