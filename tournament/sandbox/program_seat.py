"""The seat of a program that is started afresh for every move, reads input.txt and writes output.txt.

Per game the program has a folder of its own: its submission as handed in, and what its earlier moves of this game left
there. A move is one start. What it leaves running is killed before its answer is read.

    CPU     of the whole process tree; what the limit of `Limits.move_seconds` counts
    wall    a guard against programs that wait instead: the limit, a fifth of it, and half a second (12.5 s for 10 s)

A right output.txt from a program that does not end in time is a time-out. How a program ends does not matter if what it
wrote can be read: that is how the course's own script does it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from common.excerpts import printable
from goban.inputs import Input, input_text
from goban.rulesets import RuleSet
from goban.states import State
from tournament.errors import HarnessFaultError
from tournament.inside.answer_files import AnswerFileError, read_answer_file
from tournament.inside.protocol import Channel, Message, ProtocolError
from tournament.records import Entrant, GameSpec, seed_of
from tournament.sandbox import compilers
from tournament.sandbox.class_seat import ClassSeat
from tournament.sandbox.faults import death
from tournament.sandbox.handles import Sandbox, Usage
from tournament.sandbox.transcripts import presentable, presentable_log
from tournament.seats import Limits, Reply
from tournament.verdicts import Fault, PlayerFaultError, Termination

COMPILE_SECONDS = 60.0
_GRACE_SHARE, _GRACE_SECONDS = 0.2, 0.5
_EVIDENCE = 4000
_OUT_OF_MEMORY = ("MemoryError", "numpy.core._exceptions._ArrayMemoryError", "numpy._core._exceptions._ArrayMemoryError",
                  "terminate called after throwing an instance of 'std::bad_alloc'")  # fmt: skip


def wall_seconds(move_seconds: float) -> float:
    """Return how long one move may take by the clock on the wall, where its CPU time may be `move_seconds`."""
    return move_seconds * (1 + _GRACE_SHARE) + _GRACE_SECONDS


def question(state: State) -> str:
    """Return what input.txt says in a position; like the course's it does not end in a newline."""
    rows = state.grid.rows(*state.previous)
    return input_text(Input(state.to_move, rows, state.rows())).rstrip("\n")


