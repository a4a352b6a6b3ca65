"""The seat of a class: asks the player's process for moves, and reports its faults.

    keeper         the first process in the sandbox; it is ours
    zygote         loads the submission once, and is then stopped
    its forks      one for each game: it makes the player, answers for it, and ends with the game. Where the keeper can, it
                   makes them as copies of the zygote, and ends that

If forks would share something, or an event asks for it, the zygote itself plays, and every game gets a new one, in a sandbox of
its own.

The seat decides when the player runs and what its messages mean. The supervisor does the waiting, and decides in which order
the end of its time, the account of CPU and memory, and the death of a process are noticed; see the top of its file.

    the player runs     from a question to its answer, and while it is loaded and made; otherwise all its processes are stopped
    its clock           `start_seconds` for loading, again for making the player; `move_seconds` for each answer; it runs while
                        the player runs or sleeps, not while it waits for a core
    its CPU account     starts with the game; each answer is charged with what was used since the answer before

Questions are numbered within a game, and an answer repeats its question's number. A message with another number, such as a
second answer to an earlier question, is the player's fault.
"""

from __future__ import annotations

import socket
from collections.abc import Callable

from gojudge.errors import HarnessFaultError
from gojudge.game import RuleSet, State
from gojudge.inside.protocol import Channel, Message, ProtocolError, encode_state, read_move
from gojudge.records import LOADING_SEED, Entrant, Fault, GameSpec, Termination
from gojudge.sandbox.faults import TIMES_ASKED, fault_of, hangs_at, out_of_turn, stuck_at
from gojudge.sandbox.handles import Sandbox
from gojudge.sandbox.supervisor import Phase, SupervisedSeat, Supervisor
from gojudge.sandbox.transcripts import Piece
from gojudge.seats import Limits, Reply


