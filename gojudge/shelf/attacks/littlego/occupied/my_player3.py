rows = open("input.txt").read().split()[6:]
taken = [(i, j) for i in range(5) for j in range(5) if rows[i][j] != "0"]
open("output.txt", "w").write("%d,%d" % taken[0] if taken else "2,2")
