import os
os.mkfifo("output.txt")
