"""Answers with ten megabytes."""

from gtp_loop import Engine


class Bad(Engine):
    def send(self, number, done, result):
        super().send(number, done, result if self.moves < 2 else "A" * 10_000_000)


Bad().run()
