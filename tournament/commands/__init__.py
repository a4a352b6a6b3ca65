"""The commands of `python3 -m tournament`: words in, words out. No other package of `tournament` prints.

    check, play                                  is my player all right?
    probe                                        what can it do?
    events      grade, round-robin, gauntlet     playing an event; sample: a class to try all this with
    standings, report                            what came of it
    stores      export, verify, key              what a results file holds, and whether it can be trusted
    autograder, autograder_run                   grading where students hand in
    course                                       all that is due in a course
    machines    doctor, cluster                  may marks be given here? what do other machines need?
    similarity                                   who plays or reads alike?

A command is a module with SUMMARY, EXAMPLE (arguments, with which its help begins), add_arguments(parser) and run(options) ->
exit status, or a `Subcommand` of the same four; `tournament.__main__` lists them. An option is what is typed; all else is a
key of the event file. What commands do stands in `tournament.application`. They share
`event_options`: who plays, and options over an event file; the options of a run, what it tells, a bar, and its scores.
"""
