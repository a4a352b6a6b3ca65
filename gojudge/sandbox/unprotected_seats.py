"""Seats without any sandbox, for `check --no-sandbox`: where there is neither `fork` nor bubblewrap, as on Windows.

Each player is a plain process of this user, which may read, write and send whatever he may. Nothing but the clock on the wall
limits it, and a busy machine's delays count. So nothing that is played here may count anywhere; `open_seats` never opens such a
seat, and no store ever holds such a game.

What the player is given is otherwise what it is given in a sandbox: its own copy of the submission, the same seeds, the same
modules.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from goban.board.processes import EndedError, Program
from goban.common.excerpts import printable
from goban.common.files import kill_session
from gojudge.errors import HarnessFaultError
from gojudge.game import RuleSet, State, question_text
from gojudge.inside import course_modules
from gojudge.inside.answer_files import INPUT, OUTPUT, AnswerFileError, first_line, not_written, read_answer_file
from gojudge.inside.protocol import Message, ProtocolError, encode_state, read_move
from gojudge.inside.workdirs import copy_submission
from gojudge.records import (
    LOADING_SEED,
    PROGRAM,
    Entrant,
    Fault,
    GameSpec,
    PlayerFaultError,
    Spent,
    Termination,
    charge_seconds,
)
from gojudge.sandbox.compilers import recipe_for
from gojudge.sandbox.faults import cause, fault_of, hangs_at, stuck_at, without_calls
from gojudge.sandbox.leftovers import owned_folder
from gojudge.sandbox.transcripts import Printout, presentable, presentable_log, shorten_paths
from gojudge.seats import Limits, Reply, Seat

# Starts a program that the system kills once we are gone, even if it never ends; 1 is PR_SET_PDEATHSIG, 9 is SIGKILL.
_THEN = "import ctypes, os, sys; ctypes.CDLL(None).prctl(1, 9, 0, 0, 0); os.execv(sys.argv[1], sys.argv[1:])"
_ENDING_WITH_US = (sys.executable, "-I", "-c", _THEN) if sys.platform == "linux" else ()


# What its calls begin with, the outermost, as Python's faulthandler prints them.
_BEGINNING = "in _run_module_as_main"
# How many seconds a player whose time is over has to print that.
_PATIENCE = 5.0


def open_unprotected(entrant: Entrant, rules: RuleSet, size: int, limits: Limits) -> Seat:
    """Return a seat without a sandbox for a submission."""
    if entrant.kind == PROGRAM:
        return UnprotectedProgram(entrant, limits)
    return UnprotectedClass(entrant, rules, size, limits)


class _Unprotected:
    """What both kinds of seat have: a folder for each game, and what was printed in it."""

    tier = ""

    def __init__(self, entrant: Entrant, limits: Limits) -> None:
        self._entrant = entrant
        self._limits = limits
        self._game = ExitStack()
        self._home = Path()
        self._log = Printout(limits.log_kib << 10)
        self._said = ""

    def _new_folder(self) -> Path:
        """Begin a game; return the player's own copy of the submission."""
        self._log.clear()
        self._home = self._game.enter_context(owned_folder()) / "submission"
        copy_submission(self._entrant.folder, self._home, -1)
        return self._home

    def _hear(self, printed: str) -> None:
        """Note what the player has printed."""
        printed = printed.replace(f"{self._home}{os.sep}", "")
        self._said = presentable(printed)
        self._log.add(printed.encode())

    def printed(self) -> str:
        """Return what the player printed at the last question."""
        return self._said

    def end(self) -> str:
        """End the game, with its process and its folder."""
        self._game.close()
        return presentable_log(self._log.pieces())

    def close(self) -> None:
        """Release all."""
        self._game.close()


