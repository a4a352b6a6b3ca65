"""Passes where nobody may."""

from gtp_loop import Engine


class Bad(Engine):
    def choose(self, colour):
        return super().choose(colour) if self.moves < 2 else None


Bad().run()
