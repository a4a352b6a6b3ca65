"""Raises an exception at its second move."""

from gtp_loop import Engine, POINTS


class Bad(Engine):
    def choose(self, colour):
        return super().choose(colour) if self.moves < 2 else POINTS[1000]


Bad().run()
