"""Makes a file of a terabyte with nothing in it."""


class MyPlayer:
    def get_input(self, go, piece_type):
        with open("sparse", "wb") as file:
            file.truncate(1 << 40)
