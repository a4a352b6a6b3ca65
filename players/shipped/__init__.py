"""The project's own `my_player.py` and its table, byte for byte: what `qlearner` and `championship` play by.

The two files at the top are there to be replaced by one's own, these are not. `SHA256SUMS` says what they have to be;
`make shipped` copies the files at the top here. See `players.shipped_player`.
"""
