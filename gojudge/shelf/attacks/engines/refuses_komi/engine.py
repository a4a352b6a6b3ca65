"""Knows no komi."""

from gtp_loop import Engine


class Bad(Engine):
    def obey(self, command, *words):
        return (False, "no komi") if command == "komi" else super().obey(command, *words)


Bad().run()
