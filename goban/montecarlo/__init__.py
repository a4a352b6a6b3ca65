"""Monte Carlo Go: a tree search with playouts whose moves are drawn by weights from files of 3x3 patterns.

Where to look for what:

    pattern_files    files of patterns, read; near, osafe, ocap1+ and the other words of properties
    pattern_tables   what every neighbourhood is worth, and why; as text, for `python3 -m goban.montecarlo table`
    pattern_sets     the sets that come with the project, those whose weights were learned too

    trees            trees for Python, one or several: they grow within a budget, and follow the game
    findings         what trees say of moves, ranked and added up
    positions        boards, for rules and for playouts
    spaces           all that a search works on: the rows of a tree, and its settings
    simulations      one game: which child is next, new nodes and guesses of them, out, and what a result changes on the way up
    dead_stones      which stones would be captured if play went on

The patterns of the sets lie in `patterns/`. Codes, properties and playouts are those of `goban.kernels.patterns`.
"""
