"""A class's process where there is no sandbox: it loads the submission and plays one game. For `check --no-sandbox` alone.

Started as `python3 -P -m gojudge.inside.unprotected`, by `gojudge.sandbox.unprotected_seats`. It works where there is
neither `fork` nor sockets that can be handed on: lines of JSON come on standard input, whose end ends it, and go to standard
output:

    <- {"home": folder, "entry": ..., "class": ..., "loading_seed": n, "start_seconds": n, "move_seconds": n,
        "seed": n, "colour": 1, "rules": "course", "size": 5}
    -> {"ready": true}  or {"error": {...}}
    <- and -> questions and answers, as in `gojudge.inside.protocol`

What the player prints goes to standard error, where a line that holds only NUL is written before each answer.
"""

from __future__ import annotations

import faulthandler
import json
import os
import sys
from contextlib import suppress
from pathlib import Path

from gojudge.inside.c_library import libc
from gojudge.inside.protocol import ClosedError, Message
from gojudge.inside.zygote import HOST_MODULES, JUDGE_MODULES, Game, describe, forget, load, seed_chance

_END_OF_TEXT = b"\0\n"
# Not signal's: it has no such name on Windows.
_PR_SET_PDEATHSIG, _SIGKILL = 1, 9


class _Pipes:
    """The two pipes, as `gojudge.inside.protocol.Conversation` has it. The player finds others in their place."""

    def __init__(self) -> None:
        self._questions = os.fdopen(os.dup(0), encoding="ascii")
        self._answers = os.dup(1)
        # After how many seconds a player that does not answer is to print where it is; 0 for never.
        self.patience = 0.0
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        os.close(nothing)

    def send(self, message: Message) -> None:
        faulthandler.cancel_dump_traceback_later()
        with suppress(OSError):
            os.write(2, _END_OF_TEXT)
        try:
            os.write(self._answers, json.dumps(message).encode() + b"\n")
        except OSError as error:
            raise ClosedError("nobody listens") from error

    def receive(self) -> Message:
        line = self._questions.readline()
        if not line:
            raise ClosedError("nobody asks any more")
        message: Message = json.loads(line)
        if "ask" in message and self.patience:
            faulthandler.dump_traceback_later(self.patience, file=2)
        return message


def end_with_parent() -> None:
    """Have the system kill this process once the thread that started it is gone, even if the player never returns."""
    if sys.platform == "linux":
        libc().prctl(_PR_SET_PDEATHSIG, _SIGKILL, 0, 0, 0)


def main() -> None:
    """Play a game, and end when the input does."""
    end_with_parent()
    pipes = _Pipes()
    game = pipes.receive()
    home: str = game["home"]
    host = str(Path(__file__).resolve().parents[2])
    course = os.path.join(host, "gojudge", "inside", "course_modules")
    # As in the sandbox, but without our other packages: there they cannot be seen.
    sys.path[:] = [home, *(path for path in sys.path if path != host), course]
    sys.dont_write_bytecode = True
    try:
        seed_chance(game["loading_seed"])
        os.chdir(home)
        forget(JUDGE_MODULES - HOST_MODULES)
        # If it takes too long until the player is made, print where it is.
        faulthandler.dump_traceback_later(game["start_seconds"], file=2)
        player_class = load(home, game["entry"], game["class"])
        pipes.patience = game["move_seconds"]
    except BaseException as error:
        pipes.send({"error": describe(error, home)})
        return
    with suppress(ClosedError):
        Game(pipes, game, home).play(player_class, faulthandler.cancel_dump_traceback_later)


if __name__ == "__main__":
    main()
    os._exit(0)
