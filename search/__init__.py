"""Who wins, and what to play: the exact solver for boards up to 5x5 under `course` and `littlego`, another for small boards
under `area` rules, and Monte Carlo Go under all rules. Where to look for what:

    solver      values, winning moves and best lines of a position  engine        table, threads and limits it runs with
    alphabeta/  the search's parts                                  book          early positions, proven before
    strategy    perfect play, and what makes a lost game hard       book_entries  how the book is made
    analysis    what each move of a game was worth                  bookmaking    `python3 -m search.bookmaking`
    reports     positions and games, as text and JSON               truth         `python3 -m search.truth`
    mistakes    what a mistake is                                   positions     positions as files
    sgf_files   games as SGF files, read                            errors        everything that is raised on purpose
    sgf_variations   the other lines of such a game             sgf_repair    SGF as other programs write it, mended
    area/       values of boards up to 30 points where two passes end the game, and proofs of them
    montecarlo/ tree search with playouts by 3x3 patterns, and their files; `python3 -m search.montecarlo`
    lockstep/   many tree searches at once, of any game
    questions   answers to a program that asks, in lines of JSON
    candidates  what any search says of the moves of a position     exact_candidates  the same with exact values
"""
