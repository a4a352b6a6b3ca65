"""Monte Carlo Go, with playouts whose moves are drawn by weights from files of 3x3 patterns. Where to look for what:

    pattern_files    files of patterns, read                      property_words   near, osafe, ocap1+ and the others
    pattern_tables   what every neighbourhood is worth, and why   pattern_sets     the sets that come with the project
    table_reports    tables as text, for `python3 -m search.montecarlo table`

The patterns of the sets lie in `patterns/`. Codes and properties are drawn in `kernels.patterns`.
"""
