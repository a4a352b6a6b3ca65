"""Takes memory without end."""

from gtp_loop import Engine


class Bad(Engine):
    def choose(self, colour):
        hoard = []
        while self.moves == 2:
            hoard.append(bytes(range(256)) * 65536)
        return super().choose(colour)


Bad().run()
