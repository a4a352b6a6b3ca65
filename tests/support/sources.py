"""The smallest submissions of the course, as text."""

FIRST_LEGAL = """class MyPlayer:
    def get_input(self, go, piece_type):
        points = [(i, j) for i in range(go.size) for j in range(go.size)]
        return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))
"""
CORNER = "class MyPlayer:\n    def get_input(self, go, piece_type):\n        return 0, 0\n"
