"""Many tree searches in lockstep: one leaf of each tree at a time, so that one call evaluates them all. No game is known here.

    trees     the trees as arrays: growing, backing up
    gumbel    selection as in Gumbel AlphaZero, and as in AlphaZero before
"""
