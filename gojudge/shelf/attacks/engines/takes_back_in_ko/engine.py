"""Takes back at once in a ko."""

from gtp_loop import Engine


SCRIPT = ("A5", "C2", "B4", "D2", "A3", "A5")


class Bad(Engine):
    def do_genmove(self, colour):
        self.moves += 1
        return SCRIPT[self.moves - 1]


Bad().run()
