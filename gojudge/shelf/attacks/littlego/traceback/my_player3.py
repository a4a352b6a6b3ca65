def think(depth):
    return 1 / depth


think(0)
