"""The trainer of `my_player.py`'s table: `python3 -m golearn.qlearning`. Where to look for what:

    command     the command line; the learning curve      training       a plan, and games played and learned from
    games       batches of games on kernels               patterns       what a position is worth: patterns, known states
    checkpoints   going on later; the table

Who is played against besides itself is in `goban.kernels.reference_players`.
"""