class ClassSeat(SupervisedSeat):
    """A `gojudge.seats.Seat` for a class. launch: opens a sandbox for it; called again if one breaks down.

    load_each_game: whether every game loads the submission anew. follows: whether the player's process is to say which line of
    its own code returns each answer, see `goban.common.player_faults`; tells_where: whether it is to say at which line it is if
    it does not answer in time. For games that count neither is so: that line is another one each time.
    """

    def __init__(
        self,
        entrant: Entrant,
        rules: RuleSet,
        size: int,
        limits: Limits,
        tier: str,
        launch: Callable[[], Sandbox],
        load_each_game: bool = False,
        tells_where: bool = False,
    ) -> None:
        super().__init__(limits, tier, Supervisor(limits, launch, where=self._where))
        self._entrant = entrant
        self._rules = rules
        self._size = size
        self._load_each_game = load_each_game
        # The channel to the player's process, during a game.
        self._game: Channel | None = None
        # Whether the keeper makes the processes that play, and the channel to such a one.
        self._copies = False
        self._copy: Channel | None = None
        self._asked = 0
        self._tells_where = tells_where
        self.follows = False

    # A game

    def _begin(self, spec: GameSpec, colour: int) -> None:
        supervisor, self._asked = self._supervisor, 0
        sandbox, zygote = supervisor.load(self._load)
        # CPU is counted from here: what loading took is not charged to the game.
        files = sandbox.begin_game()
        # A copy waits for its order on a socket of its own.
        self._copy = Channel(socket.socket(fileno=files[0])) if files else None
        # Its own seed and no other: nothing here leads to the opponent's, or to the event's key.
        game = {"seed": spec.seeds[colour - 1], "colour": colour, "rules": self._rules.name, "size": self._size}
        # Each game has a socket of its own as well, so that nothing an earlier game left in one can turn up in this one.
        ours, theirs = socket.socketpair()
        self._game = Channel(ours)
        ours.setblocking(False)
        with theirs:
            order = {"game": {**game, "fork": supervisor.forks and self._copy is None}}
            supervisor.send(self._copy or zygote, order, (theirs.fileno(),))
        sandbox.go()
        message = supervisor.wait(self._game, self._limits.start_seconds, "the player was not made")
        # It has said that it is ready, and stays stopped until its first question.
        sandbox.stop()
        if message != {"ready": True}:
            supervisor.give_up(fault_of(message, starting=True))

    def _ask(self, state: State, complaint: str) -> Reply:
        supervisor, sandbox, game = self._supervisor, self._supervisor.sandbox, self._game
        if sandbox is None or game is None:
            raise HarnessFaultError("a player was asked outside a game")
        self._asked += 1
        # From here on a hang is a time-out and a death a crash; before, both were start-up failures.
        supervisor.phase = Phase.PLAYING
        question: Message = {"ask": self._asked, "state": encode_state(state), "complaint": complaint}
        if self.follows:
            question["follow"] = True
        if self._tells_where:
            question["where"] = True
        sandbox.mark(state.n_move + 1)
        # Only a process that runs can read: a long question may fill the socket.
        sandbox.go()
        supervisor.send(game, question)
        message = supervisor.wait(game, self._limits.move_seconds, "no answer")
        # Stopped before the message is looked at: nobody thinks on the opponent's time. Only now is the account complete. A
        # limit that was passed since the supervisor's last look is noticed here, and decides before the answer does.
        spent = supervisor.charge(sandbox.stop())
        if message.get("answer") != self._asked:
            supervisor.give_up(Fault(Termination.INVALID_ANSWER, out_of_turn(message)))
        if "error" in message:
            supervisor.give_up(fault_of(message))
        came_from = message.pop("came_from", ()) if self.follows else ()
        try:
            move = read_move(message)
        except ProtocolError as error:
            supervisor.give_up(Fault(Termination.INVALID_ANSWER, f"it {error}"))
        return Reply(move, spent, came_from if type(came_from) is list else ())

    def _end(self, sandbox: Sandbox) -> list[Piece]:
        supervisor = self._supervisor
        self._hang_up()
        if supervisor.zygote is None or not supervisor.forks:
            # The zygote has played itself, or is gone: the next game loads the submission anew.
            supervisor.drop_zygote()
            return sandbox.kill()
        log = sandbox.clear()
        # The zygote runs now: it must report the end of its fork, or its report would be read in the next game.
        if supervisor.reap():
            self._rest(sandbox)
        else:
            # A zygote that misbehaves is not trusted with the next game.
            supervisor.drop_zygote()
            sandbox.kill()
        return log

    def _hang_up(self) -> None:
        for channel in (self._game, self._copy):
            if channel is not None:
                channel.close()
        self._game = self._copy = None

    def _load(self, sandbox: Sandbox, zygote: Channel) -> None:
        """Let the zygote load the submission, stop it, and find out whether games may be forks of it."""
        supervisor, self._copies = self._supervisor, False
        order = {"seed": LOADING_SEED, "entry": self._entrant.entry, "class": self._entrant.class_name}
        supervisor.send(zygote, {"load": order})
        message = supervisor.wait(zygote, self._limits.start_seconds, "the submission was not loaded")
        if message != {"loaded": True}:
            supervisor.give_up(fault_of(message, starting=True))
        why_not, reports = sandbox.settle(alone=self._load_each_game)
        supervisor.forks = not why_not
        if why_not and not self._load_each_game:
            # Whether it can be copied may depend on chance, and the attempt leaves marks on its memory: a game would know from
            # either whether it is the first. So no game is played by this process, nor by a copy of a later one.
            self._load_each_game = True
            self._load(*supervisor.start())
            return
        if reports is not None:
            self._copies = True
            supervisor.hear_of_copies(reports)
        self._rest(sandbox)

    def _where(self, sandbox: Sandbox) -> str:
        """Return, for the end of a message, where a submission is that does not load, make its player or answer in time."""
        playing = self._supervisor.phase is Phase.PLAYING
        for _ in range(0 if playing and not self._tells_where else TIMES_ASKED):
            calls = sandbox.calls()
            if not calls:  # it does not listen
                break
            if playing and (place := hangs_at(calls, sandbox.home)):
                return place
            if not playing and (place := stuck_at(calls, sandbox.home, self._entrant.folder)):
                return f"; {place}"
        return ""

    def _rest(self, sandbox: Sandbox) -> None:
        """Stop the zygote until the next game, unless games are copies: then it is gone, and their image never runs."""
        if not self._copies:
            sandbox.stop()
