"""Plays on 19x19 only."""

from gtp_loop import Engine


class Bad(Engine):
    def obey(self, command, *words):
        return (False, "unacceptable size") if command == "boardsize" else super().obey(command, *words)


Bad().run()
