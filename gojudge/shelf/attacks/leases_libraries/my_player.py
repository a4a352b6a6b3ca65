"""Takes leases on files that others open, and asks to be told."""

import fcntl
import os


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        for command, argument in ((1024, fcntl.F_RDLCK), (1026, 0x8000003F)):
            for path in (os.__file__, os.path.dirname(os.__file__), "/dev/null"):
                file = os.open(path, os.O_RDONLY)
                try:
                    fcntl.fcntl(file, command, argument)
                except OSError:
                    continue
                finally:
                    os.close(file)
                raise RuntimeError(f"BREACH: it is told who opens {path}")
        return first_legal(go, piece_type)
