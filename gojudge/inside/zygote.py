"""The process that loads a submission once and plays every game in a fresh fork of itself.

It is confined before it loads anything. From then on everything here is in the submission's hands, and the harness believes
nothing of it. The harness asks over a socket:

    -> {"hello": 1}                                     confined, nothing loaded yet
    <- {"load": {...}}      -> {"loaded": true}         or {"error": {...}}
    <- {"game": {...}} + the game's own socket          a fork (or, where forks share something, this process) plays it
                            -> {"ended": status}        the fork is gone; a status as os.waitpid has it

Over a game's socket: -> {"ready": true} or {"error": {...}} once the player object is made, then questions and answers as in
`gojudge.inside.protocol`.

All games begin with the memory of a process that has played a few moves already, before it knew any submission (`rehearse`).
What Python does the first time only is done then, and so each game writes to fewer pages, of which it would get copies.

numpy's global generator is seeded at the moment numpy is imported, so that the worker itself need not import it.

Modules of the judge in a submission's process give way to its own of the same name, see `forget`:

    a class      our code asks it, in its own process: `go` and `goban` stay the host's, whatever it brings along
    a program    is started as if it were alone: nothing of ours is loaded when its file runs

A forgotten module still works for code that has imported it. Only a new import looks for a file again, in the submission's
folder first. So our code must have imported all it needs before it calls `forget`.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import importlib.util
import inspect
import os
import random
import socket
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

from go import GO, Player, is_manual
from goban.common.excerpts import printable, quoted, type_name
from goban.common.player_faults import (
    CHANGED_BOARD,
    AnswerLines,
    RefusedError,
    check_can_be_asked,
    class_of,
    fault_line,
    method_place,
)
from goban.errors import BadAnswerError
from goban.grids import BLACK, Grid, grid_of
from goban.moves import PASS, Resign, read_answer
from goban.rulesets import COURSE, RuleSet, ruleset
from goban.states import State, new_game
from gojudge.inside.process_table import reap_ended
from gojudge.inside.protocol import WHERE, Channel, ClosedError, Conversation, Message, decode_state, encode_state

JUDGE_MODULES = frozenset({"gojudge", "goban", "go"})
HOST_MODULES = frozenset({"goban", "go"})
COURSE_MODULES = frozenset(
    {"host", "read", "write", "go_play", "random_player", "greedy_player", "aggressive_player", "smart_player", "course_moves"}
)
"""Those in `gojudge.inside.course_modules`. The course gave them to everybody, so none of them is anybody's player."""


def forget(packages: frozenset[str]) -> None:
    """Remove packages and all their modules from `sys.modules`."""
    for name in [name for name in sys.modules if name.partition(".")[0] in packages]:
        del sys.modules[name]


EVIDENCE = 4000
"""How many characters of a traceback are sent, counted from its end."""


class Zygote:
    """Loads and forks. home: the submission's folder."""

    def __init__(self, channel: Channel, home: str) -> None:
        self._channel = channel
        self._home = home
        self._player_class: type = object

    def run(self) -> None:
        """Follow orders until the harness closes the channel."""
        self._channel.send({"hello": 1})
        order = self._channel.receive()["load"]
        try:
            seed_chance(order["seed"])
            os.chdir(self._home)
            # The submission may bring modules of these names. A `go` or `goban` of its own is never looked at.
            forget(JUDGE_MODULES - HOST_MODULES)
            # In C, so that it works within whatever the file does, and nothing of it is left for the games.
            faulthandler.register(WHERE, 2, all_threads=False)
            self._player_class = load(self._home, order["entry"], order["class"])
            faulthandler.unregister(WHERE)
        except BaseException as error:
            self._channel.send({"error": describe(error, self._home)})
            return
        os.chdir("/")
        _flush()
        # The garbage collector of each fork then skips all that is loaded; looking through it would copy it, game by game.
        gc.freeze()
        self._channel.send({"loaded": True})
        while True:
            try:
                message, descriptor = self._channel.receive_with_descriptor()
            except ClosedError:
                return
            self._game(message["game"], socket.socket(fileno=descriptor))

    def _game(self, game: Message, end: socket.socket) -> None:
        if not game["fork"]:
            self._play(game, end)
        reap_ended()
        child = os.fork()
        if not child:
            self._play(game, end)
        end.close()
        self._channel.send({"ended": os.waitpid(child, 0)[1]})

    def _play(self, game: Message, end: socket.socket) -> None:
        """Play one game and end this process."""
        try:
            self._channel.close()
            os.chdir(self._home)
            faulthandler.register(WHERE, 2, all_threads=False)
            Game(Channel(end), game, self._home).play(self._player_class, lambda: faulthandler.unregister(WHERE))
        except ClosedError:
            pass
        finally:
            _flush()
            os._exit(0)


