"""The project's own player, byte for byte: what `qlearner` and `championship` play by.

    my_player           with my_player_search and my_player_table, which it imports; loaded as a student's file is

The files at the top are there to be replaced by one's own, these are not. `SHA256SUMS` says what they have to be;
`make shipped` copies the files at the top here. See `players.shipped_player`.
"""
