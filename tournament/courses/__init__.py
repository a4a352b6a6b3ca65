"""A whole course in one file: what is due, and what was published.

    course_files    course.toml: homeworks, a ladder, who may see what, where it is kept
    calendars       extensions, and late days that are spent over all homeworks
    due             what is to be done now: a pure function of the course, what lies where, and the time; how long games
                    will take
    ledgers         what was published, for good: who had which marks, by which games, versions and key; which
                    times of hand-ins contradict what was seen before
    overviews       what the first page of a course says

`tournament.commands.course` does what is due.
"""
