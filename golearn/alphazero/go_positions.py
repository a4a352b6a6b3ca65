"""Positions of 5x5 Go whose exact values are known: files in `positions/`, one for each rule set the solver knows.

    known = read_positions(shipped_path("course"))
    known.states()                 the positions
    known.winners[k], .margins[k]  what comes of each action in the k-th

A file is numpy's .npz with an entry for each array of `KnownPositions`. `python3 -m golearn.alphazero truth-set` makes it. It
draws the positions and finds their exact values:

Position k belongs to part k % 4 of `BUCKETS`; by turns its game is one of players and one of chance alone. Each game has its
own seed, so the k-th position is the same however many there are. In a game of players each move is by chance with
probability SLIP: otherwise they would play the same few games. A position is taken where it has two legal actions or more
and is not there yet.

Who wins after an action is known of every position; by how much, only from FIRST_MARGIN moves on: before, one position takes
seconds to minutes.
"""

from __future__ import annotations

import io
import json
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from go import GO
from goban.common.excerpts import error_line, quoted, quoted_path
from goban.common.files import one_line, read_arrays, read_bounded
from goban.errors import BadAnswerError, BadPointError
from goban.grids import BLACK, WHITE
from goban.moves import PASS, Move, Resign, move_of, read_answer
from goban.rulesets import ruleset
from goban.states import State
from golearn.alphazero.go_games import GoGame
from golearn.errors import BadPositionSetError, UnknownPlayerError, WrongAnswerError
from players.errors import BadPlayerError
from players.registry import check_game, make_player
from players.shipped_player import SHIPPED

if TYPE_CHECKING:
    from goban.solver.solver import Solver


RULES = ("course", "littlego")
SIZE = 5
MOST_MOVES = SIZE * SIZE - 1
ACTIONS = SIZE * SIZE + 1
NO_MOVE = 255
"""In `moves`, after the last one."""
ILLEGAL = 0
"""In `winners`."""
UNKNOWN = -128
"""In `margins`, where nobody has found it out, or the action is not legal."""

BUCKETS = (range(6), range(6, 12), range(12, 18), range(18, 24))
"""Moves that were made before a position, in the parts for which results are given."""

_MOST_BYTES = 2**24


@dataclass(frozen=True, eq=False)
class KnownPositions:
    """Positions of a rule set, n of them, and the exact values of all their actions.

    moves: uint8 (n, 24), the actions that lead to a position from the empty board, then NO_MOVE. from_players: bool (n,),
    whether players made these, or chance. winners: int8 (n, 26), who wins after an action with perfect play, 1 or 2;
    ILLEGAL for what may not be played. margins: int8 (n, 26), Black's stones less White's at the end after an action, komi
    left out, or UNKNOWN.
    """

    rules: str
    moves: npt.NDArray[np.uint8]
    from_players: npt.NDArray[np.bool_]
    winners: npt.NDArray[np.int8]
    margins: npt.NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.moves)

    @property
    def game(self) -> GoGame:
        """The game of these positions."""
        return GoGame(ruleset(self.rules), SIZE)

    def n_moves(self) -> npt.NDArray[np.int64]:
        """Return how many moves were made before each position."""
        found: npt.NDArray[np.int64] = (self.moves != NO_MOVE).sum(axis=1)
        return found

    def states(self) -> list[State]:
        """Return the positions; BadPositionSetError if a move of theirs may not be played."""
        game = self.game
        return [self._state(game, number) for number in range(len(self))]

    def _state(self, game: GoGame, number: int) -> State:
        state = game.initial_state()
        for action in self.moves[number]:
            if action == NO_MOVE:
                break
            try:
                state = game.apply_move(state, int(action))
            except ValueError as error:
                raise BadPositionSetError(f"position {number} of a set for {self.rules}: {error}") from error
        return state

    def part(self, which: npt.NDArray[Any]) -> KnownPositions:
        """Return some of the positions; which: numbers, or a mask (n,)."""
        columns = (self.moves, self.from_players, self.winners, self.margins)
        return KnownPositions(self.rules, *(column[which] for column in columns))

    # As the player to move sees it

    def movers(self) -> npt.NDArray[np.int8]:
        """Return who is to move, shape (n,): +1 for Black, -1 for White."""
        return np.where(self.n_moves() % 2 == 0, 1, -1).astype(np.int8)

    def legal(self) -> npt.NDArray[np.bool_]:
        """Return what may be played, shape (n, 26)."""
        found: npt.NDArray[np.bool_] = self.winners != ILLEGAL
        return found

    def wins(self) -> npt.NDArray[np.bool_]:
        """Return after which actions the mover wins, shape (n, 26)."""
        own = np.where(self.movers() == 1, BLACK, WHITE)
        found: npt.NDArray[np.bool_] = self.winners == own[:, None]
        return found

    def leads(self) -> npt.NDArray[np.float64]:
        """Return by how many stones the mover is ahead after each action, shape (n, 26); NaN where that is unknown."""
        known = np.where(self.margins == UNKNOWN, np.nan, self.margins)
        return known * self.movers()[:, None]


