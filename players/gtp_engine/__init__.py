"""Any player as a GTP engine, for Sabaki, GoGui and every other program that speaks GTP. Where to look for what:

    __main__          the command line: `python3 -m players.gtp_engine NAME`
    streams           standard input and output, kept for GTP alone
    engine            from a command to its answer; what an engine says of itself
    arguments         the words of a command, and what obeys one
    seats             the players, one for each colour
    board_commands    the board, its size and komi, plays, scores       handicaps   where handicap stones stand
    move_commands     asking the player for a move, and analysis        sgf_games   loadsgf
    client_commands   rules by name, the game so far, what clients offer in their menus
    setting_commands  clocks, levels, seeds                             info        what an analysis is asked, and prints
    clocks            how long the next move may take
    analysis          the search behind an analysis, in a thread

While kernels are compiled, commands that need none are answered.

Everything but analysis of exact values, `loadsgf` and finding out which stones are dead needs the standard library only.
"""
