"""Two of its processes talk through locks on /dev/null."""

import fcntl
import os
import signal
import time


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        held, said = os.pipe()
        child = os.fork()
        if not child:
            with open("/dev/null", "wb") as file:
                fcntl.lockf(file, fcntl.LOCK_EX)
                os.write(said, b"held")
                time.sleep(1000)
        os.read(held, 4)
        with open("/dev/null", "wb") as file:
            try:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise RuntimeError("BREACH: a lock on /dev/null can be seen") from None
            finally:
                os.kill(child, signal.SIGKILL)
                os.wait()
                os.close(held)
                os.close(said)
        return first_legal(go, piece_type)