def shipped_path(rules: str) -> Path:
    """Return where the positions of a rule set lie that come with the project, whether or not there are any."""
    return Path(__file__).parent / "positions" / f"{rules}.npz"


def set_bytes(known: KnownPositions) -> bytes:
    """Return positions as their file holds them; the same positions give the same bytes."""
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **asdict(known))
    return buffer.getvalue()


def table_bytes(known: KnownPositions) -> bytes:
    """Return positions and values as a file for programs that know no rules: an .npz, docs/truth.md names its arrays."""
    states, game = known.states(), known.game
    boards = np.array([state.rows() for state in states], np.int8).reshape(-1, SIZE, SIZE)
    shown = {
        "boards": boards,
        "boards_before": np.array([state.grid.rows(*state.previous) for state in states], np.int8).reshape(boards.shape),
        "moves_made": known.n_moves().astype(np.int8),
        "to_move": np.where(known.movers() == 1, BLACK, WHITE).astype(np.int8),
        "legal": known.legal(),
        "observations": np.array([game.encode(state) for state in states], np.float32).reshape(
            -1, game.num_planes, *game.board_shape
        ),
    }
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **asdict(known), **shown)
    return buffer.getvalue()


def read_positions(path: Path) -> KnownPositions:
    """Return the positions in a file; raises BadPositionSetError, which names it, if it cannot be read as such."""
    name = f"positions {quoted_path(path)}"
    try:
        file = read_arrays(read_bounded(path, _MOST_BYTES))
        rules = str(file["rules"])
        known = KnownPositions(rules, *(file[key] for key in ("moves", "from_players", "winners", "margins")))
        count = len(known.moves)
    except Exception as error:  # a text may hold what is no character
        raise BadPositionSetError(f"{name} cannot be read: {one_line(error)}") from error
    if rules not in RULES:
        raise BadPositionSetError(f"{name}: expected rules {' or '.join(RULES)}, got {quoted(rules)}")
    shapes = {"moves": (count, MOST_MOVES), "from_players": (count,), "winners": (count, ACTIONS), "margins": (count, ACTIONS)}
    kinds = {"moves": "uint8", "from_players": "bool", "winners": "int8", "margins": "int8"}
    for key, shape in shapes.items():
        found = getattr(known, key)
        if found.shape != shape or found.dtype != kinds[key]:
            raise BadPositionSetError(f"{name}: {key}: expected {kinds[key]} {shape}, got {found.dtype} {found.shape}")
    return known


# Players of the registry on such boards


def chance_of(seed: str) -> random.Random:
    """Return `random.Random(seed)`, also for a seed made from the name of a file that is not UTF-8."""
    try:
        return random.Random(seed)
    except UnicodeEncodeError:
        return random.Random(seed.encode(errors="surrogatepass"))


