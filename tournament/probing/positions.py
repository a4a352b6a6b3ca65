"""The positions that come with the project, one file for each rule set the solver knows: `positions/course.jsonl`.

A line is one position, with the exact value of every legal move:

    {"set": "capture", "moves": "C3 D4 ...", "margins": {"A1": 3, "B4": -5}}

set: a probe's name, SAMPLE or SYMMETRIC. moves: from the empty board, so all that a player is told of the past is true.
margins: Black's stones less White's at the end with best play after the move, komi left out.

`python3 -m tournament.probing` makes the files anew: it draws positions from games, and finds what every move is worth. Each
game has its own seed. Two reference players play it, and by chance a move is drawn from all legal ones: otherwise they would
play the same few games. A game gives each set one position at most, and no set holds a position or an image of it twice.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path

from go import GO
from goban.grids import BLACK
from goban.ideas import BY_NAME, FIRST_SOLVED, PROBES, SAMPLE, SYMMETRIC, phases, probes_for
from goban.moves import PASS, Move, move_name
from goban.points import parse_vertex
from goban.rulesets import RuleSet, ruleset
from goban.solver.mistakes import cost_stones
from goban.solver.solver import Solver
from goban.states import State, new_game
from gojudge.errors import JudgeError
from players.registry import make_player

# The eight symmetries of a square board, numbered from 0, which leaves it as it is


IMAGES = range(8)


def image(move: Move, number: int, size: int) -> Move:
    """Return where a symmetry takes a move: 1 to 3 turn it by so many quarters, 4 to 7 reflect it first."""
    if not isinstance(move, tuple):
        return move
    row, column = move
    if number >= len(IMAGES) // 2:
        column = size - 1 - column
    for _ in range(number % (len(IMAGES) // 2)):
        row, column = column, size - 1 - row
    return row, column


def play_moves(moves: Sequence[Move], rules: RuleSet, size: int, number: int = 0) -> State:
    """Return the position after these moves, each taken through a symmetry.

    Raises IllegalMoveError or BadPointError for a move that may not be played.
    """
    state = new_game(rules, size)
    for move in moves:
        state = state.play(image(move, number, size))
    return state


def boards(state: State) -> frozenset[tuple[tuple[int, ...], ...]]:
    """Return all images of a board: two boards that differ by a symmetry have the same."""
    rows = state.rows()
    found = []
    for _ in range(len(IMAGES) // 2):
        rows = [list(row) for row in zip(*rows[::-1], strict=True)]
        found += [rows, [row[::-1] for row in rows]]
    return frozenset(tuple(map(tuple, each)) for each in found)


# Positions


RULES = ("course", "littlego")
SIZE = 5


@dataclass(frozen=True)
class Position:
    """A position, and what every legal move in it is worth. group: the set it belongs to; see the top of this file."""

    rules: str
    group: str
    moves: tuple[Move, ...]
    margins: Mapping[Move, int]

    def state(self, number: int = 0) -> State:
        """Return the position, or its image under a symmetry."""
        return play_moves(self.moves, ruleset(self.rules), SIZE, number)

    @property
    def to_move(self) -> int:
        """Whose turn it is, 1 or 2."""
        return len(self.moves) % 2 + 1

    @cached_property
    def best(self) -> int:
        """The margin with best play."""
        return (max if self.to_move == BLACK else min)(self.margins.values())

    @cached_property
    def winning(self) -> frozenset[Move]:
        """The moves after which the player to move wins."""
        return frozenset(move for move, margin in self.margins.items() if winner(self.rules, margin) == self.to_move)

    def cost(self, move: Move) -> int:
        """Return how many stones a legal move loses against the best, 0 or more."""
        cost = cost_stones(self.to_move, self.best, self.margins[move])
        assert cost is not None
        return cost

    def line(self) -> str:
        """Return the line of a file."""
        margins = {move_name(move, SIZE): margin for move, margin in self.margins.items()}
        return json.dumps({"set": self.group, "moves": moves_text(self.moves), "margins": margins})


def winner(rules: str, margin: int) -> int:
    """Return who wins with so many stones more for Black than for White; komi on odd boards leaves no tie."""
    return BLACK if margin > ruleset(rules).komi(SIZE) else 3 - BLACK


def moves_text(moves: Iterable[Move]) -> str:
    """Return moves as a line: 'C3 D4 pass'."""
    return " ".join(move_name(move, SIZE) for move in moves)


def read_moves(text: str) -> tuple[Move, ...]:
    """Return the moves of such a line. Raises BadPointError."""
    return tuple(_move(name) for name in text.split())


def shipped_path(rules: str) -> Path:
    """Return where the positions of a rule set lie."""
    return Path(__file__).parent / "positions" / f"{rules}.jsonl"


def read_shipped(rules: RuleSet, size: int) -> list[Position]:
    """Return the positions for a rule set and a board; raises JudgeError if there are none."""
    if rules.name not in RULES or size != SIZE:
        game = f"{rules.name} on {size}x{size}"
        raise JudgeError(f"expected {' or '.join(RULES)} on {SIZE}x{SIZE}, where every move's value is known, got {game}")
    return read_lines(rules.name, shipped_path(rules.name).read_text("ascii"))


def read_lines(rules: str, text: str) -> list[Position]:
    """Return the positions in a file's text, which is ours."""
    return [_read(rules, line) for line in text.splitlines()]


