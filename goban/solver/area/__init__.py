"""Exact values under `area` rules: two passes end the game, area counts, boards of up to 30 points, square and oblong.

    boards        masks of boards of any shape, symmetries     proof_search  can one side reach this margin?
    life          points that are somebody's for good          moves         the moves it looks at
    table         what is known of positions                   stack         where it writes, level by level
    solver        values of positions                          strategies    a proof as a list of answers
    engine        the questions of `goban.solver.solver`
    command       `python3 -m goban.solver.truth prove`              verify_proof  a checker that stands alone

To read them, begin with `proof_search`.
"""