def load(home: str, entry: str, class_name: str) -> type:
    """Import a submission's file and return the named class. Raises RefusedError, and whatever the file raises."""
    name = os.path.splitext(os.path.basename(entry))[0]
    # A module that the harness has already loaded, above all the host's `go`, must not be replaced.
    if name in sys.modules:
        name = f"submission {name}"
    path = os.path.join(home, entry)
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise RefusedError(f"expected a Python file, got {entry!r}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.argv[:] = [entry]
    spec.loader.exec_module(module)
    return class_of(module, class_name, entry)


class Game:
    """One game of one player, in the player's process."""

    def __init__(self, channel: Conversation, game: Message, home: str) -> None:
        self._channel = channel
        self._home = home
        self._colour: int = game["colour"]
        self._seed: int = game["seed"]
        self._rules: RuleSet = ruleset(game["rules"])
        self._grid: Grid = grid_of(game["size"])
        self._view = GO(self._grid.size, self._rules)

    def play(self, player_class: type, made: Callable[[], object]) -> None:
        """Make the player, then answer until the harness hangs up. made: called in between."""
        try:
            seed_chance(self._seed)
            player = make(player_class, self._seed)
            made()
        except BaseException as error:
            self._channel.send({"error": describe(error, self._home)})
            return
        _flush()
        self._channel.send({"ready": True})
        while True:
            question = self._channel.receive()
            self._channel.send({"answer": question["ask"], **self._answer(player, question)})

    def _answer(self, player: Player, question: Message) -> Message:
        try:
            state = decode_state(question["state"], self._rules, self._grid)
            # Not self._view.adopt_state(): the player may have set an attribute of that name on the view.
            GO.adopt_state(self._view, state)
            self._view.verbose = False
            if question.get("where"):
                faulthandler.register(WHERE, 2, all_threads=False)
            if question.get("follow"):
                return self._answer_followed(player, state)
            return as_message(player.get_input(self._view, self._colour), state, self._view, method_place(player, self._home))
        except BaseException as error:
            return {"error": describe(error, self._home)}
        finally:
            # Once the answer is out, this process may be stopped at any moment.
            _flush()

    def _answer_followed(self, player: Player, state: State) -> Message:
        lines = AnswerLines(player, self._home)
        with lines:
            answer = player.get_input(self._view, self._colour)
        return as_message(answer, state, self._view) | {"came_from": lines.places()}


def make(player_class: type, seed: int) -> Player:
    """Return a new player; its constructor is given a random.Random if it has a parameter `rng`. Raises RefusedError."""
    try:
        takes_rng = "rng" in inspect.signature(player_class).parameters
    except (TypeError, ValueError):
        takes_rng = False
    player: Player = player_class(rng=random.Random(seed)) if takes_rng else player_class()
    if is_manual(player):
        raise RefusedError("its type is 'manual', and nobody is at the keyboard")
    check_can_be_asked(player)
    return player


# Python makes a function faster after some calls, and writes to its code then.
_REHEARSED = 10


def rehearse() -> None:
    """Play a few moves with a player of ours, before anything of a submission is loaded: see the top of this file."""
    ours, theirs = socket.socketpair()
    questions, state = Channel(ours), new_game(COURSE)
    with ours, theirs:
        for number in range(_REHEARSED):
            questions.send({"ask": number, "state": encode_state(state), "complaint": ""})
            state = state.play(divmod(number, state.grid.size))
        ours.shutdown(socket.SHUT_WR)
        game = {"colour": BLACK, "seed": 0, "rules": COURSE.name, "size": state.grid.size}
        with contextlib.suppress(ClosedError):
            Game(Channel(theirs), game, "/").play(_FirstLegal, lambda: None)


class _FirstLegal:
    def get_input(self, go: GO, piece_type: int) -> tuple[int, int]:
        points = (divmod(number, go.size) for number in range(go.size * go.size))
        return next(point for point in points if go.valid_place_check(*point, piece_type, test_check=True))


def as_message(answer: object, state: State, view: GO, where: str = "") -> Message:
    """Return an answer as plain data: a move if it can be read as one, otherwise its text, and why it is none.

    view: what the player was shown the state on. where: where get_input is written.
    """
    try:
        move = read_answer(answer, state.grid.size)
    except BadAnswerError as error:
        return {"text": quoted(answer), "why": f"{error}{where}"}
    plain = "PASS" if move is PASS else "RESIGN" if isinstance(move, Resign) else list(move)
    if state.why_illegal(move) is not None and GO.is_scribbled(view, state):
        return {"move": plain, "remark": CHANGED_BOARD}
    return {"move": plain}


def describe(error: BaseException, home: str) -> Message:
    """Return an exception as plain data: its type, one line, and the end of its traceback with paths within the submission."""
    _flush()
    name = type_name(error)
    if isinstance(error, RefusedError):
        return {"type": "refused", "line": printable(str(error), 300), "trace": ""}
    line = fault_line(error, home)
    memory = isinstance(error, MemoryError)
    if memory:
        traceback.clear_frames(error.__traceback__)  # they hold what filled the memory
    try:
        step = error.__traceback__
        while step is not None and not step.tb_frame.f_code.co_filename.startswith(home + os.sep):
            step = step.tb_next
        trace = "".join(traceback.format_exception(error.with_traceback(step))).replace(home + os.sep, "")
        lines = [printable(part, 200) for part in trace[-2 * EVIDENCE :].splitlines()]
    except BaseException:
        lines = []
    return {"type": "memory" if memory else name, "line": line, "trace": "\n".join(lines)[-EVIDENCE:]}


def seed_chance(seed: int) -> None:
    """Make chance a function of the game: seed `random` now, and numpy as soon as it is imported."""
    random.seed(seed)
    SeedsNumpy.install(seed)


def _flush() -> None:
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        return


def words_of(seed: int) -> list[int]:
    """Return a seed of 128 bits in the form that numpy takes whole: four 32-bit words, the lowest first."""
    return [seed >> shift & 0xFFFFFFFF for shift in range(0, 128, 32)]


class SeedsNumpy:
    """The first of the import system's finders; waits for numpy."""

    _installed: SeedsNumpy | None = None

    def __init__(self, seed: int) -> None:
        self.seed = seed

    @classmethod
    def install(cls, seed: int) -> None:
        """Seed numpy with `seed`, of 128 bits: now if it has been imported, else as soon as it is."""
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(words_of(seed))
        elif cls._installed is None:
            cls._installed = cls(seed)
            sys.meta_path.insert(0, cls._installed)
        else:
            cls._installed.seed = seed

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Find numpy, and only numpy, for the import system; its loader also seeds it."""
        if name != "numpy":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_seed(module: ModuleType) -> None:
                execute(module)
                module.random.seed(words_of(self.seed))

            spec.loader.exec_module = execute_and_seed  # type: ignore[method-assign]
        return spec
