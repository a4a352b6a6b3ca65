"""Any player as a GTP engine, for Sabaki, GoGui and every other program that speaks GTP. Where to look for what:

    __main__          the command line: `python3 -m players.gtp_engine NAME`; from a command to its answer; what an engine says
                      of itself
    streams           standard input and output, kept for GTP alone; the words of a command
    seats             the players, one for each colour, and how long the next move may take
    board_commands    the board, its size and komi, plays, handicap, loadsgf, scores
    move_commands     asking the player for a move, and analysis
    client_commands   rules by name, the game so far, clocks, levels, seeds, what clients offer in their menus

While kernels are compiled, commands that need none are answered.

Everything but analysis of exact values, `loadsgf` and finding out which stones are dead needs the standard library only.
"""
