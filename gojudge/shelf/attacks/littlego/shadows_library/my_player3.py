import queue
import socket

assert socket.OWN and queue.OWN

rows = open("input.txt").read().split()[6:]
free = [(i, j) for i in range(5) for j in range(4) if rows[i][j] == rows[i][j + 1] == "0"]
open("output.txt", "w").write("%d,%d" % free[0] if free else "PASS")
