"""Players: the course's reference players, and whatever else may take a seat. Where to look for what:

    registry              from a name, a file or a class to a player      host      what a player may ask its host
    random_player         anywhere                                        tactics   what the next four look at
    greedy_player         captures now                                    aggressive_player   captures by two placements
    smart_player          loses nothing to the reply                      alphabeta_player    its own move and the reply
    naive_player          fills no eye of its own                         manual_player       a person at the terminal
    qlearner_player       the learned table, without looking ahead        perfect_player      the exact solver
    championship_player   the solver, else the shipped player             littlego            any player as a program of files
    shipped_player        the project's own my_player.py, see shipped/
    montecarlo_player     tree search under all rules                     gtp_engine/     any player as a GTP engine
    watched_player        a player that is timed, and found at fault; ... whose answers are kept
    player_process        a player that a program asks
    player_files          files with players, and what lies beside them
    gtp_player            an engine of others, as a player                errors          everything that is raised on purpose

Imported when asked for, so that the simple players need the standard library only; `perfect`, `championship` and `montecarlo`
need numpy and numba. `my` is the file `my_player.py` at the top, whoever wrote it; `qlearner` and `championship` play by the
copy in `shipped/`.
"""
