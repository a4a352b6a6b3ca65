"""Its import makes a table that the player opens by a relative name."""

with open("table.txt", "w") as file:
    file.write("table")


def first_legal(go, piece_type):
    points = ((i, j) for i in range(go.size) for j in range(go.size))
    return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


class MyPlayer:
    def __init__(self):
        with open("table.txt") as file:
            self.table = file.read()

    def get_input(self, go, piece_type):
        assert self.table == "table"
        return first_legal(go, piece_type)
