"""Many games at once, each step with its legal actions and observation. Where to look for what:

    steps           one step of every game of a batch        observations    what the player to move sees, as bits
    batch_arrays    the arrays a batch is made of            legal_actions   which actions are legal, as bits
    opponents       what the reference players choose

The rules are those of `goban.kernels.playouts.array_rules`. Actions are size * i + j for a placement and size * size
for a pass.
"""
