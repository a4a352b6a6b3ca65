"""The trainer of `my_player.py`'s table: `python3 -m learning.qlearning`. Where to look for what:

    command     the command line                      training       a plan, and games played and learned from
    games       batches of games on kernels           patterns       what a position's table entries are
    states      positions as the trainer sees them    checkpoints    stopping and going on
    tables      the table as bytes                    curves         the learning curve, as text and as a picture
    evaluation  wins against reference players        errors         everything that is raised on purpose

Who is played against besides itself is in `kernels.reference_players`.
"""
