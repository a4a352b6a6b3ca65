import os
rows = open("input.txt").read().split()[6:]
free = [(i, j) for i in range(5) for j in range(4) if rows[i][j] == rows[i][j + 1] == "0"]
os.remove("input.txt")
os.makedirs("input.txt/x")
for number in range(1, 50):
    os.makedirs(f"input.txt.moved-{number}/x", exist_ok=True)
open("output.txt", "w").write("%d,%d" % free[0] if free else "PASS")
