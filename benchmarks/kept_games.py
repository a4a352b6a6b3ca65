"""Games between two players, each kept on disk as it ends, so that a run can be stopped and taken up again.

A player is a name of `players.registry`, with options or without, or `gtp:COMMAND`, where {seed} stands for a number. The two
take turns with Black. Every game has a seed of its own, which follows from the pairing and its number. Games may begin with
stones at random, the same for the two games in which the players change colours.

A program that speaks GTP is started for one game; what it takes of the processor is counted. This is plain on purpose: a
program that hangs or dies stops the benchmark. Where engines are judged, `gojudge` does that.
"""

from __future__ import annotations

import hashlib
import os
import random
import shlex
import shutil
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from benchmarks.pools import read_lines, work_off
from go import GO
from goban.common.command_lines import CommandError
from goban.common.estimates import wilson_interval
from goban.common.excerpts import printable
from goban.errors import GobanError
from goban.game import judge_answer
from goban.grids import BLACK, WHITE
from goban.moves import RESIGN, Move, Resign, move_name
from goban.points import parse_vertex
from goban.rulesets import opponent, ruleset
from goban.states import State, new_game
from players.montecarlo_player import MonteCarloPlayer
from players.registry import Player, make_player, prepare_player, read_options, split_options

_COLOURS = {BLACK: "black", 3 - BLACK: "white"}


