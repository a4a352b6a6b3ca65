"""The exact solver's parts, one question at a time: can the player to move reach this margin? Where to look for what:

    boards            positions as 25-bit masks               null_window      the search itself
    groups            lists of groups, kept move by move      last_moves       the last two moves, without a search
    moves             legal moves and what comes of each      ordering         which to try first
    bounds            margins that cannot be reached any more cutoffs          what is known without searching a successor
    transpositions    proven bounds, in a table of fixed size stack            where a search writes, ply by ply

To read them, begin with `null_window`. `search.engine` runs it, `search.solver` asks the questions.
"""
