"""Learning to play. Where to look for what:

    qlearning/    the trainer of my_player's table: `python3 -m learning.qlearning`
"""
