import os
os.makedirs("output.txt/deeper")
os.chmod("output.txt", 0)
