import time
open("output.txt", "w").write("2,2")
time.sleep(1000)