class GoPlayer:
    """One player, by its name in the registry. Raises UnknownPlayerError if there is none, or none that plays this game.

    It may remember what it was asked before, as in a game, so the same answers come of the same questions in the same order.
    """

    def __init__(self, game: GoGame, name: str, seed: str) -> None:
        """seed: of the player's own chance."""
        self.game, self.name = game, name
        try:
            check_game(name, game.rules, game.size)
            self._player = make_player(name, chance_of(seed))
        except BadPlayerError as error:
            raise UnknownPlayerError(str(error)) from error

    def action(self, state: State) -> int:
        """Return the action it plays; WrongAnswerError for an answer that is none or may not be played."""
        # A view of its own: the player may write into it.
        view = GO(self.game.size, self.game.rules)
        GO.adopt_state(view, state)
        answer = _ask(self.name, self._player.get_input, view, state.to_move)
        try:
            move = read_answer(answer, self.game.size)
        except BadAnswerError as error:
            raise WrongAnswerError(f"player {self.name!r}: {error}") from None
        return action_of(move, self.game, state, self.name)


def _ask(name: str, function: Callable[..., object], *shown: object) -> object:
    """Return what somebody's code answers; WrongAnswerError, which names the player, if it fails or would end the program."""
    try:
        return function(*shown)
    except (Exception, SystemExit) as error:
        raise WrongAnswerError(f"player {name!r} failed: {error_line(error)}") from error


def action_of(move: Move, game: GoGame, state: State, name: str) -> int:
    """Return a player's move as an action; WrongAnswerError, which names the player, if it may not be played."""
    if isinstance(move, Resign):
        raise WrongAnswerError(f"player {name!r} resigned, which nobody may here")
    action = game.pass_action if move is PASS else game.size * move[0] + move[1]
    if action not in game.legal_moves(state):
        raise WrongAnswerError(f"player {name!r} may not play {game.action_name(action)} here")
    return action


class GoFunction:
    """Somebody's function. Called with a `goban` state it returns a move, or a pair of that and what the state is worth to the
    player to move, from -1 to 1 or None.

    A move is what `State.play` takes, or a whole number: size * row + column, and size * size for a pass.
    """

    def __init__(self, game: GoGame, function: Callable[[State], object], name: str) -> None:
        self.game, self.function, self.name = game, function, name

    def answer(self, state: State) -> tuple[int, float | None]:
        """Return the action it plays, and the value; WrongAnswerError for an answer that is none or may not be played."""
        said, value = _ask(self.name, self.function, state), None
        if isinstance(said, (tuple, list)) and len(said) == 2 and not all(_is_whole(part) for part in said):
            said, value = said
        return self._action(said, state), None if value is None else self._value(value)

    def _action(self, said: Any, state: State) -> int:  # noqa: ANN401
        try:
            move = self._numbered(index(said)) if _is_whole(said) else move_of(said, self.game.size)
        except BadPointError as error:
            raise WrongAnswerError(f"player {self.name!r}: {error}") from None
        return action_of(move, self.game, state, self.name)

    def _numbered(self, action: int) -> Move:
        if not 0 <= action < self.game.action_size:
            raise BadPointError(f"expected an action from 0 to {self.game.action_size - 1}, got {action}")
        return self.game.move_of(action)

    def _value(self, said: Any) -> float:  # noqa: ANN401
        try:
            value = float(said)
        except (TypeError, ValueError):
            value = math.nan
        if not -1 <= value <= 1:
            raise WrongAnswerError(f"player {self.name!r}: expected a value from -1 to 1, got {quoted(said)}")
        return value


def _is_whole(said: Any) -> bool:  # noqa: ANN401
    """Tell whether an answer is a whole number, be it of Python, numpy or torch."""
    try:
        index(said)
    except TypeError:
        return False
    return True


# How they are drawn and solved. What that needs is imported only then: most who read positions draw none.


PLAYERS = (SHIPPED, "smart", "aggressive", "greedy", "alphabeta")
SLIP = 1 / 8
FIRST_MARGIN = {"course": 6, "littlego": 8}
_MEMORY_MIB = 256

Label = dict[str, Any]
"""One position: moves, from_players, winners and margins, as `KnownPositions` has them, in lists."""


