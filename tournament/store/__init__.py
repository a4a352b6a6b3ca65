"""The results of an event, in one SQLite file. No other package knows SQL. The modules:

    store          open_store to write, read_store to read: the event, who takes part, game after game; the file itself: made,
                   opened, locked, renamed, and the tables in it
    stored_games   the reading half: games in full, or in the few columns that standings need; moves, times and logs in few
                   bytes; the columns and checksums of rows; SQLite's errors in words

Games are added, one transaction each; nothing is ever deleted.
"""
