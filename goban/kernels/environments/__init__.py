"""Many games at once, each step with its legal actions and observation. Where to look for what:

    steps           one step of every game of a batch, the arrays it is made of, and which actions are legal, as bits
    observations    what the player to move sees, as bits
    batch_boards    the board of one game, and its rules     opponents       what the reference players choose

The rules are those of `goban.rulesets`. Actions are size * i + j for a placement and size * size
for a pass.
"""
