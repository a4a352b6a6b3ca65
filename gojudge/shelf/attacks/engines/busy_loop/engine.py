"""Thinks for ever at its second move."""

from gtp_loop import Engine


class Bad(Engine):
    def choose(self, colour):
        while self.moves == 2:
            pass
        return super().choose(colour)


Bad().run()
