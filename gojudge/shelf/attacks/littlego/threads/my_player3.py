import threading

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


found = []
threads = [threading.Thread(target=lambda: found.append(answer())) for _ in range(4)]
for thread in threads:
    thread.start()


def last():
    for thread in threads:
        thread.join()
    write(found[0])


threading.Thread(target=last).start()
