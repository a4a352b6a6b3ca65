"""Patterns of 3x3 points: what stands around a move, and what the move does, as numbers to look a weight up by.

    neighbourhoods   the eight points around a move as a code; which codes are the same turned or mirrored
    properties       captures, atari, suicide and nearness of a move as the bits of a number
"""
