"""The seat of a program that is started afresh for every move, reads input.txt and writes output.txt.

In each game the program has a folder of its own, with the submission as handed in and whatever its earlier moves of this game
left there. A move is one start. Processes that it leaves running are killed before its answer is read.

    CPU                of the whole process tree, limited by `Limits.move_seconds`
    CPU and sleeping   a guard against programs that sleep instead: the limit, a fifth of it, and half a second; 12.5 s for 10 s

A program that does not end in time forfeits by time-out, even if its output.txt is right. How a program ends does not matter
if its output.txt can be read; the course's own script does the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from goban.common.excerpts import printable
from gojudge.errors import HarnessFaultError
from gojudge.game import RuleSet, State, question_text
from gojudge.inside.answer_files import AnswerFileError, read_answer_file
from gojudge.inside.protocol import Channel, Message
from gojudge.records import Entrant, Fault, GameSpec, PlayerFaultError, Termination, charge_seconds, seed_of
from gojudge.sandbox import compilers
from gojudge.sandbox.faults import TIMES_ASKED, answer_instead, cause, death, hangs_at, out_of_turn, ran_out_of_memory
from gojudge.sandbox.handles import Sandbox
from gojudge.sandbox.supervisor import Phase, SupervisedSeat, Supervisor
from gojudge.sandbox.transcripts import Piece, presentable
from gojudge.seats import Limits, Reply

COMPILE_SECONDS = 60.0
_EVIDENCE = 4000


class ProgramSeat(SupervisedSeat):
    """A `gojudge.seats.Seat` for a program.

    launch: opens a sandbox for a folder. real_starts: start the interpreter anew for every move instead of forking one.
    tells_where: whether a program in Python that is not done in time is to say at which line it is. For games that count it
    is not so: that line is another one each time.
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
        tells_where: bool = False,
    ) -> None:
        supervisor = Supervisor(limits, lambda: launch(self._folder), limits.move_seconds, _last_words, self._where)
        super().__init__(limits, tier, supervisor)
        self._entrant = entrant
        self._folder = entrant.folder
        self._recipe = compilers.recipe_for(entrant.entry, entrant.folder)
        self._unbuilt: Fault | None = None
        self._real = self._real_starts = real_starts
        self._tells_where = tells_where
        self._running = False
        self._asked = 0
        self._seed = 0

    # A game

    def _begin(self, spec: GameSpec, colour: int) -> None:
        self._asked, self._running = 0, False
        self._seed = spec.seeds[colour - 1]
        if self._supervisor.sandbox is None and self._recipe is not None:
            self._folder = self._build(self._recipe)
        sandbox, zygote = self._supervisor.load(self._load)
        files = sandbox.begin_game()
        try:
            self._supervisor.send(zygote, {"game": {}}, files)
        finally:
            for file in files:
                os.close(file)

    def _ask(self, state: State, complaint: str) -> Reply:
        supervisor, sandbox, zygote = self._supervisor, self._supervisor.sandbox, self._supervisor.zygote
        if sandbox is None or zygote is None:
            raise HarnessFaultError("a program was asked outside a game")
        self._asked += 1
        supervisor.phase = Phase.PLAYING
        if failed := sandbox.ask(question_text(state)):
            supervisor.give_up(Fault(Termination.CRASH, f"no input.txt can be written into its folder: {failed}"))
        sandbox.mark(state.n_move + 1)
        seed = seed_of(self._seed, self._asked)
        supervisor.send(zygote, {"move": {"seed": seed, "real": self._real, "where": self._tells_where}})
        self._running = True
        message = supervisor.wait(zygote, charge_seconds(self._limits.move_seconds), "it did not end")
        self._running = False
        used, answer = sandbox.output()
        spent = supervisor.charge(used, _waited(message))
        try:
            return Reply(read_answer_file(answer), spent)
        except AnswerFileError as error:
            supervisor.give_up(self._without_answer(message.get("ended"), str(error), sandbox.said()))

    def _without_answer(self, status: object, complaint: str, output: str) -> Fault:
        """Return the fault of a program that has ended without an answer that can be read. output: what it printed."""
        why = cause(presentable(output))
        if status == 0:
            # It may have caught its error, and printed it; or printed its answer.
            said = f"; it printed {why}" if why else answer_instead(output)
            return Fault(Termination.INVALID_ANSWER, complaint + said)
        if ran_out_of_memory(output):
            most = self._limits.memory_mib
            return Fault(Termination.OUT_OF_MEMORY, f"it ran out of memory, of which it may take {most} MiB; {complaint}")
        return Fault(Termination.CRASH, f"{why or death(status)}; {complaint}")

    def _where(self, sandbox: Sandbox) -> str:
        """Return where the program is that is not done in time, to end a message."""
        if not self._tells_where or not self._running or self._real or self._recipe is not None:
            return ""
        return next(filter(None, (hangs_at(sandbox.calls(), sandbox.home) for _ in range(TIMES_ASKED))), "")

    def _end(self, sandbox: Sandbox) -> list[Piece]:
        log = sandbox.clear()
        if self._supervisor.zygote is None or (self._running and not self._supervisor.reap()):
            self._supervisor.drop_zygote()
            sandbox.kill()
        return log

    def _hang_up(self) -> None:
        self._running = False

    # Getting ready

    def _load(self, sandbox: Sandbox, zygote: Channel) -> None:
        supervisor = self._supervisor
        command = list(self._recipe.run) if self._recipe is not None else []
        supervisor.send(zygote, {"load": {"entry": self._entrant.entry, "command": command}})
        message = supervisor.wait(zygote, self._limits.start_seconds, "the program was not made ready")
        if message.keys() != {"loaded", "why_not"}:
            supervisor.give_up(Fault(Termination.START_UP_FAILURE, out_of_turn(message)))
        self._real = bool(self._real_starts or sandbox.settle()[0] or message["why_not"])

    def _build(self, recipe: compilers.Recipe) -> Path:
        """Return a folder with the submission and what its compiler built. Raises PlayerFaultError if it does not compile."""
        if self._unbuilt is not None:
            raise PlayerFaultError(self._unbuilt)
        source = self._entrant.folder
        key = compilers.cache_key(source, recipe)
        if kept := compilers.find_kept(key):
            return kept
        self._folder = source
        try:
            if wrong := compilers.package_complaint(self._entrant.entry, source):
                raise PlayerFaultError(Fault(Termination.START_UP_FAILURE, wrong))
            files = self._compile(recipe)
        except PlayerFaultError as error:
            self._unbuilt = error.fault
            raise
        finally:
            self.close()
        try:
            return compilers.keep(key, source, files)
        except OSError as error:
            # That there is a place for it was seen before its compiler ran.
            line = f"what its compiler wrote cannot be kept: {printable(str(error.strerror), 200)}"
            raise PlayerFaultError(Fault(Termination.START_UP_FAILURE, line)) from error

    def _compile(self, recipe: compilers.Recipe) -> dict[str, str]:
        """Run the compiler in a sandbox of its own; return what it wrote, by name."""
        supervisor = self._supervisor
        sandbox, zygote = supervisor.start()
        message: Message = {}
        output = ""
        for command in recipe.build:
            supervisor.send(zygote, {"build": list(command)})
            message = supervisor.wait(zygote, COMPILE_SECONDS, "it was not compiled")
            # What the first command has printed is told. g++ writes quotation marks that are not ASCII.
            output = output or presentable(sandbox.said().translate({0x2018: "'", 0x2019: "'"}))
            if message.get("ended") == 0:
                break
        built: Message = sandbox.read_built() if message.get("ended") == 0 else {"failed": ""}
        files: dict[str, str] = built.get("files", {})
        if "files" not in built:
            why = built["failed"] or compilers.compiler_complaint(self._entrant.entry, output) or death(message.get("ended"))
            line = f"it does not compile: {printable(why, 200)}"
        else:
            line = compilers.class_complaint(self._entrant.entry, files)
        if line:
            # The first errors of a compiler matter most, so the beginning of its output is kept.
            supervisor.give_up(Fault(Termination.START_UP_FAILURE, line, output[:_EVIDENCE]))
        return files


def _waited(message: Message) -> float:
    """Return how long a program that has ended had waited for a core, in seconds."""
    waited = message.get("waited")
    return waited if type(waited) is float and waited > 0 else 0.0


def _last_words(sandbox: Sandbox) -> str:
    """Return the end of what a program has printed at this move: a traceback, if there is one, stands there."""
    return presentable(sandbox.said())[-_EVIDENCE:]
