"""Learning to play. Where to look for what:

    environments/ Go as Pgx, PettingZoo and Gymnasium have it, many games at once
    qlearning/    the trainer of my_player's table: `python3 -m golearn.qlearning`
    patterns/     weights of patterns from games: `python3 -m golearn.patterns`
    alphazero/    AlphaZero for any game of two players
    lockstep/     many tree searches at once, of any game
    watching      `python3 my_player.py learn`: its command line, what is to be seen while a table learns, and its page
    missing       what to say where an extra is not installed
"""
