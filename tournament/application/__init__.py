"""What an instructor does, as functions: they take records and return records, tell through a callable, and print nothing.

    plans       from an event file to an event that can be run
    classes     from what was handed in to entrants
    runs        playing an event, here or on a cluster, and what that takes of this machine
    trials      the games of `check`
    grades      grading a class; everyone against everyone      reports     the pages of an event
    worker_checks  some of a cluster's games again, and who told something else
    stages      what there is of a homework, or a ladder, of a course
    courses     what is due of a course, step by step

`tournament.commands` is words in and words out around them; `tournament` has them for other programs.
"""
