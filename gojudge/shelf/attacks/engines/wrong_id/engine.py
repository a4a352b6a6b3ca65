"""Answers under the id of the command before."""

from gtp_loop import Engine


class Bad(Engine):
    def send(self, number, done, result):
        super().send(number if self.moves < 2 else int(number) - 1, done, result)


Bad().run()
