"""The game of Go itself, with the standard library only. Where to look for what:

    points     names for points: (row, col) and 'B4'        rulesets   what games may differ in; the presets
    grids      which points touch, groups, the dead         states     a position: legal moves, playing, the end
    moves      placement, pass, resign; reading an answer   history    the situations of a game, for superko
    scoring    stones and area                              repetitions  ko and superko
    zobrist    64-bit hashes of boards                      breaches   the rules a move may break
    outcomes   who won, and why the game ended              game       the loop: two seats, one game
    diagrams   boards as text                               inputs     Little-Go's input.txt and output.txt, and notes
    sgf        games as files, written                      sgf_tree   SGF as text: escapes and line breaks
    gtp        commands and answers of GTP as text          captures   what a placement takes, and suicide
    gtp_answers  an engine's output, cut into answers       gtp_games  what a controller says and takes in a game
    board_lists  what a GO shows of a position              narration  a game told in words, as it goes on
    open_games   a game that a controller or a file leads: either colour may move, on after the end
    errors     everything that is raised on purpose

For research, begin at `states`: `new_game(ruleset("course"))` or `state_from_rows(...)`, then `legal_moves` and `play`.
SGF files are read by `search.sgf_files`, which needs sgfmill.
"""
