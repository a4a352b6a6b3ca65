"""Who wins, and what to play: the exact solver for boards up to 5x5 under `course`, `littlego` and `area` rules. Where to look
for what:

    solver       values, winning moves and best lines of a position; perfect play, and what makes a lost game hard; the last
                 moves, for other searches
    engine       table, threads and limits it runs with     alphabeta/   the search's parts
    book         early positions, proven before             book_entries  how the book is made
    bookmaking   makes the books anew                       truth        `python3 -m goban.solver.truth`
    analysis     what each move of a game was worth, and every legal move of a position with its exact value
    candidates   what any search says of the moves of a position; what a mistake is
    reports      positions and games, as text and JSON      questions    answers to a program that asks, in lines of JSON
    positions    positions as files                         server       answers to programs that ask by GET
    dataset      many positions with their values as files, the openings of 5x5 as one page; solved/ has those of the project
    sgf_files    games as SGF files, read; the other lines of such a game
    sgf_repair   SGF as other programs write it, mended     errors       everything that is raised on purpose
    area/        values of boards up to 30 points where two passes end the game, and proofs of them
"""
