import host


def level():
    with open("level.txt") as file:
        return int(file.read())