def file_text(positions: Iterable[Position]) -> str:
    """Return positions as a file holds them: by their sets, in the order of the probes."""
    order = [*BY_NAME]
    ranked = sorted(positions, key=lambda one: order.index(one.group) if one.group in BY_NAME else len(order))
    return "".join(f"{position.line()}\n" for position in ranked)


def _read(rules: str, line: str) -> Position:
    data = json.loads(line)
    margins = {_move(name): margin for name, margin in data["margins"].items()}
    return Position(rules, data["set"], read_moves(data["moves"]), margins)


def _move(name: str) -> Move:
    return PASS if name == "pass" else parse_vertex(name, SIZE)


PLAYERS = ("random", "greedy", "aggressive", "smart")
SLIP = 1 / 4
EACH = 10
"""Positions of a probe, and symmetric ones."""
SAMPLED = 24
"""Positions of each phase in the sample."""
_MEMORY_MIB = 256
_SYMMETRIC_PLIES = range(8, 18)


def make_positions(rules: str, seed: int, games: int, found: Callable[[Position], object]) -> list[Position]:
    """Draw positions from at most this number of games; stop once all sets are full. found: called with each position."""
    drawing = ProbeDrawing(rules, found)
    for number in range(games):
        if drawing.full:
            break
        name = f"{seed} {rules} {number}"
        drawing.look_through(drawn_game(rules, name), random.Random(f"{name} order"))
    sample = ProbeDrawing(rules, found)
    for number in count():
        if sample.left[SAMPLE] == 0:
            break
        sample.sample(drawn_game(rules, f"{seed} {rules} sample {number}"), number)
    return drawing.positions + sample.positions


def drawn_game(rules: str, seed: str) -> list[Move]:
    """Return the moves of a game between two reference players with slips."""
    rng = random.Random(seed)
    seats = [make_player(rng.choice(PLAYERS), random.Random(f"{seed} {colour}")) for colour in (1, 2)]
    state, moves, view = new_game(ruleset(rules), SIZE), list[Move](), GO(SIZE, ruleset(rules))
    while not state.is_over:
        if rng.random() < SLIP:
            move = rng.choice([move for move in state.legal_moves() if move is not PASS] or [PASS])
        else:
            view.adopt_state(state)
            answer = seats[state.to_move - 1].get_input(view, state.to_move)
            move = PASS if answer == "PASS" else answer  # type: ignore[assignment]
        moves.append(move)
        state = state.after(move)
    return moves


class ProbeDrawing:
    """Takes positions out of games until all sets are full. left: how many each still takes."""

    def __init__(self, rules: str, found: Callable[[Position], object]) -> None:
        self.rules = rules
        self.positions: list[Position] = []
        each = dict.fromkeys([*(probe.name for probe in probes_for(rules)), SYMMETRIC], EACH)
        self.left = Counter({**each, SAMPLE: SAMPLED * len(phases(rules))})
        self._found = found
        self._solver = Solver(_MEMORY_MIB)
        self._taken: set[tuple[str, int, object]] = set()

    @property
    def full(self) -> bool:
        """Whether no probe takes more, nor the symmetric positions."""
        return not any(number for group, number in self.left.items() if group != SAMPLE)

    def look_through(self, moves: list[Move], rng: random.Random) -> None:
        """Take from a game what shows a probe."""
        given: set[str] = set()
        states = list(enumerate(_states(self.rules, moves)))[FIRST_SOLVED[self.rules] : -1]
        for ply, state in rng.sample(states, len(states)):
            wanted = [probe for probe in PROBES if self.left[probe.name] and probe.name not in given and probe.may_show(state)]
            turnable = self.left[SYMMETRIC] and SYMMETRIC not in given and ply in _SYMMETRIC_PLIES
            if not wanted and not turnable:
                continue
            winning = self._solver.winning_moves(state).winning_moves
            shown = [probe.name for probe in wanted if probe.shows(state, winning)]
            if turnable and len(winning) == 1 and len(boards(state)) == len(IMAGES):
                shown.append(SYMMETRIC)
            for group in shown:
                if self._take(group, moves[:ply], state):
                    given.add(group)

    def sample(self, moves: list[Move], number: int) -> None:
        """Take one position from game `number`, whatever it is; the phases take turns, and in them the plies."""
        states, parts = _states(self.rules, moves), phases(self.rules)
        plies = [ply for ply in parts[number % len(parts)] if ply < len(states) - 1]
        if plies:
            ply = plies[number // len(parts) % len(plies)]
            self._take(SAMPLE, moves[:ply], states[ply])

    def _take(self, group: str, moves: list[Move], state: State) -> bool:
        """Solve a position and put it into a set, unless it is there; return whether it was new."""
        key = (group, state.to_move, boards(state))
        if key in self._taken:
            return False
        self._taken.add(key)
        position = Position(self.rules, group, tuple(moves), self._margins(state))
        self.positions.append(position)
        self.left[group] -= 1
        self._found(position)
        return True

    def _margins(self, state: State) -> dict[Move, int]:
        found: dict[Move, int] = {}
        near = None
        for move in state.legal_moves():
            near = self._solver.margin(state.after(move), near=near).margin
            assert near is not None
            found[move] = near
        return found


def _states(rules: str, moves: list[Move]) -> list[State]:
    """Return the positions of a game, from the empty board to its end."""
    states = [new_game(ruleset(rules), SIZE)]
    for move in moves:
        states.append(states[-1].after(move))
    return states
