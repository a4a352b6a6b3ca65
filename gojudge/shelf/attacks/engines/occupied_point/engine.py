"""Plays where it has played before."""

from gtp_loop import Engine


class Bad(Engine):
    def do_genmove(self, colour):
        return super().do_genmove(colour) if self.moves < 1 else "A5"


Bad().run()
