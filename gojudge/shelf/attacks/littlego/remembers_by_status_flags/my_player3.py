import fcntl, os
flags = [fcntl.fcntl(number, fcntl.F_GETFL) & os.O_NONBLOCK for number in range(3)]
with open("moves", "a") as mark:
    mark.write("x")
assert not (any(flags) and os.path.getsize("moves") == 1), "BREACH: news of another game"
for number in range(3):
    os.set_blocking(number, False)
rows = open("input.txt").read().split()[6:]
free = [(i, j) for i in range(5) for j in range(4) if rows[i][j] == rows[i][j + 1] == "0"]
open("output.txt", "w").write("%d,%d" % free[0] if free else "PASS")
