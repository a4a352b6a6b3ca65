import hashlib, hmac, random
drawn = random.getrandbits(64)
colour, *rows = open("input.txt").read().split()
rows = rows[5:]


def bits(data):
    number = int.from_bytes(data[:16], "big")
    return number, number >> 65


def hashed(*parts):
    return bits(hashlib.sha256("\x1f".join(map(str, parts)).encode()).digest())


def players():
    keys = [hashlib.sha256(b"go-competition-harness event key %d" % seed).digest() for seed in range(10)]
    for key in [*keys, bytes(32)]:
        for number in range(10):
            game = "predicts_opponent-trivial-%03d" % number
            yield bits(hmac.digest(key, f"player\x1f{game}\x1f{colour}".encode(), "sha256"))[0]
    for of_game in range(100):
        yield of_game
        yield from hashed(of_game, colour)


# A program is given another seed at each of its moves, a hash of the player's.
if rows.count("00000") > 3:
    for player in players():
        for seed in hashed(player, 1):
            assert random.Random(seed).getrandbits(64) != drawn, "BREACH: it knows what its opponent will draw"
free = [(i, j) for i in range(5) for j in range(4) if rows[i][j] == rows[i][j + 1] == "0"]
open("output.txt", "w").write("%d,%d" % free[0] if free else "PASS")
