"""What is to be played. Where to look for what:

    events        what an event is: everything that decides which games are played and how
    machines      what it asks of the machine that plays it, on which no result depends
    event_files   both from TOML files and options, and as text in results files; an event's fingerprint
    schedules     which games an event consists of, their ids, colours and seeds; which are still open
"""
