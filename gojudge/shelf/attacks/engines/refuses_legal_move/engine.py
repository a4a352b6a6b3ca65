"""Refuses a move that its opponent may make."""

from gtp_loop import Engine


class Bad(Engine):
    def obey(self, command, *words):
        return (False, "illegal move") if command == "play" and self.moves == 2 else super().obey(command, *words)


Bad().run()
