"""Exact values under `area` rules: two passes end the game, area counts, boards of up to 30 points, square and oblong.

    boards        masks of boards of any shape, symmetries     proof_search  can one side reach this margin, or not?
    life          points that are somebody's for good          moves         the moves that searches look at
    table         what is known of positions                   stack         where they write, level by level
    solver        values of positions                          deepening     can it be reached within so many moves?
    prover        one claim, and an answer to each position    ordering      which moves it tries first
    listing       the answers to all that comes up             proof_order   which of them follow from which
    strategies    a proof as a file                            verify_proof  a checker that stands alone
    engine        the questions of `goban.solver.solver`
    command       `python3 -m goban.solver.truth prove`

To read them, begin with `proof_search`, then `deepening`.
"""
