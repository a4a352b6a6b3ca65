"""The exact solver's parts, one question at a time: can the player to move reach this margin? Where to look for what:

    null_window      the search itself
    moves            legal moves, what comes of each, and which to try first
    bounds           margins that cannot be reached any more, and what is known without searching a successor
    last_moves       the last two moves, without a search
    transpositions   proven bounds, in a table of fixed size
    boards           positions as 25-bit masks; lists of groups, kept move by move
    stack            where a search writes, ply by ply
    course_proofs    a proof of what was found, as answers     verify_course_proof  a checker that stands alone

To read them, begin with `null_window`. `goban.solver.engine` runs it, `goban.solver.solver` asks the questions.
"""
