"""Patterns of 3x3 points, and playouts that draw moves in proportion to what their patterns are worth. Where to look for what:

    neighbourhoods   the eight points around a move as a code; which codes are the same turned or mirrored
    properties       captures, atari, suicide and nearness of a move as the bits of a number
    point_sets       sets of points in 64-bit words           tables          weights made quick to look up; geometry
    boards           the arrays of a position                 facts           what moves to a point do, of either player
    strings          stones put down and taken off            moves           placing and passing, with all weights kept
    draws            a move drawn                             playouts        drawn to the end, and the score
    replies          playouts that answer as the winners before did
    flat_playouts    the same without pattern boards, where weights do not depend on what moves do
    pattern_games    all of it for Python                     spanned         entry points that take such a board
    gradients        how won playouts change with the weights, to learn them
    ownership        whose the points are in the end of playouts

Weights come in as an array of 1,107 classes by 256 combinations; `goban.montecarlo` reads them from pattern files.
"""