class GtpProgram:
    """One process. command: as in a shell, with {seed} for a number. Raises CommandError for whatever it does wrong."""

    def __init__(self, command: str, seed: int) -> None:
        words = shlex.split(command.replace("{seed}", str(seed)))
        # By its whole name, since Pachi looks for its files where its first argument says it is.
        words[0] = shutil.which(words[0]) or words[0]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        try:
            self._process = subprocess.Popen(words, text=True, start_new_session=True, **pipes)  # type: ignore[call-overload]
        except OSError as error:
            raise CommandError(f"{words[0]} cannot be started: {error.strerror}") from None
        self._moves: list[Move] = []
        self.seconds = 0.0
        """Of the processor, for all answers."""

    def begin(self, state: State) -> None:
        """Begin a game."""
        size = state.grid.size
        for command in (f"boardsize {size}", "clear_board", f"komi {state.rules.komi(size):g}"):
            self._ask(command)

    def hear(self, colour: int, move: Move, size: int) -> None:
        """Hear of the opponent's move."""
        self._ask(f"play {_COLOURS[colour]} {move_name(move, size)}")

    def answer(self, state: State) -> Move:
        """Return its move."""
        before = self._cpu_seconds()
        text = self._ask(f"genmove {_COLOURS[state.to_move]}")
        self.seconds += self._cpu_seconds() - before
        if text.lower() == "resign":
            return RESIGN
        try:
            return parse_vertex(text, state.grid.size)
        except GobanError as error:
            raise CommandError(f"{self._process.args!r}: {error}") from None

    def stones(self, status: str, size: int) -> frozenset[Move]:
        """Return the points of all stones of a status: dead, alive or seki."""
        return frozenset(parse_vertex(word, size) for word in self._ask(f"final_status_list {status}").split())

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        with suppress(BrokenPipeError):
            self._process.communicate()

    def _cpu_seconds(self) -> float:
        """Return the seconds of the processor that the process has taken, from Linux's account of it."""
        with open(f"/proc/{self._process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _ask(self, command: str) -> str:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        with suppress(BrokenPipeError):
            stdin.write(f"{command}\n")
            stdin.flush()
        lines: list[str] = []
        while (line := stdout.readline()).strip() or not lines:
            if not line:
                raise CommandError(f"{self._process.args!r} has ended, asked {command!r}")
            lines += [line.strip()] if line.strip() else []
            # What is no answer may never end with an empty line.
            if lines and not lines[0].startswith("="):
                raise CommandError(f"{self._process.args!r} answered {printable(lines[0], 200)!r} to {command!r}")
        return " ".join(lines)[1:].strip()


_GTP = "gtp:"
_MOST_MOVES_PER_POINT = 5
"""A longer game is scored as it stands: nobody would have been able to pass."""


@dataclass(frozen=True)
class Pairing:
    """Two players and the conditions of their games. first, second: players; label: of a row in the table.

    equal: the first, a `montecarlo`, may spend no more on its answers than the second has on as many in the same game, see
    `_allow_equal`; until the second has moved, it thinks for as long as its own options say. opening: how many placements at
    random a game begins with.
    """

    label: str
    first: str
    second: str
    rules: str
    size: int
    games: int
    seed: int
    equal: bool = False
    opening: int = 0

    @property
    def key(self) -> str:
        """What games of the same conditions have in common on disk."""
        first = f"{self.first} on an equal account" if self.equal else self.first
        conditions = f"{self.rules} {self.size}" + (f" after {self.opening} at random" if self.opening else "")
        return f"{first} | {self.second} | {conditions} | seed {self.seed}"


@dataclass(frozen=True)
class Played:
    """A finished game. winner: 1 the first player, 2 the second, 0 a tie. seconds: of the processor, by player."""

    key: str
    number: int
    winner: int
    black: int
    result: str
    moves: tuple[str, ...]
    seconds: tuple[float, float]
    answers: tuple[int, int]


class Side(Protocol):
    """A player at the board of a benchmark."""

    seconds: float

    def begin(self, state: State) -> None:
        """Begin a game."""

    def hear(self, colour: int, move: Move, size: int) -> None:
        """Hear of the opponent's move."""

    def answer(self, state: State) -> Move:
        """Return a move."""

    def close(self) -> None:
        """End."""


class OurSide:
    """A player of the registry."""

    def __init__(self, name: str, seed: int) -> None:
        self._name, self._player = name, _player(name, random.Random(seed))
        self.seconds = 0.0

    def begin(self, state: State) -> None:
        """Begin a game. What has to be compiled is compiled in nobody's time."""
        self._view = GO(state.grid.size, state.rules)
        prepare_player(self._name, self._player, state.rules, state.grid.size)

    def hear(self, colour: int, move: Move, size: int) -> None:
        """Nothing: the state tells."""

    def allow(self, seconds: float) -> None:
        """Give it so many seconds of the processor, more than none, for its next answer; for `montecarlo` only."""
        player: Any = self._player
        player.set_seconds(seconds)

    def answer(self, state: State) -> Move:
        """Return its move, the first legal one of as many as the rules ask for."""
        for _ in range(1 + state.rules.asked_again):
            self._view.adopt_state(state)
            before = time.process_time()
            answer = self._player.get_input(self._view, state.to_move)
            self.seconds += time.process_time() - before
            move, complaint, _ = judge_answer(answer, state)
            if not complaint:
                return move
        raise CommandError(f"{self._name}: {complaint}")

    def close(self) -> None:
        """Nothing is left behind."""


def _player(name: str, rng: random.Random) -> Player:
    """Return a player of the registry. `montecarlo` counts its seconds on the clock that this table has: the processor's."""
    own, text = split_options(name)
    if own != MonteCarloPlayer.type:
        return make_player(name, rng)
    made: Any = MonteCarloPlayer
    player: Player = made(rng, clock=time.process_time, **read_options(text, made))
    return player


def play(pairing: Pairing, number: int) -> Played:
    """Play a game. Raises CommandError if a player does what it may not."""
    black = 1 if number % 2 == 0 else 2
    sides = [_side(name, _seed(f"{pairing.key} | {number} | {k}")) for k, name in enumerate((pairing.first, pairing.second))]
    seated = {BLACK: sides[black - 1], WHITE: sides[2 - black]}
    state, answers = new_game(ruleset(pairing.rules), pairing.size), [0, 0]
    moves: list[str] = []
    try:
        for side in sides:
            side.begin(state)
        for move in _opening(pairing, number, state):
            moves.append(move_name(move, pairing.size))
            for side in sides:
                side.hear(state.to_move, move, pairing.size)
            state = state.after(move)
        while not state.is_over and len(moves) < _MOST_MOVES_PER_POINT * pairing.size**2:
            colour = state.to_move
            if pairing.equal and seated[colour] is sides[0]:
                _allow_equal(sides, answers)
            move = seated[colour].answer(state)
            answers[sides.index(seated[colour])] += 1
            breach = None if isinstance(move, Resign) else state.why_illegal(move)
            if breach is not None:
                raise CommandError(f"{pairing.key}: game {number}: {move_name(move, pairing.size)}: {breach}")
            moves.append(move_name(move, pairing.size))
            if isinstance(move, Resign):
                break
            state = state.after(move)
            seated[opponent(colour)].hear(colour, move, pairing.size)
    finally:
        for side in sides:
            side.close()
    winner = opponent(state.to_move) if moves[-1] == "resign" else state.leader()
    points = state.scores()
    by_colour = {0: 0, BLACK: black, WHITE: 3 - black}
    return Played(
        pairing.key, number, by_colour[winner], black, f"{points[0]:g}-{points[1]:g}", tuple(moves),
        (sides[0].seconds, sides[1].seconds), (answers[0], answers[1]),
    )  # fmt: skip


def _opening(pairing: Pairing, number: int, state: State) -> list[Move]:
    """Return the placements that a game begins with: legal ones at random, anew for every second game."""
    rng = random.Random(_seed(f"{pairing.seed} | {number // 2}"))
    moves: list[Move] = []
    for _ in range(pairing.opening):
        moves.append(rng.choice([move for move in state.legal_moves() if isinstance(move, tuple)]))
        state = state.after(moves[-1])
    return moves


def _allow_equal(sides: Sequence[Side], answers: Sequence[int]) -> None:
    """Give the first side what is left of what the second has spent, for as many answers as its own with the next.

    So both have spent the same when it has answered, whether the second grows faster or slower in the course of a game. What
    the first has overspent is taken off, but for a tenth of the second's average.
    """
    first, second = sides
    if isinstance(first, OurSide) and second.seconds > 0:
        average = second.seconds / answers[1]
        first.allow(max(average * (answers[0] + 1) - first.seconds, average / 10))


def _side(name: str, seed: int) -> Side:
    return GtpProgram(name.removeprefix(_GTP), seed) if name.startswith(_GTP) else OurSide(name, seed)


def _seed(text: str) -> int:
    """Return a number below 2**31, which is what programs take."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") >> 1


def _play(pairing: Pairing, number: int) -> dict[str, Any]:
    return asdict(play(pairing, number))


def _game(values: dict[str, Any]) -> Played:
    """Return a game as JSON has it."""
    return Played(**values | {name: tuple(values[name]) for name in ("moves", "seconds", "answers")})


def read_games(path: Path) -> dict[tuple[str, int], Played]:
    """Return the games in a file, by key and number."""
    return {(game.key, game.number): game for game in map(_game, read_lines(path))}


def play_all(pairings: Sequence[Pairing], path: Path) -> list[list[Played]]:
    """Play what is not in the file yet, on all cores; return the games of each pairing. Says where games are when stopped."""
    done = read_games(path)
    left = [(pairing, n) for pairing in pairings for n in range(pairing.games) if (pairing.key, n) not in done]
    left.sort(key=lambda one: one[1])
    for game in map(_game, work_off(_play, left, path, "games", len(done))):
        done[game.key, game.number] = game
    return [[done[pairing.key, n] for n in range(pairing.games)] for pairing in pairings]


HEADERS = ("", "games", "won", "95 %", "as Black", "as White", "ties", "different", "s a move", "opponent's", "ratio")


def row(label: str, games: Sequence[Played]) -> list[str]:
    """Return what came of games, as HEADERS say."""
    won = sum(game.winner == 1 for game in games)
    low, high = wilson_interval(won, len(games))
    by_colour = [[game.winner == 1 for game in games if game.black == black] for black in (1, 2)]
    spent = [sum(g.seconds[k] for g in games) / max(1, sum(g.answers[k] for g in games)) for k in (0, 1)]
    shares = [f"{sum(wins) / len(wins):.1%}" if wins else "-" for wins in by_colour]
    return [
        label, str(len(games)), f"{won / len(games):.1%}", f"{low:.1%} to {high:.1%}", *shares,
        str(sum(game.winner == 0 for game in games)), str(len({game.moves for game in games})),
        *(f"{seconds:.3f}" for seconds in spent), f"{spent[0] / spent[1]:.2f}" if spent[1] else "-",
    ]  # fmt: skip
