"""Answers each command twice from its second move on."""

from gtp_loop import Engine


class Bad(Engine):
    def send(self, number, done, result):
        for _ in range(1 if self.moves < 2 else 2):
            super().send(number, done, result)


Bad().run()
