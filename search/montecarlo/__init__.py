"""Monte Carlo Go: a tree search with playouts whose moves are drawn by weights from files of 3x3 patterns.

Where to look for what:

    pattern_files    files of patterns, read                      property_words   near, osafe, ocap1+ and the others
    pattern_tables   what every neighbourhood is worth, and why   pattern_sets     the sets that come with the project
    factors          sets whose weights were learned
    table_reports    tables as text, for `python3 -m search.montecarlo table`

    trees            a tree for Python: grows, follows the game   thinking         how long: simulations, or a clock
    forests          several trees, a thread for each             findings         what trees say of moves, ranked and added up
    nodes            the rows of a tree                           spaces           all that a search works on
    positions        boards, for rules and for playouts
    simulations      one game: down, out, and back up             selection        which child is next
    expansion        new nodes                                    guesses          what a move is worth before any game
    results          what a result changes on the way up
    last_moves       the exact solver for the end of `course` and `littlego`
    dead_stones      which stones would be captured if play went on

The patterns of the sets lie in `patterns/`. Codes, properties and playouts are those of `kernels.patterns`.
"""
