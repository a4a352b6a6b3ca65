"""The results of an event, in one SQLite file. No other package knows SQL. The modules:

    store          open_store to write, read_store to read: the event, who takes part, game after game
    stored_games   the reading half: games in full, or in the few columns that standings need
    schema         the tables, and the checksums of their rows
    packing        moves, times and logs of a game in few bytes
    store_files    the file itself: open, lock, rename; SQLite's errors in words

Games are added, one transaction each; nothing is ever deleted.
"""
