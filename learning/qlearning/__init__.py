"""The trainer of `my_player.py`'s table: `python3 -m learning.qlearning`. Where to look for what:

    command     the command line                      training       a plan, and games played and learned from
    games       batches of games on kernels           opponents      who is played against
    states      positions as the trainer sees them    patterns       what a position's table entries are
    tables      the table as bytes                    checkpoints    stopping and going on
    evaluation  wins against reference players        curves         the learning curve, as text and as a picture
    errors      everything that is raised on purpose
"""
