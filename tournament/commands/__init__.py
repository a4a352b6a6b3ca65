"""The commands of `python3 -m tournament`, one module each. No other package of `tournament` prints.

    check, play                                  is my player all right?
    probe                                        what can it do?
    grade, round_robin, match, gauntlet          playing an event
    standings, export, report, watch, serve      what came of it
    autograder, autograder_run                   grading where students hand in
    course                                       all that is due in a course
    verify, key, doctor                          can it be trusted?
    similarity                                   who plays or reads alike?
    sample                                       a class to try all this with

A command is a module with SUMMARY, add_arguments(parser) and run(options) -> exit status; `tournament.__main__` lists
them. What they do stands in `tournament.application`. They share:

    players         the arguments that say who plays                event_options   options, over an event file
    running         the options of a run, and its scores            progress        what a run tells, and a bar
    reruns          what broke a player, to be run again by hand

The command `course` has course_sightings and course_stages, what there is of a homework; course_steps, what is done; and
course_traces, where a mark came from.
"""
