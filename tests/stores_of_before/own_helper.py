def upwards(size):
    return reversed(range(size))
