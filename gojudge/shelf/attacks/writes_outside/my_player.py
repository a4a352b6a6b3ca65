"""Writes wherever it can."""


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def get_input(self, go, piece_type):
        for folder in ("/", "/dev", "/usr", "/etc", "/host", "/submission", "/stage", "/stage/game", "/run", "/var/tmp"):
            try:
                with open(folder + "/news", "w") as file:
                    file.write("news")
            except OSError:
                continue
            raise RuntimeError(f"BREACH: it writes to {folder}")
        return first_legal(go, piece_type)
