"""The commands of `python3 -m tournament`, one module each. No other package of `tournament` prints.

    check, play                                  is my player all right?
    grade, round_robin, match, gauntlet          playing an event
    standings, export, report, watch, serve      what came of it
    verify, key, doctor                          can it be trusted?
    sample                                       a class to try all this with

A command is a module with SUMMARY, add_arguments(parser) and run(options) -> exit status; `tournament.__main__` lists
them. They share:

    players         from the command line to entrants       event_options   from options and an event file to an event
    running         playing an event, and progress          reruns          what broke a player, to be run again by hand
"""
