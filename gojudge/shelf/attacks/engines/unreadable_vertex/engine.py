"""Answers with no point of the board."""

from gtp_loop import Engine


class Bad(Engine):
    def do_genmove(self, colour):
        return super().do_genmove(colour) if self.moves < 1 else "I9"


Bad().run()
