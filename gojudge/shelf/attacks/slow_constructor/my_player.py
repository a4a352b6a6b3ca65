"""Takes for ever to be made."""


class MyPlayer:
    def __init__(self):
        while True:
            pass