class Drawing:
    """Draws one position after the other; `taken` are those there are."""

    def __init__(self, rules: str, seed: int) -> None:
        self.game = GoGame(ruleset(rules), SIZE)
        self.seed = f"{seed} {rules}"
        self.taken: set[State] = set()

    def draw(self, number: int) -> tuple[State, list[int]]:
        """Return position `number`, which is then taken, and the actions that led to it."""
        attempt = 0
        while True:
            seed = f"{self.seed} {number} {attempt}"
            state, actions = self.play(random.Random(seed), BUCKETS[number % len(BUCKETS)], seed, from_players(number))
            if state not in self.taken and len(self.game.legal_moves(state)) > 1:
                self.taken.add(state)
                return state, actions
            attempt += 1

    def play(self, rng: random.Random, plies: range, seed: str, with_players: bool) -> tuple[State, list[int]]:
        """Return where a game stands after one of these numbers of moves, or at its end, and the actions; seed: of players."""
        seats = [GoPlayer(self.game, rng.choice(PLAYERS), f"{seed} {seat}") for seat in range(2)] if with_players else []
        state, ply, actions = self.game.initial_state(), rng.choice(plies), list[int]()
        while len(actions) < ply and not state.is_over:
            by_chance = not seats or rng.random() < SLIP
            action = rng.choice(self.game.legal_moves(state)) if by_chance else seats[len(actions) % 2].action(state)
            actions.append(action)
            state = self.game.apply_move(state, action)
        return state, actions


def from_players(number: int) -> bool:
    """Tell whether position `number` comes from a game of players."""
    return number // len(BUCKETS) % 2 == 0


def label(game: GoGame, state: State, actions: list[int], with_players: bool, solver: Solver) -> Label:
    """Return a position with the exact values of its actions."""
    winners, margins, near = [ILLEGAL] * ACTIONS, [UNKNOWN] * ACTIONS, None
    for action in game.legal_moves(state):
        after = state.after(game.move_of(action))
        if state.n_move < FIRST_MARGIN[game.rules.name]:
            found = solver.winner(after)
        else:
            found = solver.margin(after, near=near)
            assert found.margin is not None
            margins[action] = near = found.margin
        assert found.winner
        winners[action] = found.winner
    return {"moves": actions, "from_players": with_players, "winners": winners, "margins": margins}


def make_positions(rules: str, count: int, seed: int, notes: Path, done: Callable[[int], object]) -> KnownPositions:
    """Return so many positions; done: called with how many there are, at first with those that were there.

    notes: a file in which what has been found is kept, so that the same call goes on where this one was stopped. Raises
    BadPositionSetError if it holds other positions.
    """
    from goban.solver.solver import Solver

    drawing, solver = Drawing(rules, seed), Solver(_MEMORY_MIB)
    labels = list(_read_notes(notes, drawing))
    done(len(labels))
    with notes.open("a", encoding="ascii") as file:
        for number in range(len(labels), count):
            state, actions = drawing.draw(number)
            labels.append(label(drawing.game, state, actions, from_players(number), solver))
            file.write(json.dumps(labels[-1]) + "\n")
            file.flush()
            done(len(labels))
    return _collect(rules, labels[:count])


def _read_notes(notes: Path, drawing: Drawing) -> Iterator[Label]:
    """Yield what a file holds, and take those positions; a line that was cut off is removed from it."""
    if not notes.exists():
        return
    whole = notes.read_text(encoding="ascii").split("\n")[:-1]
    notes.write_text("".join(f"{line}\n" for line in whole), encoding="ascii")
    for number, line in enumerate(whole):
        found = json.loads(line)
        if drawing.draw(number)[1] != found["moves"]:
            raise BadPositionSetError(f"{notes}: expected positions of the same rules and seed, line {number + 1} has another")
        yield found


def _collect(rules: str, labels: list[Label]) -> KnownPositions:
    moves = np.full((len(labels), MOST_MOVES), NO_MOVE, np.uint8)
    for row, found in zip(moves, labels, strict=True):
        row[: len(found["moves"])] = found["moves"]
    winners, margins = (np.array([one[key] for one in labels], np.int8).reshape(-1, ACTIONS) for key in ("winners", "margins"))
    return KnownPositions(rules, moves, np.array([one["from_players"] for one in labels], np.bool_), winners, margins)
