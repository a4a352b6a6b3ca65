f = open("fill", "wb", buffering=0)
try:
    for k in range(10000):
        open("fill%d" % k, "wb").write(b"x" * (1 << 18))
except OSError:
    pass
open("output.txt", "w").write("2,2")
