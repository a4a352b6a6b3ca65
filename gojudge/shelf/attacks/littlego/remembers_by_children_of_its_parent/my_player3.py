import ctypes, os, platform
# clone: CLONE_PARENT | SIGCHLD
for _ in range(3):
    child = ctypes.CDLL(None).syscall(56, 0x8000 | 17, 0, 0, 0, 0) if platform.machine() == "x86_64" else os.fork()
    if not child:
        os._exit(0)
    with open("children", "a") as file:
        file.write("%d\n" % child)
first = int(open("children").readline())
assert first == os.getpid() + 1, "BREACH: news of another game"
rows = open("input.txt").read().split()[6:]
free = [(i, j) for i in range(5) for j in range(4) if rows[i][j] == rows[i][j + 1] == "0"]
open("output.txt", "w").write("%d,%d" % free[0] if free else "PASS")
