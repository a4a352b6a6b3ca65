"""Patterns of 3x3 points, and playouts that draw moves in proportion to what their patterns are worth. Where to look for what:

    neighbourhoods   the eight points around a move as a code, which is the same turned or mirrored; captures, atari, suicide
                     and nearness of a move as the bits of a number; sets of points in 64-bit words
    boards           the arrays of a position
    tables           weights made quick to look up; geometry; what moves to a point do, of either player; entry points that
                     take a board
    strings          stones put down and taken off, moves and passes, with all weights kept
    playouts         moves drawn to the end, and the score; playouts that answer as the winners before did
    flat_playouts    the same without pattern boards, where weights do not depend on what moves do
    pattern_games    all of it for Python; whose the points are in the end of playouts
    gradients        how won playouts change with the weights, to learn them

Weights come in as an array of 1,107 classes by 256 combinations; `goban.montecarlo` reads them from pattern files.
"""
