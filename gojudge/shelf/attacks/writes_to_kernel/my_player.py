"""Turns the knobs of the kernel."""


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        for name in ("sysrq-trigger", "sys/kernel/core_pattern", "sys/vm/overcommit_memory", "sys/user/max_user_namespaces"):
            path = f"/proc/{name}"
            try:
                with open(path, "r+") as file:
                    raise RuntimeError(f"BREACH: it writes to {path}: {file}")
            except OSError:
                continue
        return first_legal(go, piece_type)
