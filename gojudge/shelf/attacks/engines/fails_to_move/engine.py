"""Answers genmove with an error at its second move."""

from gtp_loop import Engine


class Bad(Engine):
    def obey(self, command, *words):
        return (False, "out of ideas") if command == "genmove" and self.moves == 1 else super().obey(command, *words)


Bad().run()
