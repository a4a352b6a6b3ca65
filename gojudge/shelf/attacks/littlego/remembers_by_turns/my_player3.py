import os, re, time

USED = 0.1
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
try:
    found = dict(re.findall(r"^(\S+) +: +(\S+)$", open("/proc/self/sched").read(), re.M))
    # Milliseconds on this core that its group had had when this process came there. Whoever is nice has them counted for more.
    before = float(found["se.vruntime"]) * float(found["se.load.weight"]) / 2**20 - float(found["se.sum_exec_runtime"])
except FileNotFoundError:  # not every kernel tells
    before = 0
has_own_group = "/go-seat-" in open("/proc/self/cgroup").read()
with open("moves", "a") as mark:
    mark.write("x")
first = os.path.getsize("moves") == 1
assert not (has_own_group and first and before > 3000 * USED), "BREACH: it knows what an earlier game has used"
end = time.process_time() + USED
while time.process_time() < end:
    pass
rows = open("input.txt").read().split()[6:]
free = [(i, j) for i in range(5) for j in range(4) if rows[i][j] == rows[i][j + 1] == "0"]
open("output.txt", "w").write("%d,%d" % free[0] if free else "PASS")
