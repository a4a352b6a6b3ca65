"""Weights of patterns learned from finished games. Where to look for what:

    training    games from SGF files, and factors, step by step; the command line

    python3 -m golearn.patterns games.sgf --out mine.json        then: montecarlo:patterns=mine.json

The gradient comes from `goban.kernels.patterns.gradients`, and what a file of factors means from
`goban.montecarlo.pattern_sets`.
"""
