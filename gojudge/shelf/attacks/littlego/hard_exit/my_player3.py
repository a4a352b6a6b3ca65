import os
f = open("output.txt.part", "w")
f.write("2,2")
os._exit(0)
