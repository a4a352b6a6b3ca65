"""Takes memory until it is stopped."""


class MyPlayer:
    def get_input(self, go, piece_type):
        hoard = []
        while True:
            hoard.append(bytearray(1 << 24))
