def readInput(n, path="input.txt"):
    with open(path) as f:
        lines = f.read().split()
    boards = [[int(x) for x in line] for line in lines[1:]]
    return int(lines[0]), boards[:n], boards[n:], sum(x > 0 for row in boards[n:] for x in row)
