"""A player that waits for somebody at the keyboard."""


class MyPlayer:
    type = "manual"

    def get_input(self, go, piece_type):
        return input()
