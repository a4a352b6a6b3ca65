from goban.zobrist import WHITE_TO_MOVE, board_hash, stone_keys

FIRST_KEY = 0x63033B0CA389C35A


def test_keys_differ_and_fill_64_bits():
    keys = [key for size in (5, 19) for colour in (1, 2) for key in stone_keys(size)[colour].values()]
    keys.append(WHITE_TO_MOVE)
    assert len(set(keys)) == len(keys)
    assert all(0 < key < 1 << 64 for key in keys)
    assert max(keys) > 1 << 63


def test_hashes_are_the_same_in_every_run():
    # Stored hashes must stay good: a change of the stream is a change of the format.
    assert stone_keys(5)[1][1] == FIRST_KEY
    assert board_hash(5, 0, 0) == 0


def test_a_board_is_the_xor_of_its_stones():
    black, white = stone_keys(5)[1], stone_keys(5)[2]
    assert board_hash(5, 1 | 4, 2) == black[1] ^ black[4] ^ white[2]
