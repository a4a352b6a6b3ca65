"""The command line's commands: words in, calls of the package, words out.

    training    train, resume, export: runs                     playing     games, check, match, play, submission
    measuring   evaluate, curve, truth-set: exact values        truthbench  any policies of 5x5 Go, a row for each
"""
