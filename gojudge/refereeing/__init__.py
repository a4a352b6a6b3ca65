"""Playing games: one between two seats, or thousands side by side. Where to look for what:

    referee          one game: asks the seats in turn, turns what they raise into a verdict, and knows how late our own side was
    open_seats       the conditions of an event's games; the seats that are open in a worker process, those of our own players
                     among them, and a seat around another that reports what happens
    engine_trials    whether engines can begin a game
    runner           many games: hands them out, has them stored; which of them count, and which are played again since they
                     were void or in doubt
    probation        whose games need not be played, since each would be lost at its start; whose are put off, since they take
                     too long
    executors        its workers: processes on this machine; where they come from, and how many games each has at a time

Public: `Conditions`, `open_entrant`, `play`, `play_here`, `close_here`, `Runner`, `WatchedSeat`.
"""