class ProgramSeat(ClassSeat):
    """A `tournament.seats.Seat` for a program.

    launch: opens a sandbox for a folder. real_starts: start the interpreter for every move rather than fork one that is
    there. `asked` is the last input.txt.
    """

    def __init__(
        self,
        entrant: Entrant,
        rules: RuleSet,
        size: int,
        limits: Limits,
        tier: str,
        launch: Callable[[Path], Sandbox],
        real_starts: bool = False,
    ) -> None:
        super().__init__(entrant, rules, size, limits, tier, lambda: launch(self._folder))
        self.asked = ""
        self._folder = entrant.folder
        self._recipe = compilers.recipe_for(entrant.entry, entrant.folder)
        self._unbuilt: Fault | None = None
        self._real = self._real_starts = real_starts
        self._running = False
        self._seed = 0

    # A game

    def begin(self, spec: GameSpec, colour: int) -> None:
        self._asked, self._cpu, self._running = 0, 0.0, False
        self._seed = seed_of(spec.seed, colour)
        if self._sandbox is None and self._recipe is not None:
            self._folder = self._built()
        sandbox, _ = self._loaded()
        sandbox.begin_game()

    def answer(self, state: State, complaint: str) -> Reply:
        sandbox, zygote = self._sandbox, self._zygote
        if sandbox is None or zygote is None:
            raise HarnessFaultError("a program was asked outside a game")
        self._asked += 1
        self.asked = question(state)
        if failed := sandbox.ask(self.asked):
            self._give_up(Fault(Termination.CRASH, f"no input.txt can be written into its folder: {failed}"))
        sandbox.mark(state.n_move + 1)
        started = time.monotonic()
        self._send(zygote, {"move": {"seed": seed_of(self._seed, self._asked), "real": self._real}})
        self._running = True
        message = self._await(zygote, wall_seconds(self._limits.move_seconds), "it did not end")
        wall = time.monotonic() - started
        self._running = False
        used, found = sandbox.output()
        self._judge_usage(used)
        cpu, self._cpu = max(0.0, used.cpu - self._cpu), used.cpu
        try:
            return Reply(read_answer_file(found), wall, cpu, min(self._lag, wall))
        except AnswerFileError as error:
            self._give_up(_without_answer(message.get("ended"), str(error)))

    def end(self) -> str:
        if self._sandbox is None:
            return ""
        try:
            log = self._sandbox.clear()
            if self._zygote is None or (self._running and not self._ends(self._zygote)):
                self._drop_zygote()
                self._sandbox.kill()
            return presentable_log(log)
        except HarnessFaultError:
            self.close()
            return ""

    def _ends(self, zygote: Channel) -> bool:
        """Tell whether the starting process has noticed that the program it started is gone."""
        try:
            return self._next(zygote, 1.0).keys() == {"ended"}
        except (ProtocolError, TimeoutError):
            return False

    # Getting ready

    def _load(self, sandbox: Sandbox, zygote: Channel) -> None:
        sandbox.count_from_now()
        command = list(self._recipe.run) if self._recipe is not None else []
        self._send(zygote, {"load": {"entry": self._entrant.entry, "command": command}})
        message = self._await(zygote, self._limits.start_seconds, "the program was not made ready", loading=True)
        if message.keys() != {"loaded", "why_not"}:
            self._give_up(Fault(Termination.START_UP_FAILURE, f"it answered out of turn: {printable(str(message), 60)}"))
        self._real = bool(self._real_starts or sandbox.settle() or message["why_not"])

    def _built(self) -> Path:
        """Return a folder with the submission and what its compiler made of it; raises PlayerFaultError if it could not."""
        assert self._recipe is not None
        if self._unbuilt is not None:
            raise PlayerFaultError(self._unbuilt)
        source = self._entrant.folder
        key = compilers.cache_key(source, self._recipe)
        kept = compilers.cache_folder() / key
        if kept.is_dir():
            return kept
        self._folder = source
        try:
            files = self._compile(self._recipe)
        except PlayerFaultError as error:
            self._unbuilt = error.fault
            raise
        finally:
            self.close()
        try:
            return compilers.keep(key, source, files)
        except OSError as error:
            raise HarnessFaultError(f"a compiled program cannot be kept: {error}") from error

    def _compile(self, recipe: compilers.Recipe) -> dict[str, str]:
        """Run the compiler in a sandbox of its own; return what it wrote, by name."""
        self._sandbox = sandbox = self._launch()
        self._zygote = zygote = sandbox.start()
        zygote.socket.setblocking(False)
        sandbox.count_from_now()
        self._send(zygote, {"build": list(recipe.build)})
        message = self._await(zygote, COMPILE_SECONDS, "it was not compiled", loading=True)
        said = presentable(sandbox.said())
        files: Message = sandbox.built() if message == {"ended": 0} else {"failed": ""}
        if "files" not in files:
            errors = [line for line in said.splitlines() if "error" in line]
            line = files["failed"] or (errors[0] if errors else death(message.get("ended")))
            # Compilers begin with what matters.
            self._give_up(Fault(Termination.START_UP_FAILURE, f"it does not compile: {printable(line, 200)}", said[:_EVIDENCE]))
        return dict(files["files"])

    # What it may not do

    def _judge_usage(self, used: Usage) -> None:
        most = self._limits.move_seconds
        if self._asked and used.cpu - self._cpu > most:
            self._give_up(Fault(Termination.TIME_OUT, f"it used more than {most:g} s of CPU time for this move"))
        super()._judge_usage(used)

    def _give_up(self, fault: Fault) -> NoReturn:
        if self._sandbox is not None and self._asked and not fault.evidence:
            fault = replace(fault, evidence=presentable(self._sandbox.said())[-_EVIDENCE:])
        super()._give_up(fault)


def _without_answer(status: object, complaint: str) -> Fault:
    """Return the fault of a program that has ended, and left no answer that can be read."""
    if status == 0:
        return Fault(Termination.INVALID_ANSWER, complaint)
    return Fault(Termination.CRASH, f"{death(status)}; {complaint}")
