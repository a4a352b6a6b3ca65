"""Random games, one or a million, of every rule set. Where to look for what:

    random_games         the games for Python; chooses the board              policies          how a move is chosen
    arrays               boards of any size, strings and liberties kept       array_rules       every preset's rules on them
    array_games          one game on them, move by move                       array_playouts    random games on them
    bitboard_playouts    random games of `course` and `littlego` on `goban.kernels.bitboards`
"""
