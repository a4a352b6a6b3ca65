"""Answers without the ids of commands."""

from gtp_loop import Engine


class Bad(Engine):
    def send(self, number, done, result):
        super().send("", done, result)


Bad().run()
