
def read():
    lines = [line.strip() for line in open("input.txt")]
    return int(lines[0]), lines[1:6], lines[6:11]


def pick(board):
    for i in range(5):
        for j in range(5):
            near = [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)]
            if board[i][j] == "0" and any(0 <= a < 5 and 0 <= b < 5 and board[a][b] == "0" for a, b in near):
                return i, j
    return None


def write(text):
    with open("output.txt", "w") as f:
        f.write(text)


def answer():
    point = pick(read()[2])
    return "%d,%d" % point if point else "PASS"


class Player:
    def __init__(self):
        self.f = open("output.txt", "w")
        self.text = answer()

    def __del__(self):
        self.f.write(self.text)


player = Player()
