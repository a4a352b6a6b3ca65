"""The modules that the course put beside every submission, rewritten under the same names.

    host, read, write                           Little-Go's, above all for programs
    go_play, random_player, greedy_player,      2019's, above all for classes
    aggressive_player, smart_player
    course_moves                                what the players of 2019 have in common

A submission finds them under these names unless its own folder has a file of that name. They import nothing of this project
but one another and the host's `go`, and nothing of this project imports them.
"""
