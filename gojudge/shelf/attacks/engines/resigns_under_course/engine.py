"""Resigns under rules that know no resigning."""

from gtp_loop import Engine


class Bad(Engine):
    def do_genmove(self, colour):
        return super().do_genmove(colour) if self.moves < 1 else "RESIGN"


Bad().run()
