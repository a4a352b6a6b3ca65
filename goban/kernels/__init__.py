"""The rules compiled by numba; uncompiled, the same source gives the same results, a hundred times slower.

    bitboards           the rules of `course` and `littlego` on 64-bit boards, sizes 2 to 8
    reference_players   greedy, aggressive and smart on such boards
    playouts/           array boards for every rule set and size; random games on both kinds of board
    environments/       step, legal actions and observation of many games at once
    patterns/           3x3 neighbourhoods and properties of a move, as numbers
    numba_tools/        compiling, bits, vectors: what kernels are made with

`goban` is the reference: every rule here is held against it in a test.
"""
