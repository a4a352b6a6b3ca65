"""The commands of `python3 -m tournament`, one module each. No other package of `tournament` prints.

    check, play                                  is my player all right?
    probe                                        what can it do?
    grade, round_robin, gauntlet                 playing an event
    standings, export, report                    what came of it
    autograder, autograder_run                   grading where students hand in
    course                                       all that is due in a course
    verify, key, doctor                          can it be trusted?
    similarity                                   who plays or reads alike?
    sample                                       a class to try all this with
    cluster                                      what other machines need to play

A command is a module with SUMMARY, EXAMPLE (arguments, with which its help begins), add_arguments(parser) and run(options) ->
exit status; `tournament.__main__` lists them. An option is what is typed; all else is a key of the event file. What commands
do stands in `tournament.application`. They share:

    event_options   who plays, and options over an event file
    progress        the options of a run, what it tells, a bar, and its scores
    old_spellings   what commands and options are called now
"""
