"""The seat of a class: asks the process that has made a player of it for moves, and says what it did wrong.

    keeper         the first process in the sandbox, ours
    zygote         loads the submission once, and is stopped
    its forks      one a game: the player is made there, asked, and gone in the end

Where something would be shared between forks, the zygote itself plays, and a new one is started for every game.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable

from common.excerpts import printable
from goban.rulesets import RuleSet
from goban.states import State
from tournament.errors import HarnessFaultError
from tournament.inside.protocol import Channel, ProtocolError, encode_state, read_move
from tournament.records import Entrant, GameSpec, seed_of
from tournament.sandbox.faults import fault_of
from tournament.sandbox.handles import Sandbox
from tournament.sandbox.supervisor import Phase, Supervisor
from tournament.sandbox.transcripts import presentable_log
from tournament.seats import Limits, Reply
from tournament.verdicts import Fault, Termination

_LOADING_SEED = seed_of("import")


class ClassSeat:
    """A `tournament.seats.Seat` for a class. launch: opens a sandbox for it; called again if one breaks."""

    def __init__(
        self, entrant: Entrant, rules: RuleSet, size: int, limits: Limits, tier: str, launch: Callable[[], Sandbox]
    ) -> None:
        self.tier = tier
        self._entrant = entrant
        self._rules = rules
        self._size = size
        self._limits = limits
        self._supervisor = Supervisor(limits, launch)
        # To the player's process, while there is a game.
        self._game: Channel | None = None
        self._asked = 0

    # A game

    def begin(self, spec: GameSpec, colour: int) -> None:
        supervisor, self._asked = self._supervisor, 0
        sandbox, zygote = supervisor.loaded(self._load)
        sandbox.begin_game()
        ours, theirs = socket.socketpair()
        self._game = Channel(ours)
        ours.setblocking(False)
        game = {"seed": seed_of(spec.seed, colour), "colour": colour, "rules": self._rules.name, "size": self._size}
        with theirs:
            supervisor.send(zygote, {"game": {**game, "fork": supervisor.forks}}, (theirs.fileno(),))
        sandbox.go()
        message = supervisor.wait(self._game, self._limits.start_seconds, "the player was not made")
        sandbox.stop()
        if message != {"ready": True}:
            supervisor.give_up(fault_of(message, starting=True))

    def answer(self, state: State, complaint: str) -> Reply:
        supervisor, sandbox, game = self._supervisor, self._supervisor.sandbox, self._game
        if sandbox is None or game is None:
            raise HarnessFaultError("a player was asked outside a game")
        self._asked += 1
        supervisor.phase = Phase.PLAYING
        question = {"ask": self._asked, "state": encode_state(state), "complaint": complaint}
        sandbox.mark(state.n_move + 1)
        started = time.monotonic()
        # Only a process that runs can read: a long question may fill the socket.
        sandbox.go()
        supervisor.send(game, question)
        message = supervisor.wait(game, self._limits.move_seconds, "no answer")
        wall = time.monotonic() - started
        # Nobody thinks on the opponent's time.
        cpu = supervisor.charge(sandbox.stop())
        if message.get("answer") != self._asked:
            supervisor.give_up(Fault(Termination.INVALID_ANSWER, f"it answered out of turn: {printable(str(message), 60)}"))
        if "error" in message:
            supervisor.give_up(fault_of(message))
        try:
            move = read_move(message)
        except ProtocolError as error:
            supervisor.give_up(Fault(Termination.INVALID_ANSWER, f"it {error}"))
        return Reply(move, wall, cpu, min(supervisor.lag, wall))

    def printed(self) -> str:
        return self._supervisor.printed()

    def end(self) -> str:
        self._hang_up()
        supervisor, sandbox = self._supervisor, self._supervisor.sandbox
        if sandbox is None:
            return ""
        try:
            if supervisor.zygote is None or not supervisor.forks:
                supervisor.drop_zygote()
                return presentable_log(sandbox.kill())
            log = sandbox.clear()
            if supervisor.reap():
                sandbox.stop()
            else:
                # A zygote that does not do as it should is not trusted with the next game.
                supervisor.drop_zygote()
                sandbox.kill()
            return presentable_log(log)
        except HarnessFaultError:
            self.close()
            return ""

    def close(self) -> None:
        self._hang_up()
        self._supervisor.close()

    def _hang_up(self) -> None:
        if self._game is not None:
            self._game.close()
            self._game = None

    def _load(self, sandbox: Sandbox, zygote: Channel) -> None:
        """Have the submission loaded, and stop the process that has done it."""
        supervisor = self._supervisor
        order = {"seed": _LOADING_SEED, "entry": self._entrant.entry, "class": self._entrant.class_name}
        supervisor.send(zygote, {"load": order})
        message = supervisor.wait(zygote, self._limits.start_seconds, "the submission was not loaded")
        sandbox.stop()
        if message != {"loaded": True}:
            supervisor.give_up(fault_of(message, starting=True))
        supervisor.forks = not sandbox.settle()
