"""The command line's commands, a module each: SUMMARY, add_arguments(parser), run(options) -> exit status.

    train      begins a run                      resume       goes on with it
    export     its network as one file           games_there  the games and plans there are
    evaluate   answers against exact values      match        games between players, with ratings
    curve      those of a run's networks         submission   the shipped network as a hand-in
    truth_set  makes the positions for evaluate  play         a game at the terminal
    check      a game of one's own, before training
    truthbench any policies of 5x5 Go, a row for each

    training_runs  what train and resume share
    contenders     whom the others ask, from a name; what evaluate and curve share
"""
