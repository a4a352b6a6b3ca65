lines = open("input.txt").read().split()
board = lines[6:11]
answer = "PASS"
for i in range(5):
    for j in range(5):
        around = [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)]
        free = [p for p in around if 0 <= p[0] < 5 and 0 <= p[1] < 5 and board[p[0]][p[1]] == "0"]
        if board[i][j] == "0" and free:
            answer = str(i) + "," + str(j)
with open("output.txt", "w") as f:
    f.write(answer)
