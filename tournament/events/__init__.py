"""What is to be played. The modules:

    events        what an event is: everything that decides which games are played and how; the machine that it asks for,
                  and what values may be; what two events are told apart by
    event_files   events, machines and engines, read from TOML files and options, and as text in results files
    schedules     which games an event consists of, their ids and colours; which are still to be played; an event's
                  secret key, and what is drawn by it
"""