class UnprotectedClass(_Unprotected):
    """A `gojudge.seats.Seat` for a class: one process a game, as `gojudge.inside.unprotected`."""

    def __init__(self, entrant: Entrant, rules: RuleSet, size: int, limits: Limits) -> None:
        super().__init__(entrant, limits)
        self._rules = rules
        self._size = size
        self._program: Program | None = None
        self._home = Path()
        self._asked = 0

    def begin(self, spec: GameSpec, colour: int) -> None:
        home = self._home = self._new_folder()
        program = self._program = Program("gojudge.inside.unprotected")
        self._game.callback(program.stop)
        self._asked = 0
        loaded = {"home": str(home), "entry": self._entrant.entry, "class": self._entrant.class_name}
        seeds = {"loading_seed": LOADING_SEED, "seed": spec.seeds[colour - 1]}
        times = {"start_seconds": self._limits.start_seconds, "move_seconds": self._limits.move_seconds}
        program.tell({**loaded, **seeds, **times, "colour": colour, "rules": self._rules.name, "size": self._size})
        # For loading it, and again for making the player.
        message = self._heard(program, 2 * self._limits.start_seconds, starting=True)
        if message != {"ready": True}:
            raise PlayerFaultError(fault_of(message, starting=True))

    def answer(self, state: State, complaint: str) -> Reply:
        program = self._program
        if program is None:
            raise HarnessFaultError("a player was asked outside a game")
        self._asked += 1
        self._log.mark(state.n_move + 1)
        started = time.monotonic()
        program.tell({"ask": self._asked, "state": encode_state(state), "complaint": complaint})
        message = self._heard(program, self._limits.move_seconds)
        spent = _spent(started)
        if "error" in message:
            raise PlayerFaultError(fault_of(message), spent)
        try:
            return Reply(read_move(message), spent)
        except ProtocolError as error:
            raise PlayerFaultError(Fault(Termination.INVALID_ANSWER, f"it {error}"), spent) from None

    def _heard(self, program: Program, seconds: float, starting: bool = False) -> Message:
        """Return the player's next message. Raises PlayerFaultError if none comes in time."""
        started = time.monotonic()
        try:
            message = program.answer(seconds)
        except TimeoutError:
            spent = _spent(started)
            # Its own clock began later. It prints where it is once its time is over, and at the end of that where it began.
            program.await_words(_BEGINNING, _PATIENCE)
            missing = "the player was not made" if starting else "no answer"
            fault = Fault(Termination.TIME_OUT, f"{missing} within {seconds:g} s")
        except EndedError as error:
            spent = _spent(started)
            fault = Fault(Termination.CRASH, str(error))
        else:
            self._hear(without_calls(program.printed()))
            return message
        program.stop()
        printed = program.printed()
        self._hear(without_calls(printed))
        if starting:
            where = stuck_at(printed, str(self._home), self._entrant.folder)
            detail = f"{fault.detail}; {where}" if where else fault.detail
            fault = replace(fault, termination=Termination.START_UP_FAILURE, detail=detail)
        elif fault.termination is Termination.TIME_OUT:
            fault = replace(fault, detail=fault.detail + hangs_at(printed, str(self._home)))
        raise PlayerFaultError(fault, spent)


class UnprotectedProgram(_Unprotected):
    """A `gojudge.seats.Seat` for a program that reads input.txt, in Python: one process a move. Others make games void."""

    def begin(self, spec: GameSpec, colour: int) -> None:
        if recipe_for(self._entrant.entry, self._entrant.folder) is not None:
            raise HarnessFaultError("a program that has to be compiled is tried in a sandbox only")
        self._new_folder()

    def answer(self, state: State, complaint: str) -> Reply:
        self._log.mark(state.n_move + 1)
        output = self._home / OUTPUT
        output.unlink(missing_ok=True)
        (self._home / INPUT).write_text(question_text(state), newline="\n")
        before = _files_in(self._home)
        started = time.monotonic()
        status = self._run(charge_seconds(self._limits.move_seconds))
        spent = _spent(started)
        try:
            return Reply(read_answer_file(_find(output, before)), spent)
        except AnswerFileError as error:
            raise PlayerFaultError(self._without_answer(status, str(error)), spent) from None

    def _run(self, seconds: float) -> int:
        """Start the program once and wait for its end; return its exit status. Raises PlayerFaultError if it does not end."""
        # In the sandbox texts and names of files are UTF-8, too, whatever our own locale.
        given = {"PYTHONPATH": os.pathsep.join(course_modules.__path__), "PYTHONUTF8": "1"}
        with (self._home.parent / "printed").open("w+b") as printed:
            with subprocess.Popen(
                [*_ENDING_WITH_US, sys.executable, "-s", self._entrant.entry], cwd=self._home, env={**os.environ, **given},
                stdin=subprocess.DEVNULL, stdout=printed, stderr=printed, start_new_session=True,
            ) as process:  # fmt: skip
                try:
                    process.wait(seconds)
                except subprocess.TimeoutExpired:
                    raise PlayerFaultError(Fault(Termination.TIME_OUT, f"it did not end within {seconds:g} s")) from None
                finally:
                    kill_session(process.pid)
                    process.kill()
            printed.seek(0)
            self._hear(printed.read(2 * self._limits.log_kib << 10).decode("utf-8", "backslashreplace"))
        return process.returncode

    def _without_answer(self, status: int, complaint: str) -> Fault:
        why = cause(self._said)
        if not status:
            return Fault(Termination.INVALID_ANSWER, f"{complaint}; it printed {why}" if why else complaint)
        line = f"{why or f'its process ended with status {status}'}; {complaint}"
        return Fault(Termination.CRASH, shorten_paths(line), shorten_paths(self._said)[-4000:])


def _files_in(home: Path) -> set[str]:
    return {path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file() and "__pycache__" not in path.parts}


def _find(output: Path, before: set[str]) -> Message:
    """Return what stands in output.txt, as `read_answer_file` takes it. before: the files that were there before."""
    try:
        with output.open("rb") as file:
            return first_line(file)
    except FileNotFoundError:
        return {"not": not_written(_files_in(output.parent) - before)}
    except OSError as error:
        return {"not": f"cannot be read: {printable(error.strerror or '', 100)}"}


def _spent(started: float) -> Spent:
    """Return what an answer took since then. How much of it the player ran is not known, so all of it counts."""
    wall = time.monotonic() - started
    return Spent(wall, cpu=wall)
