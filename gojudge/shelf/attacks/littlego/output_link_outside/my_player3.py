import os
os.symlink("/etc/passwd", "output.txt")
