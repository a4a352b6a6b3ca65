"""Properties of a move: what it does, and what a move of the opponent to the same point would do, as one number.

    bit   7         6                5                    4-3            2-1                      0
          suicide   own self-atari   self-atari           own captures   captures                 near
          (opponent)                 (opponent)           (0 to 3)       (opponent, 0 to 3)

A move is self-atari if its string has at most one liberty afterwards; suicide is self-atari, too. Captures are stones, of all
strings together, and 3 stands for more as well. A move is near if it belongs to what the move before it has changed.
"""

from __future__ import annotations

NEAR = 0
OTHER_CAPTURES = 1
OWN_CAPTURES = 3
OTHER_ATARI = 5
OWN_ATARI = 6
OTHER_SUICIDE = 7
"""The lowest bit of each property."""

COMBINATIONS = 256
"""Of all properties. Some of them no move can have, such as suicide that is no self-atari."""
MOST_CAPTURES = 3
